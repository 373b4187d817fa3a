package io.devicearena.kernels.tile;

import io.devicearena.NodeId;
import io.devicearena.kernels.elementwise.Epilogue;
import io.devicearena.kernels.step.StepKernel;

/**
 * An epilogue in a kernel that has the slot {@code FINISH}.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param epilogue what becomes of a sum
 * @param out the output
 * @param elements of the output
 * @param channels of the output
 */
public record DeviceFinish(Epilogue epilogue, NodeId out, long elements, int channels) {
    /**
     * Adds the text of the epilogue, and binds the output and what the epilogue reads.
     *
     * @param kernel a kernel of a step
     * @return the same kernel
     * @throws IllegalArgumentException if a value has no slot, or one that is too small
     */
    public StepKernel setIn(StepKernel kernel) {
        kernel.part("FINISH", epilogue.wgsl()).write("out", out, elements * Float.BYTES);
        for (int i = 0; i < epilogue.inputs().size(); i++) {
            Epilogue.Input input = epilogue.inputs().get(i);
            kernel.read("more_" + (i + 1), input.id(), (input.isOfChannel() ? channels : elements) * Float.BYTES);
        }
        return kernel;
    }
}
