package io.devicearena.cast;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.MemorySegment;

/**
 * The upper half of a binary32.
 *
 * <p>Two values are cast at once, two f32 in a {@code long} and two bf16 in an {@code int}: a loop that narrows {@code
 * int} to {@code short} after a shift does not become vector code, one that narrows {@code long} to {@code int} does. A
 * loop may read native memory or write it, not both: C2 cannot prove that the two do not overlap. So the narrow side
 * goes through an array when both sides are native.
 *
 * <p>Both packings are in native order, in which the first of two elements is in the low half of a {@code long} exactly
 * when it is in the low half of an {@code int}; so no loop depends on the byte order.
 *
 * <p>Threads: immutable.
 */
final class Bf16Format implements NarrowFormat {
    static final Bf16Format INSTANCE = new Bf16Format();

    private static final long ABS_PAIR = 0x7FFFFFFF_7FFFFFFFL;

    /** Added to the absolute bits of an f32, carries into bit 31 exactly when they are above infinity: a NaN. */
    private static final long NAN_CARRY_PAIR = 0x007FFFFF_007FFFFFL;

    private static final long SIGN_PAIR = 0x80000000_80000000L;
    private static final long LSB_PAIR = 0x00000001_00000001L;
    private static final long UPPER_HALVES = 0xFFFF0000_FFFF0000L;
    private static final long HALF_PAIR = 0x00007FFF_00007FFFL;

    private Bf16Format() {}

    @Override
    public short narrow(float value) {
        int bits = Float.floatToRawIntBits(value);
        if (Float.isNaN(value)) {
            return (short) ((bits >>> 16) | 0x0040);
        }
        return (short) ((bits + 0x7FFF + ((bits >>> 16) & 1)) >>> 16);
    }

    @Override
    public float widen(short bf16) {
        int bits = bf16 << 16;
        int nan = (0x7F800000 - (bits & 0x7FFFFFFF)) >>> 31;
        return Float.intBitsToFloat(bits | (nan << 22));
    }

    // An odd last element is cast as a pair with what the block holds behind it, which is not copied out.

    @Override
    public void write(CastBlock block, float[] src, int srcIndex, MemorySegment dst, long dstOffset, int n) {
        MemorySegment.copy(src, srcIndex, block.pairsBytes, JAVA_FLOAT_UNALIGNED, 0, n);
        narrow(block, n);
        MemorySegment.copy(block.halfPairsBytes, 0, dst, dstOffset, 2L * n);
    }

    @Override
    public void write(CastBlock block, MemorySegment src, long srcOffset, MemorySegment dst, long dstOffset, int n) {
        if (n % 2 != 0 || !NativeMemory.is(src) || !narrowNative(src, srcOffset, block.halfPairs, n / 2)) {
            MemorySegment.copy(src, srcOffset, block.pairsBytes, 0, 4L * n);
            narrow(block, n);
        }
        MemorySegment.copy(block.halfPairsBytes, 0, dst, dstOffset, 2L * n);
    }

    @Override
    public void read(CastBlock block, MemorySegment src, long srcOffset, float[] dst, int dstIndex, int n) {
        if (n % 2 == 0 && NativeMemory.is(src)) {
            widenNative(src, srcOffset, block.pairs, n / 2);
        } else {
            MemorySegment.copy(src, srcOffset, block.halfPairsBytes, 0, 2L * n);
            widen(block.halfPairs, block.pairs, (n + 1) / 2);
        }
        MemorySegment.copy(block.pairsBytes, JAVA_FLOAT_UNALIGNED, 0, dst, dstIndex, n);
    }

    @Override
    public void read(CastBlock block, MemorySegment src, long srcOffset, MemorySegment dst, long dstOffset, int n) {
        MemorySegment.copy(src, srcOffset, block.halfPairsBytes, 0, 2L * n);
        if (n % 2 == 0 && NativeMemory.is(dst)) {
            widenToNative(block.halfPairs, dst, dstOffset, n / 2);
        } else {
            widen(block.halfPairs, block.pairs, (n + 1) / 2);
            MemorySegment.copy(block.pairsBytes, 0, dst, dstOffset, 4L * n);
        }
    }

