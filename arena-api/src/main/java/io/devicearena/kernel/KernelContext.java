package io.devicearena.kernel;

import io.devicearena.NodeId;
import java.lang.foreign.MemorySegment;

/**
 * What the kernels of one arena are bound to, and the recorder of their programs: the same for every language that
 * kernels are written in. A provider extends it by a method that compiles, which has a source of its own: {@code
 * io.devicearena.wgpu.kernel.Kernels} for WGSL, {@code io.devicearena.cuda.kernel.Kernels} for PTX. An engine that has
 * its kernels in both records its programs once.
 *
 * <p>Uniforms are {@code var<uniform>} or {@code var<storage, read>} in WGSL; in CUDA they are parameters by value.
 * Everything else is {@code var<storage>}, or a pointer.
 *
 * <p><b>Threads:</b> safe for any thread.
 *
 * <p><b>Lifetime:</b> that of the arena; afterwards every method throws {@link IllegalStateException}.
 */
public interface KernelContext {
    /**
     * Returns a window of the whole arena. A kernel that is bound to it as read_write counts as writing all of it,
     * unless {@link Recorder#dispatchWriting} names the written values.
     *
     * @return the window from byte 0 to the end of the arena
     * @throws IllegalArgumentException if the arena is longer than one binding or has several segments; bind windows
     *     of values instead
     * @throws IllegalStateException if the arena is closed
     */
    Window arena();

    /**
     * Returns the smallest window of the arena that covers some values. A kernel that is bound to it as read_write
     * counts as writing these values.
     *
     * @param nodes the values, 1 or more
     * @return the window
     * @throws IllegalArgumentException if there are no values, a value has no slot or an empty one, or the values are
     *     too far apart for one binding or not in one segment
     * @throws IllegalStateException if the arena is closed
     */
    Window window(NodeId... nodes);

    /**
     * Returns the smallest window of the arena that covers a part of a value, such as some rows of a matrix. A kernel
     * that is bound to it as read_write counts as writing the part. {@link Window#offsetOf(NodeId, long)} returns where
     * the kernel finds the part.
     *
     * @param id the value
     * @param firstByte where the part begins: bytes from the start of the value
     * @param bytes its length, 1 or more
     * @return the window
     * @throws IllegalArgumentException if the value has no slot, the part is not within it, longer than one binding, or
     *     not in one {@linkplain io.devicearena.DeviceArena#segments segment}
     * @throws IllegalStateException if the arena is closed
     */
    Window window(NodeId id, long firstByte, long bytes);

    /**
     * Returns a window of the whole f16 shadow. Programs that read it do not check for stale mirrors.
     *
     * @return the window from byte 0 to the end of the shadow
     * @throws UnsupportedOperationException if the arena has no shadow
     * @throws IllegalStateException if the arena is closed
     */
    Window shadow();

    /**
     * Returns the smallest window of the shadow that covers the f16 mirrors of some values. A program that reads a
     * stale mirror does not run. A kernel that is bound to the window as read_write counts as refreshing these mirrors.
     *
     * @param nodes the values, 1 or more
     * @return the window
     * @throws UnsupportedOperationException if the arena has no shadow
     * @throws IllegalArgumentException if there are no values, a value has no mirror or an empty one, or the mirrors
     *     are too far apart for one binding or not in one segment
     * @throws IllegalStateException if the arena is closed
     */
    Window shadowWindow(NodeId... nodes);

    /**
     * Returns the smallest window of the shadow that covers a part of the f16 mirror of a value. A program that reads a
     * stale mirror does not run. A kernel that is bound to the window as read_write does not refresh the mirror.
     *
     * @param id the value
     * @param firstByte where the part begins: bytes from the start of the mirror
     * @param bytes its length, 1 or more
     * @return the window
     * @throws UnsupportedOperationException if the arena has no shadow
     * @throws IllegalArgumentException if the value has no mirror, the part is not within it, longer than one binding,
     *     or not in one segment
     * @throws IllegalStateException if the arena is closed
     */
    Window shadowWindow(NodeId id, long firstByte, long bytes);

    /**
     * Allocates device memory beside the arena.
     *
     * @param label its name in tools of the device
     * @param bytes its size, 1 to the device's limit; rounded up to a multiple of 16
     * @return the buffer, all of it zero
     * @throws IllegalArgumentException if the size is out of range
     * @throws io.devicearena.ArenaOutOfMemoryException if the device has too little free memory
     * @throws IllegalStateException if the arena is closed
     */
    KernelBuffer buffer(String label, long bytes);

    /**
     * Allocates host memory that kernels write results to.
     *
     * @param label its name in tools of the device
     * @param bytes its size, 1 to 65,536; rounded up to a multiple of 16
     * @return the buffer, all of it zero
     * @throws IllegalArgumentException if the size is out of range
     * @throws UnsupportedOperationException if kernels of the device cannot write to host memory
     * @throws io.devicearena.ArenaOutOfMemoryException if there is too little free memory
     * @throws IllegalStateException if the arena is closed
     */
    ResultBuffer resultBuffer(String label, long bytes);

    /**
     * Returns constant words. In WGSL, storage is faster where threads of a workgroup read different words at a time.
     * They take memory of the device only while a program uses them; it is freed with the last of them. They are for
     * constants, such as sizes and offsets of a plan. Pass floats through {@link Float#floatToRawIntBits}.
     *
     * @param words 1 to 16,384 words of 32 bits, in the layout of the kernel's struct
     * @return the binding; equal words share their bytes
     * @throws IllegalArgumentException if the number of words is out of range
     * @throws io.devicearena.DeviceException if the device fails
     * @throws IllegalStateException if the arena is closed
     */
    Binding uniform(int... words);

    /**
     * Returns constant bytes.
     *
     * @param bytes 1 to 65,536 bytes, in the layout of the kernel's struct; copied
     * @return the binding; equal bytes share their memory
     * @throws IllegalArgumentException if the number of bytes is out of range
     * @throws io.devicearena.DeviceException if the device fails
     * @throws IllegalStateException if the arena or the memory is closed
     */
    Binding uniform(MemorySegment bytes);

    /**
     * Begins to record a program.
     *
     * @return a recorder without steps
     * @throws IllegalStateException if the arena is closed
     */
    Recorder recorder();
}
