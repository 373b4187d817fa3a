package io.devicearena.onnx.internal.graph;

import io.devicearena.NodeId;
import io.devicearena.NodeRole;
import io.devicearena.onnx.graph.OnnxConstant;
import io.devicearena.onnx.graph.OnnxException;
import io.devicearena.onnx.graph.OnnxGraph;
import io.devicearena.onnx.graph.OnnxNode;
import io.devicearena.onnx.graph.OnnxOperator;
import io.devicearena.onnx.graph.OnnxOperators;
import io.devicearena.onnx.internal.proto.OnnxProto.GraphProto;
import io.devicearena.onnx.internal.proto.OnnxProto.ModelProto;
import io.devicearena.onnx.internal.proto.OnnxProto.NodeProto;
import io.devicearena.onnx.internal.proto.OnnxProto.ValueInfoProto;
import io.devicearena.onnx.internal.tensors.ElementTypes;
import io.devicearena.onnx.internal.tensors.TensorReader;
import io.devicearena.plan.size.SizeExpression;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * Reads a graph: its operators in the order of execution, and its values with their types. Operators whose values are
 * known before it runs are left out, and so are those that only they read.
 */
public final class OnnxGraphReader {
    private static final String REMEDY = "; add com.microsoft.onnxruntime:onnxruntime to the class path, which knows"
            + " more operators, or save the model with its shapes (onnx.shape_inference.infer_shapes)";

    /** The first version of the format whose files name the version of their operators. */
    private static final long FIRST_WITH_OPSETS = 3;

    private final Path file;
    private final ModelProto model;
    private final GraphProto graph;
    private final TensorReader reader;
    private final Map<String, OnnxConstant> tensors;
    private final Set<String> initialisers = new HashSet<>();
    private final Set<String> graphOutputs = new LinkedHashSet<>();
    private final Function<String, NodeId> ids;
    private final Map<NodeProto, OnnxOperator> operators = new LinkedHashMap<>();

    private OnnxGraphReader(Path file, ModelProto model, TensorReader reader, Function<String, NodeId> ids) {
        this.file = file;
        this.graph = model.getGraph().toBuilder()
                .clearNode()
                .addAllNode(NodeOrder.sorted(file, model.getGraph().getNodeList()))
                .build();
        this.model = model.toBuilder().setGraph(graph).build();
        this.reader = reader;
        this.tensors = reader.read(graph);
        this.ids = ids;
        graph.getInitializerList().forEach(tensor -> initialisers.add(tensor.getName()));
        graph.getOutputList().forEach(output -> graphOutputs.add(output.getName()));
    }

    /**
     * Reads the graph of a model.
     *
     * @param inference finds the types that do not follow from the inputs, if there is one
     * @param ids the number of a value, by its name
     * @param computed the values that stay values of operators, although they are known
     * @param folded names the elements of a value that takes memory; other elements have another name
     * @throws OnnxException if nodes read each other's values in a cycle, or for a cause of {@code OnnxModel.graph}
     */
    public static OnnxGraph read(
            Path file,
            ModelProto model,
            TensorReader reader,
            FreeDimensions dimensions,
            Optional<ShapeInference> inference,
            Function<String, NodeId> ids,
            Set<String> computed,
            UnaryOperator<OnnxConstant> folded) {
        for (ModelProto next = model; ; ) {
            OnnxGraphReader graph = new OnnxGraphReader(file, next, reader, ids);
            Map<String, ValueType> inputs = graph.inputs(dimensions);
            graph.checkNodes(inputs.keySet());
            ShapeWalk walk = graph.walk(inputs, dimensions, inference);
            ModelProto inlined = ConstantBranches.inline(
                    file,
                    graph.model,
                    reader,
                    name -> walk.numbers(name)
                            .filter(numbers -> numbers.values().length == 1)
                            .map(numbers -> numbers.values()[0] != 0));
            if (inlined.equals(graph.model)) {
                return graph.graph(inputs, walk, computed, folded);
            }
            next = inlined;
        }
    }

    private ShapeWalk walk(
            Map<String, ValueType> inputs, FreeDimensions dimensions, Optional<ShapeInference> inference) {
        ShapeWalk walk = walk(inputs, dimensions, Map.of());
        if (!walk.missing().isEmpty() && inference.isPresent() && operators.size() == nodes().size()) {
            walk = walk(inputs, dimensions, infer(inputs, walk.missing().keySet(), inference.get()));
        }
        if (operators.size() == nodes().size()) {
            requireTypes(walk.missing(), inference.isPresent());
        }
        return walk;
    }