    /**
     * The bits of two bf16 in the low half, for f32 that are no NaN; only a NaN is so large that a sum leaves its 32
     * bits.
     */
    private static int narrowPair(long bits) {
        long rounded = (bits + HALF_PAIR + ((bits >>> 16) & LSB_PAIR)) & UPPER_HALVES;
        return (int) ((rounded >>> 16) | (rounded >>> 32));
    }

    private static long nanCarry(long bits) {
        return (bits & ABS_PAIR) + NAN_CARRY_PAIR;
    }

    private static long widenPair(long pair) {
        long bits = ((pair & 0xFFFF0000L) << 32) | ((pair & 0xFFFFL) << 16);
        return bits | ((nanCarry(bits) & SIGN_PAIR) >>> 9); // from the sign bit to the quiet bit
    }

    /** Narrows pairs; returns false when there was a NaN, and then its output is wrong. */
    private static boolean narrowNative(MemorySegment src, long srcOffset, int[] dst, int pairs) {
        if (!NativeMemory.is(src)) {
            throw new AssertionError("checked before");
        }
        long carries = 0;
        for (int i = 0; i < pairs; i++) {
            long bits = src.get(JAVA_LONG_UNALIGNED, srcOffset + 8L * i);
            carries |= nanCarry(bits);
            dst[i] = narrowPair(bits);
        }
        return (carries & SIGN_PAIR) == 0;
    }

    /** Narrows pairs; returns false when there was a NaN, and then its output is wrong. */
    private static boolean narrow(long[] src, int[] dst, int pairs) {
        long carries = 0;
        for (int i = 0; i < pairs; i++) {
            long bits = src[i];
            carries |= nanCarry(bits);
            dst[i] = narrowPair(bits);
        }
        return (carries & SIGN_PAIR) == 0;
    }

    private static void narrow(CastBlock block, int n) {
        int pairs = (n + 1) / 2;
        if (!narrow(block.pairs, block.halfPairs, pairs)) {
            narrowWithNans(block.pairs, block.halfPairs, pairs);
        }
    }

    /** Narrows pairs: correct for all values, at half the speed. */
    private static void narrowWithNans(long[] src, int[] dst, int pairs) {
        for (int i = 0; i < pairs; i++) {
            long bits = src[i];
            long nan = (nanCarry(bits) >>> 31) & LSB_PAIR;
            long nanMask = (nan << 32) - nan; // all ones in the half that is a NaN
            long rounded = (bits + ((HALF_PAIR + ((bits >>> 16) & LSB_PAIR)) & ~nanMask)) | (nan << 22);
            dst[i] = (int) (((rounded >>> 16) & 0xFFFFL) | ((rounded >>> 32) & 0xFFFF0000L));
        }
    }

    private static void widenNative(MemorySegment src, long srcOffset, long[] dst, int pairs) {
        if (!NativeMemory.is(src)) {
            throw new AssertionError("checked before");
        }
        for (int i = 0; i < pairs; i++) {
            dst[i] = widenPair(src.get(JAVA_INT_UNALIGNED, srcOffset + 4L * i));
        }
    }

    private static void widen(int[] src, long[] dst, int pairs) {
        for (int i = 0; i < pairs; i++) {
            dst[i] = widenPair(src[i]);
        }
    }

    private static void widenToNative(int[] src, MemorySegment dst, long dstOffset, int pairs) {
        if (!NativeMemory.is(dst)) {
            throw new AssertionError("checked before");
        }
        for (int i = 0; i < pairs; i++) {
            dst.set(JAVA_LONG_UNALIGNED, dstOffset + 8L * i, widenPair(src[i]));
        }
    }
}
