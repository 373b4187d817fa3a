package io.devicearena.plan.placement;

import java.util.Arrays;

/**
 * How high each moment is stacked: a tree over moments, each operation O(log n).
 *
 * <p>Threads: one thread at a time. Source: Bentley, "Solutions to Klee's rectangle problems", 1977, for the tree.
 */
final class Skyline {
    private static final long MIXED = -1;

    private final int leaves;
    /** The greatest height below each node. */
    private final long[] highest;
    /** The height of all moments below a node, or {@link #MIXED}. */
    private final long[] level;

    /** Makes one of height 0 all over. */
    Skyline(int moments) {
        this.leaves = moments == 1 ? 1 : Integer.highestOneBit(moments - 1) << 1;
        this.highest = new long[2 * leaves];
        this.level = new long[2 * leaves];
        Arrays.fill(level, MIXED);
        level[1] = 0;
    }

    /** The greatest height from one moment to before another. */
    long height(int first, int end) {
        return height(1, 0, leaves, first, end);
    }

    private long height(int node, int from, int to, int first, int end) {
        if (first <= from && to <= end) {
            return highest[node];
        }
        if (level[node] != MIXED) {
            return level[node];
        }
        int middle = (from + to) >>> 1;
        long found = first < middle ? height(2 * node, from, middle, first, end) : 0;
        return end > middle ? Math.max(found, height(2 * node + 1, middle, to, first, end)) : found;
    }

    /** Sets the height from one moment to before another. */
    void raise(int first, int end, long height) {
        raise(1, 0, leaves, first, end, height);
    }

    private void raise(int node, int from, int to, int first, int end, long height) {
        if (first <= from && to <= end) {
            highest[node] = height;
            level[node] = height;
            return;
        }
        if (level[node] != MIXED) {
            for (int child = 2 * node; child <= 2 * node + 1; child++) {
                highest[child] = level[node];
                level[child] = level[node];
            }
            level[node] = MIXED;
        }
        int middle = (from + to) >>> 1;
        if (first < middle) {
            raise(2 * node, from, middle, first, end, height);
        }
        if (end > middle) {
            raise(2 * node + 1, middle, to, first, end, height);
        }
        highest[node] = Math.max(highest[2 * node], highest[2 * node + 1]);
    }
}
