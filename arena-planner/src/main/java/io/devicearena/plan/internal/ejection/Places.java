package io.devicearena.plan.internal.ejection;

/** Where lives are, as long as not all of them have a place. Threads: one thread at a time. */
final class Places {
    private final Lifetimes lives;
    private final long[] lows;
    private final long[] highs;
    private final boolean[] taken;

    /** Makes them, with no life in its place. */
    Places(Lifetimes lives) {
        this.lives = lives;
        this.lows = new long[lives.count()];
        this.highs = new long[lives.count()];
        this.taken = new boolean[lives.count()];
    }

    /** Gives a life a place. */
    void take(int life, long address) {
        lows[life] = address;
        highs[life] = address + lives.size(life);
        taken[life] = true;
    }

    /** Takes a life's place from it. */
    void leave(int life) {
        taken[life] = false;
    }

    boolean isTaken(int life) {
        return taken[life];
    }

    /** The address of a life that has a place. */
    long low(int life) {
        return lows[life];
    }

    /** Where a life that has a place ends. */
    long high(int life) {
        return highs[life];
    }

    /** The addresses by life, for those that have a place; not a copy. */
    long[] lows() {
        return lows;
    }

    /** The ends by life, for those that have a place; not a copy. */
    long[] highs() {
        return highs;
    }
}
