package io.devicearena.plan.internal.exact;

/**
 * A fixed-size set of states from which no placement exists, by their 128-bit hashes; a new state replaces an old one in its slot.
 *
 * <p>Threads: one thread at a time. Source: Dechter, "Enhancement schemes for constraint processing: backjumping, learning, and cutset
 * decomposition", 1990, for recorded dead ends.
 */
final class TranspositionTable {
    /** Both halves of each hash, side by side. */
    private final long[] slots;

    private final int shift;
    /** Combined with each hash, so that a new value empties the table in no time. */
    private long generation;

    /**
     * Makes an empty table.
     *
     * @param bits the binary logarithm of the number of slots, 1 to 24
     */
    TranspositionTable(int bits) {
        this.slots = new long[2 << bits];
        this.shift = Long.SIZE - bits;
    }

    void clear() {
        generation = ZobristHash.mix(generation + 1);
    }

    boolean contains(long low, long high) {
        int slot = slot(low);
        return slots[slot] == low && slots[slot + 1] == (high ^ generation);
    }

    void add(long low, long high) {
        int slot = slot(low);
        slots[slot] = low;
        slots[slot + 1] = high ^ generation;
    }

    private int slot(long low) {
        return 2 * (int) (low >>> shift);
    }
}
