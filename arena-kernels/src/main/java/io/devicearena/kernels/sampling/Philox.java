package io.devicearena.kernels.sampling;

/**
 * Random words that depend only on a counter and a key.
 *
 * <p><b>Source:</b> J. Salmon et al., Parallel Random Numbers: As Easy as 1, 2, 3, 2011: Philox2x32 with 10 rounds.
 */
final class Philox {
    private static final int ROUNDS = 10;
    private static final long MULTIPLIER = 0xD256D193L;
    private static final int WEYL = 0x9E3779B9;

    private Philox() {}

    /** Two words; the first is in the lower half, as the counter's first word is. */
    static long words(long counter, int key) {
        int low = (int) counter;
        int high = (int) (counter >>> 32);
        int round = key;
        for (int i = 0; i < ROUNDS; i++) {
            long product = MULTIPLIER * Integer.toUnsignedLong(low);
            low = (int) (product >>> 32) ^ round ^ high;
            high = (int) product;
            round += WEYL;
        }
        return (long) high << 32 | Integer.toUnsignedLong(low);
    }

    /** A number from 0 to 1 - 2^-24, in steps of 2^-24: of a step of a text, and the seed of the text. */
    static float fraction(int step, long seed) {
        long counter = (seed & 0xffffffff00000000L) | Integer.toUnsignedLong(step);
        return ((int) words(counter, (int) seed) >>> 8) * 0x1p-24f;
    }
}
