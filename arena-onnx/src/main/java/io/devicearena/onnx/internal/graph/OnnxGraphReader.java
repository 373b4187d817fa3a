package io.devicearena.onnx.internal.graph;

import io.devicearena.NodeId;
import io.devicearena.NodeRole;
import io.devicearena.onnx.graph.OnnxException;
import io.devicearena.onnx.graph.OnnxNode;
import io.devicearena.onnx.internal.proto.OnnxProto.AttributeProto;
import io.devicearena.onnx.internal.proto.OnnxProto.GraphProto;
import io.devicearena.onnx.internal.proto.OnnxProto.ModelProto;
import io.devicearena.onnx.internal.proto.OnnxProto.NodeProto;
import io.devicearena.onnx.internal.proto.OnnxProto.ValueInfoProto;
import io.devicearena.onnx.internal.tensors.ElementTypes;
import io.devicearena.onnx.internal.tensors.StoredTensor;
import io.devicearena.onnx.internal.tensors.TensorReader;
import io.devicearena.weights.tensor.Tensor;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Reads a graph: its values with their types, in the order of execution. */
public final class OnnxGraphReader {
    private static final String REMEDY = "; add com.microsoft.onnxruntime:onnxruntime to the class path, which infers"
            + " shapes, or save the model with them (onnx.shape_inference.infer_shapes)";

    /** The first version of the format whose files name the version of their operators. */
    private static final long FIRST_WITH_OPSETS = 3;

    private final Path file;
    private final ModelProto model;
    private final GraphProto graph;
    private final Map<String, StoredTensor> tensors;
    private final Set<String> initialisers = new HashSet<>();
    private final Set<String> graphOutputs = new LinkedHashSet<>();
    private final Map<String, ValueType> types = new LinkedHashMap<>();
    private final Map<String, NodeId> ids = new HashMap<>();
    private final List<OnnxNode> nodes = new ArrayList<>();

    /**
     * Makes a reader of a model whose tensors are read.
     *
     * @throws OnnxException if nodes read each other's values in a cycle
     */
    public OnnxGraphReader(Path file, ModelProto model, Map<String, StoredTensor> tensors) {
        this.file = file;
        this.graph = model.getGraph().toBuilder()
                .clearNode()
                .addAllNode(NodeOrder.sorted(file, model.getGraph().getNodeList()))
                .build();
        this.model = model.toBuilder().setGraph(graph).build();
        this.tensors = tensors;
        graph.getInitializerList().forEach(tensor -> initialisers.add(tensor.getName()));
        graph.getOutputList().forEach(output -> graphOutputs.add(output.getName()));
    }

    /** Reads the values; {@code inference} finds the types that the file leaves out, if there is one. */
    public List<OnnxNode> read(FreeDimensions dimensions, Optional<ShapeInference> inference, TensorReader reader) {
        Map<String, ValueType> inputs = inputs(dimensions);
        Set<String> made = checkNodes(inputs.keySet());
        Stream.concat(graph.getValueInfoList().stream(), graph.getOutputList().stream())
                .filter(value -> made.contains(value.getName()))
                .forEach(value -> dimensions.resolve(value).ifPresent(type -> types.put(value.getName(), type)));
        Map<String, ValueType> given = Map.copyOf(types);
        Map<String, ValueType> inferred = infer(inputs, made, inference, reader);
        new ShapeCheck(file, model, dimensions, tensors).check(inputs, given, inferred);
        inputs.forEach((name, type) -> addOwn(name, NodeRole.INPUT, type));
        usedTensors().forEach((name, stored) -> {
            Tensor tensor = stored.tensor();
            addOwn(
                    name,
                    initialisers.contains(name) ? NodeRole.PARAMETER : NodeRole.CONSTANT,
                    new ValueType(tensor.type(), tensor.shape()));
        });
        graph.getNodeList().stream()
                .filter(node -> !TensorReader.isConstant(node))
                .forEach(this::addOperator);
        return nodes;
    }

    /** Returns the values that the host reads. */
    public List<NodeId> outputs() {
        List<NodeId> outputs = new ArrayList<>();
        for (String name : graphOutputs) {
            NodeId id = ids.get(name);
            if (id == null) {
                throw new OnnxException(file, "output '" + name + "': expected a value of the graph, got none");
            }
            outputs.add(id);
        }
        return outputs;
    }

    private Map<String, ValueType> inputs(FreeDimensions dimensions) {
        Map<String, ValueType> inputs = new LinkedHashMap<>();
        for (ValueInfoProto input : graph.getInputList()) {
            String name = input.getName();
            if (initialisers.contains(name)) { // a default that a caller could replace
                continue;
            }
            ValueType type = dimensions
                    .resolve(input)
                    .orElseThrow(() -> new OnnxException(
                            file,
                            "input '" + name + "': expected a tensor of numbers with a shape, got " + describe(input)));
            if (name.isEmpty() || inputs.put(name, type) != null) {
                throw new OnnxException(file, "input '" + name + "': expected a name that no other input has");
            }
        }
        return inputs;
    }

    private static String describe(ValueInfoProto value) {
        return value.getType().hasTensorType()
                ? ElementTypes.label(value.getType().getTensorType().getElemType())
                        + (value.getType().getTensorType().hasShape() ? "" : " without a shape")
                : "another type";
    }

