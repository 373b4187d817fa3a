package io.devicearena.plan.strategy;

import java.util.Arrays;
import java.util.Optional;

/**
 * Places lives from the ground up: what is stacked so far is a terrain over time, and whichever valley is reached is given
 * the best life that lies within its walls; where none does, the valley is raised to the lower of its walls.
 *
 * <p>A life goes on level ground always, so room is lost only where a valley is raised. Valleys do not take lives from each
 * other, so it does not matter which comes first: the walk goes downhill from where it is, which keeps it among what it
 * has just touched. Takes O(n log n) time but for the search for the best life, which passes over parts of a tree that hold
 * none that fits: some tens of nodes for each life in practice.
 *
 * <p>Threads: one thread at a time. Source: Burke, Kendall and Whitwell, "A New Placement Heuristic for the Orthogonal
 * Stock-Cutting Problem", 2004, for the lowest gap first; here lives have their places along the gap.
 */
final class Valleys {
    private static final int NOBODY = -1;

    private final Lives lives;
    private final Work work;
    private final long[] addresses;
    /** The lives in order of their first moments; a leaf of the tree each. */
    private final int[] byFirst;
    /** For each moment how many lives begin before it. */
    private final int[] begun;

    private final int leaves;
    /** The least end of the lives below a node that have no place yet. */
    private final int[] leastEnds;
    /** The best score of those. */
    private final double[] bestScores;
    /** For the first moment of a level part of the terrain: the moment after its last. */
    private final int[] ends;
    /** For the first moment of a level part: the first moment of the part before it. */
    private final int[] befores;

    private final long[] heights;
    private int chosen;
    private double chosenScore;

    private Valleys(Lives lives, double[] scores, Work work) {
        int count = lives.count();
        int moments = lives.moments();
        this.lives = lives;
        this.work = work;
        this.addresses = new long[count];
        this.byFirst = Order.EARLIEST.of(lives);
        this.begun = new int[moments + 1];
        this.leaves = count == 1 ? 1 : Integer.highestOneBit(count - 1) << 1;
        this.leastEnds = new int[2 * leaves];
        this.bestScores = new double[2 * leaves];
        this.ends = new int[moments];
        this.befores = new int[moments + 1];
        this.heights = new long[moments];
        Arrays.fill(leastEnds, Integer.MAX_VALUE);
        for (int k = 0; k < count; k++) {
            int i = byFirst[k];
            leastEnds[leaves + k] = lives.end(i);
            bestScores[leaves + k] = scores[i];
            begun[lives.first(i) + 1]++;
        }
        for (int m = 0; m < moments; m++) {
            begun[m + 1] += begun[m];
        }
        for (int node = leaves - 1; node > 0; node--) {
            sum(node);
        }
        ends[0] = moments;
        befores[0] = NOBODY;
    }

    /**
     * Places all lives.
     *
     * @param lives the lives, at least one
     * @param scores how much each life should come before others, above 0
     * @param work what is spent
     * @return their addresses; nothing where the work was spent
     */
    static Optional<long[]> fill(Lives lives, double[] scores, Work work) {
        Valleys valleys = new Valleys(lives, scores, work);
        return valleys.run() ? Optional.of(valleys.addresses) : Optional.empty();
    }

    private boolean run() {
        int part = 0;
        for (int left = addresses.length; left > 0; ) {
            if (work.isSpent()) {
                return false;
            }
            part = lowestFrom(part);
            int leaf = bestWithin(part, ends[part]);
            if (leaf == NOBODY) {
                part = raise(part);
            } else {
                part = stack(part, leaf);
                left--;
            }
        }
        return true;
    }

    /** Walks downhill from a part to one between higher ones. */
    private int lowestFrom(int part) {
        int at = part;
        while (true) {
            int before = befores[at];
            int after = ends[at];
            work.spend(1);
            if (before != NOBODY && heights[before] < heights[at]) {
                at = before;
            } else if (after < ends.length && heights[after] < heights[at]) {
                at = after;
            } else {
                return at;
            }
        }
    }

    /** Levels a part with the lower of its neighbours; returns the part that it is then in. */
    private int raise(int part) {
        int before = befores[part];
        int after = ends[part];
        long left = before == NOBODY ? Long.MAX_VALUE : heights[before];
        long right = after == ends.length ? Long.MAX_VALUE : heights[after];
        heights[part] = Math.min(left, right);
        if (right == heights[part]) {
            join(part, after);
        }
        return left == heights[part] ? join(before, part) : part;
    }

    private int join(int part, int after) {
        end(part, ends[after]);
        return part;
    }

    private void end(int part, int end) {
        ends[part] = end;
        if (end < ends.length) {
            befores[end] = part;
        }
    }

    /** Puts a life on a part, which falls into up to three; returns the one below the life. */
    private int stack(int part, int leaf) {
        int i = byFirst[leaf];
        remove(leaf);
        long address = lives.clearOfBoundary(heights[part], lives.size(i));
        addresses[i] = address;
        int first = lives.first(i);
        int end = lives.end(i);
        int partEnd = ends[part];
        long ground = heights[part];
        if (first > part) {
            befores[first] = part;
            ends[part] = first;
        }
        if (end < partEnd) {
            heights[end] = ground;
            end(end, partEnd);
        }
        heights[first] = address + lives.size(i);
        end(first, end);
        if (end < ends.length && heights[end] == heights[first]) {
            join(first, end);
        }
        int before = befores[first];
        return before != NOBODY && heights[before] == heights[first] ? join(before, first) : first;
    }

    private void remove(int leaf) {
        int node = leaves + leaf;
        leastEnds[node] = Integer.MAX_VALUE;
        bestScores[node] = 0;
        for (node >>= 1; node > 0; node >>= 1) {
            sum(node);
        }
    }

    private void sum(int node) {
        leastEnds[node] = Math.min(leastEnds[2 * node], leastEnds[2 * node + 1]);
        bestScores[node] = Math.max(bestScores[2 * node], bestScores[2 * node + 1]);
    }

    /** The leaf of the best life without a place that lives from a moment to before another at most. */
    private int bestWithin(int first, int end) {
        chosen = NOBODY;
        chosenScore = 0;
        search(1, 0, leaves, begun[first], begun[end], end);
        return chosen;
    }

    private void search(int node, int from, int to, int low, int high, int end) {
        work.spend(1);
        if (from >= low && to <= high && to - from == 1) {
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
}
