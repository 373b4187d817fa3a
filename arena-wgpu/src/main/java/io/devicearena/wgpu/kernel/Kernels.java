package io.devicearena.wgpu.kernel;

import io.devicearena.kernel.Kernel;
import io.devicearena.kernel.KernelContext;
import io.devicearena.kernel.KernelSourceException;

/**
 * Compiles and runs kernels on one arena.
 *
 * <p>Pipelines and uniforms are shared by all arenas of a device, and bind groups by the programs of an arena: to
 * compile an equal source or to bind equal ranges again creates nothing new. Each is freed with the last that uses it.
 *
 * <p>WebGPU does not allow one buffer to be bound as {@code read} and as {@code read_write} in one dispatch, for any
 * ranges. Each segment of the arena is one buffer, so most kernels would break this rule. In such a dispatch, bindings
 * that only read are compiled as {@code read_write}. The caller need not do anything.
 *
 * <p>A dispatch may bind windows of several segments. A value that is larger than a segment or than a binding is bound
 * in parts: {@link #window(NodeId, long, long)}.
 *
 * <p><b>Threads:</b> safe for any thread.
 *
 * <p><b>Lifetime:</b> that of the arena; afterwards every method throws {@link IllegalStateException}.
 */
public interface Kernels extends KernelContext {
    /**
     * Compiles a kernel. What an equal source was compiled to, in any arena of the device, is used again. Threads that
     * compile equal sources at a time compile once.
     *
     * @param source the source
     * @return the kernel, to be closed by the caller or with the arena
     * @throws KernelSourceException if the source does not compile, needs more than {@link #facts} offers, or a
     *     constant has no value or one that its type does not have
     * @throws IllegalArgumentException if the source does not declare a constant or the entry point
     * @throws io.devicearena.DeviceException if the device fails
     * @throws IllegalStateException if the arena is closed
     */
    Kernel compile(KernelSource source);

    /**
     * Returns what the device offers to kernels.
     *
     * @return the facts, with the period of timestamps
     */
    KernelFacts facts();
}
