package io.devicearena.conformance.calls;

import java.lang.foreign.MemorySegment;

/** Memory of a caller. */
public final class Segments {
    private Segments() {}

    public static MemorySegment of(byte... bytes) {
        return MemorySegment.ofArray(bytes);
    }
}
