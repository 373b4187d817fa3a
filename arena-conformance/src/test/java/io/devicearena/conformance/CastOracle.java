package io.devicearena.conformance;

/**
 * How f16 and bf16 must be rounded, computed by counting: a float is a whole number of units of the last place of its
 * result, and a rest; the rest decides. No step of it is shared with the casts of the library.
 *
 * <p><b>Source:</b> IEEE 754-2019, 3.4 (values), 4.3.1 (roundTiesToEven); NaNs by the table of the specification.
 */
enum CastOracle {
    /** IEEE 754 binary16. */
    F16(5, 10),
    /** The upper half of a binary32. */
    BF16(8, 7);

    private static final int F32_FRACTION_BITS = 23;
    private static final int F32_BIAS = 127;

    /** The pattern of infinity, which is also the first past the finite ones. */
    final int infinity;

    /** The pattern of the smallest normal number, which is also the first past the subnormal ones. */
    final int smallestNormal;

    private final int fractionBits;
    private final int smallestExponent;

    @SuppressWarnings("ImmutableEnumChecker") // filled by the constructor only
    private final float[] ties;

    CastOracle(int exponentBits, int fractionBits) {
        this.fractionBits = fractionBits;
        this.smallestExponent = 2 - (1 << (exponentBits - 1));
        this.infinity = ((1 << exponentBits) - 1) << fractionBits;
        this.smallestNormal = 1 << fractionBits;
        this.ties = new float[infinity];
        for (int i = 0; i < infinity; i++) {
            ties[i] = (float) ((value(i) + value(i + 1)) / 2);
        }
    }

    /** The 16-bit pattern for the bits of an f32. */
    int narrow(int bits) {
        int sign = (bits >>> 16) & 0x8000;
        int magnitude = bits & 0x7FFFFFFF;
        if (magnitude > 0x7F800000) {
            int quiet = 1 << (fractionBits - 1);
            return sign | infinity | quiet | ((bits & 0x7FFFFF) >>> (F32_FRACTION_BITS - fractionBits));
        }
        return sign | (magnitude == 0x7F800000 ? infinity : Math.min(infinity, count(magnitude)));
    }

    /** The pattern of a finite number without sign, not yet stopped at infinity. */
    private int count(int magnitude) {
        // the number is digits * 2^exponent
        int biased = magnitude >>> F32_FRACTION_BITS;
        int fraction = magnitude & 0x7FFFFF;
        long digits = biased == 0 ? fraction : fraction | 0x800000;
        int exponent = Math.max(biased, 1) - F32_BIAS - F32_FRACTION_BITS;
        // one unit in the last place of the result is 2^unit
        int leading = Long.SIZE - 1 - Long.numberOfLeadingZeros(Math.max(digits, 1)) + exponent;
        int smallestUnit = smallestExponent - fractionBits;
        int unit = Math.max(leading - fractionBits, smallestUnit);
        long units;
        if (unit <= exponent) {
            units = digits << (exponent - unit);
        } else if (unit - exponent > F32_FRACTION_BITS + 2) {
            units = 0; // less than a quarter of a unit
        } else {
            long whole = 1L << (unit - exponent);
            long rest = digits & (whole - 1);
            units = digits >> (unit - exponent);
            if (2 * rest > whole || (2 * rest == whole && units % 2 == 1)) {
                units++;
            }
        }
        // patterns count units too: each binade from the second normal one on has 2^fractionBits of them
        return Math.toIntExact(((long) (unit - smallestUnit) << fractionBits) + units);
    }

    /** The bits of the f32 of the same value as a 16-bit pattern. */
    int widen(int pattern) {
        int sign = (pattern & 0x8000) << 16;
        int magnitude = pattern & 0x7FFF;
        if (magnitude > infinity) {
            return sign | 0x7FC00000 | ((magnitude - infinity) << (F32_FRACTION_BITS - fractionBits));
        }
        return sign | (magnitude == infinity ? 0x7F800000 : Float.floatToRawIntBits((float) value(magnitude)));
    }

    /** The value of a finite pattern without sign; that of infinity as if the numbers went on. Exact in a double. */
    double value(int magnitude) {
        int exponent = magnitude >>> fractionBits;
        int fraction = magnitude & (smallestNormal - 1);
        return exponent == 0
                ? Math.scalb((double) fraction, smallestExponent - fractionBits)
                : Math.scalb((double) (fraction + smallestNormal), smallestExponent - fractionBits + exponent - 1);
    }

    /** The f32 half way between a finite pattern without sign and the next one; every one of them is exact. */
    float tieAbove(int magnitude) {
        return ties[magnitude];
    }
}
