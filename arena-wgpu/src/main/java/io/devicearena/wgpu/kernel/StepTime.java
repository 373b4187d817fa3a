package io.devicearena.wgpu.kernel;

import java.util.Objects;

/**
 * The time that the device took for one dispatch.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param label the name of the step: that of {@link Recorder#labelled}, else that of the kernel
 * @param kernel the label of the kernel
 * @param nanos from its begin to its end, in nanoseconds of the device's clock, whose resolution may be coarse
 */
public record StepTime(String label, String kernel, long nanos) {
    /** Makes a time. */
    public StepTime {
        Objects.requireNonNull(label, "label");
        Objects.requireNonNull(kernel, "kernel");
    }
}
