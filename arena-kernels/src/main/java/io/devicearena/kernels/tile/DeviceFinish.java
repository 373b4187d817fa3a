package io.devicearena.kernels.tile;

import io.devicearena.NodeId;
import io.devicearena.kernels.activation.ElementFunction;
import io.devicearena.kernels.activation.ElementFunction.Kind;
import io.devicearena.kernels.activation.Epilogue;
import io.devicearena.kernels.step.StepKernel;
import java.util.Locale;

/**
 * An epilogue in a kernel that uses {@code activation/finish}.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param epilogue what becomes of a sum
 * @param out the output
 * @param elements of the output
 * @param biases the elements of the bias
 */
public record DeviceFinish(Epilogue epilogue, NodeId out, long elements, int biases) {
    /**
     * Chooses the files of the epilogue, and binds the output and what is added.
     *
     * @param kernel a kernel of a step
     * @return the same kernel
     * @throws IllegalArgumentException if a value has no slot, or one that is too small
     */
    public StepKernel setIn(StepKernel kernel) {
        setFunction(kernel, epilogue.function());
        kernel.write("out", out, elements * Float.BYTES);
        NodeId bias = epilogue.bias();
        if (bias != null) {
            kernel.use("BIAS", "activation/finish-bias").read("bias", bias, (long) biases * Float.BYTES);
        }
        NodeId added = epilogue.added();
        if (added != null) {
            kernel.use("ADDED", "activation/finish-sum").read("added", added, elements * Float.BYTES);
        }
        return kernel;
    }

    private static void setFunction(StepKernel kernel, ElementFunction function) {
        Kind kind = function.kind();
        kernel.use("FUNCTION", "activation/function-" + kind.name().toLowerCase(Locale.ROOT));
        if (kind == Kind.CLIP || kind == Kind.HARD_SIGMOID || kind == Kind.LEAKY_RELU) {
            kernel.set("FIRST", function.first());
        }
        if (kind == Kind.CLIP || kind == Kind.HARD_SIGMOID) {
            kernel.set("SECOND", function.second());
        }
    }
}