    /** Walks to the first node with a graph of its own, whose condition must be known. */
    private ShapeWalk walk(Map<String, ValueType> inputs, FreeDimensions dimensions, Map<String, ValueType> inferred) {
        ShapeWalk walk = new ShapeWalk(file, graph, dimensions, tensors, inferred);
        walk.begin(inputs);
        OperatorReader operatorReader = new OperatorReader(model, reader, ids);
        for (NodeProto node : nodes()) {
            if (hasGraph(node)) {
                if (ConstantBranches.isIf(node)
                        && walk.numbers(node.getInput(0)).isPresent()) {
                    return walk;
                }
                throw subgraph(node);
            }
            OnnxOperator operator = operators.computeIfAbsent(node, operatorReader::read);
            walk.add(node, operator);
        }
        return walk;
    }

    /** The nodes that make something. */
    private List<NodeProto> nodes() {
        return graph.getNodeList().stream()
                .filter(node -> !TensorReader.isConstant(node))
                .filter(node -> node.getOutputList().stream().anyMatch(name -> !name.isEmpty()))
                .toList();
    }

    private OnnxGraph graph(
            Map<String, ValueType> inputs, ShapeWalk walk, Set<String> computed, UnaryOperator<OnnxConstant> folded) {
        Map<NodeId, OnnxConstant> constants = new LinkedHashMap<>();
        Map<NodeId, String> names = new HashMap<>();
        tensors.forEach((name, constant) -> constants.put(ids.apply(name), constant));
        for (NodeProto node : operators.keySet()) {
            for (String name : node.getOutputList()) {
                names.put(ids.apply(name), name);
                walk.numbers(name).ifPresent(numbers -> constants.put(ids.apply(name), numbers.constant(name)));
            }
        }
        List<OnnxNode> values = new ArrayList<>();
        inputs.forEach((name, type) -> values.add(value(name, NodeRole.INPUT, type)));
        tensors.forEach((name, constant) -> values.add(value(
                name,
                initialisers.contains(name) ? NodeRole.PARAMETER : NodeRole.CONSTANT,
                new ValueType(constant.type(), constant.shape()))));
        Set<NodeId> wanted = roots();
        Map<NodeId, NodeId> renamed = new HashMap<>();
        List<OnnxOperator> run = new ArrayList<>();
        for (NodeProto node : List.copyOf(operators.keySet()).reversed()) {
            OnnxOperator operator = Objects.requireNonNull(operators.get(node));
            List<NodeId> made = operator.made();
            boolean isKnown = !OnnxOperators.isView(operator)
                    && node.getOutputList().stream()
                            .noneMatch(name -> computed.contains(name)
                                    || walk.numbers(name)
                                            .filter(Numbers::isExact)
                                            .isEmpty());
            if (Collections.disjoint(made, wanted)) {
                continue;
            }
            if (!isKnown) {
                run.add(operator);
                wanted.addAll(OnnxOperators.reads(operator, constants.keySet()));
            }
            for (NodeId id : made) {
                String name = Objects.requireNonNull(names.get(id));
                ValueType type = Objects.requireNonNull(walk.types().get(name), name);
                if (isKnown && wanted.contains(id)) {
                    OnnxConstant constant = folded.apply(Objects.requireNonNull(constants.get(id)));
                    renamed.put(id, ids.apply(constant.name()));
                    constants.put(ids.apply(constant.name()), constant);
                    values.add(value(constant.name(), NodeRole.CONSTANT, type));
                } else if (!isKnown) {
                    values.add(value(name, graphOutputs.contains(name) ? NodeRole.OUTPUT : NodeRole.OP, type));
                }
            }
        }
        List<OnnxOperator> renaming = run.reversed().stream()
                .map(operator -> operator.withOperands(operator.operands().stream()
                        .map(operand -> operand.map(id -> renamed.getOrDefault(id, id)))
                        .toList()))
                .toList();
        List<NodeId> outputs = graphOutputs.stream()
                .map(ids)
                .map(id -> renamed.getOrDefault(id, id))
                .toList();
        requireOutputs(values, outputs);
        try {
            return OnnxGraph.of(graph.getName(), values, renaming, outputs, constants);
        } catch (IllegalArgumentException e) {
            throw new OnnxException(file, String.valueOf(e.getMessage()), e);
        }
    }

