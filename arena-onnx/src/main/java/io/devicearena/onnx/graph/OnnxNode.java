package io.devicearena.onnx.graph;

import io.devicearena.DType;
import io.devicearena.NodeId;
import io.devicearena.NodeRole;
import io.devicearena.plan.PlanNode;
import io.devicearena.plan.ViewOf;
import io.devicearena.plan.size.SizeExpression;
import io.devicearena.weights.tensor.TensorType;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A value of an ONNX graph.
 *
 * <p>An operator with several outputs is several values, one after another; each reads what the operator reads and the
 * outputs before it, so that all of them and the inputs are in memory at once. The engine runs the operator at the
 * last.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param id its position in the graph
 * @param name the name of the value, unique in the graph
 * @param role input, parameter (an initialiser), constant, op or output
 * @param type the element type in the file
 * @param dtype the element type in the arena; U8 where no arena has the type, with as many elements as there are bytes
 * @param sizes the dimensions in the arena, which may depend on free ones
 * @param op the operator, such as {@code Conv}; empty for inputs and weights
 * @param operatorName the name of the operator's node, or empty
 * @param inputs what the operator reads, without its empty optional inputs
 * @param view what it shows, if the operator only changes the shape
 * @param inPlaceInputs the inputs that it may write over
 * @param isConcatenation whether its inputs may be written straight into it
 */
public record OnnxNode(
        NodeId id,
        String name,
        NodeRole role,
        TensorType type,
        DType dtype,
        List<SizeExpression> sizes,
        String op,
        String operatorName,
        List<NodeId> inputs,
        Optional<ViewOf> view,
        List<NodeId> inPlaceInputs,
        boolean isConcatenation)
        implements PlanNode {
    /** Makes a value; the lists are copied. */
    public OnnxNode {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(role, "role");
        Objects.requireNonNull(type, "type");
        Objects.requireNonNull(dtype, "dtype");
        sizes = List.copyOf(sizes);
        Objects.requireNonNull(op, "op");
        Objects.requireNonNull(operatorName, "operatorName");
        inputs = List.copyOf(inputs);
        Objects.requireNonNull(view, "view");
        inPlaceInputs = List.copyOf(inPlaceInputs);
    }

    @Override
    public long elements() {
        return shape().contains(0L) ? 0 : SizeExpression.product(sizes).atMost();
    }

    /** {@return the dimensions in the arena, at the upper bounds of free ones} */
    @Override
    public List<Long> shape() {
        return sizes.stream().map(SizeExpression::atMost).toList();
    }
}
