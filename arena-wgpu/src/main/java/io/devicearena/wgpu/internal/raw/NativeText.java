package io.devicearena.wgpu.internal.raw;

import io.devicearena.wgpu.ffi.WGPUStringView;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;

/** Text in the library's form: an address and a length, UTF-8. Threads: static and stateless; safe for any thread. */
public final class NativeText {
    private NativeText() {}

    /** Copies a text into native memory and points a {@code WGPUStringView} at the copy. */
    public static void set(MemorySegment view, String text, Arena arena) {
        MemorySegment data = arena.allocateFrom(text); // a zero byte more than the text has
        WGPUStringView.data(view, data);
        WGPUStringView.length(view, data.byteSize() - 1);
    }

    /** Copies a text into native memory and returns a {@code WGPUStringView} of the copy. */
    public static MemorySegment allocate(String text, Arena arena) {
        MemorySegment view = arena.allocate(WGPUStringView.layout());
        set(view, text, arena);
        return view;
    }

    /** Reads the text of a {@code WGPUStringView}. */
    public static String of(MemorySegment view) {
        return at(WGPUStringView.data(view).address(), WGPUStringView.length(view));
    }

    /** Reads a text by its address and its length in bytes; a null address or no bytes give an empty text. */
    static String at(long address, long bytes) {
        if (address == 0 || bytes <= 0) {
            return "";
        }
        return new String(
                AddressSpace.ALL.asSlice(address, bytes).toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8);
    }
}
