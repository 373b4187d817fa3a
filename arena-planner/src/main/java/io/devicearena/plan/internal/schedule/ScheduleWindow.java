package io.devicearena.plan.internal.schedule;

import io.devicearena.plan.internal.graph.ArrayGraph;
import io.devicearena.plan.internal.graph.NodeLists;
import io.devicearena.plan.internal.graph.SlotSizes;
import io.devicearena.plan.internal.live.StepBudget;
import io.devicearena.plan.internal.sharing.InPlaceReuse;
import io.devicearena.plan.internal.sharing.Liveness;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * The nodes between two positions of an order, to be searched for a better one. All nodes before them have run.
 *
 * <p>Nodes are numbered by their positions in the window. Values and fused ops have numbers of their own; only those
 * have one whose last use is in the window. In a window of the whole graph all have the numbers of their nodes.
 */
final class ScheduleWindow {
    /**
     * Reads of fused ops that are followed to find what may be reused, for each node on average. Behind it no more
     * reuse is assumed while orders are searched. Networks need less than 4.
     */
    private static final long FUSED_WALK_STEPS_PER_NODE = 64;

    /** The bytes that each node's value takes from its step on; 0 unless an op writes it to memory. */
    final long[] bytes;
    /** The bytes that the last use of each value frees. */
    final long[] freed;
    /** The nodes that must come before each node. */
    final int[][] before;
    /** The nodes that must come after each node. */
    final int[][] after;
    /** What each node uses when it runs: values whose last use frees bytes, and fused ops. */
    final int[][] uses;
    /** What the last use of a fused op, by itself or a reader, uses as well: all that it reads, listed only once. */
    final int[][] passedOn;
    /** The values whose slots each node's value can reuse if the node is the last to use them. */
    final int[][] reusable;
    /** How often each value or fused op is used in all. */
    final int[] useCounts;
    /** The values and fused ops that the node that ran last was the last to use, in a row as long as may be needed. */
    final int[] ended;

    private ScheduleWindow(
            long[] bytes, long[] freed, int[][] before, int[][] uses, int[][] passedOn, int[][] reusable) {
        this.bytes = bytes;
        this.freed = freed;
        this.before = before;
        this.after = NodeLists.reversed(before);
        this.uses = uses;
        this.passedOn = passedOn;
        this.reusable = reusable;
        this.ended = new int[freed.length];
        this.useCounts = new int[freed.length];
        for (int[] used : uses) {
            addTo(useCounts, used);
        }
        for (int[] used : passedOn) {
            addTo(useCounts, used);
        }
    }

    static void addTo(int[] counts, int[] values) {
        for (int value : values) {
            counts[value]++;
        }
    }

    /** The window of a whole graph in its given order, whose ops may be written over inputs or not. */
    static ScheduleWindow of(SlotSizes sizes, boolean inPlace) {
        ArrayGraph graph = sizes.graph();
        Liveness liveness = Liveness.of(graph);
        int count = graph.count();
        StepBudget walk = new StepBudget(FUSED_WALK_STEPS_PER_NODE * count);
        long[] bytes = new long[count];
        Arrays.setAll(bytes, i -> graph.isComputed(i) ? sizes.slot(i) : 0);
        return new ScheduleWindow(
                bytes,
                bytes,
                NodeLists.of(count, i -> findBefore(graph, i)),
                NodeLists.of(count, i -> graph.isFused(i) ? new int[] {i} : findReads(graph, liveness, i)),
                NodeLists.of(count, i -> graph.isFused(i) ? findReads(graph, liveness, i) : new int[0]),
                NodeLists.of(count, i -> inPlace ? findReusable(sizes, liveness, i, walk) : new int[0]));
    }

    private static int[] findBefore(ArrayGraph graph, int i) {
        return IntStream.concat(Arrays.stream(graph.inputs(i)), Arrays.stream(graph.controlDependencies(i)))
                .sorted()
                .distinct()
                .toArray();
    }

