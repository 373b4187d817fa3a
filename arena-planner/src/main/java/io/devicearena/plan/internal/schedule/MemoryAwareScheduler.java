package io.devicearena.plan.internal.schedule;

import io.devicearena.plan.internal.graph.ArrayGraph;
import io.devicearena.plan.internal.graph.SlotSizes;
import io.devicearena.plan.internal.sharing.SlotSharing;
import java.nio.IntBuffer;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * Finds an order of execution in which fewer bytes are live at once.
 *
 * <p>The start is the better of the given order and a depth-first order. Then a {@link ScheduleBeamSearch beam search}
 * reorders it within windows, one window for the whole graph where the budget of the search allows. The result is never
 * worse than the given order. It is optimal for up to 13 ops, savings of concatenations aside: these count only when
 * whole orders are compared.
 *
 * <p><b>Source:</b> Sethi and Ullman, "The Generation of Optimal Code for Arithmetic Expressions", 1970, for the
 * depth-first order with the most demanding operand first.
 */
public final class MemoryAwareScheduler {
    /** States that the search may make for one graph: about 1 s of one core for the networks in docs/planning.md. */
    private static final long STATE_BUDGET = 50_000_000;

    /** The beam width that a window must leave in the budget; below, orders were no better than the given one. */
    private static final int LEAST_WIDTH = 8;

    /** The beam width that is always enough: 13 nodes have at most 1,716 sets of one size, and wider gained nothing. */
    private static final int MOST_WIDTH = 2048;

    private final ArrayGraph graph;
    private final SlotSizes sizes;
    private final ScheduleWindow nodes;

    private final int[] depthFirst;
    private final Map<IntBuffer, int[]> improved = new HashMap<>(); // by the order that the search began with

    private MemoryAwareScheduler(SlotSizes sizes, boolean inPlace) {
        this.graph = sizes.graph();
        this.sizes = sizes;
        this.nodes = ScheduleWindow.of(sizes, inPlace);
        this.depthFirst = depthFirstOrder();
    }

    /**
     * Reorders each phase of a graph: for values that share slots in all ways that the graph declares, and in fewer, so
     * that a declaration never leads to a larger plan.
     *
     * @return the graph in better orders: first, if there is one, that for all ways to share; empty if none was found
     */
    public static List<ArrayGraph> reorder(SlotSizes sizes) {
        ArrayGraph graph = sizes.graph();
        boolean hasInPlace = IntStream.range(0, graph.count()).anyMatch(i -> graph.inPlaceInputs(i).length > 0);
        boolean hasConcatenations = IntStream.range(0, graph.count()).anyMatch(graph::isConcatenation);
        Map<Boolean, MemoryAwareScheduler> schedulers = new HashMap<>();
        Set<IntBuffer> orders = new LinkedHashSet<>();
        for (SlotSharing.Mode mode : SlotSharing.Mode.values()) {
            if ((hasInPlace || !mode.inPlace) && (hasConcatenations || !mode.concatenations)) {
                schedulers
                        .computeIfAbsent(mode.inPlace, inPlace -> new MemoryAwareScheduler(sizes, inPlace))
                        .reorder(mode)
                        .ifPresent(orders::add);
            }
        }
        return orders.stream().map(order -> graph.inOrder(order.array())).toList();
    }

    private Optional<IntBuffer> reorder(SlotSharing.Mode mode) {
        long given = SlotSharing.lowerBound(sizes, mode);
        int[] start = bound(depthFirst, mode) < given ? depthFirst : hostValuesThen(i -> true);
        int[] found = improved.computeIfAbsent(IntBuffer.wrap(start), begun -> improved(start));
        int[] best = bound(found, mode) < bound(start, mode) ? found : start;
        return bound(best, mode) < given ? Optional.of(IntBuffer.wrap(best)) : Optional.empty();
    }

    private long bound(int[] order, SlotSharing.Mode mode) {
        return SlotSharing.lowerBound(sizes.of(graph.inOrder(order)), mode);
    }

    /** Whether the host writes the value of a node that needs no other. Such values come first: they take no step. */
    private boolean isHostValue(int i) {
        return graph.isPersistent(i) && nodes.before[i].length == 0;
    }

    /** The nodes of a kind after all values that the host writes, both in the given order. */
    private int[] hostValuesThen(IntPredicate kind) {
        return IntStream.concat(
                        IntStream.range(0, nodes.length()).filter(this::isHostValue),
                        IntStream.range(0, nodes.length()).filter(i -> !isHostValue(i) && kind.test(i)))
                .toArray();
    }

    /** An order in which each node comes right after its needs, the most demanding first; ends in the given order. */
    private int[] depthFirstOrder() {
        int[][] needs = needsByDemand();
        Set<Integer> order = new LinkedHashSet<>();
        boolean[] entered = new boolean[nodes.length()];
        Deque<Integer> path = new ArrayDeque<>(); // no recursion, since graphs can be deep
        for (int end : hostValuesThen(this::isEndOfPhase)) {
            path.push(end);
            while (!path.isEmpty()) {
                int node = path.getFirst();
                if (entered[node]) {
                    order.add(path.pop());
                } else {
                    entered[node] = true;
                    for (int k = needs[node].length - 1; k >= 0; k--) {
                        path.push(needs[node][k]);
                    }
                }
            }
        }
        return order.stream().mapToInt(Integer::intValue).toArray();
    }

    private boolean isEndOfPhase(int i) {
        return Arrays.stream(nodes.after[i]).allMatch(next -> phase(next) > phase(i));
    }

    private long phase(int i) {
        return Arrays.stream(graph.phaseEnds()).filter(end -> end <= i).count();
    }

    /** The needs of each node, as if each value had one reader, by the bytes that making it takes beyond its size. */
    private int[][] needsByDemand() {
        int[][] needs = new int[nodes.length()][];
        double[] demand = new double[needs.length];
        for (int i = 0; i < needs.length; i++) {
            needs[i] = Arrays.stream(nodes.before[i])
                    .boxed()
                    .sorted(Comparator.comparingDouble(need -> nodes.bytes[need] - demand[need]))
                    .mapToInt(Integer::intValue)
                    .toArray();
            double held = 0;
            for (int need : needs[i]) {
                demand[i] = Math.max(demand[i], held + demand[need]);
                held += nodes.bytes[need];
            }
            demand[i] = Math.max(demand[i], held + nodes.bytes[i]);
        }
        return needs;
    }

    /** An order whose windows are reordered one after the other; no window has nodes of two phases. */
    private int[] improved(int[] order) {
        int[] improved = order.clone();
        int count = order.length;
        int from = (int) IntStream.range(0, count).filter(this::isHostValue).count();
        int longest = (int) Math.max(16, Math.min(count, STATE_BUDGET / LEAST_WIDTH / Math.max(1, count)));
        int[] usesLeft = nodes.useCounts.clone();
        for (int phaseEnd : graph.phaseEnds()) {
            int end = (int) IntStream.range(0, count)
                    .filter(i -> isHostValue(i) || i < phaseEnd)
                    .count();
            while (from < end) {
                int to = Math.min(from + longest, end);
                ScheduleWindow window = nodes.part(order, from, to, usesLeft);
                long width = STATE_BUDGET / ((long) count * window.length());
                int[] better = new ScheduleBeamSearch(window).search(Math.clamp(width, 1, MOST_WIDTH));
                for (int k = 0; k < better.length; k++) {
                    improved[from + k] = order[from + better[k]];
                }
                from = to;
            }
        }
        return improved;
    }
}
