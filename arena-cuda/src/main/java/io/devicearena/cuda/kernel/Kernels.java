package io.devicearena.cuda.kernel;

import io.devicearena.kernel.Kernel;
import io.devicearena.kernel.KernelContext;

/**
 * Compiles and runs kernels on one arena. The bindings of a dispatch are the parameters of the kernel, in their order:
 * a window or a buffer is a pointer to its first byte, a uniform is a parameter by value.
 *
 * <p>A program runs as a CUDA graph, with its inputs and its reads in the same launch.
 *
 * <p><b>Threads:</b> safe for any thread.
 *
 * <p><b>Lifetime:</b> that of the arena; afterwards every method throws {@link IllegalStateException}.
 */
public interface Kernels extends KernelContext {
    /** {@return the compute capability of the device as one number: 90 for 9.0} */
    int computeCapability();

    /**
     * Compiles a kernel, in the driver.
     *
     * @param source the source
     * @return the kernel, to be closed by the caller or with the arena
     * @throws io.devicearena.kernel.KernelSourceException if the driver refuses the source; the message has its log
     * @throws IllegalArgumentException if the source has no kernel of the name, or declares other parameters than its
     *     text has
     * @throws io.devicearena.DeviceException if the device fails
     * @throws IllegalStateException if the arena is closed
     */
    Kernel compile(KernelSource source);
}
