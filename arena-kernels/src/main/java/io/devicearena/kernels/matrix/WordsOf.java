package io.devicearena.kernels.matrix;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** How kernels read the formats. */
final class WordsOf {
    private WordsOf() {}

    /** The elements of the binding: vectors where every block begins at a multiple of 16 bytes. */
    static String type(WeightFormat format) {
        return switch (format) {
            case F32 -> "vec4<f32>";
            case F16, F16_SHADOW, BF16, Q4_K, Q5_K -> "vec4<u32>";
            case Q8_0, Q4_0, Q5_0, Q6_K -> "u32";
        };
    }

    /** The files that unpack a format. */
    static List<String> files(WeightFormat format) {
        return isOfSuperBlocks(format)
                ? List.of("format-" + name(format), "scales-of-super-blocks", "super-blocks")
                : List.of("format-" + name(format));
    }

    /** The files that multiply rows of a format by floats. */
    static List<String> products(WeightFormat format) {
        List<String> all = new ArrayList<>(files(format));
        all.addAll(
                switch (format) {
                    case F16, F16_SHADOW, BF16 -> List.of("product-halves");
                    case Q4_K, Q5_K -> List.of("product-super-blocks");
                    case Q4_0, Q5_0 -> List.of("product-half-blocks", "product-" + name(format));
                    case F32, Q8_0, Q6_K -> List.of("product-" + name(format));
                });
        return all;
    }

    /** The files that multiply rows of a format by bytes. */
    static List<String> roundedProducts(WeightFormat format) {
        String rounded = "rounded-" + name(format);
        return switch (format) {
            case Q4_K, Q5_K -> List.of(rounded, "scales-of-super-blocks", "rounded-super-blocks");
            case Q4_0, Q5_0 -> List.of("format-" + name(format), "rounded-half-blocks", rounded);
            default -> List.of("format-" + name(format), rounded);
        };
    }

    /** Whether it has super-blocks of 8 scales and 8 minima. */
    private static boolean isOfSuperBlocks(WeightFormat format) {
        return format == WeightFormat.Q4_K || format == WeightFormat.Q5_K;
    }

    private static String name(WeightFormat format) {
        WeightFormat stored = format == WeightFormat.F16_SHADOW ? WeightFormat.F16 : format;
        return stored.name().toLowerCase(Locale.ROOT);
    }

    /** The units of a row: columns that a thread multiplies at a time, by floats or by bytes. */
    static int units(Matrix matrix, boolean isRounded) {
        int columns = switch (matrix.format()) {
            case F32, F16, F16_SHADOW, BF16, Q8_0 -> 8;
            case Q4_0, Q5_0, Q6_K -> 16;
            case Q4_K, Q5_K -> isRounded ? 32 : 16;
        };
        return matrix.columns() / columns;
    }
}
