package io.devicearena.wgpu.kernel;

import java.util.List;

/**
 * A compiled kernel.
 *
 * <p><b>Threads:</b> safe for any thread.
 *
 * <p><b>Lifetime:</b> until the arena is closed.
 */
public interface Kernel {
    /**
     * Returns the source that the kernel was compiled from.
     *
     * @return the source
     */
    KernelSource source();

    /**
     * Returns the bindings that the source declares. A dispatch must bind each of them.
     *
     * @return the bindings, in ascending order of group and number
     */
    List<KernelBinding> bindings();
}
