package io.devicearena.onnx.internal.graph;

import io.devicearena.onnx.graph.OnnxConstant;
import io.devicearena.onnx.graph.OnnxException;
import io.devicearena.onnx.internal.proto.OnnxProto.AttributeProto;
import io.devicearena.onnx.internal.proto.OnnxProto.GraphProto;
import io.devicearena.onnx.internal.proto.OnnxProto.ModelProto;
import io.devicearena.onnx.internal.proto.OnnxProto.NodeProto;
import io.devicearena.onnx.internal.tensors.TensorReader;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Puts the branch of each {@code If} with a known condition in its place. Values of a branch whose names the graph has
 * get others. An {@code If} whose condition is not known stays.
 */
public final class ConstantBranches {
    private final Path file;
    private final GraphProto.Builder made;
    private final Set<String> names;

    private ConstantBranches(Path file, GraphProto graph) {
        this.file = file;
        this.made = graph.toBuilder().clearNode();
        this.names = names(graph);
    }

    /**
     * Returns a model without those whose condition is a weight or a constant; the same one if it has none.
     *
     * @throws OnnxException if a branch has another number of outputs than its node
     */
    public static ModelProto inline(Path file, ModelProto model, TensorReader reader) {
        if (model.getGraph().getNodeList().stream().noneMatch(ConstantBranches::isIf)) {
            return model;
        }
        Map<String, OnnxConstant> tensors = reader.read(model.getGraph());
        return inline(
                        file,
                        model,
                        name -> Optional.ofNullable(tensors.get(name)).flatMap(Numbers::of))
                .map(inlined -> inline(file, inlined, reader)) // branches may have others
                .orElse(model);
    }

    /**
     * Returns a model without them, or empty if it has none.
     *
     * @param known the elements of values, where they are known
     * @throws OnnxException if a branch has another number of outputs than its node
     */
    static Optional<ModelProto> inline(Path file, ModelProto model, Function<String, Optional<Numbers>> known) {
        List<NodeProto> nodes = model.getGraph().getNodeList();
        if (nodes.stream().noneMatch(node -> branch(node, known).isPresent())) {
            return Optional.empty();
        }
        ConstantBranches branches = new ConstantBranches(file, model.getGraph());
        nodes.forEach(node -> branch(node, known)
                .ifPresentOrElse(graph -> branches.add(node, graph), () -> branches.made.addNode(node)));
        return Optional.of(model.toBuilder().setGraph(branches.made).build());
    }

    private static boolean isIf(NodeProto node) {
        return node.getOpType().equals("If")
                && OperatorReader.domain(node.getDomain()).isEmpty()
                && node.getInputCount() == 1;
    }

    /** The branch that a node takes, if it is an {@code If} with a known condition. */
    static Optional<GraphProto> branch(NodeProto node, Function<String, Optional<Numbers>> known) {
        return Optional.of(node)
                .filter(ConstantBranches::isIf)
                .flatMap(it -> known.apply(it.getInput(0)))
                .filter(condition -> condition.values().length == 1)
                .map(condition -> condition.values()[0] != 0 ? "then_branch" : "else_branch")
                .flatMap(name -> node.getAttributeList().stream()
                        .filter(attribute -> attribute.getName().equals(name) && attribute.hasG())
                        .map(AttributeProto::getG)
                        .findFirst());
    }

    /** The names that values of a graph have in it. */
    private static Set<String> names(GraphProto graph) {
        Set<String> names = new LinkedHashSet<>();
        graph.getInputList().forEach(input -> names.add(input.getName()));
        graph.getInitializerList().forEach(tensor -> names.add(tensor.getName()));
        graph.getNodeList().forEach(node -> names.addAll(node.getOutputList()));
        return names;
    }

    private void add(NodeProto node, GraphProto branch) {
        if (branch.getOutputCount() != node.getOutputCount()) {
            throw new OnnxException(
                    file,
                    OnnxGraphReader.label(node) + ": expected branches of " + node.getOutputCount()
                            + " outputs, got one of " + branch.getOutputCount());
        }
        Map<String, String> renamed = new HashMap<>();
        for (int i = 0; i < node.getOutputCount(); i++) {
            String name = branch.getOutput(i).getName();
            if (!node.getOutput(i).isEmpty()
                    && branch.getNodeList().stream()
                            .anyMatch(maker -> maker.getOutputList().contains(name))) {
                renamed.putIfAbsent(name, node.getOutput(i));
            }
        }
        names(branch).stream()
                .filter(name -> !name.isEmpty())
                .forEach(name -> renamed.computeIfAbsent(name, own -> unused(node, own)));
        GraphProto.Builder inner = branch.toBuilder();
        rename(inner, renamed);
        made.addAllInitializer(inner.getInitializerList())
                .addAllSparseInitializer(inner.getSparseInitializerList())
                .addAllNode(inner.getNodeList())
                .addAllValueInfo(inner.getValueInfoList());
        for (int i = 0; i < node.getOutputCount(); i++) {
            String value = inner.getOutput(i).getName();
            String output = node.getOutput(i);
            if (output.isEmpty()) {
                continue;
            }
            made.addValueInfo(inner.getOutput(i).toBuilder().setName(output));
            if (!value.equals(output)) { // a weight, or a value from outside
                made.addNode(NodeProto.newBuilder()
                        .setOpType("Identity")
                        .setName(node.getName())
                        .addInput(value)
                        .addOutput(output));
            }
        }
    }

    /** Gives values other names, also where graphs of nodes read them. */
    private static void rename(GraphProto.Builder graph, Map<String, String> others) {
        graph.getInitializerBuilderList().forEach(tensor -> tensor.setName(other(tensor.getName(), others)));
        Stream.concat(graph.getOutputBuilderList().stream(), graph.getValueInfoBuilderList().stream())
                .forEach(value -> value.setName(other(value.getName(), others)));
        for (NodeProto.Builder node : graph.getNodeBuilderList()) {
            for (int i = 0; i < node.getInputCount(); i++) {
                node.setInput(i, other(node.getInput(i), others));
            }
            for (int i = 0; i < node.getOutputCount(); i++) {
                node.setOutput(i, other(node.getOutput(i), others));
            }
            for (AttributeProto.Builder attribute : node.getAttributeBuilderList()) {
                if (attribute.hasG()) {
                    Map<String, String> outer = new HashMap<>(others);
                    outer.keySet().removeAll(names(attribute.getG()));
                    rename(attribute.getGBuilder(), outer);
                }
            }
        }
    }

    private static String other(String name, Map<String, String> others) {
        return others.getOrDefault(name, name);
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
