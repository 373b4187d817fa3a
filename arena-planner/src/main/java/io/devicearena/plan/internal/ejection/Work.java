package io.devicearena.plan.internal.ejection;

import java.util.function.BooleanSupplier;

/**
 * An allowance of elementary steps: it bounds how long a search takes in a way that is the same on every machine. Whoever does not
 * want the answer any more may call it off, which looks like an allowance that is spent.
 *
 * <p>A step is a look at one life, gap or set: some nanoseconds.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public final class Work {
    private final BooleanSupplier unwanted;
    private long left;

    /** Makes an allowance of a number of steps. */
    public Work(long steps) {
        this(steps, () -> false);
    }

    /**
     * Makes an allowance of a number of steps that can be called off.
     *
     * @param steps the steps
     * @param unwanted tells whether the answer is not wanted any more; asked wherever the work asks whether the allowance is spent
     */
    public Work(long steps, BooleanSupplier unwanted) {
        this.left = steps;
        this.unwanted = unwanted;
    }

    /** An allowance that no search uses up. */
    public static Work unlimited() {
        return new Work(Long.MAX_VALUE);
    }

    /** An allowance that no search uses up, but that can be called off. */
    public static Work unlimited(BooleanSupplier unwanted) {
        return new Work(Long.MAX_VALUE, unwanted);
    }

    public void spend(long steps) {
        left -= steps;
    }

    /** The steps that are left, called off or not; 0 or fewer when they are spent. */
    public long left() {
        return left;
    }

    /** Tells whether no steps are left, or the answer is not wanted any more. */
    public boolean isSpent() {
        return left <= 0 || unwanted.getAsBoolean();
    }

    /** Parts with some of what is left. */
    public Work share(long steps) {
        long given = Math.max(0, Math.min(left, steps));
        left -= given;
        return new Work(given, unwanted);
    }

    /** Takes back what a share has left, or owes. */
    public void settle(Work share) {
        left += share.left;
    }
}
