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

    long elements() {
        return elements(shape);
    }

    /** The elements of a shape; the largest long for more, which no arena holds. */
    static long elements(List<Long> shape) {
        long elements = shape.contains(0L) ? 0 : 1;
        for (long size : shape) {
            elements = elements > 0 && size > Long.MAX_VALUE / elements ? Long.MAX_VALUE : elements * size;
        }
        return elements;
    }
}
