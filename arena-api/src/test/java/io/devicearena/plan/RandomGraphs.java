package io.devicearena.plan;

import io.devicearena.DType;
import io.devicearena.NodeId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/** Graphs with all that a graph can have: roles, types, views of views, fused ops, outputs told in both ways. */
final class RandomGraphs {
    /** The boundary of random options: no value of a random graph is larger. */
    static final long BOUNDARY = 1024;

    private static final int MOST_ELEMENTS = 100;
    private static final NodeRole[] PINNED = {NodeRole.INPUT, NodeRole.PARAMETER, NodeRole.CONSTANT};

    private final SplittableRandom random;
    private final boolean pinnedViews;
    private final TestGraph graph = new TestGraph();

    private RandomGraphs(SplittableRandom random, boolean pinnedViews) {
        this.random = random;
        this.pinnedViews = pinnedViews;
    }

    static TestGraph graph(SplittableRandom random, int nodes) {
        RandomGraphs made = new RandomGraphs(random, true);
        for (int i = 0; i < nodes; i++) {
            made.graph.node(made.node(NodeId.of(i * 7L % nodes + 1000L * i)));
        }
        made.nameOutputs();
        return made.graph;
    }

    /**
     * A graph that reads some values of a forward graph and makes values with ids of its own. Its views are ops: what it
     * takes as an input may be what a forward op makes, and an input is no view of that.
     */
    static TestGraph backward(SplittableRandom random, TestGraph forward) {
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

    static TestGraph copy(PlanGraph graph) {
        TestGraph copy = new TestGraph();
        graph.nodes().forEach(node -> copy.node((TestNode) node));
        graph.outputs().forEach(id -> copy.reads(id.value()));
        return copy;
    }

    static PlanOptions options(SplittableRandom random) {
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
        int kind = graph.nodes().isEmpty() ? 0 : random.nextInt(10);
        if (kind < 2) {
            return value(id, PINNED[random.nextInt(PINNED.length)], List.of());
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
        return new TestNode(id, role, types[random.nextInt(types.length)], elements, inputs, Optional.empty(), false);
    }

    private TestNode view(NodeId id, TestNode shown) {
        long elements = random.nextBoolean() ? shown.elements() : random.nextLong(shown.elements() + 1);
        long first = random.nextLong(shown.elements() - elements + 1);
        boolean pinned = pinnedViews && shown.role().isPinned() && random.nextBoolean();
        NodeRole role = random.nextInt(8) == 0 ? NodeRole.OUTPUT : NodeRole.OP;
        return new TestNode(
                id,
                pinned ? shown.role() : role,
                shown.dtype(),
                elements,
                pinned ? List.of() : List.of(shown.id()),
                Optional.of(new ViewOf(shown.id(), first)),
                false);
    }

    /** Recent nodes more often than old ones, so that lives are short as well as long. */
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
