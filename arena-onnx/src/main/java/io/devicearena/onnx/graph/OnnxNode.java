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
 * @param id its number: that of its name in the file, the same at all sizes; values without memory leave gaps
 * @param name the name of the value, unique in the graph
 * @param role input, parameter (an initialiser), constant, op or output
 * @param type the element type in the file
 * @param dtype the element type in the arena; U8 where no arena has the type, with as many elements as there are bytes
 * @param sizes the dimensions in the arena, which may depend on free ones
 * @param operator what makes it; empty for inputs and weights
 * @param inputs what the operator reads from memory, in the order of its operands: not its parameters, which
 *     {@link OnnxGraph#constant} has
 * @param view what it shows, if the operator only changes the shape
 * @param inPlaceInputs the inputs that it may write over
 * @param isConcatenation whether its inputs may be written straight into it
 * @param isFused whether the operators that read it compute it themselves, so that it is never in memory
 */
public record OnnxNode(
        NodeId id,
        String name,
        NodeRole role,
        TensorType type,
        DType dtype,
        List<SizeExpression> sizes,
        Optional<OnnxOperator> operator,
        List<NodeId> inputs,
        Optional<ViewOf> view,
        List<NodeId> inPlaceInputs,
        boolean isConcatenation,
        boolean isFused)
        implements PlanNode {
    /** Makes a value; the lists are copied. */
    public OnnxNode {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(role, "role");
        Objects.requireNonNull(type, "type");
        Objects.requireNonNull(dtype, "dtype");
        sizes = List.copyOf(sizes);
        Objects.requireNonNull(operator, "operator");
        inputs = List.copyOf(inputs);
        Objects.requireNonNull(view, "view");
        inPlaceInputs = List.copyOf(inPlaceInputs);
    }

    /** A value that shares memory with no other. */
    private OnnxNode(
            NodeId id,
            String name,
            NodeRole role,
            TensorType type,
            DType dtype,
            List<SizeExpression> sizes,
            Optional<OnnxOperator> operator,
            List<NodeId> inputs) {
        this(id, name, role, type, dtype, sizes, operator, inputs, Optional.empty(), List.of(), false, false);
    }

    /**
     * {@return a value that shares memory with no other and is made by no operator}
     *
     * @param id its number
     * @param name its name
     * @param role its role; that of what an operator makes for the values of {@link OnnxGraph#of}
     * @param type the element type in the file
     * @param sizes the dimensions in the arena
     */
    public static OnnxNode of(NodeId id, String name, NodeRole role, TensorType type, List<SizeExpression> sizes) {
        DType dtype = type.dtype().orElse(DType.U8);
        return new OnnxNode(id, name, role, type, dtype, sizes, Optional.empty(), List.of());
    }

    /** The same value as an operator makes it. */
    OnnxNode madeBy(OnnxOperator maker, List<NodeId> reads) {
        return new OnnxNode(id, name, role, type, dtype, sizes, Optional.of(maker), reads);
    }

    /** The same value with other memory that it shares. */
    OnnxNode sharing(Optional<ViewOf> parent, List<NodeId> inPlace, boolean concatenation) {
        return new OnnxNode(
                id, name, role, type, dtype, sizes, operator, inputs, parent, inPlace, concatenation, isFused);
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

    /** {@return the full type of the operator, such as {@code Conv}; empty for inputs and weights} */
    public String op() {
        return operator.map(OnnxOperator::fullType).orElse("");
    }

    /**
     * {@return the same value with other inputs to write over}
     *
     * @param others some of the inputs, the best first
     */
    public OnnxNode withInPlaceInputs(List<NodeId> others) {
        return sharing(view, others, isConcatenation);
    }

    /** {@return the same value, computed by the operators that read it and never in memory} */
    public OnnxNode fused() {
        return new OnnxNode(
                id, name, role, type, dtype, sizes, operator, inputs, Optional.empty(), List.of(), false, true);
    }

    /**
     * {@return the same value with other sizes}
     *
     * @param others the dimensions in the arena
     */
    public OnnxNode withSizes(List<SizeExpression> others) {
        return new OnnxNode(
                id, name, role, type, dtype, others, operator, inputs, view, inPlaceInputs, isConcatenation, isFused);
    }

    /**
     * {@return the same value with other elements in the arena}
     *
     * @param other their type
     */
    public OnnxNode withDType(DType other) {
        return new OnnxNode(
                id, name, role, type, other, sizes, operator, inputs, view, inPlaceInputs, isConcatenation, isFused);
    }
}
