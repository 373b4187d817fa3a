package io.devicearena.plan.internal.exact;

/**
 * A fixed-size set of skyline ranges from which no placement exists. A new range replaces an old one in its slot.
 *
 * <p>Source: Zobrist, "A new hashing method with application for game playing", 1970; Dechter, "Enhancement schemes for
 * constraint processing: backjumping, learning, and cutset decomposition", 1990, for recorded dead ends.
 */
final class TranspositionTable {
    /** 2^64 divided by the golden ratio: its multiples give each clique a key of its own. */
    private static final long KEY_STEP = 0x9E3779B97F4A7C15L;

    /** Both halves of each hash, side by side. */
    private final long[] slots;

    private final int shift;

    /** 128 bits that stand for the capacity, the floors of a range and the buffers still to be placed there. */
    record Hash(long low, long high) {}

    /** Makes an empty table with 2^bits slots. */
    TranspositionTable(int bits) {
        this.slots = new long[2 << bits];
        this.shift = Long.SIZE - bits;
    }

    static Hash hash(SearchState state, int from, int to) {
        long low = 0;
        long high = mix(state.capacityBytes());
        for (int c = from; c < to; c++) {
            long clique = mix(mix(state.floor(c) - (c + 1) * KEY_STEP) + state.unplacedKeys(c));
            low += clique;
            high += mix(clique);
        }
        return new Hash(low, high);
    }

    boolean contains(Hash range) {
        int slot = slot(range);
        return slots[slot] == range.low && slots[slot + 1] == range.high;
    }

    void add(Hash range) {
        int slot = slot(range);
        slots[slot] = range.low;
        slots[slot + 1] = range.high;
    }

    private int slot(Hash range) {
        return 2 * (int) (range.low >>> shift);
    }

    static long key(int first, int end, long bytes) {
        return mix(mix(bytes) + ((long) first << Integer.SIZE | end));
    }

    /** A bijection: the finalizer of Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014. */
    static long mix(long number) {
        long z = (number ^ (number >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
