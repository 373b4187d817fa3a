package io.devicearena.kernels.attention;

import io.devicearena.kernels.step.Words;
import java.util.Arrays;
import java.util.List;

/**
 * Rotary embedding: turns pairs of elements of a head by an angle that is the position times the pair's frequency.
 *
 * <p>The frequency of pair i is base^(-2i / headDim), from 0 to headDim / 2 - 1. A model that was made for a longer
 * context has divisors of these: one for all pairs, or one for each. Frequencies are fixed-point fractions
 * of a turn with 44 bits, so that whole turns drop out exactly: at position 32,768 an angle is off by 3e-9 radians, and
 * its f32 sine and cosine by 1e-7.
 *
 * <p><b>Threads:</b> immutable.
 *
 * <p><b>Source:</b> J. Su et al., RoFormer, 2021, equation 34; S. Chen et al., Extending Context Window of Large
 * Language Models via Positional Interpolation, 2023 (divisors).
 *
 * @param base of the frequencies, more than 1, such as 10,000
 * @param headDim the elements of a head, a multiple of 8, at most 256
 * @param neighbours whether elements 2i and 2i + 1 are a pair; else i and i + headDim / 2
 * @param divisors of the frequencies, one for each pair, 2^-10 or more; empty if there are none
 */
public record Rope(double base, int headDim, boolean neighbours, List<Double> divisors) {
    /** The bits of a frequency below the 32 bits of a phase; with 20 bits of a position they fill a word. */
    private static final int REST_BITS = 12;

    /** The most pairs of a head, for which kernels in CUDA have room. */
    private static final int MOST_PAIRS = 128;

    /** With less, a frequency would need more bits than there are. */
    private static final double LEAST_DIVISOR = 0x1p-10;

    /** Checks the ranges. */
    public Rope {
        divisors = List.copyOf(divisors);
        AttentionShape.checkHeadDim(headDim);
        if (!(base > 1) || base == Double.POSITIVE_INFINITY) {
            throw new IllegalArgumentException("base: expected a finite number above 1, got " + base);
        }
        if (!divisors.isEmpty() && divisors.size() != headDim / 2) {
            throw new IllegalArgumentException(
                    "divisors: expected none or " + headDim / 2 + ", one for each pair, got " + divisors.size());
        }
        for (double divisor : divisors) {
            if (!(divisor >= LEAST_DIVISOR) || divisor == Double.POSITIVE_INFINITY) {
                throw new IllegalArgumentException(
                        "divisors: expected finite numbers of " + LEAST_DIVISOR + " or more, got " + divisor);
            }
        }
    }

    /**
     * Makes a rotation whose frequencies have no divisors.
     *
     * @param base of the frequencies, more than 1, such as 10,000
     * @param headDim the elements of a head, a multiple of 8, at most 256
     * @param neighbours whether elements 2i and 2i + 1 are a pair; else i and i + headDim / 2
     */
    public Rope(double base, int headDim, boolean neighbours) {
        this(base, headDim, neighbours, List.of());
    }

    void checkFits(AttentionShape shape) {
        if (headDim != shape.headDim()) {
            throw new IllegalArgumentException(
                    "rope: expected heads of " + shape.headDim() + " elements, got " + headDim);
        }
    }

    /** The frequency of each pair. */
    long[] frequencies() {
        long[] all = new long[headDim / 2];
        Arrays.setAll(all, this::frequency);
        return all;
    }

    private long frequency(int pair) {
        double divisor = divisors.isEmpty() ? 1 : divisors.get(pair);
        double turns = Math.pow(base, -2.0 * pair / headDim) / divisor / (2 * Math.PI);
        return Math.round(turns * (1L << (32 + REST_BITS)));
    }

    private int pairOf(int element) {
        return neighbours ? element / 2 : element % (headDim / 2);
    }

    /** For each vector of 4 elements: the upper 32 bits of their frequencies, then the bits below. */
    int[] turns() {
        int[] words = new int[2 * headDim];
        for (int e = 0; e < headDim; e++) {
            long frequency = frequency(pairOf(e));
            int at = e / 4 * 8 + e % 4;
            words[at] = upper(frequency);
            words[at + 4] = lower(frequency);
        }
        return words;
    }

    /** Adds the upper 32 bits of all frequencies, then the bits below. */
    Words addTo(Words words) {
        long[] all = frequencies();
        return words.padded(Arrays.stream(all).mapToObj(Rope::upper).toList(), MOST_PAIRS)
                .padded(Arrays.stream(all).mapToObj(Rope::lower).toList(), MOST_PAIRS);
    }

    private static int upper(long frequency) {
        return (int) (frequency >>> REST_BITS);
    }

    private static int lower(long frequency) {
        return (int) frequency & ((1 << REST_BITS) - 1);
    }

    /** How the parts of kernels that turn pairs name them. */
    String pairs() {
        return neighbours ? "neighbours" : "halves";
    }

    /** Writes the sine and the cosine of each pair's angle, one after the other. */
    static void angles(long[] frequencies, int position, float[] to) {
        for (int pair = 0; pair < frequencies.length; pair++) {
            long frequency = frequencies[pair];
            int phase = position * upper(frequency) + ((position * lower(frequency)) >>> REST_BITS);
            double angle = phase * 0x1p-31 * Math.PI;
            to[2 * pair] = (float) Math.sin(angle);
            to[2 * pair + 1] = (float) Math.cos(angle);
        }
    }

    /** Turns the pairs of a head. */
    void turn(float[] head, float[] angles) {
        int half = headDim / 2;
        for (int pair = 0; pair < half; pair++) {
            int a = neighbours ? 2 * pair : pair;
            int b = neighbours ? 2 * pair + 1 : pair + half;
            float sine = angles[2 * pair];
            float cosine = angles[2 * pair + 1];
            float x = head[a];
            float y = head[b];
            head[a] = x * cosine - y * sine;
            head[b] = x * sine + y * cosine;
        }
    }
}
