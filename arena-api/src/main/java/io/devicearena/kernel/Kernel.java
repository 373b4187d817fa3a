package io.devicearena.kernel;

import java.util.List;

/**
 * A compiled kernel.
 *
 * <p><b>Threads:</b> safe for any thread.
 *
 * <p><b>Lifetime:</b> until it is closed, or the arena is. What is compiled is shared: it is freed with the last kernel
 * of an equal source on the device, and with the last program that runs it.
 */
public interface Kernel extends AutoCloseable {
    /**
     * Returns its name in errors, times and tools of the device.
     *
     * @return the label of its source
     */
    String label();

    /**
     * Returns the bindings that the entry point uses, directly or through other functions. A dispatch must bind each of
     * them. It may bind others that the source declares, which has no effect.
     *
     * @return the bindings, in ascending order of group and number
     */
    List<KernelBinding> bindings();

    /**
     * Ends the use of the kernel. Programs that were recorded with it still run; they keep what they use until they are
     * closed. To record another step with it throws {@link IllegalStateException}.
     *
     * <p>Any thread may close it at any time, and does not wait. A second call does nothing.
     */
    @Override
    void close();
}
