package io.devicearena.plan;

/** The bytes that are live at each step, changed and asked for by whole intervals in O(log n). */
final class LiveBytes {
    private final int leaves;
    private final long[] most; // of the steps below a node of the tree, what was added to the node itself included
    private final long[] added; // to every step below a node

    LiveBytes(int steps) {
        int size = 1;
        while (size < steps) {
            size <<= 1;
        }
        leaves = size;
        most = new long[2 * size];
        added = new long[2 * size];
    }

    /** Adds bytes, perhaps negative, to the steps [from, to). */
    void add(long from, long to, long bytes) {
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

    /** The most bytes live at a step of [from, to), which is not empty. */
    long most(long from, long to) {
        return most(1, 0, leaves, from, to);
    }

    private long most(int node, long low, long high, long from, long to) {
        if (from <= low && high <= to) {
            return most[node];
        }
        long middle = (low + high) >>> 1;
        long left = from < middle ? most(2 * node, low, middle, from, to) : Long.MIN_VALUE;
        long right = to > middle ? most(2 * node + 1, middle, high, from, to) : Long.MIN_VALUE;
        return added[node] + Math.max(left, right);
    }
}
