package io.devicearena.wgpu;

import io.devicearena.DeviceArena;
import io.devicearena.NodeId;
import io.devicearena.wgpu.kernel.Kernels;

/**
 * What an arena of the provider {@code wgpu} can besides: it runs kernels, and lends its handles to engines that bring
 * their own bindings. Every arena that the provider opens is one.
 *
 * <p><b>Threads:</b> safe for any thread, as every arena.
 *
 * <p><b>Lifetime:</b> until it is closed; afterwards every method throws {@link IllegalStateException}.
 */
public interface WgpuArena extends DeviceArena {
    /**
     * What runs kernels on this arena.
     *
     * @return always the same
     * @throws IllegalStateException if the arena is closed
     */
    Kernels kernels();

    /**
     * The library's handles, for an engine that submits work of its own. What such work writes is seen by all that is read
     * through the arena later. What was written through the arena before, it sees once {@link #flush} was called: small
     * writes wait on the host for the arena's next submission. The engine tells {@link #markWritten} what it wrote. It must
     * call the same loaded library, {@link WgpuHandles#library}; an error that one of its calls makes is thrown by the next
     * call of the same thread on an arena of the device.
     *
     * @return the handles, valid until the arena is closed
     * @throws IllegalStateException if the arena is closed
     */
    WgpuHandles handles();

    /**
     * Tells the arena that values were written behind its back, by work that was submitted with its handles: their f16
     * mirrors are stale from now on.
     *
     * @param nodes the values
     * @throws IllegalArgumentException if a value has no slot; nothing was noted
     * @throws IllegalStateException if the arena is closed
     */
    void markWritten(NodeId... nodes);
}
