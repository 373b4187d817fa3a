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
     * What it was compiled from.
     *
     * @return the source
     */
    KernelSource source();

    /**
     * What its source declares; each must be bound in a dispatch.
     *
     * @return ascending by group and number
     */
    List<KernelBinding> bindings();
}
