package io.devicearena.wgpu.kernel;

import io.devicearena.NodeId;
import java.lang.foreign.MemorySegment;

/**
 * Runs kernels on one arena.
 *
 * <p>Kernels, bind groups and uniforms are kept and used again: compiling an equal source or binding equal ranges a second
 * time makes nothing new.
 *
 * <p>One buffer cannot be bound to {@code read} and to {@code read_write} in one dispatch, whatever the ranges. The arena
 * is one buffer, so that would forbid most kernels; where it happens, the bindings that only read are compiled as
 * {@code read_write}. Nothing has to be done for it.
 *
 * <p><b>Threads:</b> safe for any thread.
 *
 * <p><b>Lifetime:</b> that of the arena; afterwards every method throws {@link IllegalStateException}.
 */
public interface Kernels {
    /**
     * Compiles a kernel, or finds it compiled.
     *
     * @param source what to compile
     * @return the kernel
     * @throws KernelSourceException if the source is wrong
     * @throws IllegalArgumentException if a constant or the entry point is not one of the source
     * @throws io.devicearena.DeviceException if the device fails
     * @throws IllegalStateException if the arena is closed
     */
    Kernel compile(KernelSource source);

    /**
     * The arena as a whole. A kernel that is bound to it for writing counts as writing all of it, unless the dispatch says
     * otherwise.
     *
     * @return the window from byte 0 to the arena's end
     * @throws IllegalArgumentException if the arena is longer than one binding; bind windows of it then
     * @throws IllegalStateException if the arena is closed
     */
    Window arena();

    /**
     * The smallest window of the arena that covers some values. A kernel that is bound to it for writing counts as writing
     * these values.
     *
     * @param nodes the values, 1 or more
     * @return the window
     * @throws IllegalArgumentException if there is none, a value has no slot or one of no bytes, or they lie too far apart
     *     for one binding
     * @throws IllegalStateException if the arena is closed
     */
    Window window(NodeId... nodes);

    /**
     * The f16 shadow as a whole. Nobody checks for it which mirrors are stale.
     *
     * @return the window from byte 0 to the shadow's end
     * @throws UnsupportedOperationException if the arena has no shadow
     * @throws IllegalStateException if the arena is closed
     */
    Window shadow();

    /**
     * The smallest window of the shadow that covers the f16 mirrors of some values. A program that reads a mirror that is
     * stale refuses to run. A kernel that is bound to the window for writing counts as making these mirrors fresh.
     *
     * @param nodes the values, 1 or more
     * @return the window
     * @throws UnsupportedOperationException if the arena has no shadow
     * @throws IllegalArgumentException if there is none, a value has no mirror or one of no bytes, or they lie too far
     *     apart for one binding
     * @throws IllegalStateException if the arena is closed
     */
    Window shadowWindow(NodeId... nodes);

    /**
     * Takes memory besides the arena.
     *
     * @param label what tools of the device call it
     * @param bytes its size, 1 to the device's limit; rounded up to a multiple of 16
     * @return the buffer, all of it zero
     * @throws IllegalArgumentException if the size is out of range
     * @throws io.devicearena.ArenaOutOfMemoryException if the device has not enough
     * @throws IllegalStateException if the arena is closed
     */
    KernelBuffer buffer(String label, long bytes);

    /**
     * Takes memory of the host that kernels write results to.
     *
     * @param label what tools of the device call it
     * @param bytes its size, 1 to 65,536; rounded up to a multiple of 16
     * @return the buffer, all of it zero
     * @throws IllegalArgumentException if the size is out of range
     * @throws UnsupportedOperationException if the device's kernels do not reach the host's memory; ask {@link
     *     #hasResultBuffers}
     * @throws io.devicearena.ArenaOutOfMemoryException if there is not enough
     * @throws IllegalStateException if the arena is closed
     */
    ResultBuffer resultBuffer(String label, long bytes);

    /**
     * Words that never change, for {@code var<uniform>}: sizes and offsets, which a plan knows. Floats go in as {@link
     * Float#floatToRawIntBits}.
     *
     * @param words 1 to 16,384 words of 32 bits, laid out as the kernel's struct is
     * @return what to bind; the same for equal words
     * @throws IllegalArgumentException if the number of words is out of range
     * @throws io.devicearena.DeviceException if the device fails
     * @throws IllegalStateException if the arena is closed
     */
    Binding uniform(int... words);

    /**
     * Bytes that never change, for {@code var<uniform>}.
     *
     * @param bytes 1 to 65,536 bytes, laid out as the kernel's struct is; copied
     * @return what to bind; the same for equal bytes
     * @throws IllegalArgumentException if the number of bytes is out of range
     * @throws io.devicearena.DeviceException if the device fails
     * @throws IllegalStateException if the arena or the memory is closed
     */
    Binding uniform(MemorySegment bytes);

    /**
     * Begins a program.
     *
     * @return a recorder without steps
     * @throws IllegalStateException if the arena is closed
     */
    Recorder recorder();

    /**
     * What offsets of windows are multiples of. A plan whose alignment is a multiple of it, as 256 is on every device, has
     * each value at the start of its own window.
     *
     * @return bytes, a power of two, at most 256
     */
    long bindingAlignment();

    /**
     * The longest window.
     *
     * @return bytes
     */
    long maxBindingBytes();

    /**
     * The most workgroups of a dispatch along each axis.
     *
     * @return the limit, 65,535 or more
     */
    int maxWorkgroups();

    /**
     * Tells whether kernels may say {@code enable f16}.
     *
     * @return true when the device computes with f16
     */
    boolean hasShaderF16();

    /**
     * Tells whether {@link #resultBuffer} works.
     *
     * @return true when the device's kernels reach the host's memory
     */
    boolean hasResultBuffers();

    /**
     * Tells whether {@link KernelProgram#time} works.
     *
     * @return true when the device notes times
     */
    boolean hasTimestamps();
}
