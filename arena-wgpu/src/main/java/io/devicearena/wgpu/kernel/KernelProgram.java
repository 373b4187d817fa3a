package io.devicearena.wgpu.kernel;

import io.devicearena.DeferredRead;
import io.devicearena.ReadBatch;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Steps that run in one submission, as often as wanted.
 *
 * <p>A run allocates nothing on the heap. Of native objects it uses up those that the library forces upon every submission:
 * one command encoder, one compute pass for each run of dispatches without a copy between, and one command buffer. Nothing is
 * made for each dispatch. Programs that run again and again are faster than new ones: while a run and its reads are waited
 * for, the next run with the same reads is recorded.
 *
 * <p>A run sees what was written before it, by any thread; what is read or run after it sees what it wrote.
 *
 * <p><b>Threads:</b> safe for any thread; runs of several threads follow each other in some order.
 *
 * <p><b>Lifetime:</b> until the arena is closed. It keeps the arena reachable.
 */
public interface KernelProgram {
    /**
     * Submits the steps and does not wait for them.
     *
     * @throws io.devicearena.DeviceException if the device fails
     * @throws IllegalStateException if the arena is closed, or a mirror that the program reads is stale
     */
    void run();

    /**
     * Submits the steps, and in the same submission reads what they made: one submission and one wait.
     *
     * @param reads what to read behind the last step, and where it lands
     * @return elements read into typed regions plus bytes read into raw ones
     * @throws IllegalArgumentException if a value has no slot or a range lies outside the arena; nothing was run
     * @throws WrongThreadException if a destination is confined to another thread
     * @throws io.devicearena.DeviceException if the device fails
     * @throws IllegalStateException if the arena or the memory of a destination is closed, or a mirror that the program
     *     reads is stale
     */
    long run(ReadBatch reads);

    /**
     * Submits the steps, waits for them, and reads what they wrote to a result buffer.
     *
     * @param result a buffer that a dispatch of this program is bound to
     * @param destination where its first bytes land; its length says how many, 1 or more
     * @throws IllegalArgumentException if no dispatch is bound to {@code result}, {@code destination} is read-only, of no
     *     bytes or longer than {@code result}; nothing was run
     * @throws WrongThreadException if {@code destination} is confined to another thread
     * @throws io.devicearena.DeviceException if the device fails
     * @throws IllegalStateException if the arena or the memory of {@code destination} is closed, or a mirror that the program
     *     reads is stale
     */
    void run(ResultBuffer result, MemorySegment destination);

    /**
     * Submits the steps and what reads behind them, as {@link #run(ReadBatch)} does, and does not wait.
     *
     * @param reads what to read behind the last step, and where it lands; the destinations belong to the read until it is
     *     done, and must be accessible to any thread
     * @return the handle to await
     * @throws IllegalArgumentException if a value has no slot, a range lies outside the arena, or a destination is confined
     *     to one thread; nothing was run
     * @throws WrongThreadException if a destination is confined to another thread
     * @throws io.devicearena.DeviceException if the device fails
     * @throws IllegalStateException if the arena or the memory of a destination is closed, or a mirror that the program
     *     reads is stale
     */
    DeferredRead begin(ReadBatch reads);

    /**
     * Runs the steps once, each dispatch in a pass of its own, and waits for the times. For measuring: it allocates.
     *
     * @return the time of each dispatch, in their order; copies and refreshes have none
     * @throws UnsupportedOperationException if the device notes no times
     * @throws IllegalArgumentException if the program has no dispatch, or more than 2,048
     * @throws io.devicearena.DeviceException if the device fails
     * @throws IllegalStateException if the arena is closed, or a mirror that the program reads is stale
     */
    List<StepTime> time();

    /**
     * How many dispatches, copies and refreshes it has.
     *
     * @return 0 or more
     */
    int steps();
}
