package com.example.onnx;

import io.devicearena.DType;
import io.devicearena.NodeId;
import io.devicearena.kernels.convolution.BatchNormalization;
import io.devicearena.kernels.elementwise.Epilogue;
import io.devicearena.kernels.elementwise.Expression;
import io.devicearena.onnx.graph.OnnxConstant;
import io.devicearena.onnx.graph.OnnxGraph;
import io.devicearena.onnx.graph.OnnxNode;
import io.devicearena.onnx.graph.OnnxOperator;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Merges operators, so that the values between them need no memory and no pass over it: batch normalisations into the
 * weights of convolutions, chains of element-wise operators into one, and these into the convolution or product before.
 */
final class Fusion {
    /** The domain of operators whose {@link Elements} are known. */
    static final String DOMAIN = "fused";

    /** A device binds at least 8 values to a kernel. */
    private static final int MOST_INPUTS = 7;

    private static final int BIAS = 2;
    private static final Set<String> PRODUCTS = Set.of("MatMul", "Gemm");

    private final OnnxGraph graph;
    private final Map<NodeId, OnnxOperator> operators = new LinkedHashMap<>(); // by the first output, in order
    private final Map<NodeId, OnnxConstant> weights = new HashMap<>(); // that are others now
    private final Map<NodeId, Elements> elements = new HashMap<>();

    private Fusion(OnnxGraph graph) {
        this.graph = graph;
    }

    /**
     * A graph with merged operators.
     *
     * @param graph has operators of {@link #DOMAIN}
     * @param elements what they compute of elements, by their output
     */
    record Fused(OnnxGraph graph, Map<NodeId, Elements> elements) {}

    static Fused of(OnnxGraph graph) {
        Fusion fusion = new Fusion(graph);
        fusion.addWithoutCopies();
        List.copyOf(fusion.operators.values()).forEach(fusion::foldNorm);
        for (OnnxOperator operator : List.copyOf(fusion.operators.values())) {
            ElementOperators.of(graph, operator)
                    .filter(own -> fusion.fits(own, operator.type(), out(operator)))
                    .ifPresent(own -> fusion.merge(operator, own));
        }
        return fusion.fused();
    }

    private Fused fused() {
        OnnxGraph changed = graph.replacing(graph.operators(), operators.values().toArray(OnnxOperator[]::new));
        for (Map.Entry<NodeId, OnnxConstant> weight : weights.entrySet()) {
            changed = changed.withConstant(weight.getKey(), weight.getValue());
        }
        List<OnnxNode> nodes = new ArrayList<>();
        for (NodeId out : elements.keySet()) {
            nodes.add(changed.node(out).withInPlaceInputs(inPlace(out)));
        }
        return new Fused(changed.withNodes(nodes), elements);
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
                || graph.outputs().contains(between)
                || constant(conv, 1).isEmpty()
                || conv.operand(BIAS).isPresent() && constant(conv, BIAS).isEmpty()
                || Stream.of(between, conv.operand(1).orElseThrow(), norm.operand(BIAS).orElseThrow())
                        .anyMatch(id -> readers(id) > 1)) {
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

    /** Merges an operator with those before it that make its elements, and that no other operator reads. */
    private void merge(OnnxOperator operator, Elements own) {
        NodeId out = out(operator);
        OnnxOperator merged = operator.withType(DOMAIN, own.hasSum() ? operator.type() : "Elementwise");
        put(merged, own);
        for (Optional<NodeId> maker = maker(out); maker.isPresent(); maker = maker(out)) {
            Elements all = elements.get(out).with(maker.get(), elements.remove(maker.get()));
            OnnxOperator before = operators.remove(maker.get());
            merged = before.type().equals("Elementwise") ? merged : before.withOutputs(operator.outputs());
            put(merged, all);
        }
    }

    private void put(OnnxOperator operator, Elements all) {
        Stream<Optional<NodeId>> factors = all.hasSum() ? operator.operands().stream().limit(2) : Stream.of();
        Stream<NodeId> values = all.values().stream().map(Elements.Input::id).distinct();
        operators.put(
                out(operator),
                operator.withOperands(
                        Stream.concat(factors, values.map(Optional::of)).toList()));
        elements.put(out(operator), all);
    }

    /** A value whose elements can become part of those of an output: at best that of a convolution or product. */
    private Optional<NodeId> maker(NodeId out) {
        Elements all = elements.get(out);
        return all.values().stream()
                .map(Elements.Input::id)
                .filter(id -> elements.containsKey(id) && shape(id).equals(shape(out)))
                .filter(id -> !graph.outputs().contains(id) && readers(id) == 1)
                .sorted(Comparator.comparing(id -> !elements.get(id).hasSum()))
                .filter(id -> !all.hasSum() || !elements.get(id).hasSum())
                .filter(id -> fits(
                        all.with(id, elements.get(id)),
                        operators.get(all.hasSum() ? out : id).type(),
                        out))
                .findFirst();
    }

    /** Whether a step can compute an expression. */
    private boolean fits(Elements all, String type, NodeId out) {
        List<Elements.Input> values = all.values();
        return !all.hasSum()
                ? values.size() <= MOST_INPUTS
                : values.size() <= Epilogue.MOST_INPUTS
                        && all.expression().type() == Expression.Type.F32
                        && values.stream()
                                .allMatch(value -> graph.node(value.id()).dtype() == DType.F32
                                        && (value.shape().equals(shape(out))
                                                || isOfChannel(value, PRODUCTS.contains(type), shape(out))));
    }

    /** Whether a value has one number for each channel, or for each column of a product. */
    private boolean isOfChannel(Elements.Input value, boolean isColumn, List<Long> out) {
        int channel = isColumn ? out.size() - 1 : 1;
        int own = value.shape().size() - out.size() + channel;
        return graph.node(root(graph, value.id())).role().isPersistent()
                && own >= 0
                && value.shape().get(own).equals(out.get(channel))
                && value.shape().stream().reduce(1L, Math::multiplyExact).equals(out.get(channel));
    }

    /** The operands whose memory an output can take: of its shape, and not read in another way too. */
    private List<NodeId> inPlace(NodeId out) {
        List<NodeId> operands = operators.get(out).operands().stream()
                .map(operand -> root(graph, operand.orElseThrow()))
                .toList();
        return elements.get(out).values().stream()
                .map(Elements.Input::id)
                .filter(id -> shape(id).equals(shape(out)))
                .filter(id -> Collections.frequency(operands, root(graph, id)) == 1)
                .distinct()
                .toList();
    }

    /** The value whose memory a view has. */
    static NodeId root(OnnxGraph graph, NodeId id) {
        return graph.node(id).view().map(view -> root(graph, view.parent())).orElse(id);
    }
}
