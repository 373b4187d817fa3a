package io.devicearena.plan.internal.schedule;

import io.devicearena.plan.internal.graph.ArrayGraph;
import io.devicearena.plan.internal.graph.CsrAdjacency;
import io.devicearena.plan.internal.graph.SlotSizes;
import io.devicearena.plan.internal.sharing.InPlaceRule;
import io.devicearena.plan.internal.sharing.Liveness;
import java.util.Arrays;

/**
 * What must run before what, what each node takes, and whose last use frees how much. Nodes have their positions in the
 * given order.
 */
final class DependencyGraph {
    private static final int[] NONE = {};

    private final ArrayGraph graph;
    private final Liveness liveness;
    private final SlotSizes sizes;
    /** The nodes that must come before each node. */
    final CsrAdjacency before;
    /** The nodes that must come behind each node. */
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

    DependencyGraph(ArrayGraph graph, SlotSizes sizes) {
        this.graph = graph;
        this.liveness = Liveness.of(graph);
        this.sizes = sizes;
        int count = graph.count();
        before = CsrAdjacency.of(count, this::findBefore);
        after = before.reversed();
        uses = CsrAdjacency.of(count, i -> graph.isFused(i) ? new int[] {i} : findReads(i));
        passedOn = CsrAdjacency.of(count, i -> graph.isFused(i) ? findReads(i) : NONE);
        InPlaceRule rule = new InPlaceRule(graph, sizes);
        reusable = CsrAdjacency.of(count, i -> findReusable(i, rule));
    }

    private int[] findBefore(int i) {
        int inputs = graph.inputCount(i);
        int dependencies = graph.controlDependencies().count(i);
        int[] found = new int[inputs + dependencies + (graph.isView(i) ? 1 : 0)];
        for (int k = 0; k < inputs; k++) {
            found[k] = graph.input(i, k);
        }
        for (int k = 0; k < dependencies; k++) {
            found[inputs + k] = graph.controlDependencies().get(i, k);
        }
        if (graph.isView(i)) {
            found[found.length - 1] = graph.parent(i);
        }
        return Arrays.stream(found).sorted().distinct().toArray();
    }

    /** What node i reads itself: values whose bytes come and go, its own among them, and fused ops. */
    private int[] findReads(int i) {
        int[] found = new int[graph.inputCount(i) + 1];
        int count = 0;
        for (int k = 0; k <= graph.inputCount(i); k++) {
            int read = k == 0 ? i : graph.input(i, k - 1);
            int root = graph.root(read);
            if (graph.isFused(read) ? read != i : !liveness.isKept(root)) {
                found[count++] = root;
            }
        }
        return Arrays.stream(found, 0, count).sorted().distinct().toArray();
    }

    private int[] findReusable(int i, InPlaceRule rule) {
        int[] found = new int[graph.inPlaceCount(i)];
        int count = 0;
        for (int k = 0; k < found.length; k++) {
            int input = graph.inPlaceInput(i, k);
            if (rule.fits(i, input) && !liveness.isKept(graph.root(input))) {
                found[count++] = graph.root(input);
            }
        }
        return Arrays.copyOf(found, count);
    }

    int count() {
        return graph.count();
    }

    /** Whether the host writes the value of a node that needs no other. */
    boolean isHostValue(int i) {
        return graph.isPersistent(i) && before.count(i) == 0;
    }

    /** The bytes that a node's value takes from its step on; 0 unless an op writes it to memory. */
    long bytes(int i) {
        return graph.isComputed(i) ? sizes.slot(i) : 0;
    }

    /** How often each value or fused op is used in all. */
    int[] useCounts() {
        int[] counts = new int[count()];
        for (int i = 0; i < counts.length; i++) {
            uses.addTo(counts, i);
            passedOn.addTo(counts, i);
        }
        return counts;
    }
}
