package io.devicearena.plan;

import io.devicearena.DType;
import io.devicearena.NodeId;
import io.devicearena.NodeRole;
import io.devicearena.plan.internal.graph.ArrayGraph;
import io.devicearena.plan.internal.graph.CycleFinder;
import io.devicearena.plan.internal.graph.NodeLists;
import io.devicearena.plan.internal.graph.SlotSizes;
import io.devicearena.plan.size.SizeExpression;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

/** Reads a {@link PlanGraph} into arrays and checks all that a plan relies on. */
final class GraphReader {
    private static final SizeExpression NONE = SizeExpression.of(0);

    private final List<? extends PlanNode> nodes;
    private final Map<NodeId, Integer> positions;
    private final ArrayGraph graph;

    private GraphReader(PlanGraph source) {
        nodes = List.copyOf(source.nodes());
        positions = HashMap.newHashMap(nodes.size());
        graph = new ArrayGraph(nodes.size());
        for (int i = 0; i < nodes.size(); i++) {
            readNode(i, nodes.get(i));
        }
        readReferences();
        for (int i = 0; i < nodes.size(); i++) {
            int value = i;
            nodes.get(i).view().ifPresent(view -> resolveView(value, view));
            nodes.get(i).updates().ifPresent(target -> resolveUpdate(value, target));
            checkConcatenation(i);
        }
        readOutputs(source.outputs());
        SizedGraph.dimensions(graph);
        StateUpdates.order(graph);
        if (source instanceof PhasedGraph phased) {
            graph.setPhaseEnds(phased.ends());
        }
        graph.finish();
    }

    static ArrayGraph read(PlanGraph source) {
        return new GraphReader(source).graph;
    }

    /** Reads a graph with the slot sizes of its values, none more than a long holds, or than the boundary. */
    static SlotSizes sizes(PlanGraph source, PlanOptions options) {
        ArrayGraph graph = read(source);
        SlotSizes sizes = new SlotSizes(
                graph,
                options::elementBytes,
                dtype -> options.storedType(dtype).bytes(),
                options.alignment(),
                options.guardBytes());
        long most = Long.MAX_VALUE - options.alignment() - options.guardBytes();
        for (int i = 0; i < graph.count(); i++) {
            if (graph.isView(i)) {
                continue;
            }
            long elementBytes = options.elementBytes(graph.dtype(i));
            if (graph.elements(i) > most / elementBytes) {
                throw new InvalidGraphException(graph.name(i) + ": expected a size of at most " + most + " bytes, got "
                        + graph.elements(i) + " elements of " + elementBytes + " bytes");
            }
            if (options.boundary() > 0 && !graph.isFused(i) && sizes.slot(i) > options.boundary()) {
                throw new InvalidGraphException(graph.name(i) + ": expected at most the boundary of "
                        + options.boundary() + " bytes that no slot may cross, got " + sizes.slot(i));
            }
        }
        return sizes;
    }

    private String name(int i) {
        PlanNode node = nodes.get(i);
        String id = node.id().toString();
        return id.equals(node.name()) ? id : id + " '" + node.name() + "'";
    }

    private String name(NodeId id) {
        Integer position = positions.get(id);
        return position == null ? id + ", which is not in the graph" : name(position);
    }

    private InvalidGraphException fault(int i, String problem) {
        return new InvalidGraphException(name(i) + ": " + problem);
    }

    private void readNode(int i, PlanNode node) {
        NodeId id = Objects.requireNonNull(node.id(), "node id");
        Integer first = positions.putIfAbsent(id, i);
        if (first != null) {
            throw fault(i, "expected a unique id, got that of position " + first + " again at position " + i);
        }
        if (node.elements() < 0) {
            throw fault(i, "expected 0 or more elements, got " + node.elements());
        }
        NodeRole role = Objects.requireNonNull(node.role(), "node role");
        boolean fused = node.isFused();
        if (fused && role != NodeRole.OP) {
            throw fault(i, "expected only an op to be fused, got role " + role);
        }
        DType dtype = Objects.requireNonNull(node.dtype(), "node dtype");
        String name = Objects.requireNonNull(node.name(), "node name");
        List<SizeExpression> sizes = sizes(i, node);
        SizeExpression size = product(i, node, sizes);
        graph.set(i, new ArrayGraph.Value(id, name, role, dtype, sizes, size, fused, node.isConcatenation()));
        if (role == NodeRole.OUTPUT) {
            graph.setOutput(i);
        }
    }

