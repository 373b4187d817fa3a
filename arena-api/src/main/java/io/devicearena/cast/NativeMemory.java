package io.devicearena.cast;

import java.lang.foreign.MemorySegment;

/**
 * Tells plain native memory from every other kind of segment.
 *
 * <p>A loop over a segment becomes vector code only where C2 knows the segment's class, and the profile that would tell it
 * is shared with the whole process. So each loop over native memory asks first; where the answer is yes, the class is
 * known, whatever else the process does with segments. Mapped files and heap segments go by copies in bulk.
 */
final class NativeMemory {
    private static final Class<?> NATIVE = MemorySegment.NULL.getClass();

    private NativeMemory() {}

    static boolean is(MemorySegment segment) {
        return segment.getClass() == NATIVE;
    }
}
