package io.devicearena.cast;

import java.lang.foreign.MemorySegment;

/**
 * Distinguishes plain native memory from every other kind of segment.
 *
 * <p>A loop over a segment becomes vector code only where C2 knows the segment's class, and the profile that would say
 * so is shared by the whole process. So each loop over native memory checks the class first, and C2 knows it from there
 * on. Mapped files and heap segments use bulk copies.
 */
final class NativeMemory {
    private static final Class<?> NATIVE = MemorySegment.NULL.getClass();

    private NativeMemory() {}

    static boolean is(MemorySegment segment) {
        return segment.getClass() == NATIVE;
    }
}
