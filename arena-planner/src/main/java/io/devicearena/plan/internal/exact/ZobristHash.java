package io.devicearena.plan.internal.exact;

import io.devicearena.plan.internal.ejection.Lifetimes;
import java.util.Arrays;

/**
 * Hashes ranges of a skyline: the floor of each clique and the buffers still to be placed there, with 128 bits.
 *
 * <p>Threads: one thread at a time. Source: Zobrist, "A new hashing method with application for game playing", 1970.
 */
final class ZobristHash {
    /** 2^64 divided by the golden ratio: steps of it give each buffer and clique a key of its own. */
    private static final long KEY_STEP = 0x9E3779B97F4A7C15L;

    private final Lifetimes component;
    /** For each clique the combined keys of its unplaced buffers. */
    private final long[] unplaced;

    private long low;
    private long high;

    ZobristHash(Lifetimes component) {
        this.component = component;
        this.unplaced = new long[component.moments()];
    }

    /** Makes all buffers placed. */
    void clear() {
        Arrays.fill(unplaced, 0);
    }

    /** Makes a placed buffer unplaced, or an unplaced one placed. */
    void toggle(int buffer) {
        long key = mix((buffer + 1) * KEY_STEP);
        for (int c = component.first(buffer); c < component.end(buffer); c++) {
            unplaced[c] ^= key;
        }
    }

    /** Computes the hash of a range; {@link #low} and {@link #high} return it. */
    void compute(int from, int to, long[] floor) {
        low = 0;
        high = 0;
        for (int c = from; c < to; c++) {
            long clique = mix(floor[c] - (c + 1) * KEY_STEP) ^ unplaced[c];
            low += clique;
            high += mix(clique);
        }
    }

    /** The first 64 bits. */
    long low() {
        return low;
    }

    /** The other 64 bits. */
    long high() {
        return high;
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
