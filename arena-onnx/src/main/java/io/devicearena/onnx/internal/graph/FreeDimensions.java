package io.devicearena.onnx.internal.graph;

import io.devicearena.onnx.internal.proto.OnnxProto.GraphProto;
import io.devicearena.onnx.internal.proto.OnnxProto.TensorShapeProto;
import io.devicearena.onnx.internal.proto.OnnxProto.TypeProto;
import io.devicearena.onnx.internal.proto.OnnxProto.ValueInfoProto;
import io.devicearena.onnx.internal.tensors.ElementTypes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The dimensions of a graph's inputs that the file leaves open. One has the name in the file, or that of its input and
 * its axis, as in {@code x.0}.
 */
public final class FreeDimensions {
    /** What exporters write for dimensions without a name, also for several different ones. */
    private static final String UNNAMED = "?";

    private final Map<String, Long> sizes;

    private FreeDimensions(Map<String, Long> sizes) {
        this.sizes = sizes;
    }

    /** Returns the names of the open dimensions, each with the input that it was first seen in. */
    public static Map<String, String> of(GraphProto graph, Set<String> tensors) {
        Map<String, String> names = new LinkedHashMap<>();
        for (ValueInfoProto input : graph.getInputList()) {
            TensorShapeProto shape = input.getType().getTensorType().getShape();
            for (int axis = 0; axis < shape.getDimCount() && !tensors.contains(input.getName()); axis++) {
                if (!isKnown(shape.getDim(axis))) {
                    names.putIfAbsent(name(input.getName(), axis, shape.getDim(axis)), input.getName());
                }
            }
        }
        return names;
    }

    /** Returns dimensions with sizes, of the names that {@link #of} returned. */
    public static FreeDimensions withSizes(Map<String, Long> sizes) {
        return new FreeDimensions(Map.copyOf(sizes));
    }

    private static boolean isKnown(TensorShapeProto.Dimension dimension) {
        return dimension.hasDimValue() && dimension.getDimValue() >= 0;
    }

    private static String name(String value, int axis, TensorShapeProto.Dimension dimension) {
        String own = dimension.getDimParam();
        return own.isEmpty() || own.equals(UNNAMED) ? value + "." + axis : own;
    }

    /** Returns the type of a value, or empty if the file and the sizes do not say it. */
    Optional<ValueType> resolve(ValueInfoProto value) {
        TypeProto.Tensor type = value.getType().getTensorType();
        if (!value.getType().hasTensorType() || !type.hasShape()) {
            return Optional.empty();
        }
        List<Long> shape = new ArrayList<>();
        for (TensorShapeProto.Dimension dimension : type.getShape().getDimList()) {
            Long size = isKnown(dimension)
                    ? Long.valueOf(dimension.getDimValue())
                    : sizes.get(name(value.getName(), shape.size(), dimension));
            if (size == null) {
                return Optional.empty();
            }
            shape.add(size);
        }
        return ElementTypes.of(type.getElemType()).map(known -> new ValueType(known, shape));
    }
}
