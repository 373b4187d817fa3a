package com.example.onnx;

import io.devicearena.NodeId;
import io.devicearena.kernels.convolution.BatchNormalization;
import io.devicearena.kernels.elementwise.Elementwise;
import io.devicearena.kernels.elementwise.Epilogue;
import io.devicearena.kernels.elementwise.Expression;
import io.devicearena.onnx.graph.OnnxConstant;
import io.devicearena.onnx.graph.OnnxGraph;
import io.devicearena.onnx.graph.OnnxNode;
import io.devicearena.onnx.graph.OnnxOperator;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Merges operators, so that the values between them need no memory and no pass over it: batch normalisations into the
 * weights of convolutions, chains of element-wise operators into one, and these into the convolution or product before.
 */
final class Fusion {
    /** The domain of operators whose expression is known. */
    static final String DOMAIN = "fused";

    private static final int BIAS = 2;
    private static final Set<String> PRODUCTS = Set.of("MatMul", "Gemm");

    private final Map<NodeId, OnnxOperator> operators = new LinkedHashMap<>(); // by the first output, in order
    private final Map<NodeId, Expression> elements = new HashMap<>();
    private OnnxGraph graph; // with the weights of now

    private Fusion(OnnxGraph graph) {
        this.graph = graph;
        graph.operators().forEach(operator -> operators.put(out(operator), operator));
    }

    /**
     * A graph with merged operators.
     *
     * @param graph has operators of {@link #DOMAIN}
     * @param elements what they compute, by their output: of values, or of the sums of a convolution or product
     */
    record Fused(OnnxGraph graph, Map<NodeId, Expression> elements) {}

    static Fused of(OnnxGraph graph) {
        Fusion fusion = new Fusion(graph);
        graph.operators().forEach(fusion::foldNorm);
        for (OnnxOperator operator : List.copyOf(fusion.operators.values())) {
            ElementOperators.of(graph, operator)
                    .filter(own -> fusion.fits(own, operator.type(), out(operator)))
                    .ifPresent(own -> fusion.merge(operator, own));
        }
        return fusion.fused();
    }

    private Fused fused() {
        OnnxGraph merged = graph.replacing(graph.operators(), operators.values().toArray(OnnxOperator[]::new));
        List<OnnxNode> nodes = elements.keySet().stream()
                .map(out -> merged.node(out).withInPlaceInputs(inPlace(out)))
                .toList();
        return new Fused(merged.withNodes(nodes), elements);
    }

    private static NodeId out(OnnxOperator operator) {
        return operator.made().getFirst();
    }

    private static Stream<NodeId> values(Expression expression) {
        return expression.inputs().stream().map(input -> input.value().id()).distinct();
    }

    private boolean isReadOnce(NodeId id) {
        return !graph.outputs().contains(id)
                && operators.values().stream().filter(it -> it.operands().contains(Optional.of(id))).count() == 1;
    }

    private List<Long> shape(NodeId id) {
        return graph.node(id).shape();
    }

    private Optional<float[]> floats(OnnxOperator operator, int position) {
        return operator.operand(position).flatMap(graph::constant).map(OnnxConstant::floats);
    }

