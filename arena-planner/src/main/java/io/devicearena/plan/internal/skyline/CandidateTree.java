package io.devicearena.plan.internal.skyline;

import io.devicearena.plan.internal.live.LiveRanges;
import io.devicearena.plan.internal.live.StepBudget;
import java.util.Arrays;

/**
 * The unplaced buffers of about one length, for the question which of them fits a gap and scores best: a tree over
 * their first cliques whose nodes hold the best score and the least end below them.
 *
 * <p><b>Source:</b> McCreight, "Priority Search Trees", 1985, for the question that it answers.
 */
final class CandidateTree {
    private static final int NONE = -1;

    private final double[] scores;
    private final StepBudget budget;
    /** The buffers in order of their first cliques; each is a leaf of the tree. */
    private final int[] byFirst;
    /** For each clique how many of the buffers begin before it. */
    private final int[] countBefore;

    private final int shortest;
    private final int leaves;
    /** The least end of the unplaced buffers below a node. */
    private final int[] leastEnds;
    /** The best score of the unplaced buffers below a node, or 0. */
    private final double[] bestScores;

    private int chosen;
    private double chosenScore;

    /** Prepares for at least one of the buffers, in order of their first cliques; the scores of all are above 0. */
    CandidateTree(LiveRanges ranges, int[] byFirst, double[] scores, StepBudget budget) {
        this.byFirst = byFirst;
        this.countBefore = new int[ranges.cliques() + 1];
        this.scores = scores;
        this.budget = budget;
        this.shortest = Arrays.stream(byFirst).map(ranges::length).min().orElseThrow();
        this.leaves = byFirst.length == 1 ? 1 : Integer.highestOneBit(byFirst.length - 1) << 1;
        this.leastEnds = new int[2 * leaves];
        this.bestScores = new double[2 * leaves];
        Arrays.fill(leastEnds, Integer.MAX_VALUE);
        for (int leaf = 0; leaf < byFirst.length; leaf++) {
            leastEnds[leaves + leaf] = ranges.end(byFirst[leaf]);
            bestScores[leaves + leaf] = scores[byFirst[leaf]];
            countBefore[ranges.first(byFirst[leaf]) + 1]++;
        }
        for (int clique = 1; clique < countBefore.length; clique++) {
            countBefore[clique] += countBefore[clique - 1];
        }
        for (int node = leaves - 1; node > 0; node--) {
            update(node);
        }
    }

    double score(int leaf) {
        return scores[byFirst[leaf]];
    }

    /** Whether a buffer may fit between two cliques and score more than another one. */
    boolean mayFit(int first, int end, double score) {
        return end - first >= shortest && bestScores[1] > score;
    }

    /** The leaf of the buffer that fits between two cliques and scores best, and more than another one; else -1. */
    int best(int first, int end, double score) {
        chosen = NONE;
        chosenScore = score;
        int low = countBefore[first];
        int high = countBefore[end - shortest + 1];
        if (low < high) {
            // From the lowest node above all of them: few buffers begin in most gaps.
            int levels = Integer.SIZE - Integer.numberOfLeadingZeros(low ^ (high - 1));
            int node = (leaves + low) >> levels;
            int from = low >> levels << levels;
            search(node, from, from + (1 << levels), low, high, end);
        }
        return chosen;
    }

    private void search(int node, int from, int to, int low, int high, int end) {
        boolean mayWin = leastEnds[node] <= end && bestScores[node] > chosenScore;
        if (!mayWin || to <= low || from >= high) {
            return;
        }
        budget.spend(1);
        if (to - from == 1) {
            chosen = from;
            chosenScore = bestScores[node];
            return;
        }
        int middle = (from + to) >>> 1;
        if (bestScores[2 * node + 1] > bestScores[2 * node]) {
            search(2 * node + 1, middle, to, low, high, end);
            search(2 * node, from, middle, low, high, end);
        } else {
            search(2 * node, from, middle, low, high, end);
            search(2 * node + 1, middle, to, low, high, end);
        }
    }

    /** Takes the buffer of a leaf out, and returns it. */
    int remove(int leaf) {
        int node = leaves + leaf;
        leastEnds[node] = Integer.MAX_VALUE;
        bestScores[node] = 0;
        for (node >>= 1; node > 0; node >>= 1) {
            update(node);
        }
        return byFirst[leaf];
    }

    private void update(int node) {
        leastEnds[node] = Math.min(leastEnds[2 * node], leastEnds[2 * node + 1]);
        bestScores[node] = Math.max(bestScores[2 * node], bestScores[2 * node + 1]);
    }
}