    /** The dimensions of a shape as expressions; at the upper bounds they have the shape's values. */
    private List<SizeExpression> sizes(int i, PlanNode node) {
        List<SizeExpression> sizes = List.copyOf(node.sizes());
        for (SizeExpression size : sizes) {
            if (!size.isGrowing() || (!size.isConstant() && node.role().isShared())) {
                String remedy = "; none may shrink when a free dimension grows, and those of parameters, constants and"
                        + " states are fixed: give the value its largest size";
                String got = "expected dimensions of 0 or more, got the shape " + sizes;
                throw fault(i, size.isConstant() ? got : got + remedy);
            }
        }
        return sizes;
    }

    /** The elements; several dimensions can be counted in any order, also in bytes, whatever else is 0. */
    private SizeExpression product(int i, PlanNode node, List<SizeExpression> sizes) {
        List<SizeExpression> others = sizes.size() == 1
                ? List.of()
                : sizes.stream().filter(size -> !size.equals(NONE)).toList();
        try {
            SizeExpression.product(others).times(SizeExpression.of(Long.BYTES)).atMost();
            SizeExpression size = SizeExpression.product(sizes);
            List<Long> shape = sizes.stream().map(SizeExpression::atMost).toList();
            if (size.atMost() == node.elements() && shape.equals(node.shape())) {
                return size;
            }
        } catch (IllegalArgumentException e) {
            // refused below
        }
        throw fault(
                i,
                "expected a shape of " + node.elements() + " elements, got " + sizes
                        + "; return the shape of the value's elements, or leave PlanNode.shape() out");
    }

    private void readReferences() {
        int count = nodes.size();
        int[][] inputs = NodeLists.of(count, this::inputs);
        for (int i = 0; i < count; i++) {
            for (int input : inputs[i]) {
                if (input >= i) {
                    throw new InvalidGraphException(CycleFinder.explain(inputs, i, input, this::name));
                }
            }
        }
        graph.setReferences(
                inputs, NodeLists.of(count, this::inPlaceInputs), NodeLists.of(count, this::controlDependencies));
    }

    private int[] inputs(int i) {
        return positions(
                nodes.get(i).inputs(),
                positions::containsKey,
                id -> fault(i, "expected inputs that are nodes of the graph, got " + id + "; add it"));
    }

    private int[] inPlaceInputs(int i) {
        List<NodeId> taken = nodes.get(i).inPlaceInputs();
        Set<NodeId> inputs =
                taken.isEmpty() ? Set.of() : new HashSet<>(nodes.get(i).inputs());
        return positions(
                taken,
                inputs::contains,
                id -> fault(i, "expected to take the slot of one of its inputs, got " + name(id)));
    }

    private int[] controlDependencies(int i) {
        return positions(nodes.get(i).controlDependencies(), id -> positions.getOrDefault(id, i) < i, id -> {
            String where = positions.containsKey(id) ? " of position " + positions.get(id) + " at position " + i : "";
            return fault(i, "expected control dependencies on earlier nodes, got " + name(id) + where);
        });
    }

    private int[] positions(
            List<NodeId> ids, Predicate<NodeId> isAllowed, Function<NodeId, InvalidGraphException> fault) {
        for (NodeId id : ids) {
            if (!isAllowed.test(id)) {
                throw fault.apply(id);
            }
        }
        return ids.stream().mapToInt(positions::get).toArray();
    }

