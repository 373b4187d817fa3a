package io.devicearena.kernels;

/**
 * A step that also has kernels in CUDA C, for an arena of the provider {@code cuda}. They compute the same as the
 * step's other forms, within the same tolerance.
 *
 * <p><b>Threads:</b> immutable.
 */
public interface CudaStep extends KernelStep {
    /**
     * Adds the launches of the step to a program.
     *
     * @param device compiles kernels and records launches
     * @throws IllegalArgumentException if a value has no slot, or one that is too small
     * @throws io.devicearena.DeviceException if the device fails
     */
    void record(CudaRecorder device);
}
