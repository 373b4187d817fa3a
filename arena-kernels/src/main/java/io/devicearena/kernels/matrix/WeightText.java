package io.devicearena.kernels.matrix;

import io.devicearena.kernels.step.StepText;

/**
 * The WGSL that unpacks weights, for kernels that are not products.
 *
 * <p><b>Threads:</b> static and stateless; safe for any thread.
 */
public final class WeightText {
    private WeightText() {}

    /**
     * Returns the type of the elements of the binding that a kernel reads a matrix through.
     *
     * @param matrix the matrix
     * @return {@code u32} or a vector of four words
     */
    public static String type(Matrix matrix) {
        return WordsOf.type(matrix.readType());
    }

    /**
     * Returns declarations that unpack a matrix. The function {@code quad_w(row: u32, c: u32) -> vec4<f32>} reads
     * columns 4c to 4c + 3 of a row.
     *
     * <p>The kernel declares the rest: {@code words_w}, a storage array of {@link #type}; {@code job.w_w}, a u32, where
     * the matrix begins in it, in words of 4 bytes, at a multiple of 16 bytes; and {@code COLUMNS}, a u32, a multiple
     * of 8.
     *
     * @param matrix the matrix
     * @return the text
     */
    public static String of(Matrix matrix) {
        StringBuilder text = new StringBuilder(StepText.file(WeightText.class, "words"));
        WordsOf.files(matrix.readType())
                .forEach(file ->
                        text.append(StepText.file(WeightText.class, file).replace("_M", "_w")));
        return text.toString();
    }
}
