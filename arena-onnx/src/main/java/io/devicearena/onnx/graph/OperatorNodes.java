package io.devicearena.onnx.graph;

import io.devicearena.NodeId;
import io.devicearena.plan.ViewOf;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** Makes the values of operators: what each reads and shares memory with follows from the operator. */
final class OperatorNodes {
    private final Map<NodeId, OnnxNode> nodes = new LinkedHashMap<>();
    private final Set<NodeId> constants;

    OperatorNodes(Set<NodeId> constants) {
        this.constants = constants;
    }

    /** Returns the values that were added, in their order. */
    Map<NodeId, OnnxNode> nodes() {
        return nodes;
    }

    void add(OnnxNode node) {
        nodes.put(node.id(), node);
    }

    /** Adds the values of an operator, whose operands are added; {@code values} has their types and sizes. */
    void add(OnnxOperator operator, Map<NodeId, OnnxNode> values) {
        List<NodeId> inputs = new ArrayList<>(OnnxOperators.reads(operator, constants));
        List<NodeId> made = operator.made();
        for (NodeId id : made) {
            OnnxNode plain = Objects.requireNonNull(values.get(id)).madeBy(operator, inputs);
            add(made.size() == 1 ? sharing(plain, operator) : plain);
            inputs.add(id);
        }
    }

    /** The value of an operator with one output. */
    private OnnxNode sharing(OnnxNode plain, OnnxOperator operator) {
        List<OnnxNode> read = plain.inputs().stream().map(nodes::get).toList();
        if (OnnxOperators.isView(operator) && !read.isEmpty() && isSameBytes(plain, read.getFirst())) {
            return plain.sharing(Optional.of(ViewOf.whole(read.getFirst().id())), List.of(), false);
        }
        if (OnnxOperators.isElementWise(operator)) {
            return plain.withInPlaceInputs(read.stream()
                    .filter(input -> input.sizes().equals(plain.sizes()))
                    .map(OnnxNode::id)
                    .distinct()
                    .toList());
        }
        return plain.sharing(
                Optional.empty(), List.of(), operator.is("Concat") && isOfWholeRanges(operator, plain, read));
    }

    private static boolean isSameBytes(OnnxNode value, OnnxNode parent) {
        return value.type() == parent.type() && value.elements() == parent.elements();
    }

    /** Whether all dimensions before the axis are 1, so that each input is one range of the value. */
    private static boolean isOfWholeRanges(OnnxOperator operator, OnnxNode value, List<OnnxNode> inputs) {
        int rank = value.shape().size();
        long axis = operator.attributes().integer("axis", operator.version() < 4 ? 1 : 0);
        long outer = axis < 0 ? axis + rank : axis;
        return value.type().dtype().isPresent()
                && outer >= 0
                && outer < rank
                && inputs.stream().allMatch(input -> input.type() == value.type())
                && value.shape().stream().limit(outer).allMatch(size -> size == 1)
                && inputs.stream().mapToLong(OnnxNode::elements).sum() == value.elements();
    }
}
