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
    private final boolean[] concatenations;
    private final NodeLists inPlaceInputs;
    private final NodeLists runsAfter;

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
        concatenations = new boolean[count];
        readNodes();
        inputStarts = new int[count + 1];
        inputs = readInputs();
        int[] readers = new int[count];
        Arrays.fill(readers, -1);
        inPlaceInputs = NodeLists.of(count, i -> readInPlaceInputs(i, readers));
        runsAfter = NodeLists.of(count, this::readRunsAfter);
        for (int i = 0; i < count; i++) {
            resolveView(i);
            checkConcatenation(i);
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
            concatenations[i] = node.isConcatenation();
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

    /** @param readers the last node that each node is known to be an input of */
    private int[] readInPlaceInputs(int i, int[] readers) {
        List<NodeId> taken = nodes.get(i).inPlaceInputs();
        for (int k = 0; k < inputCount(i) && !taken.isEmpty(); k++) {
            readers[input(i, k)] = i;
        }
        int[] read = new int[taken.size()];
        for (int k = 0; k < read.length; k++) {
            Integer place = places.get(taken.get(k));
            if (place == null || readers[place] != i) {
                throw new InvalidGraphException(named(i) + ": expected to take the slot of one of its inputs, got "
                        + (place == null ? taken.get(k) + ", which is not in the graph" : named(place)));
            }
            read[k] = place;
        }
        return read;
    }

    private int[] readRunsAfter(int i) {
        List<NodeId> earlier = nodes.get(i).runsAfter();
        int[] read = new int[earlier.size()];
        for (int k = 0; k < read.length; k++) {
            Integer place = places.get(earlier.get(k));
            if (place == null || place >= i) {
                throw new InvalidGraphException(named(i) + ": expected to run after nodes of earlier steps, got "
                        + (place == null
                                ? earlier.get(k) + ", which is not in the graph"
                                : named(place) + " of step " + place + " at step " + i));
            }
            read[k] = place;
        }
        return read;
    }

    private void checkConcatenation(int i) {
        if (!concatenations[i]) {
            return;
        }
        long joined = 0;
        for (int k = 0; k < inputCount(i); k++) {
            int input = input(i, k);
            if (dtypes[input] != dtypes[i]) {
                throw new InvalidGraphException(named(i) + ": expected a concatenation of inputs of its own dtype "
                        + dtypes[i].label() + ", got " + named(input) + " of " + dtypes[input].label());
            }
            joined += Math.min(elements[input], Long.MAX_VALUE - joined);
        }
        if (joined != elements[i]) {
            throw new InvalidGraphException(named(i) + ": expected a concatenation of inputs of " + elements[i]
                    + " elements in all, got " + joined);
        }
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

    /** Where in the order a node of the graph stands. */
    int place(NodeId id) {
        return Objects.requireNonNull(places.get(id), () -> id + ": expected a node of the graph");
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

    /** Whether value i shows all of the value that owns its bytes, which may be itself. */
    boolean isWhole(int i) {
        return firstElements[i] == 0 && elements[i] == elements[roots[i]];
    }

    /** Whether value i is its inputs, one after another, in a slot of its own. */
    boolean isConcatenation(int i) {
        return concatenations[i] && !fused[i] && roots[i] == i && !roles[i].isPinned();
    }

    /** The inputs whose slots the value of op i may take; none for a value without a slot of its own. */
    int inPlaceCount(int i) {
        return fused[i] || roots[i] != i || roles[i].isPinned() ? 0 : inPlaceInputs.count(i);
    }

    int inPlaceInput(int i, int k) {
        return inPlaceInputs.get(i, k);
    }

    /** The nodes that run before node i for another reason than that it reads them. */
    int runsAfterCount(int i) {
        return runsAfter.count(i);
    }

    int runsAfter(int i, int k) {
        return runsAfter.get(i, k);
    }
}