    /** What node i reads itself: values whose bytes come and go, its own among them, and fused ops. */
    private static int[] findReads(ArrayGraph graph, Liveness liveness, int i) {
        return IntStream.concat(IntStream.of(i), Arrays.stream(graph.inputs(i)))
                .filter(read -> graph.isFused(read) ? read != i : !liveness.isKept(graph.root(read)))
                .map(graph::root)
                .sorted()
                .distinct()
                .toArray();
    }

    private static int[] findReusable(SlotSizes sizes, Liveness liveness, int i, StepBudget walk) {
        ArrayGraph graph = sizes.graph();
        int[] fitting = Arrays.stream(graph.inPlaceInputs(i))
                .filter(input -> InPlaceReuse.fits(graph, sizes, i, input) && !liveness.isKept(graph.root(input)))
                .toArray();
        if (fitting.length == 0) {
            return fitting;
        }
        Map<Integer, Integer> reads = new HashMap<>(); // by node that the op itself reads
        Map<Integer, Integer> rootReads = new HashMap<>(); // by root, those of fused ops included
        Set<Integer> readers = new HashSet<>(List.of(i));
        Deque<Integer> found = new ArrayDeque<>(readers);
        while (!found.isEmpty() && !walk.isExhausted()) {
            int reader = found.remove();
            int[] inputs = graph.inputs(reader);
            walk.spend(1 + inputs.length);
            for (int read : inputs) {
                reads.merge(read, reader == i ? 1 : 0, Integer::sum);
                rootReads.merge(graph.root(read), 1, Integer::sum);
                if (graph.isFused(read) && readers.add(read)) {
                    found.add(read);
                }
            }
        }
        return Arrays.stream(found.isEmpty() ? fitting : new int[0])
                .filter(input -> reads.getOrDefault(input, 0).equals(rootReads.get(graph.root(input))))
                .map(graph::root)
                .toArray();
    }

    /**
     * The part order[from, to) of this window in another order.
     *
     * @param usesLeft how often each value is still used when the part begins; changed to what is left when it ends
     */
    ScheduleWindow part(int[] order, int from, int to, int[] usesLeft) {
        List<Integer> nodes = Arrays.stream(order, from, to).boxed().toList();
        List<Integer> values = new ArrayList<>();
        for (int node : nodes) {
            Arrays.stream(ended, 0, run(node, usesLeft)).forEach(values::add);
        }
        Map<Integer, Integer> nodeNumbers = numbers(nodes);
        Map<Integer, Integer> valueNumbers = numbers(values);
        return new ScheduleWindow(
                nodes.stream().mapToLong(node -> bytes[node]).toArray(),
                values.stream().mapToLong(value -> freed[value]).toArray(),
                renumbered(before, nodes, nodeNumbers),
                renumbered(uses, nodes, valueNumbers),
                renumbered(passedOn, values, valueNumbers),
                renumbered(reusable, nodes, valueNumbers));
    }

    private static Map<Integer, Integer> numbers(List<Integer> those) {
        Map<Integer, Integer> numbers = HashMap.newHashMap(those.size());
        those.forEach(i -> numbers.put(i, numbers.size()));
        return numbers;
    }

    /** The lists of some nodes or values, of what has numbers and by these. */
    private static int[][] renumbered(int[][] lists, List<Integer> some, Map<Integer, Integer> numbers) {
        return NodeLists.of(
                some.size(),
                k -> Arrays.stream(lists[some.get(k)])
                        .filter(numbers::containsKey)
                        .map(numbers::get)
                        .toArray());
    }

    /** Counts down what a node uses and lists in {@link #ended} what it is the last to use; returns how many. */
    int run(int node, int[] usesLeft) {
        int count = use(uses[node], usesLeft, 0);
        for (int k = 0; k < count; k++) {
            count = use(passedOn[ended[k]], usesLeft, count);
        }
        return count;
    }

    private int use(int[] values, int[] usesLeft, int count) {
        int next = count;
        for (int value : values) {
            if (--usesLeft[value] == 0) {
                ended[next++] = value;
            }
        }
        return next;
    }

    int length() {
        return bytes.length;
    }
}
