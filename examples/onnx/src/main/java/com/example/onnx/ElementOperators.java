package com.example.onnx;

import io.devicearena.DType;
import io.devicearena.NodeId;
import io.devicearena.kernels.elementwise.BinaryOperation;
import io.devicearena.kernels.elementwise.Expression;
import io.devicearena.kernels.elementwise.UnaryOperation;
import io.devicearena.onnx.graph.OnnxConstant;
import io.devicearena.onnx.graph.OnnxGraph;
import io.devicearena.onnx.graph.OnnxOperator;
import io.devicearena.weights.tensor.TensorType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BinaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Writes an element-wise operator as an expression of its operands, and a convolution or a product as one of its sums.
 */
record ElementOperators(OnnxGraph graph, OnnxOperator operator) {
    /** Operators whose operands after the first have a number for each channel, which fusion may change. */
    private static final Set<String> OF_CHANNELS = Set.of("BatchNormalization", "Conv", "ConvTranspose");

    /** Operations that have the name of an operator, such as Add, Erf and LessOrEqual. */
    private static final Map<String, Enum<?>> NAMED =
            Stream.<Enum<?>[]>of(UnaryOperation.values(), BinaryOperation.values())
                    .flatMap(Arrays::stream)
                    .collect(Collectors.toMap(each -> each.name().replace("_", ""), each -> each));

    /** What an operator computes, if it is an element-wise one that is known here. */
    static Optional<Expression> of(OnnxGraph graph, OnnxOperator operator) {
        boolean isStandard = operator.domain().isEmpty() && operator.made().size() == 1;
        return Optional.ofNullable(isStandard ? new ElementOperators(graph, operator).expression() : null);
    }

    /** An operand; a number becomes part of the expression. */
    private Expression operand(int position) {
        boolean isOfChannels = position > 0 && OF_CHANNELS.contains(operator.type());
        if (!isOfChannels && constant(position).isPresent()) {
            OnnxConstant number = constant(position).get();
            return number.type() == TensorType.F32
                    ? Expression.of(number.floats()[0])
                    : Expression.of((int) number.longs()[0]);
        }
        NodeId id = operator.operand(position).orElseThrow();
        List<Long> shape = new ArrayList<>(graph.node(id).shape());
        if (isOfChannels) {
            shape.addAll(Collections.nCopies(graph.node(operator.operand(0).orElseThrow()).shape().size() - 2, 1L));
        }
        return graph.node(id).dtype() == DType.F32 ? Expression.floats(id, shape) : Expression.ints(id, shape);
    }

    /** An operand that is one number. */
    private Optional<OnnxConstant> constant(int position) {
        return operator.operand(position)
                .flatMap(graph::constant)
                .filter(constant -> constant.shape().stream().allMatch(extent -> extent == 1));
    }

    private float number(String attribute, float otherwise) {
        return operator.attributes().number(attribute, otherwise);
    }

    /** Limits by an operand, or by an attribute in older models, if there is one. */
    private Expression bounded(Expression x, BinaryOperation operation, int position, String attribute) {
        if (operator.operand(position).isPresent()) {
            return x.apply(operation, operand(position));
        }
        return operator.attributes().has(attribute) ? x.apply(operation, Expression.of(number(attribute, 0))) : x;
    }

    /** The sums, times a number, and a third operand that is added, times another number, if it is there. */
    private Expression sum(float factor, float ofAdded) {
        Expression scaled = factor == 1 ? Expression.sum() : Expression.sum().times(Expression.of(factor));
        if (operator.operand(2).isEmpty()) {
            return scaled;
        }
        return scaled.plus(ofAdded == 1 ? operand(2) : operand(2).times(Expression.of(ofAdded)));
    }

    private Expression all(BinaryOperator<Expression> join) {
        return IntStream.range(0, operator.operands().size()).mapToObj(this::operand).reduce(join).orElseThrow();
    }

