package io.devicearena.plan.internal.live;

import java.util.function.BooleanSupplier;

/**
 * The work that an algorithm may do, counted in elementary steps: the same on every machine, so results that depend on
 * it are reproducible. A caller that cancels makes the budget look exhausted.
 *
 * <p>A step is a look at one buffer, gap or tree node: some nanoseconds.
 */
public final class StepBudget {
    private final BooleanSupplier cancelled;
    private long left;

    public StepBudget(long steps) {
        this(steps, () -> false);
    }

    /** Makes a budget that is exhausted from when it is cancelled on; asks on each call of {@link #isExhausted}. */
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
