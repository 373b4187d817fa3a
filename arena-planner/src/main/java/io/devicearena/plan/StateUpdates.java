package io.devicearena.plan;

import io.devicearena.plan.internal.graph.ArrayGraph;
import io.devicearena.plan.internal.graph.NodeLists;
import java.util.Arrays;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * The order that updates of states require: no op reads the value before an update once the update has run. Each update
 * gets control dependencies on the readers of that value, which a changed order of execution keeps.
 */
final class StateUpdates {
    private static final int NONE = -1;

    private final ArrayGraph graph;
    private final int[][] readers; // and the views of each node
    private final int[] runs;

    private StateUpdates(ArrayGraph graph) {
        this.graph = graph;
        this.readers = NodeLists.reversed(NodeLists.of(
                graph.count(),
                i -> graph.isView(i)
                        ? IntStream.concat(Arrays.stream(graph.inputs(i)), IntStream.of(graph.parent(i)))
                                .distinct()
                                .toArray()
                        : graph.inputs(i)));
        this.runs = lastRuns();
    }

    /**
     * Makes the updates of a graph run after all that reads the values before them.
     *
     * @throws InvalidGraphException if a node reads or updates a value that an earlier node has updated
     */
    static void order(ArrayGraph graph) {
        if (IntStream.range(0, graph.count()).anyMatch(graph::isUpdate)) {
            new StateUpdates(graph).order();
        }
    }

    private void order() {
        int[] makers = new int[graph.count()]; // of each value: what wrote its bytes, itself unless it is a view
        int[] updates = new int[graph.count()]; // of each maker: the update that replaces its value
        Arrays.fill(updates, NONE);
        for (int i = 0; i < graph.count(); i++) {
            makers[i] = graph.isView(i) ? makers[graph.parent(i)] : i;
            if (graph.isUpdate(i)) {
                int old = graph.parent(i);
                if (updates[old] != NONE) {
                    throw stale("update", i, old, updates[old]);
                }
                updates[old] = i;
            }
        }
        for (int i = 0; i < graph.count(); i++) {
            if (updates[makers[i]] != NONE) {
                keepBefore(updates[makers[i]], i);
            }
        }
        keepInOrder(i -> updates[makers[i]] != NONE);
    }

    /** The position of the last op in which each node runs: its own unless it is fused into others. */
    private int[] lastRuns() {
        int[] runs = new int[graph.count()];
        for (int i = runs.length - 1; i >= 0; i--) {
            int[] ops = graph.isFused(i) ? readers[i] : new int[0];
            runs[i] = Arrays.stream(ops).map(op -> runs[op]).max().orElse(i);
        }
        return runs;
    }

    /** Makes an update run after the views and readers of a value, and after the last ops that fused readers run in. */
    private void keepBefore(int update, int old) {
        if (graph.isOutput(old) && !graph.isPersistent(old)) {
            throw new InvalidGraphException(graph.name(old) + ": expected an output to keep its value to the end, got "
                    + graph.name(update) + ", which updates it; make the last update the output");
        }
        IntStream.Builder before = IntStream.builder();
        for (int reader : readers[old]) {
            int last = runs[reader];
            if (last > update) {
                throw stale("read", last, old, update);
            }
            before.add(last == update ? old : last);
        }
        graph.addControlDependencies(update, before.build().distinct().toArray());
    }

    /** Keeps the ops in order into which readers of old values are fused, so that the last one runs last. */
    private void keepInOrder(IntPredicate isUpdated) {
        boolean[] read = new boolean[graph.count()]; // whether a node reads an old value through fused ops
        int previous = NONE;
        for (int i = 0; i < read.length; i++) {
            for (int input : graph.inputs(i)) {
                read[i] |= graph.isFused(input) ? read[input] : graph.isFused(i) && isUpdated.test(input);
            }
            if (read[i] && runs[i] == i) {
                graph.addControlDependencies(i, previous == NONE ? new int[0] : new int[] {previous});
                previous = i;
            }
        }
    }

    private InvalidGraphException stale(String verb, int node, int old, int update) {
        String updated = graph.name(update);
        return new InvalidGraphException(graph.name(node) + ": expected to " + verb + " " + graph.name(old) + " before "
                + updated + " updates it, got this order; " + verb + " " + updated + " instead");
    }
}
