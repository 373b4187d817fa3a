package io.devicearena.cli.input;

import io.devicearena.NodeId;
import io.devicearena.onnx.graph.OnnxOperators;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The sharing of slots that ONNX operators allow, for graphs that declare none: an element-wise operator may overwrite
 * an input of its own shape, and the inputs of a concatenation along the outermost dimension may be written into its
 * slot.
 */
final class OnnxInPlaceOps {
    private OnnxInPlaceOps() {}

    /** A node with these declarations, if it has none of its own; what it reads is among the nodes before it. */
    static FileNode declared(FileNode node, Map<NodeId, FileNode> nodes) {
        if (!node.inPlaceInputs().isEmpty() || node.isConcatenation()) {
            return node;
        }
        if (OnnxOperators.isElementWise(node.op())) {
            return node.declaring(
                    node.inputs().stream()
                            .distinct()
                            .filter(id -> hasShape(nodes.get(id), node.shape()))
                            .toList(),
                    false);
        }
        return OnnxOperators.isConcatenation(node.op()) && isOfWholeRanges(node, nodes)
                ? node.declaring(List.of(), true)
                : node;
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
