package io.devicearena.plan.placement;

/**
 * A level for each moment: ranges of moments rise, and tell the highest level in them, in O(log n) each.
 *
 * <p>Threads: one thread at a time.
 */
final class Levels {
    private final int leaves;
    /** The highest level below each node, with what it has risen itself, but not what those above it have. */
    private final long[] highest;

    /** What each node has risen, with all below it. */
    private final long[] risen;

    /**
     * Begins with some levels.
     *
     * @param levels one for each moment, at least one; 0 or more
     */
    Levels(long[] levels) {
        this.leaves = levels.length == 1 ? 1 : 2 * Integer.highestOneBit(levels.length - 1);
        this.highest = new long[2 * leaves];
        this.risen = new long[leaves];
        System.arraycopy(levels, 0, highest, leaves, levels.length);
        for (int node = leaves - 1; node > 0; node--) {
            measure(node);
        }
    }

    /** The highest level from one moment to before another, later one. */
    long highest(int from, int end) {
        int left = leaves + from;
        int right = leaves + end - 1;
        long ofLeft = highest[left];
        long ofRight = highest[right];
        while (left / 2 != right / 2) {
            ofLeft = Math.max(ofLeft, left % 2 == 0 ? highest[left + 1] : 0) + risen[left / 2];
            ofRight = Math.max(ofRight, right % 2 == 1 ? highest[right - 1] : 0) + risen[right / 2];
            left /= 2;
            right /= 2;
        }
        long most = Math.max(ofLeft, ofRight);
        for (int node = left / 2; node > 0; node /= 2) {
            most += risen[node];
        }
        return most;
    }

    /** Raises all levels from one moment to before another, later one. */
    void raise(int from, int end, long by) {
        int left = leaves + from;
        int right = leaves + end - 1;
        raiseNode(left, by);
        if (left != right) {
            raiseNode(right, by);
        }
        while (left / 2 != right / 2) {
            if (left % 2 == 0) {
                raiseNode(left + 1, by);
            }
            if (right % 2 == 1) {
                raiseNode(right - 1, by);
            }
            left /= 2;
            right /= 2;
            measure(left);
            measure(right);
        }
        for (int node = left / 2; node > 0; node /= 2) {
            measure(node);
        }
    }

    private void raiseNode(int node, long by) {
        highest[node] += by;
        if (node < leaves) {
            risen[node] += by;
        }
    }

    private void measure(int node) {
        highest[node] = Math.max(highest[2 * node], highest[2 * node + 1]) + risen[node];
    }
}
