package com.example.onnx;

import io.devicearena.NodeId;
import io.devicearena.kernels.activation.ElementFunction;
import io.devicearena.kernels.convolution.BatchNormalization;
import io.devicearena.kernels.elementwise.Expression;
import io.devicearena.onnx.graph.OnnxConstant;
import io.devicearena.onnx.graph.OnnxGraph;
import io.devicearena.onnx.graph.OnnxNode;
import io.devicearena.onnx.graph.OnnxOperator;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Merges operators, so that the values between them need no memory and no pass over it: batch normalisations into the
 * weights of convolutions, chains of element-wise operators into one, and these into the convolution or product before.
 */
final class Fusion {
    /** The domain of merged operators. */
    static final String DOMAIN = "fused";
    /** The operand that a merged convolution or product adds, before its function. */
    static final int ADDED = 3;

    /** A device binds at least 8 values to a kernel. */
    private static final int MOST_INPUTS = 7;

    private static final int BIAS = 2;
    private static final Set<String> CONVOLUTIONS = Set.of("Conv", "ConvTranspose");
    private static final Set<String> PRODUCTS = Set.of("MatMul", "Gemm");

    private final OnnxGraph graph;
    private final Map<NodeId, OnnxOperator> operators = new LinkedHashMap<>(); // by the first output, in order
    private final Map<NodeId, OnnxConstant> weights = new HashMap<>(); // that are others now
    private final Map<NodeId, List<NodeId>> inPlace = new HashMap<>();
    private final Map<NodeId, Elements> elements = new HashMap<>();
    private final Map<NodeId, ElementFunction> functions = new HashMap<>();
    private final Map<Expression, Optional<ElementFunction>> activations = new HashMap<>();

    private Fusion(OnnxGraph graph) {
        this.graph = graph;
    }

    /**
     * A graph with merged operators.
     *
     * @param graph has operators of {@link #DOMAIN}
     * @param elements what element-wise operators compute, by their output
     * @param functions what convolutions and products end with, by their output
     */
    record Fused(OnnxGraph graph, Map<NodeId, Elements> elements, Map<NodeId, ElementFunction> functions) {}

    static Fused of(OnnxGraph graph) {
        Fusion fusion = new Fusion(graph);
        fusion.addWithoutCopies();
        List.copyOf(fusion.operators.values()).forEach(fusion::foldNorm);
        for (OnnxOperator operator : List.copyOf(fusion.operators.values())) {
            ElementOperators.of(graph, operator).ifPresent(it -> fusion.merge(operator, it));
        }
        return fusion.fused();
    }

    private Fused fused() {
        OnnxGraph changed = graph.replacing(graph.operators(), operators.values().toArray(OnnxOperator[]::new));
        for (Map.Entry<NodeId, OnnxConstant> weight : weights.entrySet()) {
            changed = changed.withConstant(weight.getKey(), weight.getValue());
        }
        List<OnnxNode> nodes = new ArrayList<>();
        for (Map.Entry<NodeId, List<NodeId>> sharing : inPlace.entrySet()) {
            nodes.add(changed.node(sharing.getKey()).withInPlaceInputs(sharing.getValue()));
        }
        return new Fused(changed.withNodes(nodes), elements, functions);
    }

    private static NodeId out(OnnxOperator operator) {
        return operator.made().getFirst();
    }

    private long readers(NodeId id) {
        Optional<NodeId> operand = Optional.of(id);
        return operators.values().stream()
                .filter(it -> it.operands().contains(operand))
                .count();
    }

    /** Whether an operator that reads a value is the only reader. */
    private boolean isReadOnce(NodeId id) {
        return !graph.outputs().contains(id) && readers(id) == 1;
    }

    private List<Long> shape(NodeId id) {
        return graph.node(id).shape();
    }

    private Optional<OnnxConstant> constant(OnnxOperator operator, int position) {
        return operator.operand(position).flatMap(graph::constant);
    }

    /** Readers of a copy read the original. */
    private void addWithoutCopies() {
        Map<NodeId, NodeId> originals = new HashMap<>();
        for (OnnxOperator old : graph.operators()) {
            OnnxOperator operator = old.withOperands(old.operands().stream()
                    .map(operand -> operand.map(id -> originals.getOrDefault(id, id)))
                    .toList());
            boolean isCopy = operator.is("Identity")
                    || operator.is("Dropout") && operator.made().size() == 1
                    || operator.is("Expand") && shape(out(operator)).equals(shape(operator.operand(0).orElseThrow()));
            if (isCopy && !graph.outputs().contains(out(operator))) {
                originals.put(out(operator), operator.operand(0).orElseThrow());
            } else {
                operators.put(out(operator), operator);
            }
        }
    }

    /** Scales the weights of a convolution in place of its result. */
    private void foldNorm(OnnxOperator norm) {
        if (!norm.is("BatchNormalization") || norm.made().size() > 1) {
            return;
        }
        NodeId between = norm.operand(0).orElseThrow();
        OnnxOperator conv = operators.get(between);
        if (conv == null
                || !conv.is("Conv") && !(conv.is("ConvTranspose") && conv.attributes().integer("group", 1) == 1)
                || !isReadOnce(between)
                || constant(conv, 1).isEmpty()
                || conv.operand(BIAS).isPresent() && constant(conv, BIAS).isEmpty()
                || readers(conv.operand(1).orElseThrow()) > 1
                || readers(norm.operand(BIAS).orElseThrow()) > 1) {
            return;
        }
        float[][] numbers = new float[norm.operands().size()][];
        for (int i = 1; i < numbers.length; i++) {
            numbers[i] = constant(norm, i).orElseThrow().floats();
        }
        OnnxConstant old = constant(conv, 1).orElseThrow();
        float[] scaled = old.floats();
        float[] bias = constant(conv, BIAS).map(OnnxConstant::floats).orElse(new float[numbers[1].length]);
        int outer = conv.is("Conv") ? 1 : old.shape().getFirst().intValue();
        float epsilon = norm.attributes().number("epsilon", 1e-5f);
        new BatchNormalization(numbers[1], numbers[2], numbers[3], numbers[4], epsilon)
                .foldInto(scaled, outer, bias);
        NodeId biasId = norm.operand(BIAS).orElseThrow();
        weights.put(conv.operand(1).orElseThrow(), OnnxConstant.of("weights", old.shape(), scaled));
        weights.put(biasId, OnnxConstant.of("bias", List.of((long) bias.length), bias));
        operators.remove(between);
        operators.put(
                out(norm),
                conv.withOperands(List.of(conv.operand(0), conv.operand(1), Optional.of(biasId)))
                        .withOutputs(norm.outputs()));
    }

