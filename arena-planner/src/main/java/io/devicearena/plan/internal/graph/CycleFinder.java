package io.devicearena.plan.internal.graph;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.Collectors;

/** Explains why nodes are not in execution order: a cycle if there is one, else a node that comes before its input. */
public final class CycleFinder {
    private static final int MOST_NAMED = 8;

    private CycleFinder() {}

    public static String explain(int[][] inputs, int i, int input, IntFunction<String> name) {
        int[] waits = waits(inputs);
        for (int node = 0; node < waits.length; node++) {
            if (waits[node] > 0) {
                return cycleFrom(node, waits, inputs, name);
            }
        }
        return name.apply(i) + ": expected inputs from earlier nodes, got " + name.apply(input) + " of position "
                + input + " at position " + i + "; list nodes in execution order";
    }

    /** How many inputs each node waits for after all nodes have run that can: above 0 if it waits for itself. */
    private static int[] waits(int[][] inputs) {
        int[][] readers = NodeLists.reversed(inputs);
        int[] waits = Arrays.stream(inputs).mapToInt(list -> list.length).toArray();
        Deque<Integer> ready = new ArrayDeque<>();
        for (int i = 0; i < waits.length; i++) {
            if (waits[i] == 0) {
                ready.add(i);
            }
        }
        while (!ready.isEmpty()) {
            for (int reader : readers[ready.remove()]) {
                if (--waits[reader] == 0) {
                    ready.add(reader);
                }
            }
        }
        return waits;
    }

    /** Walks from a waiting node to a waiting input, again and again, until it meets itself. */
    private static String cycleFrom(int start, int[] waits, int[][] inputs, IntFunction<String> name) {
        Set<Integer> walk = new LinkedHashSet<>();
        int at = start;
        while (walk.add(at)) {
            at = Arrays.stream(inputs[at])
                    .filter(input -> waits[input] > 0)
                    .findFirst()
                    .orElseThrow();
        }
        int met = at;
        List<Integer> cycle = walk.stream().dropWhile(node -> node != met).toList();
        String names = cycle.stream().limit(MOST_NAMED).map(name::apply).collect(Collectors.joining(" reads "));
        return "graph: expected no cycle, got " + names + " reads "
                + (cycle.size() > MOST_NAMED ? "… (" + cycle.size() + " nodes in all)" : name.apply(met));
    }
}
