package io.devicearena.plan;

import java.util.Arrays;

/**
 * When the bytes of each value are needed: a half-open interval of steps for each value that owns bytes.
 *
 * <p>Inputs, parameters and constants live through the whole execution, outputs from their step to its end, other
 * values from their step to their last use. The uses of a view are uses of what it shows; the reads of a fused op happen
 * when those run that it was fused into.
 */
final class Liveness {
    private final long[] lowers;
    private final long[] uppers;

    private Liveness(long[] lowers, long[] uppers) {
        this.lowers = lowers;
        this.uppers = uppers;
    }

    static Liveness of(GraphIndex graph) {
        int count = graph.count();
        int[] lastUses = lastUses(graph);
        long[] lowers = new long[count];
        long[] uppers = new long[count];
        for (int i = 0; i < count; i++) {
            int root = graph.root(i);
            if (graph.role(root).isPinned()) {
                uppers[root] = count;
            } else {
                lowers[root] = root;
                long end = graph.isOutput(i) ? count : Math.max(lastUses[i], i) + 1L;
                uppers[root] = Math.max(uppers[root], end);
            }
        }
        return new Liveness(lowers, uppers);
    }

    /** The last step that reads each value, or -1. Readers come later, so one walk from the end settles fused ops too. */
    private static int[] lastUses(GraphIndex graph) {
        int[] lastUses = new int[graph.count()];
        Arrays.fill(lastUses, -1);
        for (int i = graph.count() - 1; i >= 0; i--) {
            int runs = graph.isFused(i) ? Math.max(lastUses[i], i) : i;
            for (int k = 0; k < graph.inputCount(i); k++) {
                int input = graph.input(i, k);
                lastUses[input] = Math.max(lastUses[input], runs);
            }
        }
        return lastUses;
    }

    /** The first step at which value i is live; meaningless for a view. */
    long lower(int i) {
        return lowers[i];
    }

    /** The first step at which value i is no longer live; meaningless for a view. */
    long upper(int i) {
        return uppers[i];
    }
}
