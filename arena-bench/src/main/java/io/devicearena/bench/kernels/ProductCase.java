package io.devicearena.bench.kernels;

import io.devicearena.NodeId;
import io.devicearena.kernels.matrix.Matrix;
import io.devicearena.weights.tensor.TensorType;

/**
 * A product to measure.
 *
 * @param type of the weights
 * @param isMirrored whether the f16 mirror of the weights is read
 * @param rows of the matrix
 * @param columns of the matrix
 * @param tokens that are multiplied
 * @param isRounded whether the input was rounded to 8 bits; rounding it is not measured
 */
record ProductCase(TensorType type, boolean isMirrored, int rows, int columns, int tokens, boolean isRounded) {
    ProductCase(TensorType type, int rows, int columns, int tokens) {
        this(type, false, rows, columns, tokens, false);
    }

    String name() {
        return type + (isMirrored ? " mirrored" : isRounded ? " x 8 bits" : "");
    }

    Matrix matrix(NodeId id) {
        return new Matrix(id, type, rows, columns, isMirrored);
    }

    /** The bytes of weights that a run reads, those of the mirror if it reads that. */
    long readBytes() {
        long stored = rows * type.rowBytes(columns);
        return isMirrored ? stored / 2 : stored;
    }

    double flops() {
        return 2.0 * rows * columns * tokens;
    }
}
