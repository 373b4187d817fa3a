package io.devicearena.plan.placement;

import io.devicearena.plan.internal.ejection.Work;
import java.util.Arrays;

/**
 * Lives of about the same length that wait for a place: a tree over their first moments, whose nodes hold the best score and
 * the least end below them.
 *
 * <p>Threads: one thread at a time. Source: McCreight, "Priority Search Trees", 1985, for the question that it answers.
 */
final class Contenders {
    private static final int NOBODY = -1;

    private final double[] scores;
    private final Work work;
    /** The lives in order of their first moments; a leaf of the tree each. */
    private final int[] byFirst;
    /** For each moment how many of the lives begin before it. */
    private final int[] begun;

    private final int shortest;
    private final int leaves;
    /** The least end of the lives below a node. */
    private final int[] leastEnds;
    /** The best score of the lives below a node, or 0. */
    private final double[] bestScores;

    private int chosen;
    private double chosenScore;

    /**
     * Prepares.
     *
     * @param lives all lives
     * @param byFirst those that wait, at least one, in order of their first moments
     * @param scores of all lives, above 0
     * @param work what searches spend
     */
    Contenders(Lives lives, int[] byFirst, double[] scores, Work work) {
        this.byFirst = byFirst;
        this.begun = new int[lives.moments() + 1];
        this.scores = scores;
        this.work = work;
        this.shortest = Arrays.stream(byFirst).map(lives::length).min().orElseThrow();
        this.leaves = byFirst.length == 1 ? 1 : Integer.highestOneBit(byFirst.length - 1) << 1;
        this.leastEnds = new int[2 * leaves];
        this.bestScores = new double[2 * leaves];
        Arrays.fill(leastEnds, Integer.MAX_VALUE);
        for (int leaf = 0; leaf < byFirst.length; leaf++) {
            leastEnds[leaves + leaf] = lives.end(byFirst[leaf]);
            bestScores[leaves + leaf] = scores[byFirst[leaf]];
            begun[lives.first(byFirst[leaf]) + 1]++;
        }
        for (int m = 1; m < begun.length; m++) {
            begun[m] += begun[m - 1];
        }
        for (int node = leaves - 1; node > 0; node--) {
            sum(node);
        }
    }

    /** The score of the life at a place. */
    double score(int place) {
        return scores[byFirst[place]];
    }

    /** Tells whether one may live from a moment to before another at most, and be better than a score. */
    boolean mayBeWithin(int first, int end, double score) {
        return end - first >= shortest && bestScores[1] > score;
    }

    /** The place of the best that lives from a moment to before another at most; -1 where none is better than a score. */
    int best(int first, int end, double score) {
        chosen = NOBODY;
        chosenScore = score;
        int low = begun[first];
        int high = begun[end - shortest + 1];
        if (low < high) {
            // From the lowest node above all of them: those in a valley are mostly few.
            int levels = Integer.SIZE - Integer.numberOfLeadingZeros(low ^ (high - 1));
            int node = (leaves + low) >> levels;
            if (mayServe(node, end)) {
                int from = low >> levels << levels;
                search(node, from, from + (1 << levels), low, high, end);
            }
        }
        return chosen;
    }

    private void search(int node, int from, int to, int low, int high, int end) {
        work.spend(1);
        if (to - from == 1) {
            chosen = from;
            chosenScore = bestScores[node];
            return;
        }
        int middle = (from + to) >>> 1;
        boolean left = low < middle && mayServe(2 * node, end);
        boolean right = high > middle && mayServe(2 * node + 1, end);
        if (left && right && bestScores[2 * node + 1] > bestScores[2 * node]) {
            search(2 * node + 1, middle, to, low, high, end);
            right = false;
            left = mayServe(2 * node, end);
        }
        if (left) {
            search(2 * node, from, middle, low, high, end);
            right = right && mayServe(2 * node + 1, end);
        }
        if (right) {
            search(2 * node + 1, middle, to, low, high, end);
        }
    }

    /** Tells whether a life below a node may be better than the one chosen, and end early enough. */
    private boolean mayServe(int node, int end) {
        return leastEnds[node] <= end && bestScores[node] > chosenScore;
    }

    /** Takes the life at a place away, and returns it. */
    int remove(int place) {
        int node = leaves + place;
        leastEnds[node] = Integer.MAX_VALUE;
        bestScores[node] = 0;
        for (node >>= 1; node > 0; node >>= 1) {
            sum(node);
        }
        return byFirst[place];
    }

    private void sum(int node) {
        leastEnds[node] = Math.min(leastEnds[2 * node], leastEnds[2 * node + 1]);
        bestScores[node] = Math.max(bestScores[2 * node], bestScores[2 * node + 1]);
    }
}
