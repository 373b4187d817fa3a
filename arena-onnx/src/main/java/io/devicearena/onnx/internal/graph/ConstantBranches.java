package io.devicearena.onnx.internal.graph;

import io.devicearena.onnx.graph.OnnxException;
import io.devicearena.onnx.internal.proto.OnnxProto.AttributeProto;
import io.devicearena.onnx.internal.proto.OnnxProto.GraphProto;
import io.devicearena.onnx.internal.proto.OnnxProto.ModelProto;
import io.devicearena.onnx.internal.proto.OnnxProto.NodeProto;
import io.devicearena.onnx.internal.proto.OnnxProto.TensorProto;
import io.devicearena.onnx.internal.proto.OnnxProto.ValueInfoProto;
import io.devicearena.onnx.internal.tensors.TensorReader;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Puts the branch of each {@code If} with a constant condition in its place. Values of a branch whose names the graph
 * has get others. An {@code If} whose condition is computed stays.
 */
public final class ConstantBranches {
    private final Path file;
    private final TensorReader reader;
    private final GraphProto.Builder made;
    private final Set<String> names = new HashSet<>();
    private final Function<String, Optional<Boolean>> known;

    private ConstantBranches(
            Path file, TensorReader reader, GraphProto graph, Function<String, Optional<Boolean>> known) {
        this.known = known;
        this.file = file;
        this.reader = reader;
        this.made = graph.toBuilder().clearNode();
        graph.getInputList().forEach(input -> names.add(input.getName()));
        graph.getInitializerList().forEach(tensor -> names.add(tensor.getName()));
        graph.getNodeList().forEach(node -> names.addAll(node.getOutputList()));
    }

    /**
     * Returns a model without them; the same one if it has none.
     *
     * @param known the truth values of the graph that are known otherwise, by name
     * @throws OnnxException if a branch has another number of outputs than its node
     */
    public static ModelProto inline(
            Path file, ModelProto model, TensorReader reader, Function<String, Optional<Boolean>> known) {
        GraphProto graph = model.getGraph();
        if (graph.getNodeList().stream().noneMatch(ConstantBranches::isIf)) {
            return model;
        }
        ConstantBranches branches = new ConstantBranches(file, reader, graph, known);
        branches.addNodes(graph, new Scope(null, graph, Map.of()));
        return model.toBuilder().setGraph(branches.made).build();
    }

    static boolean isIf(NodeProto node) {
        return node.getOpType().equals("If")
                && (node.getDomain().isEmpty() || node.getDomain().equals("ai.onnx"))
                && node.getInputCount() == 1;
    }

    /** What the names in a graph mean: those of its own values, then those of the graphs around it. */
    private record Scope(
            @Nullable Scope outer,
            Map<String, TensorProto> tensors,
            Map<String, NodeProto> makers,
            Map<String, String> renamed) {
        Scope(@Nullable Scope outer, GraphProto graph, Map<String, String> renamed) {
            this(outer, new HashMap<>(), new HashMap<>(), renamed);
            graph.getInitializerList().forEach(tensor -> tensors.put(tensor.getName(), tensor));
            graph.getNodeList()
                    .forEach(node -> node.getOutputList().forEach(output -> makers.putIfAbsent(output, node)));
        }

        String name(String name) {
            for (Scope scope = this; scope != null; scope = scope.outer) {
                String own = scope.renamed.get(name);
                if (own != null) {
                    return own;
                }
            }
            return name;
        }
    }

    private void addNodes(GraphProto graph, Scope scope) {
        for (NodeProto node : graph.getNodeList()) {
            Optional<GraphProto> branch = isIf(node) ? branch(node, scope) : Optional.empty();
            if (branch.isPresent()) {
                addBranch(node, branch.get(), scope);
                continue;
            }
            NodeProto.Builder copy = node.toBuilder().clearInput().clearOutput();
            node.getInputList().forEach(name -> copy.addInput(scope.name(name)));
            node.getOutputList().forEach(name -> copy.addOutput(scope.name(name)));
            made.addNode(copy);
        }
    }

