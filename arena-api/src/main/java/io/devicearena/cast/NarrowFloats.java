package io.devicearena.cast;

/**
 * The arithmetic of the two 16-bit formats: exact single values, and loops over on-heap arrays.
 *
 * <p>The loops touch nothing but plain arrays and {@code long}, {@code int} and {@code float} arithmetic, because that
 * is what C2 turns into vector code whatever else the process has done. Two measurements shaped them (JDK 25, x86-64):
 *
 * <ul>
 *   <li>a loop that widens {@code short} to {@code int}, or narrows back after a shift, runs at a fifth of the speed of
 *       memory; two bf16 in an {@code int} and two f32 in a {@code long} go through {@code long} lanes at twice its speed;
 *   <li>{@link Float#floatToFloat16} and {@link Float#float16ToFloat} become one instruction a vector, but not through
 *       {@link Float#intBitsToFloat}; so f16 reads and writes {@code float[]}.
 * </ul>
 *
 * <p>Both packings are in native order, in which the first of two elements is in the low half of a {@code long} exactly
 * when it is in the low half of an {@code int}; so no loop depends on the byte order.
 *
 * <p><b>Threads:</b> safe for any thread.
 */
final class NarrowFloats {
    private static final long ABS_F32_PAIR = 0x7FFFFFFF_7FFFFFFFL;

    /** Added to the absolute bits of an f32, carries into bit 31 exactly when they are above infinity: a NaN. */
    private static final long NAN_CARRY_F32_PAIR = 0x007FFFFF_007FFFFFL;

    private static final long SIGN_F32_PAIR = 0x80000000_80000000L;
    private static final long LSB_F32_PAIR = 0x00000001_00000001L;
    private static final long UPPER_HALVES = 0xFFFF0000_FFFF0000L;
    private static final long HALF_BF16_PAIR = 0x00007FFF_00007FFFL;

    private static final long ABS_F16_QUAD = 0x7FFF7FFF_7FFF7FFFL;
    private static final long NAN_CARRY_F16_QUAD = 0x03FF03FF_03FF03FFL;
    private static final long SIGN_F16_QUAD = 0x80008000_80008000L;

    private NarrowFloats() {}

    static short toF16(float value) {
        // the JDK leaves the payload of a NaN open, and its compiled and interpreted forms do differ there
        return Float.isNaN(value) ? nanToF16(value) : Float.floatToFloat16(value);
    }

    private static short nanToF16(float nan) {
        int bits = Float.floatToRawIntBits(nan);
        return (short) (((bits >>> 16) & 0x8000) | 0x7C00 | 0x0200 | ((bits & 0x007FFFFF) >>> 13));
    }

    static float fromF16(short f16) {
        return isF16Nan(f16) ? nanFromF16(f16) : Float.float16ToFloat(f16);
    }

    private static boolean isF16Nan(short f16) {
        return (f16 & 0x7FFF) > 0x7C00;
    }

    private static float nanFromF16(short nan) {
        return Float.intBitsToFloat(((nan & 0x8000) << 16) | 0x7F800000 | 0x00400000 | ((nan & 0x03FF) << 13));
    }

    static short toBf16(float value) {
        int bits = Float.floatToRawIntBits(value);
        if (Float.isNaN(value)) {
            return (short) ((bits >>> 16) | 0x0040);
        }
        return (short) ((bits + 0x7FFF + ((bits >>> 16) & 1)) >>> 16);
    }

    static float fromBf16(short bf16) {
        int bits = bf16 << 16;
        int nan = (0x7F800000 - (bits & 0x7FFFFFFF)) >>> 31;
        return Float.intBitsToFloat(bits | (nan << 22));
    }

    /** Rounds {@code n} floats; a NaN comes out as some NaN and has to be mended by {@link #mendNansToF16}. */
    static void toF16(float[] src, int srcIndex, short[] dst, int n) {
        for (int i = 0; i < n; i++) {
            dst[i] = Float.floatToFloat16(src[srcIndex + i]);
        }
    }

    static void mendNansToF16(float[] src, int srcIndex, short[] dst, int n) {
        for (int i = 0; i < n; i++) {
            if (isF16Nan(dst[i])) {
                dst[i] = nanToF16(src[srcIndex + i]);
            }
        }
    }

    /** Widens {@code n} values; a NaN comes out as some NaN and has to be mended by {@link #mendNansFromF16}. */
    static void fromF16(short[] src, float[] dst, int dstIndex, int n) {
        for (int i = 0; i < n; i++) {
            dst[dstIndex + i] = Float.float16ToFloat(src[i]);
        }
    }

    static void mendNansFromF16(short[] src, float[] dst, int dstIndex, int n) {
        for (int i = 0; i < n; i++) {
            if (isF16Nan(src[i])) {
                dst[dstIndex + i] = nanFromF16(src[i]);
            }
        }
    }

    /** Tells whether one of {@code 4 * quads} packed f16 values is a NaN. */
    static boolean anyF16Nan(long[] packed, int quads) {
        long carries = 0;
        for (int i = 0; i < quads; i++) {
            carries |= (packed[i] & ABS_F16_QUAD) + NAN_CARRY_F16_QUAD;
        }
        return (carries & SIGN_F16_QUAD) != 0;
    }

    /**
     * Rounds pairs of f32 bits to pairs of bf16 bits, for values that are no NaN.
     *
     * @return false if there was a NaN; then the pairs are wrong, and {@link #toBf16WithNans} has to write them again
     */
    static boolean toBf16(long[] src, int[] dst, int pairs) {
        long carries = 0;
        for (int i = 0; i < pairs; i++) {
            long bits = src[i];
            carries |= (bits & ABS_F32_PAIR) + NAN_CARRY_F32_PAIR;
            // only a NaN is so large that this sum leaves its 32 bits
            long rounded = (bits + HALF_BF16_PAIR + ((bits >>> 16) & LSB_F32_PAIR)) & UPPER_HALVES;
            dst[i] = (int) ((rounded >>> 16) | (rounded >>> 32));
        }
        return (carries & SIGN_F32_PAIR) == 0;
    }

    /** Rounds pairs of f32 bits to pairs of bf16 bits: right for all values, at half the speed of {@link #toBf16}. */
    static void toBf16WithNans(long[] src, int[] dst, int pairs) {
        for (int i = 0; i < pairs; i++) {
            long bits = src[i];
            long nan = (((bits & ABS_F32_PAIR) + NAN_CARRY_F32_PAIR) >>> 31) & LSB_F32_PAIR;
            long nanMask = (nan << 32) - nan; // all ones in the half that is a NaN
            long rounded = (bits + ((HALF_BF16_PAIR + ((bits >>> 16) & LSB_F32_PAIR)) & ~nanMask)) | (nan << 22);
            dst[i] = (int) (((rounded >>> 16) & 0xFFFFL) | ((rounded >>> 32) & 0xFFFF0000L));
        }
    }

    /** Widens pairs of bf16 bits to pairs of f32 bits, and makes every NaN quiet. */
    static void fromBf16(int[] src, long[] dst, int pairs) {
        for (int i = 0; i < pairs; i++) {
            long pair = src[i];
            long bits = ((pair & 0xFFFF0000L) << 32) | ((pair & 0xFFFFL) << 16);
            long nan = ((bits & ABS_F32_PAIR) + NAN_CARRY_F32_PAIR) & SIGN_F32_PAIR;
            dst[i] = bits | (nan >>> 9); // from the sign bit to the quiet bit
        }
    }
}
