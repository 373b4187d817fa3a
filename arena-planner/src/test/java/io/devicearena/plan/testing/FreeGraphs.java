package io.devicearena.plan.testing;

import io.devicearena.DType;
import io.devicearena.NodeId;
import io.devicearena.NodeRole;
import io.devicearena.plan.PlanGraph;
import io.devicearena.plan.PlanNode;
import io.devicearena.plan.ViewOf;
import io.devicearena.plan.size.Dimension;
import io.devicearena.plan.size.SizeExpression;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Random graphs whose values have sizes that depend on free dimensions, each value with a factor of its own. */
public final class FreeGraphs {
    private static final Dimension BATCH = new Dimension("batch", 1, 3);
    private static final Dimension WIDTH = new Dimension("width", 16, 64, 16);

    private FreeGraphs() {}

    /** A graph with free dimensions. */
    public record Graph(List<Node> nodes, Collection<NodeId> outputs) implements PlanGraph {}

    /** A node of such a graph. */
    public record Node(TestNode node, List<SizeExpression> sizes, Optional<ViewOf> view) implements PlanNode {
        public static Node of(long id, NodeRole role, SizeExpression size, long... inputs) {
            TestNode node = TestNode.of(id, role, 0, inputs);
            return new Node(node, List.of(size), Optional.empty());
        }

        public Node over(long... taken) {
            return new Node(node.over(taken), sizes, view);
        }

        public Node joining() {
            return new Node(node.joining(), sizes, view);
        }

        public Node showing(long parent, SizeExpression start) {
            return new Node(node, sizes, Optional.of(new ViewOf(NodeId.of(parent), start)));
        }

        @Override
        public NodeId id() {
            return node.id();
        }

        @Override
        public NodeRole role() {
            return node.role();
        }

        @Override
        public DType dtype() {
            return node.dtype();
        }

        @Override
        public long elements() {
            return SizeExpression.product(sizes).atMost();
        }

        @Override
        public List<Long> shape() {
            return sizes.stream().map(SizeExpression::atMost).toList();
        }

        @Override
        public List<NodeId> inputs() {
            return node.inputs();
        }

        @Override
        public boolean isFused() {
            return node.isFused();
        }

        @Override
        public List<NodeId> inPlaceInputs() {
            return node.inPlaceInputs();
        }

        @Override
        public boolean isConcatenation() {
            return node.isConcatenation();
        }
    }

    public static Graph graph(Node... nodes) {
        return new Graph(List.of(nodes), List.of());
    }

    /** Gives the values of a random graph sizes; views and ops in place have those of what they show or take. */
    public static Graph random(SplittableRandom random, int nodes) {
        TestGraph fixed = RandomGraphs.graph(random, nodes);
        SizeExpression batch = SizeExpression.of(BATCH);
        SizeExpression width = SizeExpression.of(WIDTH);
        List<SizeExpression> factors = List.of(
                SizeExpression.of(1),
                batch,
                width,
                width.dividedBy(16),
                batch.times(width.dividedBy(4)),
                batch.plus(SizeExpression.of(2)));
        Map<NodeId, Node> made = new HashMap<>();
        Map<NodeId, SizeExpression> used = new HashMap<>(); // the factor of a value, and of its views
        List<Node> all = new ArrayList<>();
        for (TestNode node : fixed.nodes()) {
            @Nullable SizeExpression factor = factors.get(node.role().isShared() ? 0 : random.nextInt(factors.size()));
            SizeExpression elements = SizeExpression.of(node.elements());
            Optional<ViewOf> view = Optional.empty();
            SizeExpression size = factor.times(elements);
            if (node.view().isPresent()) {
                ViewOf shown = node.view().get();
                @Nullable SizeExpression of = used.get(shown.parent());
                size = of == null
                        ? Objects.requireNonNull(made.get(shown.parent()))
                                .sizes()
                                .getFirst()
                        : of.times(elements);
                view = Optional.of(
                        new ViewOf(shown.parent(), of == null ? SizeExpression.of(0) : of.times(shown.start())));
                factor = of;
            } else if (node.isConcatenation()) {
                size = node.inputs().stream()
                        .map(input ->
                                Objects.requireNonNull(made.get(input)).sizes().getFirst())
                        .reduce(SizeExpression.of(0), SizeExpression::plus);
                factor = null;
            } else if (!node.inPlaceInputs().isEmpty()) {
                NodeId first = node.inputs().getFirst();
                size = Objects.requireNonNull(made.get(first)).sizes().getFirst();
                factor = used.get(first);
            }
            if (factor != null) {
                used.put(node.id(), factor);
            }
            Node free = new Node(node, List.of(size), view);
            made.put(node.id(), free);
            all.add(free);
        }
        return new Graph(all, fixed.outputs());
    }

    /** The graph at some sizes, as the toy execution takes it. */
    public static TestGraph at(PlanGraph graph, Map<String, Long> sizes) {
        TestGraph fixed = new TestGraph();
        for (PlanNode node : graph.at(sizes).nodes()) {
            fixed.node(new TestNode(
                    node.id(),
                    node.role(),
                    node.dtype(),
                    node.elements(),
                    node.inputs(),
                    node.view(),
                    node.isFused(),
                    node.inPlaceInputs(),
                    node.isConcatenation(),
                    node.controlDependencies()));
        }
        graph.outputs().forEach(id -> fixed.reads(id.value()));
        return fixed;
    }

    /** A size of each dimension. */
    public static Map<String, Long> sizes(PlanGraph graph, SplittableRandom random) {
        Map<String, Long> sizes = new HashMap<>();
        graph.dimensions().forEach((name, dimension) -> {
            long unit = dimension.multipleOf();
            sizes.put(name, random.nextLong(dimension.least() / unit, dimension.most() / unit + 1) * unit);
        });
        return sizes;
    }
}