    private void checkConcatenation(int i) {
        if (!graph.isConcatenation(i)) {
            return;
        }
        long elements = 0;
        for (int input : graph.inputs(i)) {
            if (graph.dtype(input) != graph.dtype(i)) {
                throw fault(i, "expected a concatenation of inputs of its own dtype " + dtypes(i, input));
            }
            elements += Math.min(graph.elements(input), Long.MAX_VALUE - elements);
        }
        int[] parts = graph.inputs(i);
        SizeExpression sum = Arrays.stream(parts).mapToObj(graph::size).allMatch(SizeExpression::isConstant)
                ? SizeExpression.of(elements)
                : Arrays.stream(parts).mapToObj(graph::size).reduce(NONE, SizeExpression::plus);
        if (!sum.equals(graph.size(i))) {
            throw fault(i, "expected a concatenation of inputs of " + graph.size(i) + " elements in all, got " + sum);
        }
    }

    private void resolveView(int i, ViewOf view) {
        Integer parent = positions.get(view.parent());
        if (parent == null || parent >= i) {
            throw fault(i, "expected a view of an earlier node, got " + name(view.parent()));
        }
        if (graph.isFused(i) || graph.isFused(parent)) {
            String fused = name(graph.isFused(i) ? i : parent);
            throw fault(i, "expected a view and what it shows to be in memory, got " + fused + " fused away");
        }
        if (graph.dtype(i) != graph.dtype(parent)) {
            String remedy = "; a cast to another type is an op, not a view";
            throw fault(i, "expected a view of its own dtype " + dtypes(i, parent) + remedy);
        }
        if (!graph.size(parent).minus(graph.size(i)).isAtLeast(view.start())) {
            String got = graph.size(i) + " from element " + view.start();
            String elements = graph.size(parent) + " elements of " + name(parent);
            throw fault(i, "expected a view within the " + elements + ", got " + got);
        }
        graph.setView(i, parent, view.start());
        int root = graph.root(i);
        if (graph.isPersistent(i) && !graph.isPersistent(root)) {
            String got = "a view of " + name(root) + ", which an op makes";
            throw fault(i, "expected an input, parameter or constant to be a view of another such value, got " + got);
        }
    }

    private void resolveUpdate(int i, NodeId target) {
        Integer updated = positions.get(target);
        if (updated == null || updated >= i) {
            throw fault(i, "expected to update a state of an earlier node, got " + name(target));
        }
        boolean isState = graph.value(graph.root(updated)).role() == NodeRole.STATE;
        if (!isState || graph.isView(updated)) {
            String what =
                    isState ? ", a view" : " of role " + graph.value(updated).role();
            throw fault(i, "expected to update a state, or an update of one, got " + name(updated) + what);
        }
        boolean isOp = !graph.isPersistent(i) && !graph.isFused(i) && !graph.isView(i);
        if (!isOp || graph.value(i).isConcatenation()) {
            String got = !isOp ? "a value that the host writes, a fused op or a view" : "a concatenation";
            throw fault(i, "expected an op in memory to update " + name(updated) + ", got " + got);
        }
        if (graph.dtype(i) != graph.dtype(updated) || !graph.size(i).equals(graph.size(updated))) {
            throw fault(
                    i,
                    "expected the " + describe(updated) + " of " + name(updated) + ", which it updates, got "
                            + describe(i));
        }
        graph.setUpdate(i, updated);
    }

    private String describe(int i) {
        return graph.size(i) + " elements of " + graph.dtype(i).label();
    }

    private String dtypes(int i, int other) {
        return graph.dtype(i).label() + ", got " + name(other) + " of "
                + graph.dtype(other).label();
    }

    private void readOutputs(Collection<NodeId> outputs) {
        for (NodeId output : outputs) {
            Integer position = positions.get(output);
            if (position == null || graph.isFused(position)) {
                throw new InvalidGraphException(
                        position == null
                                ? "outputs: expected nodes of the graph, got " + output + ", which is not in it"
                                : "outputs: expected values in memory, got " + name(position)
                                        + ", which is fused away");
            }
            graph.setOutput(position);
        }
    }
}
