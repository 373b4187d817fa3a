package io.devicearena.onnx.internal.graph;

import io.devicearena.NodeId;
import io.devicearena.NodeRole;
import io.devicearena.onnx.graph.OnnxConstant;
import io.devicearena.onnx.graph.OnnxException;
import io.devicearena.onnx.graph.OnnxGraph;
import io.devicearena.onnx.graph.OnnxNode;
import io.devicearena.onnx.graph.OnnxOperator;
import io.devicearena.onnx.graph.OnnxOperators;
import io.devicearena.onnx.internal.proto.OnnxProto.AttributeProto;
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
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * Reads a graph: its operators in the order of execution, and its values with their types. Operators whose values are
 * known before it runs are left out, and so are those that only they read. Readers of an {@code Identity} read what it
 * reads.
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
    private final FreeDimensions dimensions;
    private final Function<String, NodeId> ids;
    private final Map<String, OnnxConstant> tensors;
    private final Set<String> initialisers = new HashSet<>();
    private final Set<String> graphOutputs = new LinkedHashSet<>();
    private final Map<String, ValueType> inputs;
    private final List<Step> steps;

    /** A node, and what it computes. */
    private record Step(NodeProto node, OnnxOperator operator) {
        /** The names of what it makes. */
        List<String> made() {
            return node.getOutputList().stream().filter(name -> !name.isEmpty()).toList();
        }
    }

    private OnnxGraphReader(
            Path file, ModelProto model, TensorReader reader, FreeDimensions dimensions, Function<String, NodeId> ids) {
        this.file = file;
        this.model = model;
        this.graph = model.getGraph();
        this.reader = reader;
        this.dimensions = dimensions;
        this.ids = ids;
        this.tensors = reader.read(graph);
        graph.getInitializerList().forEach(tensor -> initialisers.add(tensor.getName()));
        graph.getOutputList().forEach(output -> graphOutputs.add(output.getName()));
        this.inputs = inputs();
        this.steps = steps();
    }

    /**
     * Reads the graph of a model.
     *
     * @param inference finds the types that do not follow from the inputs, if there is one
     * @param ids the number of a value, by its name
     * @param computed the values that stay values of operators, although they are known
     * @param named gives weights and values that take memory names; other elements have another name
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
            UnaryOperator<OnnxConstant> named) {
        OnnxGraphReader graph = new OnnxGraphReader(file, model, reader, dimensions, ids);
        ShapeWalk walk = graph.walk(inference);
        return ConstantBranches.inline(file, model, walk::numbers)
                .map(inlined -> read(file, inlined, reader, dimensions, inference, ids, computed, named))
                .orElseGet(() -> graph.graph(walk, computed, named));
    }

    /** The nodes that make something, in their order. */
    private List<Step> steps() {
        checkVersion();
        Set<String> known = new HashSet<>(tensors.keySet());
        known.addAll(inputs.keySet());
        List<NodeProto> nodes = graph.getNodeList().stream()
                .filter(node -> !TensorReader.isConstant(node))
                .filter(node -> node.getOutputList().stream().anyMatch(name -> !name.isEmpty()))
                .toList();
        OperatorReader operators = new OperatorReader(model, reader, ids);
        List<Step> sorted = NodeOrder.sorted(file, nodes, known).stream()
                .map(node -> new Step(node, operators.read(node)))
                .toList();
        sorted.forEach(step -> known.addAll(step.made()));
        for (String name : graphOutputs) {
            if (!known.contains(name)) {
                throw new OnnxException(file, "output '" + name + "': expected a value of the graph, got none");
            }
        }
        return sorted;
    }

    private ShapeWalk walk(Optional<ShapeInference> inference) {
        ShapeWalk walk = walk(Map.of());
        if (steps.stream().anyMatch(step -> graphAttribute(step.node()).isPresent())) {
            return walk;
        }
        if (!walk.missing().isEmpty() && inference.isPresent()) {
            walk = walk(infer(walk.missing().keySet(), inference.get()));
        }
        requireTypes(walk.missing(), inference.isPresent());
        return walk;
    }

    /** Walks to the first node with a graph of its own, whose condition must be known. */
    private ShapeWalk walk(Map<String, ValueType> inferred) {
        ShapeWalk walk = new ShapeWalk(file, graph, dimensions, tensors, inputs, inferred);
        for (Step step : steps) {
            Optional<String> attribute = graphAttribute(step.node());
            if (attribute.isPresent()) {
                if (ConstantBranches.branch(step.node(), walk::numbers).isPresent()) {
                    return walk;
                }
                throw fault(
                        step.node(),
                        "expected an operator without a graph of its own, got one in '" + attribute.get()
                                + "'; a plan has one order of execution: export the model without branches and loops, or"
                                + " with fixed ones");
            }
            walk.add(step.node(), step.operator());
        }
        return walk;
    }

    private OnnxGraph graph(ShapeWalk walk, Set<String> computed, UnaryOperator<OnnxConstant> named) {
        Map<NodeId, OnnxConstant> constants = new LinkedHashMap<>();
        Map<NodeId, NodeId> renamed = new HashMap<>();
        List<OnnxNode> values = new ArrayList<>();
        inputs.forEach((name, type) -> values.add(value(name, NodeRole.INPUT, type)));
        tensors.forEach((name, constant) -> {
            NodeRole role = initialisers.contains(name) ? NodeRole.PARAMETER : NodeRole.CONSTANT;
            values.add(weight(ids.apply(name), role, named.apply(constant), constants, renamed));
        });
        steps.stream()
                .flatMap(step -> step.made().stream())
                .forEach(name -> walk.numbers(name)
                        .ifPresent(numbers -> constants.put(ids.apply(name), numbers.constant(name))));
        Predicate<Step> isComputed = step -> OnnxOperators.isView(step.operator())
                || !Collections.disjoint(computed, step.made())
                || step.made().stream()
                        .anyMatch(name ->
                                walk.numbers(name).filter(Numbers::isExact).isEmpty());
        Set<NodeId> wanted = roots(isComputed);
        List<OnnxOperator> run = new ArrayList<>();
        List<OnnxOperator> copies = new ArrayList<>();
        for (Step step : steps.reversed()) {
            OnnxOperator operator = step.operator();
            if (Collections.disjoint(operator.made(), wanted)) {
                continue;
            }
            boolean isKnown = !isComputed.test(step);
            if (!isKnown) {
                wanted.addAll(OnnxOperators.reads(operator, constants.keySet()));
                if (operator.is("Identity") && Collections.disjoint(graphOutputs, step.made())) {
                    copies.add(operator);
                    continue;
                }
                run.add(operator);
            }
            for (String name : step.made()) {
                NodeId id = ids.apply(name);
                if (!isKnown) {
                    NodeRole role = graphOutputs.contains(name) ? NodeRole.OUTPUT : NodeRole.OP;
                    values.add(value(
                            name, role, Objects.requireNonNull(walk.types().get(name), name)));
                } else if (wanted.contains(id)) {
                    OnnxConstant constant = named.apply(Objects.requireNonNull(constants.get(id)));
                    values.add(weight(id, NodeRole.CONSTANT, constant, constants, renamed));
                }
            }
        }
        for (OnnxOperator copy : copies.reversed()) { // of a copy, after that is renamed
            NodeId original = copy.operand(0).orElseThrow();
            renamed.put(copy.made().getFirst(), renamed.getOrDefault(original, original));
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
        try {
            return OnnxGraph.of(graph.getName(), values, renaming, outputs, constants);
        } catch (IllegalArgumentException e) {
            throw new OnnxException(file, String.valueOf(e.getMessage()), e);
        }
    }

    /** What is in memory for a value whose elements are known, perhaps under another name. */
    private OnnxNode weight(
            NodeId id,
            NodeRole role,
            OnnxConstant constant,
            Map<NodeId, OnnxConstant> constants,
            Map<NodeId, NodeId> renamed) {
        NodeId own = ids.apply(constant.name());
        constants.put(id, constant);
        constants.put(own, constant);
        renamed.put(id, own);
        return value(constant.name(), role, new ValueType(constant.type(), constant.shape()));
    }

    /** What the host reads, and what nothing reads: an operator for its own sake stays, if its values are not known. */
    private Set<NodeId> roots(Predicate<Step> isComputed) {
        Set<NodeId> roots = new LinkedHashSet<>();
        steps.stream()
                .filter(isComputed)
                .forEach(step -> roots.addAll(step.operator().made()));
        steps.forEach(step -> step.operator().operands().forEach(operand -> operand.ifPresent(roots::remove)));
        graphOutputs.forEach(name -> roots.add(ids.apply(name)));
        return roots;
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

    private Map<String, ValueType> inputs() {
        Map<String, ValueType> types = new LinkedHashMap<>();
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
            if (name.isEmpty() || tensors.containsKey(name) || types.put(name, type) != null) {
                throw new OnnxException(
                        file, "input '" + name + "': expected a name that no other input and no constant has");
            }
        }
        return types;
    }

    private static String describe(ValueInfoProto value) {
        return value.getType().hasTensorType()
                ? ElementTypes.label(value.getType().getTensorType().getElemType())
                        + (value.getType().getTensorType().hasShape() ? "" : " without a shape")
                : "another type";
    }

    /** Without a version it is not known what an operator does. */
    private void checkVersion() {
        boolean isOfOnnx = model.getOpsetImportList().stream()
                .anyMatch(set -> OperatorReader.domain(set.getDomain()).isEmpty());
        if (!isOfOnnx && model.getIrVersion() >= FIRST_WITH_OPSETS) {
            graph.getNodeList().stream()
                    .filter(node -> OperatorReader.domain(node.getDomain()).isEmpty())
                    .findFirst()
                    .ifPresent(node -> {
                        throw fault(
                                node,
                                "expected a model with the version of its operators, opset_import, got none;"
                                        + " save the model with one");
                    });
        }
    }

    /** The attribute of a node with a graph. */
    private static Optional<String> graphAttribute(NodeProto node) {
        return node.getAttributeList().stream()
                .filter(attribute -> attribute.hasG() || attribute.getGraphsCount() > 0)
                .map(AttributeProto::getName)
                .findFirst();
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

    private Map<String, ValueType> infer(Set<String> missing, ShapeInference inference) {
        Set<String> read = new HashSet<>(graphOutputs);
        steps.forEach(step -> read.addAll(step.node().getInputList()));
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
        for (Step step : steps) {
            for (String output : step.made()) {
                OperatorShapes.Known known = missing.get(output);
                if (known == null) {
                    continue;
                }
                if (known.type().isPresent() && known.shape().isPresent()) {
                    int axis = known.shape().get().indexOf(OperatorShapes.UNKNOWN);
                    throw fault(
                            step.node(),
                            "expected a value whose shape does not depend on data, got '" + output + "' "
                                    + FreeDimensions.text(known.shape().get()) + "; give the most that axis " + axis
                                    + " has as the size of a dimension '" + output + "." + axis + "'");
                }
                throw fault(
                        step.node(),
                        "expected a tensor of numbers with a known shape, got none for its value '" + output + "'"
                                + (isInferred ? "" : REMEDY));
            }
        }
    }
}
