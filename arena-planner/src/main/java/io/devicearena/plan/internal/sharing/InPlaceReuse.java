package io.devicearena.plan.internal.sharing;

import io.devicearena.plan.internal.graph.ArrayGraph;
import io.devicearena.plan.internal.graph.SlotSizes;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;

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

    InPlaceReuse(ArrayGraph graph, Liveness liveness, SlotSizes sizes) {
        this.graph = graph;
        this.liveness = liveness;
        this.sizes = sizes;
        firsts = new int[graph.count()];
        previous = new int[graph.count()];
        next = new int[graph.count()];
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
        for (int input : graph.inPlaceInputs(op)) {
            int root = graph.root(input);
            if (next[root] == NONE && liveness.isLastUse(op, root) && fits(graph, sizes, op, input)) {
                return root;
            }
        }
        return NONE;
    }

    /** Whether an op can reuse the slot of one of its inputs in every order in which it is the last to use it. */
    public static boolean fits(ArrayGraph graph, SlotSizes sizes, int op, int input) {
        int root = graph.root(input);
        return graph.isComputed(op)
                && graph.isComputed(root)
                && graph.isWhole(input)
                && graph.elements(op) <= graph.elements(input)
                && sizes.elementBytes(op) == sizes.elementBytes(input)
                && sizes.slot(op) == sizes.slot(root)
                && readsOnlyAs(graph, op, input);
    }

    /** Whether an op reads the bytes of an input through no other view of them and no op that is fused into it. */
    private static boolean readsOnlyAs(ArrayGraph graph, int op, int input) {
        int root = graph.root(input);
        Set<Integer> seen = new HashSet<>();
        Deque<Integer> readers = new ArrayDeque<>();
        readers.add(op);
        while (!readers.isEmpty()) {
            int reader = readers.remove();
            for (int read : graph.inputs(reader)) {
                if (graph.root(read) == root && (read != input || reader != op)) {
                    return false;
                }
                if (graph.isFused(read) && seen.add(read)) {
                    readers.add(read);
                }
            }
        }
        return true;
    }
}