    /** Checks names and order; returns the names of the values that operators make. */
    private Set<String> checkNodes(Set<String> inputs) {
        Set<String> known = new HashSet<>(tensors.keySet());
        for (String input : inputs) {
            if (!known.add(input)) {
                throw new OnnxException(file, "input '" + input + "': expected a name that no constant has");
            }
        }
        checkVersion();
        Set<String> made = new LinkedHashSet<>();
        for (NodeProto node : graph.getNodeList()) {
            checkAttributes(node);
            for (String input : node.getInputList()) {
                if (!input.isEmpty() && !known.contains(input)) {
                    throw fault(
                            node,
                            "expected to read inputs, weights and values of nodes, got '" + input
                                    + "', which nothing makes");
                }
            }
            for (String output : node.getOutputList()) {
                if (output.isEmpty() || TensorReader.isConstant(node)) {
                    continue;
                }
                if (!known.add(output)) {
                    throw fault(node, "expected outputs with names of their own, got '" + output + "' again");
                }
                made.add(output);
            }
        }
        return made;
    }

    /** Without a version it is not known what an operator does. */
    private void checkVersion() {
        boolean isOfOnnx = model.getOpsetImportList().stream()
                .anyMatch(set -> set.getDomain().isEmpty() || set.getDomain().equals("ai.onnx"));
        if (!isOfOnnx && model.getIrVersion() >= FIRST_WITH_OPSETS) {
            graph.getNodeList().stream()
                    .filter(node ->
                            node.getDomain().isEmpty() || node.getDomain().equals("ai.onnx"))
                    .findFirst()
                    .ifPresent(node -> {
                        throw fault(
                                node,
                                "expected a model with the version of its operators, opset_import, got none;"
                                        + " save the model with one");
                    });
        }
    }

    private void checkAttributes(NodeProto node) {
        for (AttributeProto attribute : node.getAttributeList()) {
            if (attribute.hasG() || attribute.getGraphsCount() > 0) {
                throw fault(
                        node,
                        "expected an operator without a graph of its own, got one in '" + attribute.getName()
                                + "'; a plan has one order of execution: export the model without branches and loops,"
                                + " or with fixed ones");
            }
        }
    }

    private OnnxException fault(NodeProto node, String problem) {
        return new OnnxException(file, label(node) + ": " + problem);
    }

    /** A node for messages. */
    static String label(NodeProto node) {
        String name = node.getName().isEmpty() && node.getOutputCount() > 0
                ? "node of value '" + node.getOutput(0) + "'"
                : "node '" + node.getName() + "'";
        return name + " (" + node.getOpType() + ")";
    }

    /** Finds the types that the file leaves out; returns these, and others that were found on the way. */
    private Map<String, ValueType> infer(
            Map<String, ValueType> inputs, Set<String> made, Optional<ShapeInference> inference, TensorReader reader) {
        Set<String> missing = new LinkedHashSet<>(made);
        missing.removeAll(types.keySet());
        Map<String, ValueType> inferred = Map.of();
        if (!missing.isEmpty() && inference.isPresent()) {
            ModelProto small = new InferenceModel(model, reader).build(inputs, usedTensors());
            try {
                inferred = inference.get().infer(small, missing);
                inferred.forEach((name, type) -> {
                    if (missing.remove(name)) {
                        types.put(name, type);
                    }
                });
            } catch (IllegalArgumentException | IllegalStateException | ArithmeticException e) {
                throw new OnnxException(
                        file,
                        "shapes: expected them in the file, got " + missing.size()
                                + " values without one, the first of them '"
                                + missing.iterator().next() + "'; "
                                + e.getMessage(),
                        e);
            }
        }
        for (NodeProto node : graph.getNodeList()) {
            for (String output : node.getOutputList()) {
                if (missing.contains(output)) {
                    throw fault(
                            node,
                            "expected a tensor of numbers with a known shape, got none for its value '" + output + "'"
                                    + (inference.isPresent() ? "" : REMEDY));
                }
            }
        }
        return inferred;
    }

    private Map<String, StoredTensor> usedTensors() {
        Set<String> read = new HashSet<>(graphOutputs);
        graph.getNodeList().forEach(node -> read.addAll(node.getInputList()));
        Map<String, StoredTensor> used = new LinkedHashMap<>(tensors);
        used.keySet().retainAll(read);
        return used;
    }

    private void addOwn(String name, NodeRole role, ValueType type) {
        NodeProto none = NodeProto.getDefaultInstance();
        add(name, () -> new OperatorNodes(nodes).plain(none, name, role, type, List.of()));
    }

    private void addOperator(NodeProto node) {
        List<NodeId> inputs = node.getInputList().stream()
                .filter(name -> !name.isEmpty())
                .map(name -> Objects.requireNonNull(ids.get(name), name))
                .toList();
        List<String> outputs =
                node.getOutputList().stream().filter(name -> !name.isEmpty()).toList();
        OperatorNodes operators = new OperatorNodes(nodes);
        if (outputs.size() == 1) {
            String name = outputs.getFirst();
            add(name, () -> operators.single(node, name, role(name), type(name), inputs));
            return;
        }
        List<NodeId> read = new ArrayList<>(inputs);
        for (String name : outputs) {
            add(name, () -> operators.plain(node, name, role(name), type(name), read));
            read.add(nodes.getLast().id());
        }
    }

    private NodeRole role(String name) {
        return graphOutputs.contains(name) ? NodeRole.OUTPUT : NodeRole.OP;
    }

    private ValueType type(String name) {
        return Objects.requireNonNull(types.get(name), name);
    }

    private void add(String name, Supplier<OnnxNode> node) {
        try {
            OnnxNode made = node.get();
            ids.put(name, made.id());
            nodes.add(made);
        } catch (IllegalArgumentException e) {
            throw new OnnxException(file, "value '" + name + "': " + e.getMessage(), e);
        }
    }
}
