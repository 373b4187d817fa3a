package io.devicearena.kernels.step;

import io.devicearena.NodeId;
import io.devicearena.kernel.Bindings;
import io.devicearena.kernel.Window;
import io.devicearena.kernel.Workgroups;
import io.devicearena.kernels.StepRecorder;
import io.devicearena.wgpu.kernel.KernelSource;

/**
 * Binds values of a plan to kernels.
 *
 * <p><b>Threads:</b> safe for any thread.
 */
public final class DeviceValues {
    private DeviceValues() {}

    /**
     * Returns the window of a value.
     *
     * @param device where the step is recorded
     * @param id the value
     * @param bytes the bytes that the kernel uses, 1 or more
     * @return a window that begins with the value
     * @throws IllegalArgumentException if the value has no slot, one that is too small, or one that does not begin
     *     where a binding may begin
     */
    public static Window window(StepRecorder device, NodeId id, long bytes) {
        Window window = device.kernels().window(id);
        if (window.offsetOf(id) != 0) {
            throw new IllegalArgumentException(id + ": expected a slot at a multiple of "
                    + device.facts().bindingAlignmentBytes() + " bytes, got one " + window.offsetOf(id)
                    + " bytes after it; plan with the alignment of the device");
        }
        if (window.bytes() < bytes) {
            throw tooSmall(id, bytes, window.bytes());
        }
        return window;
    }

    static IllegalArgumentException tooSmall(NodeId id, long expected, long got) {
        return new IllegalArgumentException(id + ": expected a slot of " + expected + " bytes or more, got " + got);
    }

    /**
     * Compiles a kernel and records one dispatch of it.
     *
     * @param device where the step is recorded
     * @param label the name of the step
     * @param source the kernel
     * @param bindings its bindings
     * @param workgroups their number
     * @throws io.devicearena.DeviceException if the device fails
     */
    public static void dispatch(
            StepRecorder device, String label, KernelSource source, Bindings bindings, Workgroups workgroups) {
        device.recorder().labelled(label).dispatch(device.kernels().compile(source), bindings, workgroups);
    }
}
