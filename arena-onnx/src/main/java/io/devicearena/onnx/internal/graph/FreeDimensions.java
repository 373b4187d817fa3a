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
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * The dimensions of a graph's inputs that the file leaves open. One has the name in the file, or that of its input and
 * its axis, as in {@code x.0}.
 *
 * @param sizes by the names that {@link #of} returns
 */
public record FreeDimensions(Map<String, Long> sizes) {
    /** What exporters write for dimensions without a name, also for several different ones. */
    private static final String UNNAMED = "?";

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

    /** Whether a name is that of a value and an axis of it, as in {@code boxes.0}. */
    public static boolean isAxis(GraphProto graph, String name) {
        int dot = name.lastIndexOf('.');
        return dot >= 0
                && name.substring(dot + 1).matches("[0-9]{1,2}")
                && graph.getNodeList().stream()
                        .anyMatch(node -> node.getOutputList().contains(name.substring(0, dot)));
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
        return known(value).complete();
    }

    /** Returns the sizes that a caller gives the axes of a value, as in {@code boxes.0}. */
    OperatorShapes.Known given(String value, Optional<List<Long>> shape) {
        int rank = shape.map(List::size).orElse(0);
        while (shape.isEmpty() && sizes.containsKey(value + "." + rank)) {
            rank++;
        }
        List<Long> given = LongStream.range(0, rank)
                .mapToObj(axis -> sizes.getOrDefault(value + "." + axis, OperatorShapes.UNKNOWN))
                .toList();
        return new OperatorShapes.Known(Optional.empty(), rank == 0 ? Optional.empty() : Optional.of(given));
    }

    /** Returns what the file and the sizes say of a value. */
    OperatorShapes.Known known(ValueInfoProto value) {
        TypeProto.Tensor type = value.getType().getTensorType();
        if (!value.getType().hasTensorType() || !type.hasShape()) {
            return new OperatorShapes.Known(ElementTypes.of(type.getElemType()), Optional.empty());
        }
        List<Long> shape = new ArrayList<>();
        for (TensorShapeProto.Dimension dimension : type.getShape().getDimList()) {
            shape.add(
                    isKnown(dimension)
                            ? dimension.getDimValue()
                            : sizes.getOrDefault(
                                    name(value.getName(), shape.size(), dimension), OperatorShapes.UNKNOWN));
        }
        return new OperatorShapes.Known(ElementTypes.of(type.getElemType()), Optional.of(shape));
    }

    /**
     * Compares what the file says of a value with what is known of it. A name that has no size here is a label:
     * exporters give one to dimensions of several sizes.
     *
     * @param source where the known type is from, for the message
     * @return what differs, or empty
     */
    Optional<String> difference(ValueInfoProto declared, OperatorShapes.Known actual, String source) {
        OperatorShapes.Known own = known(declared);
        String subject = "value '" + declared.getName() + "': expected ";
        if (own.type().isPresent() && actual.type().isPresent() && !own.type().equals(actual.type())) {
            return Optional.of(subject + "elements of " + actual.type().get() + ", " + source + ", got "
                    + own.type().get());
        }
        if (own.shape().isEmpty() || actual.shape().isEmpty()) {
            return Optional.empty();
        }
        List<Long> file = own.shape().get();
        List<Long> shape = actual.shape().get();
        boolean differs = file.size() != shape.size();
        for (int axis = 0; !differs && axis < shape.size(); axis++) {
            TensorShapeProto.Dimension dimension =
                    declared.getType().getTensorType().getShape().getDim(axis);
            long size = shape.get(axis);
            differs = size != OperatorShapes.UNKNOWN
                    && file.get(axis) != OperatorShapes.UNKNOWN
                    && file.get(axis) != size;
            if (differs && !isKnown(dimension)) {
                return Optional.of("dimension '" + name(declared.getName(), axis, dimension) + "': expected the size "
                        + size + ", " + source + " as axis " + axis + " of value '" + declared.getName() + "', got "
                        + file.get(axis));
            }
        }
        return differs
                ? Optional.of(subject + "the shape " + text(shape) + ", " + source + ", got " + text(file))
                : Optional.empty();
    }

    /** A shape for messages; a dimension that is not known is a question mark. */
    static String text(List<Long> shape) {
        return shape.stream()
                .map(size -> size == OperatorShapes.UNKNOWN ? UNNAMED : size.toString())
                .collect(Collectors.joining(", ", "[", "]"));
    }
}
