package io.devicearena.plan.internal.exact;

/**
 * States of a search from which nothing is to be had, by their fingerprints; as many as there is room for, the latest ones.
 *
 * <p>Threads: one thread at a time.
 */
final class FailedStates {
    /** Both halves of each fingerprint, side by side. */
    private final long[] prints;

    private final int shift;
    private long era;

    /**
     * Makes an empty set.
     *
     * @param bits it has room for that power of two, 1 to 24
     */
    FailedStates(int bits) {
        this.prints = new long[2 << bits];
        this.shift = Long.SIZE - bits;
    }

    /** Forgets all: what was remembered has the fingerprints of another era. */
    void clear() {
        era = mix(era + 1);
    }

    boolean contains(long lowBits, long highBits) {
        int slot = slot(lowBits);
        return prints[slot] == lowBits && prints[slot + 1] == (highBits ^ era);
    }

    void add(long lowBits, long highBits) {
        int slot = slot(lowBits);
        prints[slot] = lowBits;
        prints[slot + 1] = highBits ^ era;
    }

    private int slot(long lowBits) {
        return 2 * (int) (lowBits >>> shift);
    }

    /**
     * Spreads a number over 64 bits: a bijection.
     *
     * <p>Source: the finalizer of Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014.
     */
    static long mix(long number) {
        long z = (number ^ (number >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
