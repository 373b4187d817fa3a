package io.devicearena;

/**
 * The kind of a device, with its priority when the caller does not choose.
 *
 * <p><b>Threads:</b> immutable.
 */
public enum DeviceKind {
    /** A GPU with memory of its own. */
    DISCRETE_GPU(400),
    /** A GPU that shares the host's memory. */
    INTEGRATED_GPU(300),
    /** A device with memory of its own that is no GPU, such as an NPU or an FPGA. */
    ACCELERATOR(250),
    /** The host's own memory. */
    HOST(200),
    /** A GPU emulated in software: correct, and slower than the host's own memory. */
    EMULATED_GPU(100);

    private final int priority;

    DeviceKind(int priority) {
        this.priority = priority;
    }

    /** {@return the usual priority of such a device, 100 to 400; the highest is chosen} */
    public int priority() {
        return priority;
    }
}
