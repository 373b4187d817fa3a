package io.devicearena.plan.internal.live;

import java.util.function.BooleanSupplier;

/**
 * The work that an algorithm may do, in elementary steps of some nanoseconds: a look at one buffer, gap or tree node.
 * Steps are the same on every machine, so results that depend on them are reproducible.
 */
public final class StepBudget {
    private final BooleanSupplier cancelled;
    private long left;

    public StepBudget(long steps) {
        this(steps, () -> false);
    }

    /** Makes a budget that also looks exhausted once it is cancelled. */
    public StepBudget(long steps, BooleanSupplier cancelled) {
        this.left = steps;
        this.cancelled = cancelled;
    }

    public void spend(long steps) {
        left -= steps;
    }

    /** The steps that are left; 0 or negative when they are spent. */
    public long left() {
        return left;
    }

    public boolean isExhausted() {
        return left <= 0 || cancelled.getAsBoolean();
    }

    /** Moves up to so many of the steps that are left into a budget of their own. */
    public StepBudget split(long steps) {
        long given = Math.max(0, Math.min(left, steps));
        left -= given;
        return new StepBudget(given, cancelled);
    }

    /** Takes back the steps that a split budget has left, or those that it has overdrawn. */
    public void merge(StepBudget part) {
        left += part.left;
    }
}
