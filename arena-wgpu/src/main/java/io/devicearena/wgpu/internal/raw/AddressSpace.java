package io.devicearena.wgpu.internal.raw;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;

/**
 * The process's whole address space as one segment, so that native addresses are read and written without making a
 * segment for each. Threads: static and stateless; safe for any thread.
 */
public final class AddressSpace {
    /** Every address; an offset into it is an address. Who uses it answers for what is there. */
    public static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

    /**
     * For what the library may touch until the process ends: callbacks and the cells that they write to. It is never
     * closed, since the library's own threads may still call when everything else is gone.
     */
    static final Arena FOREVER = Arena.ofShared();

    private AddressSpace() {}

    /** Reads a string of the library. */
    static String text(long address, long length) {
        if (address == 0 || length <= 0) {
            return "";
        }
        return new String(ALL.asSlice(address, length).toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8);
    }
}
