package io.devicearena.kernel;

import io.devicearena.NodeId;
import java.util.List;
import java.util.Objects;

/**
 * The time that the device took for one dispatch.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param label the name of the step: that of {@link Recorder#labelled}, else that of the kernel
 * @param kernel the label of the kernel
 * @param written the values that the step writes, in the order of its bindings or of {@link
 *     Recorder#dispatchWriting}; none if it writes only to buffers beside the arena, or is bound to the whole arena.
 *     {@code MemoryPlan.describe} returns their names
 * @param nanos from its begin to its end, in nanoseconds of the device's clock, whose resolution may be coarse
 */
public record StepTime(String label, String kernel, List<NodeId> written, long nanos) {
    /** Makes a time; the list is copied. */
    public StepTime {
        Objects.requireNonNull(label, "label");
        Objects.requireNonNull(kernel, "kernel");
        written = List.copyOf(written);
    }
}
