package io.devicearena.plan.testing;

import io.devicearena.DType;
import io.devicearena.NodeId;
import io.devicearena.NodeRole;
import io.devicearena.plan.PlanGraph;
import io.devicearena.plan.PlanOptions;
import io.devicearena.plan.ViewOf;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * Graphs with all that a graph can have: roles, types, views of views, fused ops, outputs declared in both ways, ops
 * that may be written over inputs, and concatenations.
 */
public final class RandomGraphs {
    /** The boundary of random options: no value of a random graph is larger. */
    public static final long BOUNDARY = 1024;

    private static final int MOST_ELEMENTS = 100;
    private static final NodeRole[] PERSISTENT = {NodeRole.INPUT, NodeRole.PARAMETER, NodeRole.CONSTANT};

    private final SplittableRandom random;
    private final boolean persistentViews;
    private final TestGraph graph = new TestGraph();

    private RandomGraphs(SplittableRandom random, boolean persistentViews) {
        this.random = random;
        this.persistentViews = persistentViews;
    }

    public static TestGraph graph(SplittableRandom random, int nodes) {
        RandomGraphs made = new RandomGraphs(random, true);
        for (int i = 0; i < nodes; i++) {
            made.graph.node(made.node(NodeId.of(i * 7L % nodes + 1000L * i)));
        }
        made.nameOutputs();
        return made.graph;
    }

    /**
     * A graph that reads some values of a forward graph and makes values with ids of its own. Its views are ops: what
     * it takes as an input may be what a forward op makes, and an input is no view of that.
     */
    public static TestGraph backward(SplittableRandom random, TestGraph forward) {
        RandomGraphs made = new RandomGraphs(random, false);
        for (TestNode node : forward.nodes()) {
            if (!node.isFused() && node.view().isEmpty() && random.nextInt(3) == 0) {
                made.graph.node(TestNode.of(node.id().value(), NodeRole.INPUT, node.elements())
                        .as(node.dtype()));
            }
        }
        for (int i = 1 + random.nextInt(60); i > 0; i--) {
            made.graph.node(made.node(NodeId.of(1_000_000L + i)));
        }
        made.nameOutputs();
        return made.graph;
    }

    public static TestGraph copy(PlanGraph graph) {
        TestGraph copy = new TestGraph();
        graph.nodes().forEach(node -> copy.node((TestNode) node));
        graph.outputs().forEach(id -> copy.reads(id.value()));
        return copy;
    }

    public static PlanOptions options(SplittableRandom random) {
        long alignment = 1L << random.nextInt(9);
        PlanOptions options =
                random.nextBoolean() ? PlanOptions.f32Uniform(alignment) : PlanOptions.declared(alignment);
        return switch (random.nextInt(3)) {
            case 0 -> options;
            case 1 -> options.withStrategy(new FirstFit());
            default -> options.withBoundary(BOUNDARY);
        };
    }

    private TestNode node(NodeId id) {
        int kind = graph.nodes().isEmpty() ? 0 : random.nextInt(15);
        if (kind >= 13) {
            return concatenation(id);
        }
        if (kind >= 10) {
            return elementWise(id);
        }
        if (kind < 2) {
            return value(id, PERSISTENT[random.nextInt(PERSISTENT.length)], List.of());
        }
        TestNode shown = earlier();
        if (kind < 4 && !shown.isFused()) {
            return view(id, shown);
        }
        List<NodeId> inputs = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            inputs.add(earlier().id());
        }
        TestNode op = value(id, random.nextInt(8) == 0 ? NodeRole.OUTPUT : NodeRole.OP, inputs);
        return op.role() == NodeRole.OP && random.nextInt(4) == 0 ? op.fusedAway() : op;
    }

    private TestNode value(NodeId id, NodeRole role, List<NodeId> inputs) {
        DType[] types = DType.values();
        long elements = random.nextInt(8) == 0 ? 0 : random.nextInt(1, MOST_ELEMENTS);
        if (random.nextBoolean()) {
            elements = elements / 16 * 16; // so that more of them fit one another
        }
        return new TestNode(id, role, types[random.nextInt(types.length)], elements, inputs, Optional.empty(), false);
    }

    private TestNode view(NodeId id, TestNode shown) {
        long elements = random.nextBoolean() ? shown.elements() : random.nextLong(shown.elements() + 1);
        long first = random.nextLong(shown.elements() - elements + 1);
        boolean persistent = persistentViews && shown.role().isPersistent() && random.nextBoolean();
        NodeRole role = random.nextInt(8) == 0 ? NodeRole.OUTPUT : NodeRole.OP;
        return new TestNode(
                id,
                persistent ? shown.role() : role,
                shown.dtype(),
                elements,
                persistent ? List.of() : List.of(shown.id()),
                Optional.of(new ViewOf(shown.id(), first)),
                false);
    }

    /** An op that may be written over some of its inputs, of which the first has its size and type. */
    private TestNode elementWise(NodeId id) {
        TestNode first = earlier();
        List<NodeId> inputs = new ArrayList<>(List.of(first.id()));
        for (int i = random.nextInt(3); i > 0; i--) {
            inputs.add(earlier().id());
        }
        List<NodeId> over = new ArrayList<>(inputs);
        while (over.size() > 1 && random.nextBoolean()) {
            over.removeLast();
        }
        NodeRole role = random.nextInt(8) == 0 ? NodeRole.OUTPUT : NodeRole.OP;
        return new TestNode(id, role, first.dtype(), first.elements(), inputs, Optional.empty(), false).over(over);
    }

    /** The elements of up to four values of one type; of none, when the first has no other of its type. */
    private TestNode concatenation(NodeId id) {
        DType dtype = earlier().dtype();
        List<NodeId> inputs = new ArrayList<>();
        long elements = 0;
        for (int i = 0; i < 12 && inputs.size() < 4; i++) {
            TestNode input = earlier();
            if (input.dtype() == dtype && (elements + input.elements()) * 8 <= BOUNDARY) {
                inputs.add(input.id());
                elements += input.elements();
            }
        }
        NodeRole role = random.nextInt(8) == 0 ? NodeRole.OUTPUT : NodeRole.OP;
        TestNode made = new TestNode(id, role, dtype, elements, inputs, Optional.empty(), false).joining();
        return role == NodeRole.OP && random.nextInt(16) == 0 ? made.fusedAway() : made;
    }

    /** Recent nodes more often than old ones, so that live ranges are short as well as long. */
    private TestNode earlier() {
        int count = graph.nodes().size();
        int back = random.nextInt(4) == 0 ? count : Math.min(count, 6);
        return graph.nodes().get(count - 1 - random.nextInt(back));
    }

    private void nameOutputs() {
        for (int i = 0; i < 3; i++) {
            TestNode read = graph.nodes().get(random.nextInt(graph.nodes().size()));
            if (!read.isFused()) {
                graph.reads(read.id().value());
            }
        }
    }
}
