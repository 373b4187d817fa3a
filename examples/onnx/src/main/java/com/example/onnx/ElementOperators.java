package com.example.onnx;

import static io.devicearena.kernels.elementwise.BinaryOperation.*;
import static io.devicearena.kernels.elementwise.UnaryOperation.*;
import static java.util.Map.entry;

import io.devicearena.DType;
import io.devicearena.NodeId;
import io.devicearena.kernels.elementwise.BinaryOperation;
import io.devicearena.kernels.elementwise.Expression;
import io.devicearena.kernels.elementwise.UnaryOperation;
import io.devicearena.onnx.graph.OnnxAttributes;
import io.devicearena.onnx.graph.OnnxConstant;
import io.devicearena.onnx.graph.OnnxGraph;
import io.devicearena.onnx.graph.OnnxOperator;
import io.devicearena.weights.tensor.TensorType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BinaryOperator;

/**
 * Writes an element-wise operator as an expression of its operands, and a convolution or a product as one of its sums.
 */
final class ElementOperators {
    private static final Map<String, UnaryOperation> UNARY = Map.ofEntries(
            entry("Abs", ABS), entry("Ceil", CEIL), entry("Cos", COS), entry("Erf", ERF), entry("Exp", EXP),
            entry("Floor", FLOOR), entry("Log", LOG), entry("Neg", NEGATE), entry("Not", NOT), entry("Round", ROUND),
            entry("Sigmoid", SIGMOID), entry("Sign", SIGN), entry("Sin", SIN), entry("Sqrt", SQRT), entry("Tanh", TANH));
    private static final Map<String, BinaryOperation> BINARY = Map.of(
            "Add", ADD, "And", AND, "Equal", EQUAL, "Less", LESS, "LessOrEqual", LESS_OR_EQUAL,
            "Mul", MULTIPLY, "Or", OR, "Sub", SUBTRACT);

    /** Operators whose operands after the first have a number for each channel, which fusion may change. */
    private static final Set<String> OF_CHANNELS = Set.of("BatchNormalization", "Conv", "ConvTranspose");

    private final OnnxGraph graph;
    private final OnnxOperator operator;
    private final List<Elements.Input> inputs = new ArrayList<>();
    private final List<Expression> operands = new ArrayList<>();

    private ElementOperators(OnnxGraph graph, OnnxOperator operator) {
        this.graph = graph;
        this.operator = operator;
    }

    /** What an operator computes, if it is an element-wise one that is known here. */
    static Optional<Elements> of(OnnxGraph graph, OnnxOperator operator) {
        if (!operator.domain().isEmpty() || operator.made().size() != 1) {
            return Optional.empty();
        }
        ElementOperators reader = new ElementOperators(graph, operator);
        return Optional.ofNullable(reader.expression()).map(it -> new Elements(it, List.copyOf(reader.inputs)));
    }

    /** An operand; a number becomes part of the expression. */
    private Expression operand(int position) {
        NodeId id = operator.operand(position).orElseThrow();
        boolean isOfChannels = position > 0 && OF_CHANNELS.contains(operator.type());
        Optional<OnnxConstant> number =
                graph.constant(id).filter(constant -> !isOfChannels && isNumber(constant));
        if (number.isPresent()) {
            OnnxConstant one = number.get();
            return one.type() == TensorType.F32
                    ? Expression.of(one.floats()[0])
                    : Expression.of((int) one.longs()[0]);
        }
        List<Long> shape = graph.node(id).shape();
        if (isOfChannels) {
            shape = new ArrayList<>(shape);
            shape.addAll(Collections.nCopies(Math.max(0, shape(0).size() - 2), 1L));
        }
        int place = number(new Elements.Input(id, shape));
        return graph.node(id).dtype() == DType.F32 ? Expression.floats(place) : Expression.ints(place);
    }

    private int number(Elements.Input input) {
        if (!inputs.contains(input)) {
            inputs.add(input);
        }
        return inputs.indexOf(input);
    }

    /** The sums, times a number, and an operand that is added, times another number, if it is there. */
    private Expression sum(float factor, int position, float ofAdded) {
        Expression sum = Expression.floats(number(new Elements.Input(Elements.SUM, List.of())));
        Expression scaled = factor == 1 ? sum : sum.times(Expression.of(factor));
        if (operator.operand(position).isEmpty()) {
            return scaled;
        }
        Expression added = operand(position);
        return scaled.plus(ofAdded == 1 ? added : added.times(Expression.of(ofAdded)));
    }

    static boolean isNumber(OnnxConstant constant) {
        return constant.shape().stream().allMatch(extent -> extent == 1);
    }

