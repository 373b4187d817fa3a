package io.devicearena.kernels.convolution;

/**
 * Batch normalisation in the weights of the convolution before it: weights and bias of each channel become those of
 * scale (x - mean) / sqrt(variance + epsilon) + shift. An engine does it once, when it loads a model.
 *
 * <p><b>Threads:</b> immutable.
 *
 * <p><b>Source:</b> S. Ioffe and C. Szegedy, Batch Normalization, algorithm 2.
 */
public final class BatchNormalization {
    private final float[] scale;
    private final float[] shift;
    private final float[] mean;
    private final double[] factors;

    /**
     * Takes the numbers of each channel.
     *
     * @param scale a factor
     * @param shift what is added
     * @param mean of the channel
     * @param variance of the channel, 0 or more
     * @param epsilon added to the variances, 0 or more
     * @throws IllegalArgumentException if the arrays differ in length
     */
    public BatchNormalization(float[] scale, float[] shift, float[] mean, float[] variance, float epsilon) {
        requireLength("shift", shift, scale.length);
        requireLength("mean", mean, scale.length);
        requireLength("variance", variance, scale.length);
        this.scale = scale.clone();
        this.shift = shift.clone();
        this.mean = mean.clone();
        this.factors = new double[scale.length];
        for (int c = 0; c < scale.length; c++) {
            factors[c] = scale[c] / Math.sqrt((double) variance[c] + epsilon);
        }
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
        for (int i = 0; i < weights.length; i++) {
            weights[i] = (float) (weights[i] * factors[i / inner % scale.length]);
        }
        for (int c = 0; c < bias.length; c++) {
            bias[c] = (float) (((double) bias[c] - mean[c]) * factors[c] + shift[c]);
        }
    }
}
