package io.devicearena.weights.internal.gguf;

import io.devicearena.weights.tensor.TensorType;
import java.util.Map;
import java.util.Optional;

/**
 * The numbers of types in GGUF files. Those that are missing stood for layouts that were withdrawn.
 *
 * <p>Source: {@code enum ggml_type} of GGML.
 */
final class GgufTensorTypes {
    private static final Map<Long, TensorType> BY_NUMBER = Map.ofEntries(
            Map.entry(0L, TensorType.F32),
            Map.entry(1L, TensorType.F16),
            Map.entry(2L, TensorType.Q4_0),
            Map.entry(3L, TensorType.Q4_1),
            Map.entry(6L, TensorType.Q5_0),
            Map.entry(7L, TensorType.Q5_1),
            Map.entry(8L, TensorType.Q8_0),
            Map.entry(9L, TensorType.Q8_1),
            Map.entry(10L, TensorType.Q2_K),
            Map.entry(11L, TensorType.Q3_K),
            Map.entry(12L, TensorType.Q4_K),
            Map.entry(13L, TensorType.Q5_K),
            Map.entry(14L, TensorType.Q6_K),
            Map.entry(15L, TensorType.Q8_K),
            Map.entry(16L, TensorType.IQ2_XXS),
            Map.entry(17L, TensorType.IQ2_XS),
            Map.entry(18L, TensorType.IQ3_XXS),
            Map.entry(19L, TensorType.IQ1_S),
            Map.entry(20L, TensorType.IQ4_NL),
            Map.entry(21L, TensorType.IQ3_S),
            Map.entry(22L, TensorType.IQ2_S),
            Map.entry(23L, TensorType.IQ4_XS),
            Map.entry(24L, TensorType.I8),
            Map.entry(25L, TensorType.I16),
            Map.entry(26L, TensorType.I32),
            Map.entry(27L, TensorType.I64),
            Map.entry(28L, TensorType.F64),
            Map.entry(29L, TensorType.IQ1_M),
            Map.entry(30L, TensorType.BF16),
            Map.entry(34L, TensorType.TQ1_0),
            Map.entry(35L, TensorType.TQ2_0),
            Map.entry(39L, TensorType.MXFP4),
            Map.entry(40L, TensorType.NVFP4),
            Map.entry(41L, TensorType.Q1_0));

    private GgufTensorTypes() {}

    static Optional<TensorType> of(long number) {
        return Optional.ofNullable(BY_NUMBER.get(number));
    }
}
