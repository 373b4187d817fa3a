package io.devicearena.kernel;

/**
 * Bytes on the device that a kernel can be bound to. {@link KernelContext} creates them; a kernel accepts only bindings
 * of its own arena.
 *
 * <p><b>Threads:</b> safe for any thread.
 *
 * <p><b>Lifetime:</b> until the arena is closed.
 */
public interface Binding {
    /**
     * Returns the number of bytes that the kernel sees.
     *
     * @return bytes, 1 or more
     */
    long bytes();
}
