package io.devicearena.cast;

import io.devicearena.DType;
import java.lang.foreign.MemorySegment;

/**
 * PLACEHOLDER: the cast package is written next; signatures are fixed.
 *
 * <p><b>Threads:</b> safe for any thread.
 */
public final class TypedCasts {
    private TypedCasts() {}

    public static long writeTypedFromF32(MemorySegment dst, DType dtype, float[] src, long maxElements) {
        return 0;
    }

    public static long writeTypedFromF32(MemorySegment dst, DType dtype, MemorySegment src, long maxElements) {
        return 0;
    }

    public static float[] readTypedToF32(MemorySegment src, DType dtype, long n) {
        return new float[0];
    }

    public static long readTypedToF32(MemorySegment src, DType dtype, float[] dst) {
        return 0;
    }

    public static long readTypedToF32(MemorySegment src, DType dtype, MemorySegment dst) {
        return 0;
    }

    public static void write(MemorySegment dst, long dstOffset, DType dtype, float[] src, int srcIndex, int elements) {}

    public static void write(
            MemorySegment dst, long dstOffset, DType dtype, MemorySegment src, long srcOffset, long elements) {}

    public static void read(MemorySegment src, long srcOffset, DType dtype, float[] dst, int dstIndex, int elements) {}

    public static void read(
            MemorySegment src, long srcOffset, DType dtype, MemorySegment dst, long dstOffset, long elements) {}
}
