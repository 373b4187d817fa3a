package io.devicearena.onnx.internal.graph;

import io.devicearena.NodeId;
import io.devicearena.NodeRole;
import io.devicearena.onnx.graph.OnnxNode;
import io.devicearena.onnx.graph.OnnxOperators;
import io.devicearena.onnx.internal.proto.OnnxProto.AttributeProto;
import io.devicearena.onnx.internal.proto.OnnxProto.NodeProto;
import io.devicearena.plan.ViewOf;
import io.devicearena.plan.size.SizeExpression;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Makes values of operators: what each shares memory with follows from the operator. */
final class OperatorNodes {
    /** Whose operators {@link OnnxOperators} knows. */
    private static final Set<String> DOMAINS = Set.of("", "ai.onnx", "com.microsoft");

    private final List<OnnxNode> nodes;

    /** Makes values of operators that read those of a list; new values are added there by the caller. */
    OperatorNodes(List<OnnxNode> nodes) {
        this.nodes = nodes;
    }

    /** The value of an operator with one output. */
    OnnxNode single(NodeProto node, String name, NodeRole role, ValueType type, List<NodeId> inputs) {
        List<OnnxNode> read = inputs.stream().map(this::node).toList();
        boolean known = DOMAINS.contains(node.getDomain());
        OnnxNode plain = plain(node, name, role, type, inputs);
        if (known && OnnxOperators.isView(node.getOpType()) && !read.isEmpty() && isSameBytes(plain, read.getFirst())) {
            return with(plain, plain.sizes(), Optional.of(ViewOf.whole(inputs.getFirst())), List.of(), false);
        }
        if (known && OnnxOperators.isElementWise(node.getOpType())) {
            List<NodeId> inPlace = read.stream()
                    .filter(input -> input.shape().equals(plain.shape()))
                    .map(OnnxNode::id)
                    .distinct()
                    .toList();
            return with(plain, plain.sizes(), Optional.empty(), inPlace, false);
        }
        boolean concatenation =
                known && OnnxOperators.isConcatenation(node.getOpType()) && isOfWholeRanges(node, plain, read);
        return with(plain, plain.sizes(), Optional.empty(), List.of(), concatenation);
    }

    /** The value of an operator that shares memory with no other. */
    OnnxNode plain(NodeProto node, String name, NodeRole role, ValueType type, List<NodeId> inputs) {
        return new OnnxNode(
                NodeId.of(nodes.size()),
                name,
                role,
                type.type(),
                type.dtype(),
                type.arenaShape().stream().map(SizeExpression::of).toList(),
                node.getOpType(),
                node.getName(),
                inputs,
                Optional.empty(),
                List.of(),
                false);
    }

    private OnnxNode node(NodeId id) {
        return nodes.get(Math.toIntExact(id.value()));
    }

    /** The same value with other sizes, and other values that it shares memory with. */
    static OnnxNode with(
            OnnxNode node,
            List<SizeExpression> sizes,
            Optional<ViewOf> view,
            List<NodeId> inPlace,
            boolean concatenation) {
        return new OnnxNode(
                node.id(),
                node.name(),
                node.role(),
                node.type(),
                node.dtype(),
                sizes,
                node.op(),
                node.operatorName(),
                node.inputs(),
                view,
                inPlace,
                concatenation);
    }

    private static boolean isSameBytes(OnnxNode value, OnnxNode parent) {
        return value.type() == parent.type() && value.elements() == parent.elements();
    }

    /** Whether all dimensions before the axis are 1, so that each input is one range of the value. */
    private static boolean isOfWholeRanges(NodeProto node, OnnxNode value, List<OnnxNode> inputs) {
        int rank = value.shape().size();
        long axis = node.getAttributeList().stream()
                .filter(attribute -> attribute.getName().equals("axis"))
                .mapToLong(AttributeProto::getI)
                .findFirst()
                .orElse(0);
        long outer = axis < 0 ? axis + rank : axis;
        List<OnnxNode> odd = new ArrayList<>(inputs);
        odd.removeIf(input -> input.type() == value.type());
        return value.type().dtype().isPresent()
                && outer >= 0
                && outer < rank
                && odd.isEmpty()
                && value.shape().stream().limit(outer).allMatch(size -> size == 1)
                && inputs.stream().mapToLong(OnnxNode::elements).sum() == value.elements();
    }
}
