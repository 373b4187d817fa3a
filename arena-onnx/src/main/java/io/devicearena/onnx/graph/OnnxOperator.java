package io.devicearena.onnx.graph;

import io.devicearena.NodeId;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * An operator of an ONNX graph: what it computes, from which values, and which values it makes.
 *
 * <p>Operands and outputs stand at the positions of ONNX's own page of the operator; one that is left out is empty. An
 * operand may have no memory: parameters of operators, such as axes and shapes, are read with
 * {@link OnnxGraph#constant}.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param domain whose operator it is; empty for ONNX's own, which files also call {@code ai.onnx}
 * @param type its name, such as {@code Conv}
 * @param version the version of the domain's operators in the file: its opset
 * @param name the name of its node in the file, or empty
 * @param attributes its attributes
 * @param operands the values that it reads, by position
 * @param outputs the values that it makes, by position, one or more of them present
 */
public record OnnxOperator(
        String domain,
        String type,
        long version,
        String name,
        OnnxAttributes attributes,
        List<Optional<NodeId>> operands,
        List<Optional<NodeId>> outputs) {
    /**
     * Makes an operator; the lists are copied.
     *
     * @throws IllegalArgumentException if it makes no value
     */
    public OnnxOperator {
        Objects.requireNonNull(domain, "domain");
        Objects.requireNonNull(type, "type");
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(attributes, "attributes");
        operands = List.copyOf(operands);
        outputs = List.copyOf(outputs);
        if (outputs.stream().allMatch(Optional::isEmpty)) {
            throw new IllegalArgumentException("operator '" + name + "' (" + type + "): expected an output, got none");
        }
    }

    /** {@return the type; of another domain than ONNX's own with that before it, as in {@code com.microsoft:Gelu}} */
    public String fullType() {
        return domain.isEmpty() ? type : domain + ":" + type;
    }

    /**
     * {@return whether it is an operator of ONNX itself}
     *
     * @param name its type, such as {@code Conv}
     */
    public boolean is(String name) {
        return domain.isEmpty() && type.equals(name);
    }

    /**
     * {@return the value at a position of the operands, or empty if it is left out}
     *
     * @param position 0 or more; it may be behind the last
     */
    public Optional<NodeId> operand(int position) {
        return position < operands.size() ? operands.get(position) : Optional.empty();
    }

    /**
     * {@return the value at a position of the outputs, or empty if it is left out}
     *
     * @param position 0 or more; it may be behind the last
     */
    public Optional<NodeId> output(int position) {
        return position < outputs.size() ? outputs.get(position) : Optional.empty();
    }

    /** {@return the outputs that are not left out} */
    public List<NodeId> made() {
        return outputs.stream().flatMap(Optional::stream).toList();
    }

    /**
     * {@return the same with another type}
     *
     * @param otherDomain whose operator it is; of your own for a type that ONNX has not
     * @param otherType its name
     */
    public OnnxOperator withType(String otherDomain, String otherType) {
        return new OnnxOperator(otherDomain, otherType, version, name, attributes, operands, outputs);
    }

    /**
     * {@return the same with other attributes}
     *
     * @param others all that it is to have
     */
    public OnnxOperator withAttributes(OnnxAttributes others) {
        return new OnnxOperator(domain, type, version, name, others, operands, outputs);
    }

    /**
     * {@return the same with other operands}
     *
     * @param others by position
     */
    public OnnxOperator withOperands(List<Optional<NodeId>> others) {
        return new OnnxOperator(domain, type, version, name, attributes, others, outputs);
    }

    /**
     * {@return the same with other outputs}
     *
     * @param others by position
     * @throws IllegalArgumentException if all are left out
     */
    public OnnxOperator withOutputs(List<Optional<NodeId>> others) {
        return new OnnxOperator(domain, type, version, name, attributes, operands, others);
    }

    /** {@return the operator for messages, such as {@code node 'Conv_0' (Conv)}} */
    public String label() {
        return "node '" + name + "' (" + fullType() + ")";
    }
}
