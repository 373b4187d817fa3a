/**
 * Weights: what safetensors and GGUF files hold, and the way from there into an arena.
 *
 * <p>Start at {@link io.devicearena.weights.WeightFile}.
 */
@org.jspecify.annotations.NullMarked
module io.devicearena.weights {
    requires transitive io.devicearena;
    requires com.fasterxml.jackson.core;
    requires static org.jspecify;

    exports io.devicearena.weights;
    exports io.devicearena.weights.reader;
    exports io.devicearena.weights.tensor;
}