    private List<Long> shape(int position) {
        return graph.node(operator.operand(position).orElseThrow()).shape();
    }

    private Optional<Float> number(int position) {
        return operator.operand(position)
                .flatMap(graph::constant)
                .filter(ElementOperators::isNumber)
                .map(it -> it.floats()[0]);
    }

    private Expression all(BinaryOperator<Expression> join) {
        Expression joined = operand(0);
        for (int i = 1; i < operator.operands().size(); i++) {
            joined = join.apply(joined, operand(i));
        }
        return joined;
    }

    private Expression expression() {
        OnnxAttributes attributes = operator.attributes();
        if (UNARY.containsKey(operator.type())) {
            return operand(0).apply(UNARY.get(operator.type()));
        }
        if (BINARY.containsKey(operator.type())) {
            return operand(0).apply(BINARY.get(operator.type()), operand(1));
        }
        return switch (operator.type()) {
            case "BatchNormalization" -> operand(0)
                    .apply(SUBTRACT, operand(3))
                    .times(operand(1)
                            .apply(
                                    DIVIDE,
                                    operand(4)
                                            .plus(Expression.of(attributes.number("epsilon", 1e-5f)))
                                            .apply(SQRT)))
                    .plus(operand(2));
            case "Cast" -> cast();
            case "Clip" -> operand(0)
                    .clipped(
                            number(1).orElse(attributes.number("min", Float.NEGATIVE_INFINITY)),
                            number(2).orElse(attributes.number("max", Float.POSITIVE_INFINITY)));
            case "Conv", "ConvTranspose" -> sum(1, 2, 1);
            case "Div" -> quotient();
            case "Dropout" -> operand(0);
            case "Gelu" -> attributes.text("approximate", "none").equals("none") ? operand(0).gelu() : null;
            case "Gemm" -> sum(attributes.number("alpha", 1), 2, attributes.number("beta", 1));
            case "Greater" -> operand(1).apply(LESS, operand(0));
            case "GreaterOrEqual" -> operand(1).apply(LESS_OR_EQUAL, operand(0));
            case "HardSigmoid" -> operand(0)
                    .hardSigmoid(attributes.number("alpha", 0.2f), attributes.number("beta", 0.5f));
            case "HardSwish" -> operand(0).times(operand(0).hardSigmoid(1 / 6f, 0.5f));
            case "LeakyRelu" -> operand(0)
                    .apply(MAXIMUM, Expression.of(0f))
                    .plus(operand(0)
                            .apply(MINIMUM, Expression.of(0f))
                            .times(Expression.of(attributes.number("alpha", 0.01f))));
            case "MatMul" -> sum(1, 2, 1);
            case "Max" -> all((a, b) -> a.apply(MAXIMUM, b));
            case "Mean" -> all(Expression::plus)
                    .times(Expression.of(1f / operator.operands().size()));
            case "Min" -> all((a, b) -> a.apply(MINIMUM, b));
            case "Mod" -> operand(0).apply(attributes.integer("fmod", 0) == 1 ? REMAINDER : MODULO, operand(1));
            case "Pow" -> number(1).isPresent() ? operand(0).power(number(1).get()) : operand(0).apply(POWER, operand(1));
            case "PRelu" -> operand(0)
                    .apply(MAXIMUM, Expression.of(0f))
                    .plus(operand(0).apply(MINIMUM, Expression.of(0f)).times(operand(1)));
            case "Reciprocal" -> operand(0).power(-1);
            case "Relu" -> operand(0).clipped(0, Float.POSITIVE_INFINITY);
            case "Sum" -> all(Expression::plus);
            case "Where" -> operand(0).select(operand(1), operand(2));
            default -> null;
        };
    }

    /** A quotient; by a number it is a product, which is faster. */
    private Expression quotient() {
        Expression divisor = operand(1);
        return divisor instanceof Expression.Constant && divisor.type() == Expression.Type.F32
                ? operand(0).times(Expression.of(1 / number(1).orElseThrow()))
                : operand(0).apply(DIVIDE, divisor);
    }

    private Expression cast() {
        boolean isFloat = graph.node(operator.made().getFirst()).dtype() == DType.F32;
        Expression x = operand(0);
        if (graph.node(operator.made().getFirst()).dtype() == DType.U32) { // a boolean
            return (x.type() == Expression.Type.F32 ? x.apply(EQUAL, Expression.of(0f)) : x.apply(NOT)).apply(NOT);
        }
        if (isFloat == (x.type() == Expression.Type.F32)) {
            return x;
        }
        return x.apply(isFloat ? TO_F32 : TO_I32);
    }
}
