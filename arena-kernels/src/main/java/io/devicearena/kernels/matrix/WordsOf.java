package io.devicearena.kernels.matrix;

import io.devicearena.kernels.step.StepText;
import io.devicearena.weights.tensor.TensorType;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** How kernels read the types of weights. */
final class WordsOf {
    private WordsOf() {}

    /** The elements of the binding: vectors where every block begins at a multiple of 16 bytes. */
    static String type(TensorType type) {
        return switch (type) {
            case F32 -> "vec4<f32>";
            case F16, BF16, Q4_K, Q5_K -> "vec4<u32>";
            default -> "u32";
        };
    }

    /** The files that unpack a type. */
    static List<String> files(TensorType type) {
        return isOfSuperBlocks(type)
                ? List.of("format-" + name(type), "scales-of-super-blocks", "super-blocks")
                : List.of("format-" + name(type));
    }

    /** The files that multiply rows of a type by floats. */
    static List<String> products(TensorType type) {
        List<String> all = new ArrayList<>(files(type));
        all.addAll(
                switch (type) {
                    case F16, BF16 -> List.of("product-halves");
                    case Q4_K, Q5_K -> List.of("product-super-blocks");
                    case Q4_0, Q5_0 -> List.of("product-half-blocks", "product-" + name(type));
                    default -> List.of("product-" + name(type));
                });
        return all;
    }

    /** The files that multiply rows of a type by bytes. */
    static List<String> roundedProducts(TensorType type) {
        String rounded = "rounded-" + name(type);
        return switch (type) {
            case Q4_K, Q5_K -> List.of(rounded, "scales-of-super-blocks", "rounded-super-blocks");
            case Q4_0, Q5_0 -> List.of("format-" + name(type), "rounded-half-blocks", rounded);
            default -> List.of("format-" + name(type), rounded);
        };
    }

    /** Whether it has super-blocks of 8 scales and 8 minima. */
    private static boolean isOfSuperBlocks(TensorType type) {
        return type == TensorType.Q4_K || type == TensorType.Q5_K;
    }

    private static String name(TensorType type) {
        return type.name().toLowerCase(Locale.ROOT);
    }

    /** The units of a row: columns that a thread multiplies at a time, by floats or by bytes. */
    static int units(Matrix matrix, boolean isRounded) {
        int columns = switch (matrix.readType()) {
            case Q4_0, Q5_0, Q6_K -> 16;
            case Q4_K, Q5_K -> isRounded ? 32 : 16;
            default -> 8;
        };
        return matrix.columns() / columns;
    }

    /**
     * Returns declarations that unpack a matrix, for kernels that are not products. The function {@code quad_w(row:
     * u32, c: u32) -> vec4<f32>} reads columns 4c to 4c + 3 of a row.
     *
     * <p>The kernel declares the rest: {@code words_w}, a storage array of {@link #type}; {@code job.w_w}, a u32, where
     * the matrix begins in it, in words of 4 bytes, at a multiple of 16 bytes; and {@code COLUMNS}, a u32, a multiple
     * of 8.
     */
    static String unpacking(TensorType type) {
        StringBuilder text = new StringBuilder(StepText.file(WordsOf.class, "words"));
        files(type)
                .forEach(file -> text.append(StepText.file(WordsOf.class, file).replace("_M", "_w")));
        return text.toString();
    }
}
