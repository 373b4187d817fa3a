package io.devicearena.onnx.internal.graph;

import io.devicearena.onnx.graph.OnnxException;
import io.devicearena.onnx.graph.OnnxOperators;
import io.devicearena.onnx.internal.proto.OnnxProto.GraphProto;
import io.devicearena.onnx.internal.proto.OnnxProto.ModelProto;
import io.devicearena.onnx.internal.proto.OnnxProto.NodeProto;
import io.devicearena.onnx.internal.proto.OnnxProto.OperatorSetIdProto;
import io.devicearena.onnx.internal.proto.OnnxProto.ValueInfoProto;
import io.devicearena.onnx.internal.tensors.StoredTensor;
import io.devicearena.weights.tensor.Tensor;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Compares the types and shapes in a file with those that follow from the inputs. A file may keep the shapes of another
 * batch: slots of their sizes would be too small, and kernels would write over other values.
 */
final class ShapeCheck {
    /** More elements than any shape or list of axes has. */
    private static final long MOST_ELEMENTS = 1024;

    private static final String REMEDY =
            "; remove the file's shapes, and infer them again" + " (onnx.shape_inference.infer_shapes)";

    private final Path file;
    private final GraphProto graph;
    private final FreeDimensions dimensions;
    private final Map<String, StoredTensor> tensors;
    private final Map<String, List<ValueInfoProto>> declared = new HashMap<>();
    private final Map<String, ValueType> known = new HashMap<>();
    private final long opset;

    ShapeCheck(Path file, ModelProto model, FreeDimensions dimensions, Map<String, StoredTensor> tensors) {
        this.file = file;
        this.graph = model.getGraph();
        this.dimensions = dimensions;
        this.tensors = tensors;
        this.opset = model.getOpsetImportList().stream()
                .filter(set -> set.getDomain().isEmpty() || set.getDomain().equals("ai.onnx"))
                .mapToLong(OperatorSetIdProto::getVersion)
                .findFirst()
                .orElse(1);
        Stream.of(graph.getInputList(), graph.getOutputList(), graph.getValueInfoList())
                .flatMap(List::stream)
                .forEach(value -> declared.computeIfAbsent(value.getName(), name -> new ArrayList<>())
                        .add(value));
    }

    /**
     * Checks inputs, weights, and then the values of the nodes in their order.
     *
     * @param given the types that the file gives to values of nodes
     * @param inferred those that were inferred, which are not doubted
     * @throws OnnxException that names the first value, or the first dimension, with another type or size, and both
     */
    void check(Map<String, ValueType> inputs, Map<String, ValueType> given, Map<String, ValueType> inferred) {
        known.putAll(given);
        known.putAll(inputs);
        tensors.forEach((name, stored) -> known.put(
                name, new ValueType(stored.tensor().type(), stored.tensor().shape())));
        tensors.keySet().forEach(name -> compare(name, known(name), "which the weight has"));
        inputs.keySet().forEach(name -> compare(name, known(name), "which the input has"));
        for (NodeProto node : graph.getNodeList()) {
            for (int i = 0; i < node.getOutputCount(); i++) {
                String name = node.getOutput(i);
                if (given.containsKey(name)) {
                    compare(name, expected(node, i), "which " + OnnxGraphReader.label(node) + " makes");
                    compare(name, known(name), "which it has elsewhere");
                    compare(name, known(inferred.get(name)), "which ONNX Runtime infers");
                }
            }
            checkView(node);
        }
    }

    private void compare(String name, OperatorShapes.Known expected, String source) {
        for (ValueInfoProto value : declared.getOrDefault(name, List.of())) {
            dimensions.difference(value, expected, source).ifPresent(problem -> {
                throw new OnnxException(file, problem + REMEDY);
            });
        }
    }

    private OperatorShapes.Known known(String name) {
        return known(known.get(name));
    }

    private static OperatorShapes.Known known(@Nullable ValueType type) {
        return type == null
                ? OperatorShapes.Known.NOTHING
                : new OperatorShapes.Known(Optional.of(type.type()), Optional.of(type.shape()));
    }

    private OperatorShapes.Known expected(NodeProto node, int index) {
        List<Optional<ValueType>> inputs = node.getInputList().stream()
                .map(name -> Optional.ofNullable(known.get(name)))
                .toList();
        try {
            return new OperatorShapes(node, inputs, input -> numbers(node.getInput(input)), opset).output(index);
        } catch (IllegalArgumentException e) {
            throw new OnnxException(
                    file,
                    OnnxGraphReader.label(node) + ": " + e.getMessage()
                            + "; check the sizes of free dimensions, and the shapes in the file",
                    e);
        } catch (ArithmeticException e) {
            throw new OnnxException(
                    file,
                    OnnxGraphReader.label(node) + ": expected values of at most " + Long.MAX_VALUE + " elements",
                    e);
        }
    }

    /** A view has the bytes of its input, so it has as many elements. */
    private void checkView(NodeProto node) {
        if (!OnnxOperators.isView(node.getOpType()) || node.getInputCount() == 0 || node.getOutputCount() == 0) {
            return;
        }
        ValueType input = known.get(node.getInput(0));
        ValueType output = known.get(node.getOutput(0));
        if (input != null && output != null && elements(input) != elements(output)) {
            throw new OnnxException(
                    file,
                    OnnxGraphReader.label(node) + ": expected a value of as many elements as its input "
                            + FreeDimensions.text(input.shape()) + ", got '" + node.getOutput(0) + "' "
                            + FreeDimensions.text(output.shape())
                            + "; check the sizes of free dimensions, and the shapes in the file");
        }
    }

    /** The elements, or -1 for more than a long counts, which no arena holds. */
    private static long elements(ValueType type) {
        long elements = type.shape().contains(0L) ? 0 : 1;
        for (long size : type.shape()) {
            if (elements > 0 && size > Long.MAX_VALUE / elements) {
                return -1;
            }
            elements *= size;
        }
        return elements;
    }

    /** The elements of a weight that is small enough to be a shape, axes or scales. */
    private Optional<double[]> numbers(String name) {
        StoredTensor stored = tensors.get(name);
        if (stored == null || stored.tensor().elements() > MOST_ELEMENTS) {
            return Optional.empty();
        }
        Tensor tensor = stored.tensor();
        ByteBuffer bytes = stored.bytes().get().asByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
        double[] numbers = new double[(int) tensor.elements()];
        for (int i = 0; i < numbers.length; i++) {
            switch (tensor.type()) {
                case I64 -> numbers[i] = bytes.getLong();
                case I32 -> numbers[i] = bytes.getInt();
                case F32 -> numbers[i] = bytes.getFloat();
                default -> {
                    return Optional.empty();
                }
            }
        }
        return Optional.of(numbers);
    }
}
