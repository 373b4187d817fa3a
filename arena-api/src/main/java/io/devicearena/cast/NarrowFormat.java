package io.devicearena.cast;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import java.lang.foreign.MemorySegment;

/**
 * One of the two 16-bit formats. A few values are cast one by one, more of them block by block. Arguments have been
 * checked.
 *
 * <p>A block is cast between floats and narrow values that lie anywhere; the borrowed {@link CastBlock} holds
 * intermediate values.
 *
 * <p>Threads: safe for any thread; a block belongs to one thread.
 */
sealed interface NarrowFormat permits F16Format, Bf16Format {
    /** Up to here a loop over single values beats borrowing a block. */
    int FEW = 8;

    /** Rounds one value. */
    short narrow(float value);

    /** Widens one value. */
    float widen(short value);

    /** Rounds a block of floats in an array. */
    void write(CastBlock block, float[] src, int srcIndex, MemorySegment dst, long dstOffset, int n);

    /** Rounds a block of floats in a segment. */
    void write(CastBlock block, MemorySegment src, long srcOffset, MemorySegment dst, long dstOffset, int n);

    /** Widens a block into an array. */
    void read(CastBlock block, MemorySegment src, long srcOffset, float[] dst, int dstIndex, int n);

    /** Widens a block into a segment. */
    void read(CastBlock block, MemorySegment src, long srcOffset, MemorySegment dst, long dstOffset, int n);

    /** Rounds floats in an array. */
    default void write(MemorySegment dst, long dstOffset, float[] src, int srcIndex, int elements) {
        if (elements <= FEW) {
            for (int i = 0; i < elements; i++) {
                dst.set(JAVA_SHORT_UNALIGNED, dstOffset + 2L * i, narrow(src[srcIndex + i]));
            }
            return;
        }
        try (CastBlock block = CastBlock.acquire()) {
            int n;
            for (int done = 0; done < elements; done += n) {
                n = Math.min(CastBlock.ELEMENTS, elements - done);
                write(block, src, srcIndex + done, dst, dstOffset + 2L * done, n);
            }
        }
    }

    /** Rounds floats in a segment. */
    default void write(MemorySegment dst, long dstOffset, MemorySegment src, long srcOffset, long elements) {
        if (elements <= FEW) {
            for (int i = 0; i < elements; i++) {
                float value = Float.intBitsToFloat(src.get(JAVA_INT_UNALIGNED, srcOffset + 4L * i));
                dst.set(JAVA_SHORT_UNALIGNED, dstOffset + 2L * i, narrow(value));
            }
            return;
        }
        try (CastBlock block = CastBlock.acquire()) {
            int n;
            for (long done = 0; done < elements; done += n) {
                n = (int) Math.min(CastBlock.ELEMENTS, elements - done);
                write(block, src, srcOffset + 4 * done, dst, dstOffset + 2 * done, n);
            }
        }
    }

    /** Widens values into an array. */
    default void read(MemorySegment src, long srcOffset, float[] dst, int dstIndex, int elements) {
        if (elements <= FEW) {
            for (int i = 0; i < elements; i++) {
                dst[dstIndex + i] = widen(src.get(JAVA_SHORT_UNALIGNED, srcOffset + 2L * i));
            }
            return;
        }
        try (CastBlock block = CastBlock.acquire()) {
            int n;
            for (int done = 0; done < elements; done += n) {
                n = Math.min(CastBlock.ELEMENTS, elements - done);
                read(block, src, srcOffset + 2L * done, dst, dstIndex + done, n);
            }
        }
    }

    /** Widens values into a segment. */
    default void read(MemorySegment src, long srcOffset, MemorySegment dst, long dstOffset, long elements) {
        if (elements <= FEW) {
            for (int i = 0; i < elements; i++) {
                float value = widen(src.get(JAVA_SHORT_UNALIGNED, srcOffset + 2L * i));
                dst.set(JAVA_INT_UNALIGNED, dstOffset + 4L * i, Float.floatToRawIntBits(value));
            }
            return;
        }
        try (CastBlock block = CastBlock.acquire()) {
            int n;
            for (long done = 0; done < elements; done += n) {
                n = (int) Math.min(CastBlock.ELEMENTS, elements - done);
                read(block, src, srcOffset + 2 * done, dst, dstOffset + 4 * done, n);
            }
        }
    }
}