    /** What the host reads, and what nothing reads: an operator for its own sake stays. */
    private Set<NodeId> roots() {
        Set<NodeId> roots = new LinkedHashSet<>();
        operators.values().forEach(operator -> roots.addAll(operator.made()));
        operators
                .values()
                .forEach(operator -> operator.operands().forEach(operand -> operand.ifPresent(roots::remove)));
        graphOutputs.forEach(name -> roots.add(ids.apply(name)));
        return roots;
    }

    private void requireOutputs(List<OnnxNode> values, List<NodeId> outputs) {
        Set<NodeId> made = new HashSet<>();
        values.forEach(value -> made.add(value.id()));
        int i = 0;
        for (String name : graphOutputs) {
            if (!made.contains(outputs.get(i++))) {
                throw new OnnxException(file, "output '" + name + "': expected a value of the graph, got none");
            }
        }
    }

    private OnnxNode value(String name, NodeRole role, ValueType type) {
        try {
            List<SizeExpression> sizes =
                    type.arenaShape().stream().map(SizeExpression::of).toList();
            return OnnxNode.of(ids.apply(name), name, role, type.type(), sizes);
        } catch (IllegalArgumentException e) {
            throw new OnnxException(file, "value '" + name + "': " + e.getMessage(), e);
        }
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

    /** Checks names and order. */
    private void checkNodes(Set<String> inputs) {
        Set<String> known = new HashSet<>(tensors.keySet());
        for (String input : inputs) {
            if (!known.add(input)) {
                throw new OnnxException(file, "input '" + input + "': expected a name that no constant has");
            }
        }
        checkVersion();
        for (NodeProto node : graph.getNodeList()) {
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
            }
        }
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

    private static boolean hasGraph(NodeProto node) {
        return node.getAttributeList().stream()
                .anyMatch(attribute -> attribute.hasG() || attribute.getGraphsCount() > 0);
    }

    private OnnxException subgraph(NodeProto node) {
        String attribute = node.getAttributeList().stream()
                .filter(each -> each.hasG() || each.getGraphsCount() > 0)
                .findFirst()
                .orElseThrow()
                .getName();
        return fault(
                node,
                "expected an operator without a graph of its own, got one in '" + attribute
                        + "'; a plan has one order of execution: export the model without branches and loops, or with"
                        + " fixed ones");
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

    private Map<String, ValueType> infer(Map<String, ValueType> inputs, Set<String> missing, ShapeInference inference) {
        Set<String> read = new HashSet<>(graphOutputs);
        graph.getNodeList().forEach(node -> read.addAll(node.getInputList()));
        Map<String, OnnxConstant> used = new LinkedHashMap<>(tensors);
        used.keySet().retainAll(read);
        try {
            return inference.infer(new InferenceModel(model, reader).build(inputs, used));
        } catch (IllegalArgumentException | IllegalStateException | ArithmeticException e) {
            throw new OnnxException(
                    file,
                    "shapes: expected them in the file, got " + missing.size()
                            + " values without one, the first of them '"
                            + missing.iterator().next() + "'; " + e.getMessage(),
                    e);
        }
    }

    private void requireTypes(Map<String, OperatorShapes.Known> missing, boolean isInferred) {
        for (NodeProto node : operators.keySet()) {
            for (String output : node.getOutputList()) {
                OperatorShapes.Known known = missing.get(output);
                if (known == null) {
                    continue;
                }
                if (known.type().isPresent() && known.shape().isPresent()) {
                    int axis = known.shape().get().indexOf(OperatorShapes.UNKNOWN);
                    throw fault(
                            node,
                            "expected a value whose shape does not depend on data, got '" + output + "' "
                                    + FreeDimensions.text(known.shape().get()) + "; give the most that axis " + axis
                                    + " has as the size of a dimension '" + output + "." + axis + "'");
                }
                throw fault(
                        node,
                        "expected a tensor of numbers with a known shape, got none for its value '" + output + "'"
                                + (isInferred ? "" : REMEDY));
            }
        }
    }
}
