package io.devicearena.plan.internal.skyline;

import io.devicearena.plan.internal.live.LiveRanges;

/**
 * How much a buffer should come before others that fit the same gap of the skyline: its time, its size, or both.
 *
 * <p>A clique counts the more the closer its load is to the maximum, since space wasted there is what makes an arena
 * larger than the bound: a clique with load {@code l} counts {@code 1 / (1 + margin - l / maxLoad)^2}.
 *
 * @param sizePower the power of the size by which the time is multiplied: 0 for time alone, 1 for size times time
 * @param margin how much a clique at the maximum load counts, as above; a fraction of the maximum load, above 0
 */
public record ScoringRule(double sizePower, double margin) {

    /** The score of each buffer, above 0. */
    double[] scores(LiveRanges ranges) {
        long[] loads = ranges.loads();
        double[] before = new double[loads.length + 1];
        for (int clique = 0; clique < loads.length; clique++) {
            double slack = 1 + margin - (double) loads[clique] / ranges.maxLoad();
            before[clique + 1] = before[clique] + 1 / (slack * slack);
        }
        double[] scores = new double[ranges.count()];
        for (int i = 0; i < scores.length; i++) {
            double time = before[ranges.end(i)] - before[ranges.first(i)];
            scores[i] = time * StrictMath.pow((double) ranges.bytes(i), sizePower);
        }
        return scores;
    }
}
