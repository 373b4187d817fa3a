package io.devicearena.plan.internal.live;

/** The load at each of a row of steps; ranges of steps change and return their maximum in O(log n) (a segment tree). */
public final class LoadTree {
    private final int leaves;
    private final long[] most; // of the steps below a node of the tree, what was added to the node itself included
    private final long[] added; // to every step below a node

    public LoadTree(long[] loads) {
        int size = 1;
        while (size < loads.length) {
            size <<= 1;
        }
        leaves = size;
        most = new long[2 * size];
        added = new long[2 * size];
        System.arraycopy(loads, 0, most, size, loads.length);
        for (int node = size - 1; node > 0; node--) {
            most[node] = Math.max(most[2 * node], most[2 * node + 1]);
        }
    }

    /** Adds bytes, perhaps a negative number, to the loads of the steps [from, to). */
    public void add(long from, long to, long bytes) {
        if (from < to && bytes != 0) {
            add(1, 0, leaves, from, to, bytes);
        }
    }

    private void add(int node, long low, long high, long from, long to, long bytes) {
        if (from <= low && high <= to) {
            most[node] += bytes;
            added[node] += bytes;
            return;
        }
        long middle = (low + high) >>> 1;
        if (from < middle) {
            add(2 * node, low, middle, from, to, bytes);
        }
        if (to > middle) {
            add(2 * node + 1, middle, high, from, to, bytes);
        }
        most[node] = added[node] + Math.max(most[2 * node], most[2 * node + 1]);
    }

    /** The largest load of the steps [from, to), which are not empty. */
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
