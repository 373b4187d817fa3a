package io.devicearena.cast;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import java.lang.foreign.MemorySegment;

/**
 * Casts of any length: a few values one by one, more of them block by block. Arguments have been checked.
 *
 * <p>Threads: safe for any thread.
 */
final class BlockCasts {
    /** Up to here a loop over single values beats borrowing a block. */
    private static final int FEW = 8;

    private BlockCasts() {}

    static void write(NarrowFormat format, MemorySegment dst, long dstOffset, float[] src, int srcIndex, int elements) {
        if (elements <= FEW) {
            for (int i = 0; i < elements; i++) {
                dst.set(JAVA_SHORT_UNALIGNED, dstOffset + 2L * i, format.narrow(src[srcIndex + i]));
            }
            return;
        }
        CastBlock block = CastBlock.acquire();
        try {
            int most = format.arrayWriteBlock();
            int n;
            for (int done = 0; done < elements; done += n) {
                n = Math.min(most, elements - done);
                format.write(block, src, srcIndex + done, dst, dstOffset + 2L * done, n);
            }
        } finally {
            block.release();
        }
    }

    static void write(
            NarrowFormat format, MemorySegment dst, long dstOffset, MemorySegment src, long srcOffset, long elements) {
        if (elements <= FEW) {
            for (int i = 0; i < elements; i++) {
                float value = Float.intBitsToFloat(src.get(JAVA_INT_UNALIGNED, srcOffset + 4L * i));
                dst.set(JAVA_SHORT_UNALIGNED, dstOffset + 2L * i, format.narrow(value));
            }
            return;
        }
        CastBlock block = CastBlock.acquire();
        try {
            int most = format.segmentWriteBlock();
            int n;
            for (long done = 0; done < elements; done += n) {
                n = (int) Math.min(most, elements - done);
                format.write(block, src, srcOffset + 4 * done, dst, dstOffset + 2 * done, n);
            }
        } finally {
            block.release();
        }
    }

    static void read(NarrowFormat format, MemorySegment src, long srcOffset, float[] dst, int dstIndex, int elements) {
        if (elements <= FEW) {
            for (int i = 0; i < elements; i++) {
                dst[dstIndex + i] = format.widen(src.get(JAVA_SHORT_UNALIGNED, srcOffset + 2L * i));
            }
            return;
        }
        CastBlock block = CastBlock.acquire();
        try {
            int most = format.arrayReadBlock();
            int n;
            for (int done = 0; done < elements; done += n) {
                n = Math.min(most, elements - done);
                format.read(block, src, srcOffset + 2L * done, dst, dstIndex + done, n);
            }
        } finally {
            block.release();
        }
    }

    static void read(
            NarrowFormat format, MemorySegment src, long srcOffset, MemorySegment dst, long dstOffset, long elements) {
        if (elements <= FEW) {
            for (int i = 0; i < elements; i++) {
                float value = format.widen(src.get(JAVA_SHORT_UNALIGNED, srcOffset + 2L * i));
                dst.set(JAVA_INT_UNALIGNED, dstOffset + 4L * i, Float.floatToRawIntBits(value));
            }
            return;
        }
        CastBlock block = CastBlock.acquire();
        try {
            int most = format.segmentReadBlock();
            int n;
            for (long done = 0; done < elements; done += n) {
                n = (int) Math.min(most, elements - done);
                format.read(block, src, srcOffset + 2 * done, dst, dstOffset + 4 * done, n);
            }
        } finally {
            block.release();
        }
    }
}
