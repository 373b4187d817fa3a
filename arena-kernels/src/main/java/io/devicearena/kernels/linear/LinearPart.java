package io.devicearena.kernels.linear;

import io.devicearena.NodeId;
import io.devicearena.kernels.activation.Activation;
import io.devicearena.kernels.matrix.Matrix;
import io.devicearena.weights.tensor.TensorType;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One matrix of a linear layer, and what becomes of the product: activation(product + bias) + added.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param out receives F32 [rowsOfTokens][matrix.rows]
 * @param matrix the weights, {@code F32}, perhaps mirrored, or {@code F16}; its rows and columns are multiples of 4
 * @param bias F32 [matrix.rows]
 * @param activation of product and bias, or null for none
 * @param added F32 [rowsOfTokens][matrix.rows], or null for none; not {@code out}
 */
public record LinearPart(
        NodeId out,
        Matrix matrix,
        NodeId bias,
        @Nullable Activation activation,
        @Nullable NodeId added) {
    private static final List<TensorType> TYPES = List.of(TensorType.F32, TensorType.F16);

    /** Checks the matrix and the output. */
    public LinearPart {
        Objects.requireNonNull(matrix, "matrix");
        Objects.requireNonNull(bias, "bias");
        Objects.requireNonNull(out, "out");
        if (!TYPES.contains(matrix.type())) {
            throw new IllegalArgumentException("matrix " + matrix.id() + ": expected one of " + TYPES + ", got "
                    + matrix.type() + "; use Product");
        }
        if (matrix.rows() % 4 != 0 || matrix.columns() % 4 != 0) {
            throw new IllegalArgumentException("matrix " + matrix.id()
                    + ": expected rows and columns that are multiples of 4, got " + matrix.rows() + " x "
                    + matrix.columns());
        }
        if (out.equals(added)) {
            throw new IllegalArgumentException("linear: expected another value as output than what is added, " + out);
        }
    }

    /**
     * Returns a part without activation and sum.
     *
     * @param out receives F32 [rowsOfTokens][matrix.rows]
     * @param matrix the weights
     * @param bias F32 [matrix.rows]
     * @return the part
     */
    public static LinearPart of(NodeId out, Matrix matrix, NodeId bias) {
        return new LinearPart(out, matrix, bias, null, null);
    }

    /**
     * Returns the same part with an activation.
     *
     * @param function of product and bias
     * @return a new part
     */
    public LinearPart activated(Activation function) {
        return new LinearPart(out, matrix, bias, Objects.requireNonNull(function, "function"), added);
    }

    /**
     * Returns the same part with a value that is added at the end, such as a residual stream.
     *
     * @param value F32 [rowsOfTokens][matrix.rows]
     * @return a new part
     */
    public LinearPart adding(NodeId value) {
        return new LinearPart(out, matrix, bias, activation, Objects.requireNonNull(value, "value"));
    }

    Stream<NodeId> reads() {
        return Stream.concat(Stream.of(matrix.id(), bias), Stream.ofNullable(added));
    }
}
