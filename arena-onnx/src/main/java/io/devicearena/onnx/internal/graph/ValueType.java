package io.devicearena.onnx.internal.graph;

import io.devicearena.onnx.internal.tensors.ElementTypes;
import io.devicearena.weights.tensor.TensorType;
import java.util.List;

/** The element type and the shape of a value. */
public record ValueType(TensorType type, List<Long> shape) {
    public ValueType {
        shape = List.copyOf(shape);
    }

    /** The shape in an arena; throws an IllegalArgumentException that says what is wrong with it. */
    List<Long> arenaShape() {
        long bytes = ElementTypes.bytes(type, shape);
        return type.dtype().isPresent() ? shape : List.of(bytes);
    }
}
