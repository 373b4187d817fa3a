package io.devicearena.plan;

import io.devicearena.DType;
import io.devicearena.NodeId;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * A checked graph as arrays, one entry a node in execution order. Views are resolved to the value that owns the bytes.
 */
final class GraphIndex {
    private final Map<NodeId, Integer> places;
    private final List<? extends PlanNode> nodes;
    private final int[] inputStarts;
    private final int[] inputs;
    private final int[] roots;
    private final long[] firstElements;
    private final boolean[] outputs;
    private final boolean[] fused;
    private final NodeRole[] roles;
    private final DType[] dtypes;
    private final long[] elements;

    private GraphIndex(PlanGraph graph) {
        nodes = List.copyOf(graph.nodes());
        int count = nodes.size();
        places = HashMap.newHashMap(count);
        roots = new int[count];
        firstElements = new long[count];
        outputs = new boolean[count];
        fused = new boolean[count];
        roles = new NodeRole[count];
        dtypes = new DType[count];
        elements = new long[count];
        readNodes();
        inputStarts = new int[count + 1];
        inputs = readInputs();
        for (int i = 0; i < count; i++) {
            resolveView(i);
        }
        readOutputs(graph);
    }

    /**
     * Checks a graph and indexes it.
     *
     * @throws InvalidGraphException if the graph cannot be planned
     */
    static GraphIndex of(PlanGraph graph) {
        return new GraphIndex(graph);
    }

    private void readNodes() {
        for (int i = 0; i < nodes.size(); i++) {
            PlanNode node = nodes.get(i);
            NodeId id = Objects.requireNonNull(node.id(), "node id");
            Integer first = places.putIfAbsent(id, i);
            if (first != null) {
                throw new InvalidGraphException(
                        named(i) + ": expected a unique id, got that of step " + first + " again at step " + i);
            }
            elements[i] = node.elements();
            if (elements[i] < 0) {
                throw new InvalidGraphException(named(i) + ": expected 0 or more elements, got " + elements[i]);
            }
            roles[i] = Objects.requireNonNull(node.role(), "node role");
            dtypes[i] = Objects.requireNonNull(node.dtype(), "node dtype");
            fused[i] = node.isFused();
            outputs[i] = roles[i] == NodeRole.OUTPUT;
            if (fused[i] && roles[i] != NodeRole.OP) {
                throw new InvalidGraphException(named(i) + ": expected only an op to be fused, got role " + roles[i]);
            }
        }
    }

    private int[] readInputs() {
        int[] read = new int[nodes.size() * 2];
        int length = 0;
        boolean inOrder = true;
        for (int i = 0; i < nodes.size(); i++) {
            inputStarts[i] = length;
            for (NodeId input : nodes.get(i).inputs()) {
                Integer place = places.get(input);
                if (place == null) {
                    throw new InvalidGraphException(
                            named(i) + ": expected inputs that are nodes of the graph, got " + input + "; add it");
                }
                inOrder &= place < i;
                if (length == read.length) {
                    read = Arrays.copyOf(read, length + (length >> 1) + 16);
                }
                read[length++] = place;
            }
        }
        inputStarts[nodes.size()] = length;
        if (!inOrder) {
            throw new InvalidGraphException(OrderFault.describe(inputStarts, read, this::named));
        }
        return read;
    }

    private void resolveView(int i) {
        Optional<ViewOf> view = nodes.get(i).view();
        roots[i] = i;
        if (view.isEmpty()) {
            return;
        }
        ViewOf shown = view.get();
        Integer parent = places.get(shown.parent());
        if (parent == null || parent >= i) {
            throw new InvalidGraphException(named(i) + ": expected a view of an earlier node, got "
                    + (parent == null ? shown.parent() + ", which is not in the graph" : named(parent)));
        }
        if (fused[i] || fused[parent]) {
            throw new InvalidGraphException(named(i) + ": expected a view and what it shows to be in memory, got "
                    + named(fused[i] ? i : parent) + " fused away");
        }
        if (dtypes[i] != dtypes[parent]) {
            throw new InvalidGraphException(named(i) + ": expected a view of its own dtype " + dtypes[i].label()
                    + ", got " + named(parent) + " of " + dtypes[parent].label()
                    + "; a cast to another type is an op, not a view");
        }
        if (elements[i] > elements[parent] || shown.firstElement() > elements[parent] - elements[i]) {
            throw new InvalidGraphException(named(i) + ": expected a view within the " + elements[parent]
                    + " elements of " + named(parent) + ", got " + elements[i] + " from element "
                    + shown.firstElement());
        }
        roots[i] = roots[parent];
        firstElements[i] = firstElements[parent] + shown.firstElement();
        if (roles[i].isPinned() && !roles[roots[i]].isPinned()) {
            throw new InvalidGraphException(named(i) + ": expected an input, parameter or constant to be a view of"
                    + " another such value, got a view of " + named(roots[i]) + ", which an op makes");
        }
    }

    private void readOutputs(PlanGraph graph) {
        for (NodeId output : graph.outputs()) {
            Integer place = places.get(output);
            if (place == null) {
                throw new InvalidGraphException(
                        "outputs: expected nodes of the graph, got " + output + ", which is not in it");
            }
            if (fused[place]) {
                throw new InvalidGraphException(
                        "outputs: expected values in memory, got " + named(place) + ", which is fused away");
            }
            outputs[place] = true;
        }
    }

    /** What messages call a node: its id, and its name when that says more. */
    String named(int i) {
        PlanNode node = nodes.get(i);
        String id = node.id().toString();
        return id.equals(node.name()) ? id : id + " '" + node.name() + "'";
    }

    int count() {
        return nodes.size();
    }

    NodeId id(int i) {
        return nodes.get(i).id();
    }

    NodeRole role(int i) {
        return roles[i];
    }

    DType dtype(int i) {
        return dtypes[i];
    }

    long elements(int i) {
        return elements[i];
    }

    boolean isFused(int i) {
        return fused[i];
    }

    /** Whether the host reads the value after the execution. */
    boolean isOutput(int i) {
        return outputs[i];
    }

    boolean isView(int i) {
        return roots[i] != i;
    }

    /** The value that owns the bytes of this one; itself unless it is a view. */
    int root(int i) {
        return roots[i];
    }

    /** Elements of the root before this value; 0 unless it is a view. */
    long firstElement(int i) {
        return firstElements[i];
    }

    int inputCount(int i) {
        return inputStarts[i + 1] - inputStarts[i];
    }

    int input(int i, int k) {
        return inputs[inputStarts[i] + k];
    }
}
