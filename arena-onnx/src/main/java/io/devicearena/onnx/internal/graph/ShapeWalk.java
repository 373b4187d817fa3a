package io.devicearena.onnx.internal.graph;

import io.devicearena.onnx.graph.OnnxConstant;
import io.devicearena.onnx.graph.OnnxException;
import io.devicearena.onnx.graph.OnnxOperator;
import io.devicearena.onnx.graph.OnnxOperators;
import io.devicearena.onnx.internal.proto.OnnxProto.GraphProto;
import io.devicearena.onnx.internal.proto.OnnxProto.NodeProto;
import io.devicearena.onnx.internal.proto.OnnxProto.ValueInfoProto;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The types and shapes of all values, and the elements of those that only depend on shapes: they follow from the inputs
 * through the operators, in their order. What the file says of a value is compared with that; it may keep the shapes of
 * another batch, whose slots would be too small.
 */
final class ShapeWalk {
    private static final String REMEDY =
            "; remove the file's shapes, and infer them again (onnx.shape_inference.infer_shapes)";

    private final Path file;
    private final FreeDimensions dimensions;
    private final Map<String, OnnxConstant> tensors;
    private final Map<String, ValueType> inferred;
    private final Map<String, List<ValueInfoProto>> declared = new HashMap<>();
    private final Map<String, ValueType> known = new HashMap<>();
    private final Map<String, Optional<Numbers>> numbers = new HashMap<>();
    private final Map<String, OperatorShapes.Known> missing = new LinkedHashMap<>();

    /**
     * Begins a walk with the inputs and the weights, which the file may also give a type.
     *
     * @param inferred types that ONNX Runtime found, for what does not follow here
     * @throws OnnxException that names the first value, or the first dimension, with another type or size, and both
     */
    ShapeWalk(
            Path file,
            GraphProto graph,
            FreeDimensions dimensions,
            Map<String, OnnxConstant> tensors,
            Map<String, ValueType> inputs,
            Map<String, ValueType> inferred) {
        this.file = file;
        this.dimensions = dimensions;
        this.tensors = tensors;
        this.inferred = inferred;
        Stream.of(graph.getInputList(), graph.getOutputList(), graph.getValueInfoList())
                .flatMap(List::stream)
                .forEach(value -> declared.computeIfAbsent(value.getName(), name -> new ArrayList<>())
                        .add(value));
        tensors.forEach((name, constant) ->
                begin(name, new ValueType(constant.type(), constant.shape()), "which the weight has"));
        inputs.forEach((name, type) -> begin(name, type, "which the input has"));
    }

    private void begin(String name, ValueType type, String source) {
        known.put(name, type);
        compare(name, known(type), source);
    }

    /** The types that are known. */
    Map<String, ValueType> types() {
        return known;
    }

    /** The values whose shape is not known, with what is. */
    Map<String, OperatorShapes.Known> missing() {
        return missing;
    }

    /** The elements of a value, if it is small and they only depend on shapes and weights. */
    Optional<Numbers> numbers(String name) {
        return numbers.computeIfAbsent(
                name, value -> Optional.ofNullable(tensors.get(value)).flatMap(Numbers::of));
    }

    /** Finds the types of what a node makes, and its elements. */
    void add(NodeProto node, OnnxOperator operator) {
        Operands operands = new Operands(
                operator,
                node.getInputList().stream()
                        .map(name -> Optional.ofNullable(known.get(name)))
                        .toList(),
                node.getInputList().stream().map(this::numbers).toList());
        OperatorShapes shapes = new OperatorShapes(operands);
        for (int i = 0; i < node.getOutputCount(); i++) {
            if (!node.getOutput(i).isEmpty()) {
                add(node, node.getOutput(i), shapes, i);
            }
        }
        checkView(node, operator);
        ValueType type = known.get(node.getOutput(0));
        if (type != null && operator.outputs().size() == 1) {
            numbers.put(node.getOutput(0), refusing(node, () -> new ConstantFolding(operands).output(type)));
        }
    }

    private void add(NodeProto node, String name, OperatorShapes shapes, int index) {
        OperatorShapes.Known expected = refusing(node, () -> shapes.output(index));
        compare(name, expected, "which " + OnnxGraphReader.label(node) + " makes");
        OperatorShapes.Known found = expected;
        for (ValueInfoProto value : declared.getOrDefault(name, List.of())) {
            compare(name, found, "which it has elsewhere");
            found = found.or(dimensions.known(value));
        }
        compare(name, known(inferred.get(name)), "which ONNX Runtime infers");
        found = found.or(known(inferred.get(name)));
        OperatorShapes.Known given = dimensions.given(name, found.shape());
        List<Long> follows = found.shape().orElse(List.of());
        for (int axis = 0; axis < follows.size() && given.shape().isPresent(); axis++) {
            long size = given.shape().get().get(axis);
            if (size != OperatorShapes.UNKNOWN
                    && follows.get(axis) != OperatorShapes.UNKNOWN
                    && follows.get(axis) != size) {
                throw new OnnxException(
                        file,
                        "dimension '" + name + "." + axis + "': expected the size " + follows.get(axis) + ", which "
                                + OnnxGraphReader.label(node) + " makes, got " + size);
            }
        }
        found = found.or(given);
        missing.put(name, found);
        found.complete().ifPresent(type -> {
            known.put(name, type);
            missing.remove(name);
        });
    }

    private void compare(String name, OperatorShapes.Known expected, String source) {
        for (ValueInfoProto value : declared.getOrDefault(name, List.of())) {
            dimensions.difference(value, expected, source).ifPresent(problem -> {
                throw new OnnxException(file, problem + REMEDY);
            });
        }
    }

    private static OperatorShapes.Known known(@Nullable ValueType type) {
        return type == null
                ? OperatorShapes.Known.NOTHING
                : new OperatorShapes.Known(Optional.of(type.type()), Optional.of(type.shape()));
    }

    private <T> T refusing(NodeProto node, Supplier<T> work) {
        String label = OnnxGraphReader.label(node) + ": ";
        try {
            return work.get();
        } catch (IllegalArgumentException e) {
            String problem = String.valueOf(e.getMessage());
            throw new OnnxException(
                    file,
                    (problem.startsWith(label.substring(0, label.length() - 2)) ? "" : label) + problem
                            + "; check the sizes of free dimensions, and the shapes in the file",
                    e);
        } catch (ArithmeticException e) {
            throw new OnnxException(file, label + "expected values of at most " + Long.MAX_VALUE + " elements", e);
        }
    }

    /** A view has the bytes of its input, so it has as many elements. */
    private void checkView(NodeProto node, OnnxOperator operator) {
        if (!OnnxOperators.isView(operator) || node.getInputCount() == 0) {
            return;
        }
        ValueType input = known.get(node.getInput(0));
        ValueType output = known.get(node.getOutput(0));
        if (input != null && output != null && input.elements() != output.elements()) {
            throw new OnnxException(
                    file,
                    OnnxGraphReader.label(node) + ": expected a value of as many elements as its input "
                            + FreeDimensions.text(input.shape()) + ", got '" + node.getOutput(0) + "' "
                            + FreeDimensions.text(output.shape())
                            + "; check the sizes of free dimensions, and the shapes in the file");
        }
    }
}
