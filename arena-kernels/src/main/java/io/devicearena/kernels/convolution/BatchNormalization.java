package io.devicearena.kernels.convolution;

/**
 * Batch normalisation in the weights of the convolution before it: weights and bias of each channel become those of
 * scale (x - mean) / sqrt(variance + epsilon) + shift. An engine does it once, when it loads a model.
 *
 * <p><b>Threads:</b> immutable, as long as the arrays do not change.
 *
 * <p><b>Source:</b> S. Ioffe and C. Szegedy, Batch Normalization, algorithm 2.
 *
 * @param scale a factor for each channel
 * @param shift what is added to each channel
 * @param mean of each channel
 * @param variance of each channel, 0 or more
 * @param epsilon added to the variances, 0 or more
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record BatchNormalization(float[] scale, float[] shift, float[] mean, float[] variance, float epsilon) {
    /** Checks that each array has a number for each channel. */
    public BatchNormalization {
        requireLength("shift", shift, scale.length);
        requireLength("mean", mean, scale.length);
        requireLength("variance", variance, scale.length);
    }

    private static void requireLength(String name, float[] values, int expected) {
        if (values.length != expected) {
            throw new IllegalArgumentException(
                    "batch normalisation, " + name + ": expected " + expected + " numbers, got " + values.length);
        }
    }

    /**
     * Changes weights and bias of a convolution, in place.
     *
     * @param weights [outer][channels][any]: of a convolution {@code outer} is 1, of a transposed one the channels of
     *     its input
     * @param outer 1 or more
     * @param bias [channels]; zeros if the convolution has none
     * @throws IllegalArgumentException if a length is not a multiple of the channels
     */
    public void foldInto(float[] weights, int outer, float[] bias) {
        requireLength("bias", bias, scale.length);
        int rows = outer * scale.length;
        if (outer < 1 || weights.length % rows != 0) {
            throw new IllegalArgumentException(
                    "batch normalisation, weights: expected a multiple of " + rows + " numbers, got " + weights.length);
        }
        int inner = weights.length / rows;
        for (int row = 0; row < rows; row++) {
            double factor = factor(row % scale.length);
            for (int i = row * inner; i < (row + 1) * inner; i++) {
                weights[i] = (float) (weights[i] * factor);
            }
        }
        for (int c = 0; c < bias.length; c++) {
            bias[c] = (float) (((double) bias[c] - mean[c]) * factor(c) + shift[c]);
        }
    }

    private double factor(int channel) {
        return scale[channel] / Math.sqrt((double) variance[channel] + epsilon);
    }
}
