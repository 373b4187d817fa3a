package io.devicearena.wgpu.internal.raw;

import io.devicearena.wgpu.ffi.WGPUStringView;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/** Text in the library's form: an address and a length, UTF-8. Threads: static and stateless; safe for any thread. */
final class NativeText {
    private NativeText() {}

    static void set(MemorySegment view, String text, Arena arena) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        MemorySegment data = arena.allocate(Math.max(bytes.length, 1));
        MemorySegment.copy(MemorySegment.ofArray(bytes), 0, data, 0, bytes.length);
        WGPUStringView.data(view, data);
        WGPUStringView.length(view, bytes.length);
    }
}
