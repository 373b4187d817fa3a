package io.devicearena.plan.internal.schedule;

import io.devicearena.plan.internal.graph.ArrayGraph;
import io.devicearena.plan.internal.graph.CsrAdjacency;
import io.devicearena.plan.internal.graph.SlotSizes;
import io.devicearena.plan.internal.sharing.InPlaceReuse;
import io.devicearena.plan.internal.sharing.Liveness;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * The nodes between two positions of an order, as a search for a better order of them sees it: what must run before
 * what, what each node takes, and whose last use frees how much. All nodes before the window have run and none after it
 * has.
 *
 * <p>Nodes have their positions in the window. Values and fused ops have numbers of their own; only those count whose
 * last use is in the window, whichever way it is ordered. A window of the whole graph numbers them as it does the
 * nodes.
 */
final class ScheduleWindow {
    /** The bytes that each node's value takes from its step on; 0 unless an op writes it to memory. */
    final long[] bytes;
    /** The bytes that the last use of each value frees. */
    final long[] freed;
    /** The nodes that must come before each node. */
    final CsrAdjacency before;
    /** The nodes that must come after each node. */
    final CsrAdjacency after;
    /** What each node uses when it runs: values whose last use frees bytes, and fused ops. */
    final CsrAdjacency uses;
    /**
     * What the last use of a fused op uses as well: all that it reads. A fused op is a use of itself, and its readers
     * are the others. So its inputs are listed once, not once for each reader.
     */
    final CsrAdjacency passedOn;
    /** The values whose slots each node's value can reuse if the node is the last to use them. */
    final CsrAdjacency reusable;
    /** How often each value or fused op is used in all. */
    final int[] useCounts;

    private ScheduleWindow(
            long[] bytes,
            long[] freed,
            CsrAdjacency before,
            CsrAdjacency uses,
            CsrAdjacency passedOn,
            CsrAdjacency reusable) {
        this.bytes = bytes;
        this.freed = freed;
        this.before = before;
        this.after = before.reversed();
        this.uses = uses;
        this.passedOn = passedOn;
        this.reusable = reusable;
        this.useCounts = new int[freed.length];
        for (int node = 0; node < bytes.length; node++) {
            uses.addTo(useCounts, node);
        }
        for (int value = 0; value < freed.length; value++) {
            passedOn.addTo(useCounts, value);
        }
    }

    /** The window of a whole graph in its given order. */
    static ScheduleWindow of(ArrayGraph graph, SlotSizes sizes) {
        Liveness liveness = Liveness.of(graph);
        int count = graph.count();
        long[] bytes = new long[count];
        Arrays.setAll(bytes, i -> graph.isComputed(i) ? sizes.slot(i) : 0);
        return new ScheduleWindow(
                bytes,
                bytes,
                CsrAdjacency.of(count, i -> findBefore(graph, i)),
                CsrAdjacency.of(count, i -> graph.isFused(i) ? new int[] {i} : findReads(graph, liveness, i)),
                CsrAdjacency.of(count, i -> graph.isFused(i) ? findReads(graph, liveness, i) : new int[0]),
                CsrAdjacency.of(count, i -> findReusable(graph, sizes, liveness, i)));
    }

    private static int[] findBefore(ArrayGraph graph, int i) {
        IntStream parent = graph.isView(i) ? IntStream.of(graph.parent(i)) : IntStream.empty();
        return IntStream.concat(IntStream.concat(inputs(graph, i), graph.controlDependencies().stream(i)), parent)
                .sorted()
                .distinct()
                .toArray();
    }

    /** What node i reads itself: values whose bytes come and go, its own among them, and fused ops. */
    private static int[] findReads(ArrayGraph graph, Liveness liveness, int i) {
        return IntStream.concat(IntStream.of(i), inputs(graph, i))
                .filter(read -> graph.isFused(read) ? read != i : !liveness.isKept(graph.root(read)))
                .map(graph::root)
                .sorted()
                .distinct()
                .toArray();
    }

    private static int[] findReusable(ArrayGraph graph, SlotSizes sizes, Liveness liveness, int i) {
        return IntStream.range(0, graph.inPlaceCount(i))
                .map(k -> graph.inPlaceInput(i, k))
                .filter(input -> InPlaceReuse.fits(graph, sizes, i, input) && !liveness.isKept(graph.root(input)))
                .map(graph::root)
                .toArray();
    }

    private static IntStream inputs(ArrayGraph graph, int i) {
        return IntStream.range(0, graph.inputCount(i)).map(k -> graph.input(i, k));
    }

    /**
     * The part order[from, to) of this window in another order.
     *
     * @param usesLeft how often each value is still used when the part begins; changed to what is left when it ends
     */
    ScheduleWindow part(int[] order, int from, int to, int[] usesLeft) {
        int[] nodes = Arrays.copyOfRange(order, from, to);
        int[] values = end(nodes, usesLeft);
        Map<Integer, Integer> nodeNumbers = numbers(nodes);
        Map<Integer, Integer> valueNumbers = numbers(values);
        return new ScheduleWindow(
                Arrays.stream(nodes).mapToLong(node -> bytes[node]).toArray(),
                Arrays.stream(values).mapToLong(value -> freed[value]).toArray(),
                renumbered(before, nodes, nodeNumbers),
                renumbered(uses, nodes, valueNumbers),
                renumbered(passedOn, values, valueNumbers),
                renumbered(reusable, nodes, valueNumbers));
    }

    /** Counts the uses of some nodes and returns the values and fused ops whose last use is among them. */
    private int[] end(int[] nodes, int[] usesLeft) {
        List<Integer> ended = new ArrayList<>();
        IntPredicate isLastUse = value -> --usesLeft[value] == 0;
        for (int node : nodes) {
            int known = ended.size();
            uses.stream(node).filter(isLastUse).forEach(ended::add);
            for (int k = known; k < ended.size(); k++) {
                passedOn.stream(ended.get(k)).filter(isLastUse).forEach(ended::add);
            }
        }
        return ended.stream().mapToInt(Integer::intValue).toArray();
    }

    private static Map<Integer, Integer> numbers(int[] those) {
        Map<Integer, Integer> numbers = HashMap.newHashMap(those.length);
        for (int i : those) {
            numbers.put(i, numbers.size());
        }
        return numbers;
    }

    /** The lists of some nodes or values, of what has numbers and by these. */
    private static CsrAdjacency renumbered(CsrAdjacency lists, int[] some, Map<Integer, Integer> numbers) {
        return CsrAdjacency.of(
                some.length,
                k -> lists.stream(some[k])
                        .map(i -> numbers.getOrDefault(i, -1))
                        .filter(number -> number >= 0)
                        .toArray());
    }

    int length() {
        return bytes.length;
    }
}
