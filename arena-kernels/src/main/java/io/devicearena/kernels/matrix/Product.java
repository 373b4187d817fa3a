package io.devicearena.kernels.matrix;

import io.devicearena.NodeId;
import io.devicearena.weights.tensor.TensorType;
import org.jspecify.annotations.Nullable;

/**
 * The product of rows of floats with a matrix of weights: out[t][r] is the sum over c of in[t][c] * matrix[r][c].
 *
 * <p>With {@code isRounded} the input is what {@link RoundRows} made of floats. Products of packed weights are then
 * sums of integers, which a device adds up faster, and less exact: half a percent where inputs have no outliers. This
 * is for few tokens: a device reads the weights again for each.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param out receives the product, F32 [rowsOfTokens][matrix.rows]
 * @param in F32 [rowsOfTokens][matrix.columns], or what RoundRows made of that
 * @param matrix the weights, of columns that are a multiple of 8
 * @param rowsOfTokens 1 or more
 * @param cursor U32[4], whose second word is the number of valid rows, or null if all are valid. What is written to
 *     other rows is not defined
 * @param isRounded whether the input was rounded to 8 bits, for weights as in {@link #multipliesRounded}
 */
public record Product(
        NodeId out,
        NodeId in,
        Matrix matrix,
        int rowsOfTokens,
        @Nullable NodeId cursor,
        boolean isRounded) implements ProductStep {
    /** Checks that the dimensions fit. */
    public Product {
        kernel(out, in, matrix, rowsOfTokens, cursor, isRounded);
    }

    /**
     * Makes a product of floats.
     *
     * @param out receives the product, F32 [rowsOfTokens][matrix.rows]
     * @param in F32 [rowsOfTokens][matrix.columns]
     * @param matrix the weights, of columns that are a multiple of 8
     * @param rowsOfTokens 1 or more
     * @param cursor U32[4], whose second word is the number of valid rows, or null if all are valid
     */
    public Product(NodeId out, NodeId in, Matrix matrix, int rowsOfTokens, @Nullable NodeId cursor) {
        this(out, in, matrix, rowsOfTokens, cursor, false);
    }

    /**
     * Returns the same product of an input that {@link RoundRows} has made.
     *
     * @return the product
     * @throws IllegalArgumentException if the weights are of a type that {@link #multipliesRounded} refuses
     */
    public Product rounded() {
        return new Product(out, in, matrix, rowsOfTokens, cursor, true);
    }

    /**
     * Returns whether products of a type can have a rounded input. Of Q6_K they would not be faster.
     *
     * @param type of the weights
     * @return true for Q8_0, Q4_0, Q5_0, Q4_K and Q5_K
     */
    public static boolean multipliesRounded(TensorType type) {
        return switch (type) {
            case Q8_0, Q4_0, Q5_0, Q4_K, Q5_K -> true;
            default -> false;
        };
    }

    ProductKernel kernel() {
        return kernel(out, in, matrix, rowsOfTokens, cursor, isRounded);
    }

    private static ProductKernel kernel(
            NodeId out, NodeId in, Matrix matrix, int rowsOfTokens, @Nullable NodeId cursor, boolean isRounded) {
        if (isRounded && !multipliesRounded(matrix.type())) {
            throw new IllegalArgumentException("matrix " + matrix.id()
                    + ": expected Q8_0, Q4_0, Q5_0, Q4_K or Q5_K for a rounded input, got " + matrix.type()
                    + "; leave the input as it is");
        }
        RowInput input = new PlainInput(in, matrix.columns(), rowsOfTokens, cursor, isRounded);
        return ProductKernel.of(isRounded ? "rounded product" : "product", input, matrix, out);
    }
}
