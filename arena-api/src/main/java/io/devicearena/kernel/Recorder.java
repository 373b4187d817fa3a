package io.devicearena.kernel;

import io.devicearena.NodeId;

/**
 * Records the steps of a program, and checks each of them.
 *
 * <p>Each step sees what the steps before it wrote. A step that throws is not part of the program; the other steps are.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public interface Recorder {
    /**
     * Names the dispatches that follow, up to the next call: in errors and times. A kernel is not compiled again.
     * Without it a dispatch has the name of its kernel.
     *
     * <p>Tools such as RenderDoc show a named dispatch in a debug group with this name and the values that it writes.
     *
     * @param step the name, for example that of the layer
     * @return this recorder
     */
    Recorder labelled(String step);

    /**
     * Adds a dispatch. It counts as writing the values of the windows that are bound as read_write, or the whole arena
     * if that is bound. Their f16 mirrors are stale after the step.
     *
     * @param kernel the kernel to run
     * @param bindings one for each of {@link Kernel#bindings}
     * @param workgroups the number of workgroups
     * @return this recorder
     * @throws IllegalArgumentException if a binding is missing, unexpected, too short or of the wrong kind, two
     *     bindings share bytes that one of them writes, there are more workgroups than the device supports, the kernel
     *     or a binding belongs to another arena, or the dispatch reads a mirror that an earlier step made stale
     * @throws io.devicearena.DeviceException if the device fails
     * @throws IllegalStateException if the arena, the kernel or a binding is closed
     */
    Recorder dispatch(Kernel kernel, Bindings bindings, Workgroups workgroups);

    /**
     * Adds a dispatch that writes only some of the values that are bound as read_write.
     *
     * @param kernel the kernel to run
     * @param bindings one for each binding of the kernel
     * @param workgroups the number of workgroups
     * @param written the values of the arena that it writes, possibly none; the dispatch must not write others
     * @return this recorder
     * @throws IllegalArgumentException as {@link #dispatch} does, or if a value has no slot
     * @throws io.devicearena.DeviceException if the device fails
     * @throws IllegalStateException if the arena, the kernel or a binding is closed
     */
    Recorder dispatchWriting(Kernel kernel, Bindings bindings, Workgroups workgroups, NodeId... written);

    /**
     * Adds a copy of a value to another value. A copy within a segment goes through a second buffer, one between
     * segments straight from buffer to buffer; the slots may overlap.
     *
     * @param from the value to copy, all bytes of its slot
     * @param to the target value; its slot is at least as large
     * @return this recorder
     * @throws IllegalArgumentException if a value has no slot, {@code to} is smaller than {@code from}, or a slot does
     *     not begin and end at multiples of 4
     * @throws io.devicearena.DeviceException if the device fails
     * @throws IllegalStateException if the arena is closed
     */
    Recorder copy(NodeId from, NodeId to);

    /**
     * Adds a copy between windows and buffers. A copy within one buffer goes through a second one; its ranges may
     * overlap.
     *
     * @param from the source
     * @param fromOffset bytes from the start of the source, a multiple of 4
     * @param to the target; the mirrors of bytes that the copy writes to the arena become stale
     * @param toOffset bytes from the start of the target, a multiple of 4
     * @param bytes the number of bytes, a multiple of 4, 0 allowed
     * @return this recorder
     * @throws IllegalArgumentException if a range is not inside its binding or not in whole words, a binding belongs to
     *     another arena, or one is a uniform
     * @throws io.devicearena.DeviceException if the device fails
     * @throws IllegalStateException if the arena or a binding is closed
     */
    Recorder copy(Binding from, long fromOffset, Binding to, long toOffset, long bytes);

    /**
     * Adds the refresh of the f16 mirrors of values: a cast on the device.
     *
     * @param nodes the values
     * @return this recorder
     * @throws UnsupportedOperationException if the arena has no shadow
     * @throws IllegalArgumentException if a value has no mirror
     * @throws io.devicearena.DeviceException if the device fails
     * @throws IllegalStateException if the arena is closed
     */
    Recorder refresh(NodeId... nodes);

    /**
     * Builds the program, which keeps the kernels and buffers of its steps. It is the last call of a recorder: later
     * ones throw. What a recorder uses that never builds a program is freed with the arena.
     *
     * @return a program of the steps, to be closed by the caller or with the arena
     * @throws IllegalStateException if the arena is closed, or the program is built already
     */
    KernelProgram build();
}
