package io.devicearena.plan.strategy;

import java.util.Objects;
import java.util.Optional;

/**
 * Fills the valleys of what is stacked so far, each with the life that lasts longest within its walls where much is live.
 *
 * <p>Threads: safe for any thread. Source: that of {@link Valleys}.
 */
final class SkylineBestFit implements PlacementStrategy {
    /** What lasts long where much is live goes first: what is wasted counts there. */
    static final Preference PREFERENCE = new Preference(Preference.Size.NONE, 0.02, true);

    /** Twice of what any input takes that is not made to take long. */
    private static final long STEPS_PER_LIFE = 200;

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
        Objects.requireNonNull(problem, "problem");
        Lives lives = new Lives(problem);
        if (lives.count() == 0) {
            return new long[problem.count()];
        }
        Optional<long[]> filled = PREFERENCE.place(lives, new Work(mostSteps(lives)));
        return lives.offsets(filled.orElseGet(() -> Recipe.LONGEST_ON_TOP
                .place(lives, Long.MAX_VALUE, Work.unlimited())
                .orElseThrow()));
    }

    @Override
    public String toString() {
        return name();
    }
}
