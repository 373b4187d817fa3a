package io.devicearena.plan;

import io.devicearena.NodeId;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

/**
 * A graph as a search for a better order of execution sees it: what must come before what, what each step takes, and
 * whose last use gives how much back. Nodes have the numbers of the given order.
 */
final class OrderGraph {
    private static final int[] NONE = {};

    private final GraphIndex graph;
    private final int[] shown; // what a view is said to show, which may be a view as well
    private final Liveness liveness;
    private final SlotSizes sizes;
    private final boolean[] keptForHost;
    private final NodeLists before;
    private final NodeLists after;
    private final NodeLists uses;
    private final NodeLists passedOn;
    private final NodeLists taken;

    OrderGraph(GraphIndex graph, List<? extends PlanNode> nodes, PlanOptions options) {
        this.graph = graph;
        this.shown = findShown(nodes);
        this.liveness = Liveness.of(graph);
        this.sizes = new SlotSizes(graph, options);
        int count = graph.count();
        keptForHost = new boolean[count];
        for (int i = 0; i < count; i++) {
            if (graph.isOutput(i)) {
                keptForHost[graph.root(i)] = true;
            }
        }
        before = NodeLists.of(count, this::findBefore);
        after = reversed(before);
        uses = NodeLists.of(count, i -> graph.isFused(i) ? new int[] {i} : findReads(i));
        passedOn = NodeLists.of(count, i -> graph.isFused(i) ? findReads(i) : NONE);
        Blocks anyOrder = Blocks.of(graph, liveness, sizes, options.alignment(), Blocks.Sharing.NONE);
        taken = NodeLists.of(count, i -> findTaken(i, anyOrder));
    }

    private static int[] findShown(List<? extends PlanNode> nodes) {
        Map<NodeId, Integer> places = HashMap.newHashMap(nodes.size());
        int[] shown = new int[nodes.size()];
        for (int i = 0; i < shown.length; i++) {
            places.put(nodes.get(i).id(), i);
            shown[i] = nodes.get(i).view().map(ViewOf::parent).map(places::get).orElse(i);
        }
        return shown;
    }

    private NodeLists reversed(NodeLists lists) {
        int count = graph.count();
        int[] counts = new int[count];
        for (int i = 0; i < count; i++) {
            for (int k = 0; k < lists.count(i); k++) {
                counts[lists.get(i, k)]++;
            }
        }
        int[][] reverse = new int[count][];
        for (int i = 0; i < count; i++) {
            reverse[i] = counts[i] == 0 ? NONE : new int[counts[i]];
        }
        for (int i = count - 1; i >= 0; i--) { // from the end, so that each list ascends
            for (int k = 0; k < lists.count(i); k++) {
                int other = lists.get(i, k);
                reverse[other][--counts[other]] = i;
            }
        }
        IntFunction<int[]> list = i -> reverse[i];
        return NodeLists.of(count, list);
    }

    private int[] findBefore(int i) {
        int inputs = graph.inputCount(i);
        int[] found = new int[inputs + graph.runsAfterCount(i) + (graph.isView(i) ? 1 : 0)];
        for (int k = 0; k < inputs; k++) {
            found[k] = graph.input(i, k);
        }
        for (int k = 0; k < graph.runsAfterCount(i); k++) {
            found[inputs + k] = graph.runsAfter(i, k);
        }
        if (graph.isView(i)) {
            found[found.length - 1] = shown[i];
        }
        return Arrays.stream(found).sorted().distinct().toArray();
    }

    /** What node i reads itself: values whose bytes come and go, its own among them, and fused nodes. */
    private int[] findReads(int i) {
        int[] found = new int[graph.inputCount(i) + 1];
        int count = 0;
        for (int k = 0; k <= graph.inputCount(i); k++) {
            int read = k == 0 ? i : graph.input(i, k - 1);
            int root = graph.root(read);
            if (graph.isFused(read) ? read != i : !graph.role(root).isPinned() && !keptForHost[root]) {
                found[count++] = root;
            }
        }
        return Arrays.stream(found, 0, count).sorted().distinct().toArray();
    }

    /** The values whose slots op i may take if it is the last to use them. */
    private int[] findTaken(int i, Blocks blocks) {
        int[] found = new int[graph.inPlaceCount(i)];
        int count = 0;
        for (int k = 0; k < graph.inPlaceCount(i); k++) {
            int input = graph.inPlaceInput(i, k);
            if (blocks.fits(i, input) && !keptForHost[graph.root(input)]) {
                found[count++] = graph.root(input);
            }
        }
        return Arrays.copyOf(found, count);
    }

    int count() {
        return graph.count();
    }

    /** Whether a node has nothing before it and takes nothing while the graph runs: what the host writes first. */
    boolean isGiven(int i) {
        return graph.role(i).isPinned() && before.count(i) == 0;
    }

    /** The nodes that must come before a node. */
    NodeLists before() {
        return before;
    }

    /** The nodes that must come after a node. */
    NodeLists after() {
        return after;
    }

    /** The bytes that a node's value takes from its step on; 0 for what has none of its own or is there from the start. */
    long bytes(int i) {
        return graph.isFused(i) || graph.isView(i) || graph.role(i).isPinned() ? 0 : sizes.slot(i);
    }

    /** Whether the host reads a value, so that its bytes are not given back. */
    boolean isKept(int i) {
        return keptForHost[i];
    }

    /** The values, of those whose last use gives bytes back, and the fused nodes that a node uses when it runs. */
    NodeLists uses() {
        return uses;
    }

    /**
     * What the last use of a fused node uses as well: all that it reads. It is a use of itself, and its readers are the
     * others; that way nothing is said once for each of them.
     */
    NodeLists passedOn() {
        return passedOn;
    }

    /** How often each value, or fused node, is used in all. */
    int[] useCounts() {
        int[] counts = new int[count()];
        for (int i = 0; i < counts.length; i++) {
            uses.addTo(counts, i);
            passedOn.addTo(counts, i);
        }
        return counts;
    }

    /** The values whose slots a node's value may take if it is the last to use them. */
    NodeLists taken() {
        return taken;
    }
}
