package io.devicearena.plan.internal.exact;

import io.devicearena.plan.internal.ejection.Lifetimes;
import java.util.SplittableRandom;

/**
 * One try at fitting a part into a capacity.
 *
 * <p>The first tries follow plain orders. The later ones draw everything that is left to taste at random, from their number: on
 * dense packings each taste has some that it alone fits.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param target the capacity, in bytes above the origin
 * @param number counts the tries at a part from 0, two in a round: it decides what a search prefers
 * @param limit the most nodes
 */
public record Attempt(long target, int number, long limit) {
    private static final int ORDERS = 5;
    /** So many tries are plain: twice each order but the last, which is no order at all. */
    private static final int PLAIN = 2 * (ORDERS - 1);

    private static final double[] SNUGNESS = {0, 0.5, 4, 10};
    private static final double[] TIGHTNESS = {0, 1, 10, 40};
    private static final double[] FAILURE_WEIGHTS = {0, 0.5, 2};
    private static final double WEAKEST_NOISE = 0.3;
    private static final double STRONGEST_NOISE = 1.6;

    /** How strongly earlier failures draw the search. */
    double failureWeight() {
        return number < PLAIN ? 0 : drawn(FAILURE_WEIGHTS, 1);
    }

    /** How much the score of a buffer grows with each of its sides that fits exactly. */
    double snugness() {
        return number < PLAIN ? SNUGNESS[number / 2 % 3] : drawn(SNUGNESS, 2);
    }

    /** How much more edges where all the rest of the capacity may be wasted count than tight ones. */
    double tightness() {
        return number < PLAIN ? TIGHTNESS[number % 2 == 0 ? 1 : number % 4 - 1] : drawn(TIGHTNESS, 3);
    }

    /** Tells whether it follows the fullest placement of earlier attempts where it can. */
    boolean follows() {
        return number / 4 % 2 == 1;
    }

    private double drawn(double[] values, long salt) {
        return values[new SplittableRandom(FailedStates.mix(number) + salt).nextInt(values.length)];
    }

    /** A score for each buffer of a part: its size, area, length, stay, or none, later on with some noise. */
    double[] order(Lifetimes part) {
        SplittableRandom random = new SplittableRandom(number);
        boolean isPlain = number < PLAIN;
        int order = isPlain ? (number / 2 + number % 2 * 2) % (ORDERS - 1) : random.nextInt(ORDERS);
        double noise = number < ORDERS - 1 ? 0 : random.nextDouble(WEAKEST_NOISE, STRONGEST_NOISE);
        double[] score = new double[part.count()];
        for (int i = 0; i < score.length; i++) {
            double size = part.size(i);
            double length = part.last(i) - part.first(i) + 1.0;
            double steps = part.steps(i);
            double plain = switch (order) {
                case 0 -> size;
                case 1 -> length * size;
                case 2 -> length;
                case 3 -> steps * size;
                default -> 1;
            };
            score[i] = plain * (1 + noise * (random.nextDouble() - 0.5));
        }
        return score;
    }
}
