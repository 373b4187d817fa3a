package io.devicearena.kernels.matrix;

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

    /** The files that read a format. */
    static List<String> files(WeightFormat format) {
        return switch (format) {
            case F16_SHADOW -> List.of("format-f16");
            case Q4_K, Q5_K -> List.of(own(format), "super-blocks");
            default -> List.of(own(format));
        };
    }

    private static String own(WeightFormat format) {
        return "format-" + format.name().toLowerCase(Locale.ROOT);
    }

    /** The columns that a thread multiplies at a time. */
    static int unit(WeightFormat format) {
        return switch (format) {
            case F32, F16, F16_SHADOW, BF16, Q8_0 -> 8;
            case Q4_0, Q5_0, Q4_K, Q5_K, Q6_K -> 16;
        };
    }
}