    /** Merges an element-wise operator with those before it that no other operator reads. */
    private void merge(OnnxOperator operator, Elements own) {
        Elements all = own;
        for (Optional<Elements> more = Optional.of(all); more.isPresent(); more = joined(out(operator), all)) {
            all = more.get();
            operators.put(
                    out(operator),
                    operator.withType(DOMAIN, "Elementwise")
                            .withOperands(all.inputs().stream()
                                    .map(Elements.Input::id)
                                    .distinct()
                                    .map(Optional::of)
                                    .toList()));
        }
        elements.put(out(operator), all);
        shareMemory(
                out(operator),
                all.inputs().stream()
                        .map(Elements.Input::id)
                        .filter(id -> shape(id).equals(shape(out(operator))))
                        .toList());
        mergeIntoMaker(out(operator), all);
    }

    /** The same with the operator that makes one of the inputs, which no other operator reads. */
    private Optional<Elements> joined(NodeId out, Elements all) {
        for (Elements.Input input : all.inputs()) {
            Elements made = elements.get(input.id());
            if (made == null || !isReadOnce(input.id()) || !shape(input.id()).equals(shape(out))) {
                continue;
            }
            Elements joined = all.with(input.id(), made);
            if (joined.inputs().size() <= MOST_INPUTS) {
                operators.remove(input.id());
                elements.remove(input.id());
                inPlace.remove(input.id());
                return Optional.of(joined);
            }
        }
        return Optional.empty();
    }

    /** Lets an output take the memory of an operand of its shape, unless it is read in another way too. */
    private void shareMemory(NodeId out, List<NodeId> candidates) {
        List<NodeId> operands = operators.get(out).operands().stream()
                .flatMap(Optional::stream)
                .map(this::root)
                .toList();
        inPlace.put(
                out,
                candidates.stream()
                        .filter(id -> Collections.frequency(operands, root(id)) == 1)
                        .toList());
    }

    private NodeId root(NodeId id) {
        return root(graph, id);
    }

    /** The value whose memory a view has. */
    static NodeId root(OnnxGraph graph, NodeId id) {
        return graph.node(id).view().map(view -> root(graph, view.parent())).orElse(id);
    }

    /** Merges an element-wise operator into the convolution or product that makes its input. */
    private void mergeIntoMaker(NodeId out, Elements all) {
        OnnxOperator operator = Objects.requireNonNull(operators.get(out));
        // the last maker: what it adds is made before
        List<OnnxOperator> makers = operators.values().stream()
                .filter(it -> CONVOLUTIONS.contains(it.type()) || PRODUCTS.contains(it.type()))
                .filter(it -> operator.operands().contains(Optional.of(out(it))))
                .toList();
        if (makers.isEmpty() || all.inputs().size() > ADDED) {
            return;
        }
        OnnxOperator maker = makers.getLast();
        NodeId sum = out(maker);
        if (!functions.getOrDefault(sum, ElementFunction.NONE).equals(ElementFunction.NONE)
                || !isReadOnce(sum)
                || !shape(sum).equals(shape(out))) {
            return;
        }
        Optional<NodeId> bias = maker.operand(BIAS);
        Optional<NodeId> added = maker.operand(ADDED);
        for (Elements.Input input : all.inputs()) {
            NodeId id = input.id();
            if (id.equals(sum)) {
                continue;
            }
            if (bias.isEmpty() && isBias(maker, id)) {
                bias = Optional.of(id);
            } else if (added.isEmpty() && shape(id).equals(shape(sum))) {
                added = Optional.of(id);
            } else {
                return;
            }
        }
        Optional<ElementFunction> function = activations.computeIfAbsent(
                all.expression(), it -> Activations.of(it, all.inputs().size()));
        if (function.isEmpty()) {
            return;
        }
        operators.remove(sum);
        operators.put(
                out,
                maker.withType(DOMAIN, maker.type())
                        .withOperands(List.of(maker.operand(0), maker.operand(1), bias, added))
                        .withOutputs(operator.outputs()));
        shareMemory(out, added.stream().toList());
        inPlace.remove(sum);
        elements.remove(out);
        functions.remove(sum);
        functions.put(out, function.get());
    }

    /** Whether a value has one number for each channel, or for each column of a product. */
    private boolean isBias(OnnxOperator maker, NodeId id) {
        List<Long> shape = shape(id);
        List<Long> out = shape(out(maker));
        int channel = PRODUCTS.contains(maker.type()) ? out.size() - 1 : 1;
        int own = shape.size() - out.size() + channel;
        return graph.node(root(id)).role().isPersistent()
                && own >= 0
                && shape.get(own).equals(out.get(channel))
                && shape.stream().filter(extent -> extent != 1).count() <= 1;
    }
}
