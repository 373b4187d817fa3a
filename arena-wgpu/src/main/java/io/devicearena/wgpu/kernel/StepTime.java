package io.devicearena.wgpu.kernel;

import java.util.Objects;

/**
 * How long the device took for one dispatch.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param label the kernel's
 * @param nanos from its begin to its end, in nanoseconds of the device's own clock, which may tick coarsely
 */
public record StepTime(String label, long nanos) {
    /** Makes a time. */
    public StepTime {
        Objects.requireNonNull(label, "label");
    }
}