    private Optional<GraphProto> branch(NodeProto node, Scope scope) {
        Optional<Boolean> condition = condition(node.getInput(0), scope)
                .or(() -> scope.outer() == null ? known.apply(node.getInput(0)) : Optional.empty());
        return condition.flatMap(isTrue -> node.getAttributeList().stream()
                .filter(attribute -> attribute.getName().equals(isTrue ? "then_branch" : "else_branch"))
                .filter(AttributeProto::hasG)
                .map(AttributeProto::getG)
                .findFirst());
    }

    /** The value of a condition that is a weight or a constant, also through {@code Identity} and {@code Not}. */
    private Optional<Boolean> condition(String value, Scope begin) {
        String name = value;
        boolean isNegated = false;
        Set<NodeProto> seen = new HashSet<>();
        for (Scope scope = begin; scope != null; ) {
            TensorProto tensor = scope.tensors.get(name);
            NodeProto maker = scope.makers.get(name);
            if (maker != null && TensorReader.isConstant(maker) && maker.getAttributeCount() == 1) {
                tensor = maker.getAttribute(0).getT();
            }
            if (tensor != null) {
                boolean negated = isNegated;
                return reader.truth(name, tensor).map(isTrue -> isTrue != negated);
            }
            if (maker == null) {
                scope = scope.outer;
            } else if (Set.of("Identity", "Not").contains(maker.getOpType())
                    && maker.getInputCount() == 1
                    && seen.add(maker)) {
                isNegated ^= maker.getOpType().equals("Not");
                name = maker.getInput(0);
            } else {
                break;
            }
        }
        return Optional.empty();
    }

    private void addBranch(NodeProto node, GraphProto branch, Scope scope) {
        if (branch.getOutputCount() != node.getOutputCount()) {
            throw new OnnxException(
                    file,
                    OnnxGraphReader.label(node) + ": expected branches of " + node.getOutputCount()
                            + " outputs, got one of " + branch.getOutputCount());
        }
        Map<String, String> renamed = new HashMap<>();
        Scope inner = new Scope(scope, branch, renamed);
        for (int i = 0; i < node.getOutputCount(); i++) {
            if (!node.getOutput(i).isEmpty()
                    && inner.makers.containsKey(branch.getOutput(i).getName())) {
                renamed.putIfAbsent(branch.getOutput(i).getName(), scope.name(node.getOutput(i)));
            }
        }
        Stream.concat(
                        inner.tensors.keySet().stream(),
                        branch.getNodeList().stream().flatMap(made -> made.getOutputList().stream()))
                .filter(name -> !name.isEmpty())
                .forEach(name -> renamed.computeIfAbsent(name, own -> unused(node, own)));
        branch.getInitializerList()
                .forEach(tensor -> made.addInitializer(tensor.toBuilder().setName(inner.name(tensor.getName()))));
        made.addAllSparseInitializer(branch.getSparseInitializerList());
        addNodes(branch, inner);
        Stream.concat(branch.getValueInfoList().stream(), branch.getOutputList().stream())
                .filter(value -> renamed.containsKey(value.getName()))
                .forEach(value -> made.addValueInfo(value.toBuilder().setName(inner.name(value.getName()))));
        for (int i = 0; i < node.getOutputCount(); i++) {
            ValueInfoProto value = branch.getOutput(i);
            String output = scope.name(node.getOutput(i));
            if (!output.isEmpty() && !inner.name(value.getName()).equals(output)) { // a weight, or a value from outside
                made.addNode(NodeProto.newBuilder()
                        .setOpType("Identity")
                        .setName(node.getName())
                        .addInput(inner.name(value.getName()))
                        .addOutput(output));
                made.addValueInfo(value.toBuilder().setName(output));
            }
        }
    }

    private String unused(NodeProto node, String name) {
        String free = name;
        String prefix = node.getName().isEmpty() ? node.getOpType() : node.getName();
        for (int i = 1; !names.add(free); i++) {
            free = prefix + "/" + name + (i == 1 ? "" : "_" + i);
        }
        return free;
    }
}
