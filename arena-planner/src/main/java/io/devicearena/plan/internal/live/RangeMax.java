package io.devicearena.plan.internal.live;

/**
 * The largest of any range of values, in O(log n) time after O(n).
 *
 * <p><b>Threads:</b> immutable.
 */
final class RangeMax {
    private final int leaves;
    private final long[] tree;

    /** Prepares for values of 0 or more. */
    RangeMax(long[] values) {
        this.leaves = values.length;
        this.tree = new long[2 * leaves];
        System.arraycopy(values, 0, tree, leaves, leaves);
        for (int node = leaves - 1; node > 0; node--) {
            tree[node] = Math.max(tree[2 * node], tree[2 * node + 1]);
        }
    }

    /** The largest value from one index to before another. */
    long max(int from, int to) {
        long most = 0;
        int left = from + leaves;
        int right = to + leaves;
        while (left < right) {
            if ((left & 1) == 1) {
                most = Math.max(most, tree[left++]);
            }
            if ((right & 1) == 1) {
                most = Math.max(most, tree[--right]);
            }
            left >>= 1;
            right >>= 1;
        }
        return most;
    }
}
