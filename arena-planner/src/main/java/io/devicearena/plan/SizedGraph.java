package io.devicearena.plan;

import io.devicearena.DType;
import io.devicearena.NodeId;
import io.devicearena.NodeRole;
import io.devicearena.plan.internal.graph.ArrayGraph;
import io.devicearena.plan.size.Dimension;
import io.devicearena.plan.size.SizeExpression;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/** A graph with other sizes than the one that it reads. */
record SizedGraph(List<PlanNode> nodes, Collection<NodeId> outputs) implements PlanGraph {
    /** Returns a graph with other sizes; one of phases stays one. */
    static PlanGraph of(PlanGraph graph, UnaryOperator<SizeExpression> sizes) {
        if (graph instanceof PhasedGraph phased) {
            return phased.with(nodes(phased, sizes), phase -> of(phase, sizes));
        }
        return new SizedGraph(nodes(graph, sizes), graph.outputs());
    }

    private static List<PlanNode> nodes(PlanGraph graph, UnaryOperator<SizeExpression> sizes) {
        return graph.nodes().stream()
                .<PlanNode>map(node -> new Sized(
                        node.id(),
                        node.name(),
                        node.role(),
                        node.dtype(),
                        node.sizes().stream().map(sizes).toList(),
                        node.inputs(),
                        node.view().map(view -> new ViewOf(view.parent(), sizes.apply(view.start()))),
                        node.isFused(),
                        node.inPlaceInputs(),
                        node.isConcatenation(),
                        node.controlDependencies(),
                        node.updates()))
                .toList();
    }

    /** Collects the free dimensions of a graph by their names. */
    static Map<String, Dimension> dimensions(ArrayGraph graph) {
        Map<String, Dimension> found = new LinkedHashMap<>();
        for (int i = 0; i < graph.count(); i++) {
            Set<Dimension> used = new LinkedHashSet<>(graph.start(i).dimensions());
            graph.value(i).shape().forEach(size -> used.addAll(size.dimensions()));
            for (Dimension dimension : used) {
                Dimension first = found.putIfAbsent(dimension.name(), dimension);
                if (first != null && !first.equals(dimension)) {
                    throw new InvalidGraphException(graph.name(i) + ": expected the dimension '" + dimension.name()
                            + "' with the same bounds in all values, got " + first + " and " + dimension);
                }
            }
        }
        return found;
    }

    private record Sized(
            NodeId id,
            String name,
            NodeRole role,
            DType dtype,
            List<SizeExpression> sizes,
            List<NodeId> inputs,
            Optional<ViewOf> view,
            boolean isFused,
            List<NodeId> inPlaceInputs,
            boolean isConcatenation,
            List<NodeId> controlDependencies,
            Optional<NodeId> updates)
            implements PlanNode {
        @Override
        public long elements() {
            return SizeExpression.product(sizes).atMost();
        }

        @Override
        public List<Long> shape() {
            return sizes.stream().map(SizeExpression::atMost).toList();
        }
    }
}
