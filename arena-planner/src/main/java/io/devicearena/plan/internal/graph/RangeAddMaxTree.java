package io.devicearena.plan.internal.graph;

/**
 * A sum for each position, changed and asked for by whole ranges in O(log n): a segment tree with range addition and
 * range maximum.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public final class RangeAddMaxTree {
    private final int leaves;
    private final long[] most; // of the positions below a node of the tree, what was added to the node itself included
    private final long[] added; // to every position below a node

    /**
     * Makes a tree of zeros.
     *
     * @param positions how many there are, 1 or more
     */
    public RangeAddMaxTree(int positions) {
        int size = 1;
        while (size < positions) {
            size <<= 1;
        }
        leaves = size;
        most = new long[2 * size];
        added = new long[2 * size];
    }

    /** Adds an amount, perhaps negative, to the positions [from, to). */
    public void add(long from, long to, long amount) {
        if (from < to && amount != 0) {
            add(1, 0, leaves, from, to, amount);
        }
    }

    private void add(int node, long low, long high, long from, long to, long amount) {
        if (from <= low && high <= to) {
            most[node] += amount;
            added[node] += amount;
            return;
        }
        long middle = (low + high) >>> 1;
        if (from < middle) {
            add(2 * node, low, middle, from, to, amount);
        }
        if (to > middle) {
            add(2 * node + 1, middle, high, from, to, amount);
        }
        most[node] = added[node] + Math.max(most[2 * node], most[2 * node + 1]);
    }

    /** The largest sum of the positions [from, to), which are not empty. */
    public long max(long from, long to) {
        return max(1, 0, leaves, from, to);
    }

    private long max(int node, long low, long high, long from, long to) {
        if (from <= low && high <= to) {
            return most[node];
        }
        long middle = (low + high) >>> 1;
        long left = from < middle ? max(2 * node, low, middle, from, to) : Long.MIN_VALUE;
        long right = to > middle ? max(2 * node + 1, middle, high, from, to) : Long.MIN_VALUE;
        return added[node] + Math.max(left, right);
    }
}
