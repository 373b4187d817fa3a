package io.devicearena.wgpu.kernel;

import io.devicearena.NodeId;

/**
 * Takes down the steps of a program, and checks each as it comes.
 *
 * <p>Each step sees what the steps before it wrote. A step that throws is not part of the program; the others are.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public interface Recorder {
    /**
     * Adds a dispatch. What it writes are the values of the windows that it is bound to for writing, or all of the arena
     * when it is bound to that as a whole; their f16 mirrors are stale from then on.
     *
     * @param kernel what to run
     * @param bindings one for each binding of the kernel
     * @param workgroups how many
     * @return this recorder
     * @throws IllegalArgumentException if a binding is missing, too much, too short or of the wrong sort, two bindings
     *     share bytes that one of them writes, the workgroups are past the device's limit, the kernel or a binding belongs
     *     to another arena, or a mirror is read that a step before has made stale
     * @throws io.devicearena.DeviceException if the device fails
     * @throws IllegalStateException if the arena is closed
     */
    Recorder dispatch(Kernel kernel, Bindings bindings, Workgroups workgroups);

    /**
     * Adds a dispatch that writes less than what it is bound to for writing.
     *
     * @param kernel what to run
     * @param bindings one for each binding of the kernel
     * @param workgroups how many
     * @param written the values of the arena that it writes, none allowed; the caller answers for there being no others
     * @return this recorder
     * @throws IllegalArgumentException as the other form does, or if a value has no slot
     * @throws io.devicearena.DeviceException if the device fails
     * @throws IllegalStateException if the arena is closed
     */
    Recorder dispatchWriting(Kernel kernel, Bindings bindings, Workgroups workgroups, NodeId... written);

    /**
     * Adds a copy of a value's bytes to another value. A copy within the arena goes through a second buffer.
     *
     * @param from the value to copy, all bytes of its slot
     * @param to where to; its slot holds them
     * @return this recorder
     * @throws IllegalArgumentException if a value has no slot, {@code to} is smaller than {@code from}, or a slot does not
     *     begin and end at multiples of 4
     * @throws io.devicearena.DeviceException if the device fails
     * @throws IllegalStateException if the arena is closed
     */
    Recorder copy(NodeId from, NodeId to);

    /**
     * Adds a copy between windows and buffers. A copy within one buffer goes through a second one; its ranges may overlap.
     *
     * @param from where from
     * @param fromOffset bytes from its start, a multiple of 4
     * @param to where to; the copy makes the f16 mirrors of what it writes to the arena stale
     * @param toOffset bytes from its start, a multiple of 4
     * @param bytes how many, a multiple of 4; none is allowed
     * @return this recorder
     * @throws IllegalArgumentException if a range is not inside its binding or not in whole words, a binding belongs to
     *     another arena, or one is a uniform
     * @throws io.devicearena.DeviceException if the device fails
     * @throws IllegalStateException if the arena is closed
     */
    Recorder copy(Binding from, long fromOffset, Binding to, long toOffset, long bytes);

    /**
     * Adds making the f16 mirrors of values the casts of their bytes, on the device.
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
     * Ends the recording. The recorder can go on; the program does not change.
     *
     * @return the steps up to now
     * @throws IllegalStateException if the arena is closed
     */
    KernelProgram build();
}
