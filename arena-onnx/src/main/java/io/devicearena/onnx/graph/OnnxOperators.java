package io.devicearena.onnx.graph;

import java.util.Set;

/**
 * How the operators of ONNX may share memory between their values.
 *
 * <p>Softmax, layer normalization and the like read more than one element for each that they write, so they are not
 * element-wise. Batch normalization of a trained network scales and shifts each element by itself, so it is.
 *
 * <p><b>Threads:</b> static and stateless; safe for any thread.
 *
 * <p><b>Source:</b> the operators of ONNX (ai.onnx, opset 23), and those of ONNX Runtime that are element-wise too.
 */
public final class OnnxOperators {
    private static final Set<String> ELEMENT_WISE = Set.of(
            "Abs",
            "Acos",
            "Acosh",
            "Add",
            "And",
            "Asin",
            "Asinh",
            "Atan",
            "Atanh",
            "BatchNormalization",
            "BiasGelu",
            "BitShift",
            "BitwiseAnd",
            "BitwiseNot",
            "BitwiseOr",
            "BitwiseXor",
            "Cast",
            "Ceil",
            "Celu",
            "Clip",
            "Cos",
            "Cosh",
            "DequantizeLinear",
            "Div",
            "Dropout",
            "Elu",
            "Equal",
            "Erf",
            "Exp",
            "FastGelu",
            "Floor",
            "Gelu",
            "Greater",
            "GreaterOrEqual",
            "HardSigmoid",
            "HardSwish",
            "Identity",
            "IsInf",
            "IsNaN",
            "LeakyRelu",
            "Less",
            "LessOrEqual",
            "Log",
            "Max",
            "Mean",
            "Min",
            "Mish",
            "Mod",
            "Mul",
            "Neg",
            "Not",
            "Or",
            "PRelu",
            "Pow",
            "QuantizeLinear",
            "QuickGelu",
            "Reciprocal",
            "Relu",
            "Round",
            "Selu",
            "Shrink",
            "Sigmoid",
            "Sign",
            "Sin",
            "Sinh",
            "Softplus",
            "Softsign",
            "Sqrt",
            "Sub",
            "Sum",
            "Swish",
            "Tan",
            "Tanh",
            "ThresholdedRelu",
            "Where",
            "Xor");
    private static final Set<String> VIEWS = Set.of("Flatten", "Identity", "Reshape", "Squeeze", "Unsqueeze");
    private static final String CONCATENATION = "Concat";

    private OnnxOperators() {}

    /**
     * {@return whether an operator may write its value over an input of the same shape}
     *
     * @param operator the name of the operator, such as {@code Relu}
     */
    public static boolean isElementWise(String operator) {
        return ELEMENT_WISE.contains(operator);
    }

    /**
     * {@return whether an operator's value has the bytes of its first input, in another shape}
     *
     * @param operator the name of the operator, such as {@code Reshape}
     */
    public static boolean isView(String operator) {
        return VIEWS.contains(operator);
    }

    /**
     * {@return whether an operator joins its inputs along an axis}
     *
     * @param operator the name of the operator
     */
    public static boolean isConcatenation(String operator) {
        return operator.equals(CONCATENATION);
    }
}
