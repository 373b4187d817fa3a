package io.devicearena.wgpu;

import io.devicearena.DeviceArena;
import io.devicearena.NodeId;
import io.devicearena.wgpu.kernel.Kernels;

/**
 * What an arena of the provider {@code wgpu} has beside its memory: it runs kernels, and exposes its native handles to
 * engines that have bindings of their own. Get it by {@code arena.unwrap(WgpuArena.class)}. Programs of one view bind
 * kernels and buffers of another view of the same memory.
 *
 * <p><b>Threads:</b> safe for any thread. A write of up to 64 KiB from the host is kept for the next submission, and
 * waits for no other thread, unless 4 MiB or some thousands of such writes are kept already. Every other transfer and
 * run makes a submission, and so does the recording of a dispatch: they wait for the one that another thread makes, and
 * {@code close} does too. Where the driver makes a submission wait for the work before it, as Mesa's lavapipe does,
 * that takes as long as the kernel in front.
 *
 * <p><b>Lifetime:</b> until it is closed; afterwards every method throws {@link IllegalStateException}.
 */
public interface WgpuArena {
    /**
     * Returns the kernels of this arena.
     *
     * @return the same object at each call
     * @throws IllegalStateException if the arena is closed
     */
    Kernels kernels();

    /**
     * Returns the library's handles, for an engine that submits work of its own.
     *
     * <p>Later reads through the arena see what such work writes. The work sees earlier writes through the arena after
     * a {@link DeviceArena#flush}, since small writes wait on the host for the next submission. After it wrote values,
     * the engine calls {@link #markWritten}.
     *
     * <p>The engine must call the loaded library, {@link WgpuHandles#library}. If one of its calls causes an error, the
     * next call of the same thread on an arena of the device throws it.
     *
     * @return the handles, valid until the arena is closed
     * @throws IllegalStateException if the arena is closed
     */
    WgpuHandles handles();

    /**
     * Marks the f16 mirrors of values as stale, because work that was submitted with {@link #handles} wrote the values.
     *
     * @param nodes the values
     * @throws IllegalArgumentException if a value has no slot; no mirror was marked
     * @throws IllegalStateException if the arena is closed
     */
    void markWritten(NodeId... nodes);
}
