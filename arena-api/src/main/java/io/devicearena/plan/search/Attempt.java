package io.devicearena.plan.search;

import java.util.SplittableRandom;

/**
 * One try at fitting a part into a capacity.
 *
 * <p>Threads: immutable.
 *
 * @param target the capacity in bytes, with those below the origin
 * @param number counts the tries at a part from 0, two in a round: it decides the order in which buffers are tried
 * @param limit the most nodes
 */
record Attempt(long target, int number, long limit) {
    private static final int ORDERS = 4;
    private static final double[] SNUGNESS = {0, 0.5, 4};
    private static final double STRONGEST_NOISE = 1.2;
    private static final double FAILURE_WEIGHT = 0.5;

    /** How strongly earlier failures draw the search. */
    double failureWeight() {
        return number / (2 * ORDERS) % 2 == 0 ? 0 : FAILURE_WEIGHT;
    }

    /** How much the score of a buffer grows with each of its sides that fits exactly. */
    double snugness() {
        return SNUGNESS[number / 2 % SNUGNESS.length];
    }

    /** How much more edges where all the rest of the capacity may be wasted count than tight ones. */
    double tightness() {
        int round = number / 2;
        return number % 2 == 0 ? 1 : round % 2 == 0 ? 0 : 10;
    }

    /** A score for each buffer of a part: its size, area, length or stay, from the second time on with some noise. */
    double[] order(Part part) {
        SplittableRandom random = new SplittableRandom(number);
        double noise = number < ORDERS ? 0 : STRONGEST_NOISE * random.nextDouble();
        double[] score = new double[part.count()];
        for (int i = 0; i < score.length; i++) {
            double size = part.size(i);
            double length = part.last(i) - part.first(i) + 1.0;
            double steps = part.problem().upper(part.buffer(i)) - part.problem().lower(part.buffer(i));
            double plain = switch ((number / 2 + number % 2 * 2) % ORDERS) {
                case 0 -> size;
                case 1 -> length * size;
                case 2 -> length;
                default -> steps * size;
            };
            score[i] = plain * (1 + noise * (random.nextDouble() - 0.5));
        }
        return score;
    }
}
