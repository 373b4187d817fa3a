/**
 * Weights: what safetensors and GGUF files hold, and the way from there into an arena.
 *
 * <p>It can be used by itself: {@linkplain io.devicearena.weights its package} says what it needs, with a sample.
 *
 * <p>Start at {@link io.devicearena.weights.WeightFile}. {@link io.devicearena.weights.WeightLoader} fills an
 * arena.
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
