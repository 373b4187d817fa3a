package io.devicearena.bench.kernels;

import io.devicearena.kernels.matrix.WeightFormat;

/**
 * A product to measure.
 *
 * @param format of the weights
 * @param rows of the matrix
 * @param columns of the matrix
 * @param tokens that are multiplied
 * @param isRounded whether the input was rounded to 8 bits; rounding it is not measured
 */
record ProductCase(WeightFormat format, int rows, int columns, int tokens, boolean isRounded) {
    ProductCase(WeightFormat format, int rows, int columns, int tokens) {
        this(format, rows, columns, tokens, false);
    }

    String name() {
        return isRounded ? format + " x 8 bits" : format.toString();
    }

    /** The bytes of weights that a run reads, those of the mirror for {@link WeightFormat#F16_SHADOW}. */
    long readBytes() {
        long stored = rows * format.rowBytes(columns);
        return format == WeightFormat.F16_SHADOW ? stored / 2 : stored;
    }

    double flops() {
        return 2.0 * rows * columns * tokens;
    }
}
