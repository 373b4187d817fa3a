package io.devicearena.testing;

/**
 * A second opinion on both 16-bit formats, by value and not by bits.
 *
 * <p>A value is decoded from the definition in IEEE 754-2019, 3.4, in double arithmetic that is exact here. A float is
 * rounded by finding it among the decoded values: the border between two neighbours is their mean, an exact double, and
 * goes to the neighbour whose last bit is 0. Past the largest finite value the next neighbour is one more
 * step away (IEEE 754-2019, 4.3.1), and reaching it is an infinity.
 */
public final class NarrowReference {
    public static final NarrowReference F16 = new NarrowReference(5, 10);
    public static final NarrowReference BF16 = new NarrowReference(8, 7);

    private final int fractionBits;
    public final int infinity;

    /** For each magnitude, in order: the largest non-negative float that rounds to it. */
    public final float[] largest;

    private final double[] values;

    private NarrowReference(int exponentBits, int fractionBits) {
        this.fractionBits = fractionBits;
        this.infinity = ((1 << exponentBits) - 1) << fractionBits;
        this.values = new double[infinity + 1];
        int bias = (1 << (exponentBits - 1)) - 1;
        for (int magnitude = 0; magnitude <= infinity; magnitude++) {
            int exponent = magnitude >> fractionBits;
            int fraction = magnitude & ((1 << fractionBits) - 1);
            double scaled = fraction / (double) (1 << fractionBits);
            values[magnitude] = exponent == 0
                    ? Math.scalb(scaled, 1 - bias)
                    : Math.scalb(1 + scaled, exponent - bias); // for infinity: the value one step too large
        }
        this.largest = new float[infinity + 1];
        for (int magnitude = 0; magnitude < infinity; magnitude++) {
            double border = (values[magnitude] + values[magnitude + 1]) / 2;
            float nearest = (float) border;
            boolean below = nearest < border || (nearest == border && (magnitude & 1) == 0);
            largest[magnitude] = below ? nearest : Math.nextDown(nearest);
        }
        largest[infinity] = Float.POSITIVE_INFINITY;
    }

    /** The f32 bits of a 16-bit pattern. */
    public int widen(int pattern) {
        int sign = (pattern & 0x8000) << 16;
        int magnitude = pattern & 0x7FFF;
        if (magnitude > infinity) {
            int fraction = magnitude - infinity;
            return sign | 0x7FC00000 | (fraction << (23 - fractionBits));
        }
        float value = magnitude == infinity ? Float.POSITIVE_INFINITY : (float) values[magnitude];
        return sign | Float.floatToRawIntBits(value);
    }

    /** The 16-bit pattern for some f32 bits. */
    public int narrow(int bits) {
        int sign = (bits >>> 16) & 0x8000;
        float magnitude = Math.abs(Float.intBitsToFloat(bits));
        if (Float.isNaN(magnitude)) {
            return narrowNan(bits);
        }
        int low = 0;
        int high = infinity;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (magnitude <= largest[middle]) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return sign | low;
    }

    /** The rule of the contract for a NaN: sign, all exponent bits, quiet bit, top bits of the payload. */
    public int narrowNan(int bits) {
        int sign = (bits >>> 16) & 0x8000;
        int quiet = 1 << (fractionBits - 1);
        return sign | infinity | quiet | ((bits & 0x007FFFFF) >>> (23 - fractionBits));
    }
}
