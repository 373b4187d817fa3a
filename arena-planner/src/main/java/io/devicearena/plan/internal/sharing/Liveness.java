package io.devicearena.plan.internal.sharing;

import io.devicearena.plan.internal.graph.ArrayGraph;
import java.util.Arrays;

/**
 * When the bytes of each value are needed: a half-open range of steps for each value that owns bytes.
 *
 * <p>Values that the host writes are live throughout the execution. An output is live from its step to the end, any
 * other value from its step to its last use. The uses of a view are uses of its root. A fused op reads its inputs when
 * the ops run that it was fused into. A view reads nothing, but its root is live at least until the view is reached.
 */
public final class Liveness {
    private final ArrayGraph graph;
    private final int[] lastUses; // of each root: the position of its last use; the count of nodes if the host reads it
    private final int[] lastReads; // of each root: how often the node at its last use reads it, fused ops included

    private Liveness(ArrayGraph graph, int[] lastUses, int[] lastReads) {
        this.graph = graph;
        this.lastUses = lastUses;
        this.lastReads = lastReads;
    }

    public static Liveness of(ArrayGraph graph) {
        int count = graph.count();
        int[] uses = uses(graph);
        int[] lastUses = new int[count];
        for (int i = 0; i < count; i++) {
            int root = graph.root(i);
            boolean toTheEnd = graph.isPersistent(root) || graph.isOutput(i);
            lastUses[root] = Math.max(lastUses[root], toTheEnd ? count : Math.max(uses[i], i));
        }
        int[] lastReads = new int[count];
        for (int i = 0; i < count; i++) {
            int runs = graph.isFused(i) ? uses[i] : i;
            for (int input : graph.inputs(i)) {
                int root = graph.root(input);
                lastReads[root] += runs == lastUses[root] ? 1 : 0;
            }
        }
        return new Liveness(graph, lastUses, lastReads);
    }

    /** The last position that reads each node, or -1. Readers come later, so a walk from the end covers fused ops. */
    private static int[] uses(ArrayGraph graph) {
        int[] uses = new int[graph.count()];
        Arrays.fill(uses, -1);
        for (int i = graph.count() - 1; i >= 0; i--) {
            int runs = graph.isFused(i) ? Math.max(uses[i], i) : i;
            for (int input : graph.inputs(i)) {
                uses[input] = Math.max(uses[input], runs);
            }
        }
        return uses;
    }

    /** Whether the host reads the value, or a view of it, after the execution; asked of a root. */
    public boolean isKept(int root) {
        return lastUses[root] == graph.count();
    }

    boolean isLastUse(int node, int root) {
        return lastUses[root] == node;
    }

    /** How often the last use of a root reads it, under any name, by itself and by the ops that are fused into it. */
    int lastReads(int root) {
        return lastReads[root];
    }

    /** The first step at which value i is live. */
    public int firstStep(int i) {
        if (graph.isView(i)) {
            return Math.max(0, graph.step(i) - 1); // when the last op before it runs
        }
        return graph.isPersistent(i) ? 0 : graph.step(i);
    }

    /** The first step at which value i is no longer live: the first one for a value whose bytes are its root's. */
    public int endStep(int i) {
        if (graph.root(i) != i) {
            return firstStep(i);
        }
        return isKept(i) ? graph.steps() : graph.step(lastUses[i] + 1);
    }
}
