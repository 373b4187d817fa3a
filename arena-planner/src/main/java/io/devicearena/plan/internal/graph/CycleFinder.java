package io.devicearena.plan.internal.graph;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Collectors;

/**
 * Explains why a list of nodes is not in execution order: a cycle if there is one, else a node that comes before its
 * input.
 *
 * <p><b>Threads:</b> static and stateless; safe for any thread.
 */
public final class CycleFinder {
    private static final int MOST_NAMED = 8;

    private CycleFinder() {}

    /**
     * Explains the fault of an order.
     *
     * @param inputs what each node reads; at least one node does not come after its inputs
     * @param count how many nodes there are
     * @param name what the message calls a node
     */
    public static String explain(CsrAdjacency inputs, int count, IntFunction<String> name) {
        boolean[] blocked = blocked(inputs, count);
        for (int i = 0; i < count; i++) {
            if (blocked[i]) {
                return cycleFrom(i, blocked, inputs, name);
            }
        }
        for (int i = 0; i < count; i++) {
            for (int k = 0; k < inputs.count(i); k++) {
                if (inputs.get(i, k) >= i) {
                    return name.apply(i) + ": expected inputs from earlier nodes, got "
                            + name.apply(inputs.get(i, k)) + " of position " + inputs.get(i, k) + " at position " + i
                            + "; list nodes in execution order";
                }
            }
        }
        throw new AssertionError("a wrong order has a node before its input");
    }

    /** Nodes that can never run because they wait for themselves: those left after all others have run. */
    private static boolean[] blocked(CsrAdjacency inputs, int count) {
        CsrAdjacency readers = inputs.reversed();
        int[] waits = new int[count];
        Arrays.setAll(waits, inputs::count);
        boolean[] blocked = new boolean[count];
        Arrays.fill(blocked, true);
        Deque<Integer> ready = new ArrayDeque<>();
        for (int i = 0; i < count; i++) {
            if (waits[i] == 0) {
                ready.add(i);
            }
        }
        while (!ready.isEmpty()) {
            int done = ready.remove();
            blocked[done] = false;
            for (int k = 0; k < readers.count(done); k++) {
                if (--waits[readers.get(done, k)] == 0) {
                    ready.add(readers.get(done, k));
                }
            }
        }
        return blocked;
    }

    /** Walks from a blocked node to a blocked input, again and again, until it meets itself. */
    private static String cycleFrom(int start, boolean[] blocked, CsrAdjacency inputs, IntFunction<String> name) {
        List<Integer> walk = new ArrayList<>();
        int[] seenAt = new int[blocked.length];
        Arrays.fill(seenAt, -1);
        int at = start;
        while (seenAt[at] < 0) {
            seenAt[at] = walk.size();
            walk.add(at);
            at = blockedInput(at, blocked, inputs);
        }
        List<Integer> cycle = walk.subList(seenAt[at], walk.size());
        String names = cycle.stream().limit(MOST_NAMED).map(name::apply).collect(Collectors.joining(" reads "));
        return "graph: expected no cycle, got " + names + " reads "
                + (cycle.size() > MOST_NAMED ? "… (" + cycle.size() + " nodes in all)" : name.apply(at));
    }

    private static int blockedInput(int node, boolean[] blocked, CsrAdjacency inputs) {
        for (int k = 0; k < inputs.count(node); k++) {
            if (blocked[inputs.get(node, k)]) {
                return inputs.get(node, k);
            }
        }
        throw new AssertionError("a blocked node reads a blocked node");
    }
}
