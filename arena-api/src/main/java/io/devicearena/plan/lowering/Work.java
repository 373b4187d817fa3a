package io.devicearena.plan.lowering;

/**
 * An allowance of elementary steps: it bounds how long a search takes in a way that is the same on every machine.
 *
 * <p>A step is a look at one life, gap or set: some nanoseconds.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public final class Work {
    private long left;

    /** Makes an allowance of a number of steps. */
    public Work(long steps) {
        this.left = steps;
    }

    /** An allowance that no search uses up. */
    public static Work unlimited() {
        return new Work(Long.MAX_VALUE);
    }

    public void spend(long steps) {
        left -= steps;
    }

    /** The steps that are left; 0 or fewer when it is spent. */
    public long left() {
        return left;
    }

    public boolean isSpent() {
        return left <= 0;
    }

    /** Parts with some of what is left. */
    public Work share(long steps) {
        long given = Math.max(0, Math.min(left, steps));
        left -= given;
        return new Work(given);
    }

    /** Takes back what a share has left, or owes. */
    public void settle(Work share) {
        left += share.left;
    }
}
