package io.devicearena.onnx.graph;

import io.devicearena.NodeId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
    private static final Set<String> ELEMENT_WISE = names("""
            Abs Acos Acosh Add And Asin Asinh Atan Atanh BatchNormalization BiasGelu BitShift BitwiseAnd
            BitwiseNot BitwiseOr BitwiseXor Cast Ceil Celu Clip Cos Cosh DequantizeLinear Div Dropout Elu
            Equal Erf Exp FastGelu Floor Gelu Greater GreaterOrEqual HardSigmoid HardSwish Identity IsInf
            IsNaN LeakyRelu Less LessOrEqual Log Max Mean Min Mish Mod Mul Neg Not Or PRelu Pow
            QuantizeLinear QuickGelu Reciprocal Relu Round Selu Shrink Sigmoid Sign Sin Sinh Softplus
            Softsign Sqrt Sub Sum Swish Tan Tanh ThresholdedRelu Where Xor""");
    private static final Set<String> VIEWS = Set.of("Flatten", "Identity", "Reshape", "Squeeze", "Unsqueeze");
    private static final String OF_RUNTIME = "com.microsoft";
    /** The operators whose operand at a position says what to do; reductions are apart. */
    private static final Map<Integer, Set<String>> PARAMETERS =
            Map.of(0, names("""
                    BlackmanWindow ConstantOfShape HammingWindow HannWindow MelWeightMatrix Range"""), 1, names("""
                    AffineGrid CenterCropPad Clip CumSum DFT Dropout Expand MelWeightMatrix OneHot Pad Range
                    Reshape Resize STFT Slice Split SplitToSequence Squeeze Tile TopK Trilu Unsqueeze Upsample"""), 2, names("""
                    Clip DFT Dropout MelWeightMatrix NonMaxSuppression Pad Range Resize Slice Tile"""), 3, names("""
                    MelWeightMatrix NonMaxSuppression Pad Resize STFT Slice"""), 4, names("""
                    MelWeightMatrix NonMaxSuppression Slice"""));

    private OnnxOperators() {}

    /** {@return the names in a text} */
    private static Set<String> names(String text) {
        return Set.of(text.strip().split("\\s+", -1));
    }

    /**
     * {@return whether an operator may write its value over an input of the same shape}
     *
     * @param operator the name of the operator, such as {@code Relu}
     */
    public static boolean isElementWise(String operator) {
        return ELEMENT_WISE.contains(operator);
    }

    /**
     * {@return whether an operator may write its value over an input of the same shape} Those of unknown domains may
     * not.
     *
     * @param operator the operator
     */
    public static boolean isElementWise(OnnxOperator operator) {
        return isKnown(operator) && isElementWise(operator.type());
    }

    /**
     * {@return whether an operator's value has the bytes of its first operand, in another shape}
     *
     * @param operator the operator
     */
    public static boolean isView(OnnxOperator operator) {
        return isKnown(operator) && VIEWS.contains(operator.type());
    }

    /**
     * {@return whether an operator joins its inputs along an axis}
     *
     * @param operator the name of the operator
     */
    public static boolean isConcatenation(String operator) {
        return operator.equals("Concat");
    }

    /**
     * {@return whether an operand says what an operator does, as axes, shapes and bounds do} Such an operand takes no
     * memory where its elements are known: {@link OnnxGraph#constant} has them.
     *
     * @param operator the operator
     * @param position the position of the operand
     */
    public static boolean isParameter(OnnxOperator operator, int position) {
        boolean isReduction = operator.type().startsWith("Reduce") && position == 1;
        return operator.domain().isEmpty()
                && (isReduction || PARAMETERS.getOrDefault(position, Set.of()).contains(operator.type()));
    }

    /**
     * {@return the operands that an operator reads from memory, in their order: all but its parameters that are known}
     *
     * @param operator the operator
     * @param constants the values whose elements are known
     */
    public static List<NodeId> reads(OnnxOperator operator, Set<NodeId> constants) {
        List<NodeId> reads = new ArrayList<>();
        for (int i = 0; i < operator.operands().size(); i++) {
            boolean isParameter = isParameter(operator, i);
            operator.operand(i)
                    .filter(id -> !isParameter || !constants.contains(id))
                    .ifPresent(reads::add);
        }
        return reads;
    }

    private static boolean isKnown(OnnxOperator operator) {
        return operator.domain().isEmpty() || operator.domain().equals(OF_RUNTIME);
    }
}
