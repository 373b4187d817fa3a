package io.devicearena.plan.placement;

import io.devicearena.plan.internal.ejection.Work;
import java.util.function.BooleanSupplier;

/**
 * Fills the valleys of what is stacked so far, each with the life that lasts longest within its walls where much is live.
 *
 * <p>Threads: safe for any thread. Source: that of {@link Valleys}.
 */
final class SkylineBestFit implements PlacementStrategy {
    /** What lasts long where much is live goes first: what is wasted counts there. */
    static final Preference PREFERENCE = new Preference(Preference.Size.NONE, 0.02, true);

    /** Twice of what any input takes that is not made to take long. */
    private static final long STEPS_PER_LIFE = 400;

    SkylineBestFit() {}

    /** The steps that it may take. */
    static long mostSteps(Lives lives) {
        return STEPS_PER_LIFE * lives.count();
    }

    @Override
    public String name() {
        return "skyline-best-fit";
    }

    @Override
    public long[] place(PlacementProblem problem) {
        return place(problem, () -> false);
    }

    @Override
    public long[] place(PlacementProblem problem, BooleanSupplier unwanted) {
        return Lives.place(
                problem,
                lives -> PREFERENCE
                        .place(lives, new Work(mostSteps(lives), unwanted))
                        .orElseGet(() -> Recipe.LONGEST_ON_TOP.place(lives, unwanted)));
    }

    @Override
    public String toString() {
        return name();
    }
}
