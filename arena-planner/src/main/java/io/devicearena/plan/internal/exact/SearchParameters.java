package io.devicearena.plan.internal.exact;

import io.devicearena.plan.internal.live.LiveRanges;
import java.util.SplittableRandom;

/**
 * What one run is asked to do, and every number that steers it. A run draws from its restart number which measure ranks
 * buffers, how noisy the ranks are, and how much exact fits and little slack count. {@code docs/planning.md} has the
 * measurements that chose the numbers.
 *
 * @param capacity in bytes above the origin
 * @param restart the number of this run among all runs of a component, 0 or more
 * @param nodeLimit the most nodes that the run may visit
 */
public record SearchParameters(long capacity, int restart, long nodeLimit) {
    /** Remembered dead ends, as a power of two: 4 MiB for each solver. More found hardly any more dead ends. */
    static final int TABLE_BITS = 18;
    /** By how much of itself a score grows for each side that fits exactly. */
    private static final double[] FIT_BONUSES = {0, 0.5, 4, 10};
    /** How much more an edge counts where the whole capacity may be wasted than where nothing may. */
    private static final double[] SLACK_WEIGHTS = {0, 1, 10, 40};
    /** Scores vary up and down by half of a share of themselves that is drawn from this range. */
    private static final double LEAST_NOISE = 0.3;

    private static final double MOST_NOISE = 1.6;

    double fitBonus() {
        return FIT_BONUSES[random(1).nextInt(FIT_BONUSES.length)];
    }

    double slackWeight() {
        return SLACK_WEIGHTS[random(2).nextInt(SLACK_WEIGHTS.length)];
    }

    private SplittableRandom random(int salt) {
        return new SplittableRandom(TranspositionTable.mix(restart) + salt);
    }

    /** A score for each buffer: its size, area, length or bytes times steps, or none of these, with noise. */
    double[] scores(LiveRanges component) {
        SplittableRandom random = random(0);
        int measure = random.nextInt(5);
        double noise = random.nextDouble(LEAST_NOISE, MOST_NOISE);
        double[] scores = new double[component.count()];
        for (int i = 0; i < scores.length; i++) {
            double size = component.size(i);
            double score = switch (measure) {
                case 0 -> size;
                case 1 -> component.length(i) * size;
                case 2 -> component.length(i);
                case 3 -> component.steps(i) * size;
                default -> 1;
            };
            scores[i] = score * (1 + noise * (random.nextDouble() - 0.5));
        }
        return scores;
    }
}
