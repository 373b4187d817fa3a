package io.devicearena.cast;

import java.lang.foreign.MemorySegment;

/**
 * One of the two 16-bit formats: how a single value is cast, and how a block of values is.
 *
 * <p>A block is cast between floats and narrow values that lie anywhere; the borrowed {@link CastBlock} holds
 * intermediate values. Each direction has the block length that was measured to be best for it.
 *
 * <p>Threads: safe for any thread; a block belongs to one thread.
 */
sealed interface NarrowFormat permits F16Format, Bf16Format {
    /** Rounds one value. */
    short narrow(float value);

    /** Widens one value. */
    float widen(short value);

    /** The best length for {@link #write(CastBlock, float[], int, MemorySegment, long, int)}, in elements. */
    int arrayWriteBlock();

    /** Rounds a block of floats in an array. */
    void write(CastBlock block, float[] src, int srcIndex, MemorySegment dst, long dstOffset, int n);

    /** The best length for {@link #write(CastBlock, MemorySegment, long, MemorySegment, long, int)}, in elements. */
    int segmentWriteBlock();

    /** Rounds a block of floats in a segment. */
    void write(CastBlock block, MemorySegment src, long srcOffset, MemorySegment dst, long dstOffset, int n);

    /** The best length for {@link #read(CastBlock, MemorySegment, long, float[], int, int)}, in elements. */
    int arrayReadBlock();

    /** Widens a block into an array. */
    void read(CastBlock block, MemorySegment src, long srcOffset, float[] dst, int dstIndex, int n);

    /** The best length for {@link #read(CastBlock, MemorySegment, long, MemorySegment, long, int)}, in elements. */
    int segmentReadBlock();

    /** Widens a block into a segment. */
    void read(CastBlock block, MemorySegment src, long srcOffset, MemorySegment dst, long dstOffset, int n);
}
