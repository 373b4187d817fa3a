/**
 * ONNX files: a graph to plan, and the weights that go into its arena.
 *
 * <p>It can be used by itself: {@linkplain io.devicearena.onnx its package} says what it needs, with a sample.
 *
 * <p>Start at {@link io.devicearena.onnx.OnnxModel}.
 */
@org.jspecify.annotations.NullMarked
@SuppressWarnings("requires-automatic") // both name their modules in their manifests
module io.devicearena.onnx {
    requires transitive io.devicearena.plan;
    requires transitive io.devicearena.weights;
    requires com.google.protobuf;
    requires static com.microsoft.onnxruntime;
    requires static org.jspecify;

    exports io.devicearena.onnx;
    exports io.devicearena.onnx.graph;
}
