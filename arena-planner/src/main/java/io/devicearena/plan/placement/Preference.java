package io.devicearena.plan.placement;

import io.devicearena.plan.internal.ejection.Work;
import java.util.Optional;

/**
 * Which lives a valley is filled with first: those that are large or, as much or more, those that live long where much is
 * live, since what is wasted counts there.
 *
 * <p>Threads: immutable.
 *
 * @param size what the size of a life counts
 * @param margin how far above the bound, as a part of it, the height is that time counts by: what a moment counts is one
 *     part in what is free below that height; where that is infinite all moments count the same
 * @param isSquared whether time counts by the square of that
 */
record Preference(Size size, double margin, boolean isSquared) {
    /** What the size of a life counts. */
    enum Size {
        /** Nothing. */
        NONE,
        /** Its fourth root. */
        FOURTH_ROOT,
        /** Its square root. */
        ROOT,
        /** Itself. */
        WHOLE,
        /** Itself, and time nothing. */
        ALONE
    }

    /** The score of each life, above 0. */
    double[] scores(Lives lives) {
        long[] live = lives.liveAt();
        double[] before = new double[live.length + 1];
        for (int m = 0; m < live.length; m++) {
            double free = 1 + margin - (double) live[m] / lives.bound();
            double counts = Double.isInfinite(margin) ? 1 : 1 / (isSquared ? free * free : free);
            before[m + 1] = before[m] + counts;
        }
        double[] scores = new double[lives.count()];
        for (int i = 0; i < scores.length; i++) {
            double time = before[lives.end(i)] - before[lives.first(i)];
            double bytes = lives.size(i);
            scores[i] = switch (size) {
                case NONE -> time;
                case FOURTH_ROOT -> Math.sqrt(Math.sqrt(bytes)) * time;
                case ROOT -> Math.sqrt(bytes) * time;
                case WHOLE -> bytes * time;
                case ALONE -> bytes;
            };
        }
        return scores;
    }

    /** Fills valleys by it; nothing where the work was spent. */
    Optional<long[]> place(Lives lives, Work work) {
        return Valleys.fill(lives, scores(lives), work);
    }
}