    private Expression expression() {
        Enum<?> named = NAMED.get(operator.type().toUpperCase(Locale.ROOT));
        if (named instanceof UnaryOperation unary) {
            return operand(0).apply(unary);
        }
        if (named instanceof BinaryOperation binary) {
            return operand(0).apply(binary, operand(1));
        }
        return switch (operator.type()) {
            case "BatchNormalization" -> norm(Expression.of(number("epsilon", 1e-5f)));
            case "Cast" -> cast(operand(0), graph.node(operator.made().getFirst()).dtype());
            case "Clip" -> bounded(
                    bounded(operand(0), BinaryOperation.MAXIMUM, 1, "min"), BinaryOperation.MINIMUM, 2, "max");
            case "Conv", "ConvTranspose", "MatMul" -> sum(1, 1);
            case "Div" -> operand(0).apply(BinaryOperation.DIVIDE, operand(1));
            case "Dropout", "Expand" -> operand(0);
            case "Gelu" -> operator.attributes().text("approximate", "none").equals("none") ? operand(0).gelu() : null;
            case "Gemm" -> sum(number("alpha", 1), number("beta", 1));
            case "Greater" -> operand(1).apply(BinaryOperation.LESS, operand(0));
            case "GreaterOrEqual" -> operand(1).apply(BinaryOperation.LESS_OR_EQUAL, operand(0));
            case "HardSigmoid" -> operand(0).hardSigmoid(number("alpha", 0.2f), number("beta", 0.5f));
            case "HardSwish" -> operand(0).times(operand(0).hardSigmoid(1 / 6f, 0.5f));
            case "LeakyRelu" -> leaky(Expression.of(number("alpha", 0.01f)));
            case "Max" -> all((a, b) -> a.apply(BinaryOperation.MAXIMUM, b));
            case "Mean" -> all(Expression::plus).times(Expression.of(1f / operator.operands().size()));
            case "Min" -> all((a, b) -> a.apply(BinaryOperation.MINIMUM, b));
            case "Mod" -> operator.attributes().integer("fmod", 0) == 1
                    ? operand(0).apply(BinaryOperation.REMAINDER, operand(1))
                    : operand(0).apply(BinaryOperation.MODULO, operand(1));
            case "Mul" -> operand(0).times(operand(1));
            case "Neg" -> operand(0).apply(UnaryOperation.NEGATE);
            case "Pow" -> constant(1)
                    .map(exponent -> operand(0).power(exponent.floats()[0]))
                    .orElseGet(() -> operand(0).apply(BinaryOperation.POWER, operand(1)));
            case "PRelu" -> leaky(operand(1));
            case "Reciprocal" -> operand(0).power(-1);
            case "Relu" -> operand(0).clipped(0, Float.POSITIVE_INFINITY);
            case "Sub" -> operand(0).apply(BinaryOperation.SUBTRACT, operand(1));
            case "Sum" -> all(Expression::plus);
            case "Where" -> operand(0).select(operand(1), operand(2));
            default -> null;
        };
    }

    private Expression norm(Expression epsilon) {
        Expression deviation = operand(4).plus(epsilon).apply(UnaryOperation.SQRT);
        Expression scale = operand(1).apply(BinaryOperation.DIVIDE, deviation);
        return operand(0).apply(BinaryOperation.SUBTRACT, operand(3)).times(scale).plus(operand(2));
    }

    private Expression leaky(Expression slope) {
        Expression negative = operand(0).apply(BinaryOperation.MINIMUM, Expression.of(0f));
        return operand(0).apply(BinaryOperation.MAXIMUM, Expression.of(0f)).plus(negative.times(slope));
    }

    /** A value as another type; a boolean is U32. */
    private static Expression cast(Expression x, DType to) {
        boolean isFloat = x.type() == Expression.Type.F32;
        if (to == DType.U32) {
            Expression zero = isFloat ? Expression.of(0f) : Expression.of(0);
            return x.apply(BinaryOperation.EQUAL, zero).apply(UnaryOperation.NOT);
        }
        return isFloat == (to == DType.F32) ? x : x.apply(isFloat ? UnaryOperation.TO_I32 : UnaryOperation.TO_F32);
    }
}
