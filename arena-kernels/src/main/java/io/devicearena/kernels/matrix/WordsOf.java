package io.devicearena.kernels.matrix;

import io.devicearena.weights.tensor.TensorType;
import java.util.Locale;
import java.util.Map;

/** The files of kernels that read the types of weights. */
final class WordsOf {
    private WordsOf() {}

    /**
     * Returns the choices of files that unpack a matrix: {@code fn quad_M(row: u32, c: u32) -> vec4<f32>} reads columns
     * 4c to 4c + 3 of a row.
     *
     * @param slot the slot for them
     * @param matrix the suffix of the matrix in names
     */
    static Map<String, String> unpacking(TensorType type, String slot, String matrix) {
        if (hasSuperBlocks(type)) {
            return Map.of(slot, "matrix/super-blocks", "SUPER_BLOCK_" + matrix, "matrix/format-" + name(type));
        }
        return isOfHalves(type)
                ? Map.of(slot, "matrix/format-halves", "FOUR_" + matrix, "matrix/four-" + name(type))
                : Map.of(slot, "matrix/format-" + name(type));
    }

    /** Returns the choices of files that multiply rows of a matrix by floats, or by bytes if they are rounded. */
    static Map<String, String> products(TensorType type, boolean isRounded, String matrix) {
        String slot = "PRODUCT_" + matrix;
        if (hasSuperBlocks(type)) {
            return Map.of(
                    slot,
                    isRounded ? "matrix/rounded-super-blocks" : "matrix/product-super-blocks",
                    "SUPER_BLOCK_" + matrix,
                    (isRounded ? "matrix/rounded-" : "matrix/format-") + name(type));
        }
        if (isOfHalves(type)) {
            return Map.of(slot, "matrix/product-halves", "FOUR_" + matrix, "matrix/four-" + name(type));
        }
        return Map.of(slot, (isRounded ? "matrix/rounded-" : "matrix/product-") + name(type));
    }

    /** Whether it has super-blocks of 8 scales and 8 minima. */
    private static boolean hasSuperBlocks(TensorType type) {
        return type == TensorType.Q4_K || type == TensorType.Q5_K;
    }

    private static boolean isOfHalves(TensorType type) {
        return type == TensorType.F16 || type == TensorType.BF16;
    }

    private static String name(TensorType type) {
        return type.name().toLowerCase(Locale.ROOT);
    }

    /** The units of a row: columns that a thread multiplies at a time, by floats or by bytes. */
    static int units(Matrix matrix, boolean isRounded) {
        int columns = switch (matrix.readType()) {
            case Q4_0, Q4_1, Q5_0, Q6_K -> 16;
            case Q4_K, Q5_K -> isRounded ? 32 : 16;
            default -> 8;
        };
        return matrix.columns() / columns;
    }
}
