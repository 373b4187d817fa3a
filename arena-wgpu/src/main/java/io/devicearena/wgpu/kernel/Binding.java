package io.devicearena.wgpu.kernel;

/**
 * Bytes on the device that a kernel can be bound to. {@link Kernels} makes them, and only those it made bind to its
 * kernels.
 *
 * <p><b>Threads:</b> safe for any thread.
 *
 * <p><b>Lifetime:</b> until the arena is closed.
 */
public interface Binding {
    /**
     * What the kernel sees of it.
     *
     * @return bytes, 1 or more
     */
    long bytes();
}
