package io.devicearena.plan.internal.sharing;

import io.devicearena.plan.internal.graph.ArrayGraph;
import io.devicearena.plan.internal.graph.SlotSizes;
import java.util.Arrays;

/**
 * Which ops write their value over an input whose last use they are. The values of such a chain use one slot, one after
 * the other. All take the same bytes, so reuse never costs anything.
 */
public final class InPlaceReuse {
    static final int NONE = -1;

    private final ArrayGraph graph;
    private final Liveness liveness;
    private final SlotSizes sizes;
    /** The value that had the slot of each value first; the value itself unless it reuses a slot. */
    final int[] firsts;
    /** The value whose slot each value reuses, or {@link #NONE}. */
    final int[] previous;
    /** The op that reuses the slot of each value, or {@link #NONE}. */
    final int[] next;

    private final int[] reads; // how often an op reads each node; all 0 between two ops

    InPlaceReuse(ArrayGraph graph, Liveness liveness, SlotSizes sizes) {
        this.graph = graph;
        this.liveness = liveness;
        this.sizes = sizes;
        firsts = new int[graph.count()];
        previous = new int[graph.count()];
        next = new int[graph.count()];
        reads = new int[graph.count()];
        Arrays.setAll(firsts, i -> i);
        Arrays.fill(previous, NONE);
        Arrays.fill(next, NONE);
    }

    /** Lets each op reuse the first of its declared inputs that it can. */
    void reuseAll() {
        for (int op = 0; op < graph.count(); op++) {
            int input = reusable(op);
            if (input != NONE) {
                next[input] = op;
                previous[op] = input;
                firsts[op] = firsts[input];
            }
        }
    }

    /** The root of the first declared input whose slot an op can reuse, or {@link #NONE}. */
    int reusable(int op) {
        int[] declared = graph.inPlaceInputs(op);
        if (declared.length == 0) {
            return NONE;
        }
        count(op, 1);
        int found = NONE;
        for (int k = 0; k < declared.length && found == NONE; k++) {
            int root = graph.root(declared[k]);
            boolean isLastUse = next[root] == NONE && liveness.isLastUse(op, root);
            boolean readsOnlyAs = liveness.lastReads(root) == reads[declared[k]];
            found = isLastUse && readsOnlyAs && fits(graph, sizes, op, declared[k]) ? root : NONE;
        }
        count(op, -1);
        return found;
    }

    private void count(int op, int change) {
        for (int input : graph.inputs(op)) {
            reads[input] += change;
        }
    }

    /**
     * Whether an op can reuse the slot of one of its inputs in every order in which it is the last to use it, and reads
     * its bytes through no other view of them and no op that is fused into it. Of sizes that depend on dimensions, only
     * equal ones take the same bytes at all sizes.
     */
    public static boolean fits(ArrayGraph graph, SlotSizes sizes, int op, int input) {
        int root = graph.root(input);
        return graph.isComputed(op)
                && graph.isComputed(root)
                && graph.isWhole(input)
                && graph.elements(op) <= graph.elements(input)
                && (graph.size(op).equals(graph.size(input))
                        || (graph.size(op).isConstant() && graph.size(input).isConstant()))
                && sizes.elementBytes(op) == sizes.elementBytes(input)
                && sizes.slot(op) == sizes.slot(root);
    }
}
