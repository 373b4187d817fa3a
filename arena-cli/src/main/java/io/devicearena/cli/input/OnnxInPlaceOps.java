package io.devicearena.cli.input;

import io.devicearena.NodeId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The sharing of slots that ONNX operators allow, for graphs that declare none: an element-wise operator may overwrite
 * an input of its own shape, and the inputs of a concatenation along the outermost dimension may be written into its
 * slot.
 *
 * <p><b>Source:</b> the operators of ONNX (ai.onnx, opset 21). Softmax, layer normalization and the like read more than
 * one element for each that they write, so they are not in the list. Batch normalization of a trained network scales
 * and shifts each element by itself, so it is.
 */
final class OnnxInPlaceOps {
    private static final Set<String> ELEMENT_WISE = Set.of(
            "Abs",
            "Add",
            "And",
            "BatchNormalization",
            "BitShift",
            "Ceil",
            "Celu",
            "Clip",
            "Cos",
            "Div",
            "Dropout",
            "Elu",
            "Erf",
            "Exp",
            "Floor",
            "Gelu",
            "HardSigmoid",
            "HardSwish",
            "Identity",
            "LeakyRelu",
            "Log",
            "Max",
            "Mean",
            "Min",
            "Mish",
            "Mul",
            "Neg",
            "Not",
            "Or",
            "PRelu",
            "Pow",
            "Reciprocal",
            "Relu",
            "Round",
            "Selu",
            "Sigmoid",
            "Sign",
            "Sin",
            "Softplus",
            "Softsign",
            "Sqrt",
            "Sub",
            "Sum",
            "Tanh",
            "ThresholdedRelu",
            "Where",
            "Xor");
    private static final String CONCATENATION = "Concat";

    private OnnxInPlaceOps() {}

    /** The graph with these declarations on the nodes that have none of their own. */
    static FileGraph declared(FileGraph graph) {
        Map<NodeId, FileNode> nodes = new HashMap<>();
        graph.nodes().forEach(node -> nodes.put(node.id(), node));
        return graph.withNodes(
                graph.nodes().stream().map(node -> declared(node, nodes)).toList());
    }

    private static FileNode declared(FileNode node, Map<NodeId, FileNode> nodes) {
        if (!node.inPlaceInputs().isEmpty() || node.isConcatenation()) {
            return node;
        }
        if (ELEMENT_WISE.contains(node.op())) {
            return node.declaring(
                    node.inputs().stream()
                            .distinct()
                            .filter(id -> hasShape(nodes.get(id), node.shape()))
                            .toList(),
                    false);
        }
        return node.op().equals(CONCATENATION) && isOfWholeRanges(node, nodes) ? node.declaring(List.of(), true) : node;
    }

    private static boolean hasShape(@Nullable FileNode node, List<Long> shape) {
        return node != null && node.shape().equals(shape);
    }

    /** Whether inputs and value differ in one dimension only, which adds up, and all dimensions before it are 1. */
    private static boolean isOfWholeRanges(FileNode node, Map<NodeId, FileNode> nodes) {
        long joined = 0;
        int axis = 0;
        while (axis < node.shape().size() && node.shape().get(axis) == 1) {
            axis++;
        }
        for (NodeId id : node.inputs()) {
            FileNode input = nodes.get(id);
            if (input == null
                    || input.dtype() != node.dtype()
                    || input.shape().size() != node.shape().size()
                    || axis == node.shape().size()
                    || !without(axis, input.shape()).equals(without(axis, node.shape()))) {
                return false;
            }
            joined += input.elements();
        }
        return joined == node.elements();
    }

    private static List<Long> without(int axis, List<Long> shape) {
        List<Long> others = new ArrayList<>(shape);
        others.remove(axis);
        return others;
    }
}