    /** Scales the weights of a convolution in place of its result. */
    private void foldNorm(OnnxOperator norm) {
        OnnxOperator conv = norm.operand(0).map(operators::get).orElse(norm);
        boolean isOne = conv.is("ConvTranspose") && conv.attributes().integer("group", 1) == 1;
        boolean isKnown = conv.operands().stream().skip(1).allMatch(id -> id.flatMap(graph::constant).isPresent());
        if (!norm.is("BatchNormalization") || norm.made().size() > 1 || !conv.is("Conv") && !isOne || !isKnown) {
            return;
        }
        NodeId kernels = conv.operand(1).orElseThrow();
        NodeId shift = norm.operand(BIAS).orElseThrow(); // becomes the bias
        if (!Stream.of(out(conv), kernels, shift).allMatch(this::isReadOnce)) {
            return;
        }
        float[][] numbers =
                IntStream.range(0, 5).mapToObj(i -> floats(norm, i).orElse(new float[0])).toArray(float[][]::new);
        float[] scaled = floats(conv, 1).orElseThrow();
        float[] bias = floats(conv, BIAS).orElse(new float[numbers[1].length]);
        int outer = conv.is("Conv") ? 1 : shape(kernels).getFirst().intValue();
        float epsilon = norm.attributes().number("epsilon", 1e-5f);
        new BatchNormalization(numbers[1], numbers[2], numbers[3], numbers[4], epsilon).foldInto(scaled, outer, bias);
        graph = graph.withConstant(kernels, OnnxConstant.of("weights", shape(kernels), scaled))
                .withConstant(shift, OnnxConstant.of("bias", List.of((long) bias.length), bias));
        operators.remove(out(conv));
        operators.put(
                out(norm),
                conv.withOperands(List.of(conv.operand(0), conv.operand(1), Optional.of(shift)))
                        .withOutputs(norm.outputs()));
    }

    /** Merges an operator with those before it that make its elements, and that no other operator reads. */
    private void merge(OnnxOperator operator, Expression own) {
        NodeId out = out(operator);
        put(operator.withType(DOMAIN, own.hasSum() ? operator.type() : "Elementwise"), own);
        for (Optional<NodeId> maker = maker(out); maker.isPresent(); maker = maker(out)) {
            Expression all = with(elements.get(out), maker.get());
            elements.remove(maker.get());
            OnnxOperator before = operators.remove(maker.get());
            put(before.type().equals("Elementwise") ? operators.get(out) : before.withOutputs(operator.outputs()), all);
        }
    }

    private void put(OnnxOperator operator, Expression all) {
        Stream<Optional<NodeId>> factors = all.hasSum() ? operator.operands().stream().limit(2) : Stream.of();
        operators.put(
                out(operator),
                operator.withOperands(
                        Stream.concat(factors, values(all).map(Optional::of)).toList()));
        elements.put(out(operator), all);
    }

    /** An expression with that of a value in place of the value. */
    private Expression with(Expression all, NodeId value) {
        return all.withInputs(input -> input.value().id().equals(value) ? elements.get(value) : input);
    }

    /** A value whose elements can become part of those of an output: at best that of a convolution or product. */
    private Optional<NodeId> maker(NodeId out) {
        Expression all = elements.get(out);
        return values(all)
                .filter(id -> elements.containsKey(id) && shape(id).equals(shape(out)) && isReadOnce(id))
                .filter(id -> !all.hasSum() || !elements.get(id).hasSum())
                .filter(id -> fits(with(all, id), operators.get(all.hasSum() ? out : id).type(), out))
                .min(Comparator.comparing(id -> !elements.get(id).hasSum()));
    }

    /** Whether a step can compute an expression: values for each channel are read before the first run. */
    private boolean fits(Expression all, String type, NodeId out) {
        if (!all.hasSum()) {
            return all.inputs().size() <= Elementwise.MOST_INPUTS;
        }
        return Epilogue.fits(all, shape(out), PRODUCTS.contains(type) ? shape(out).size() - 1 : 1)
                && values(all)
                        .allMatch(id -> shape(id).equals(shape(out))
                                || graph.node(root(graph, id)).role().isPersistent());
    }

    /** The operands whose memory an output can take: of its shape, and not read in another way too. */
    private List<NodeId> inPlace(NodeId out) {
        List<NodeId> operands = operators.get(out).operands().stream()
                .map(operand -> root(graph, operand.orElseThrow()))
                .toList();
        return values(elements.get(out))
                .filter(id -> shape(id).equals(shape(out)))
                .filter(id -> Collections.frequency(operands, root(graph, id)) == 1)
                .toList();
    }

    /** The value whose memory a view has. */
    static NodeId root(OnnxGraph graph, NodeId id) {
        return graph.node(id).view().map(view -> root(graph, view.parent())).orElse(id);
    }
}
