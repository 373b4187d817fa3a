package io.devicearena.onnx.internal.graph;

import io.devicearena.onnx.internal.proto.OnnxProto.ModelProto;
import java.util.Map;

/** Finds the types and shapes of values that a file leaves out. */
@FunctionalInterface
public interface ShapeInference {
    /**
     * Infers types and shapes.
     *
     * @param model a model whose inputs have sizes, and in which large weights are inputs
     * @return what was found; a value may be missing
     * @throws IllegalArgumentException if the model is refused; the message says why
     */
    Map<String, ValueType> infer(ModelProto model);
}
