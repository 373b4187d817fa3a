package io.devicearena.kernel;

import io.devicearena.Batch;
import io.devicearena.Transfer;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Recorded steps, which run in one submission, any number of times.
 *
 * <p>A run allocates nothing on the Java heap. It creates only the native objects that the library requires for each
 * submission: one command encoder, one compute pass for each sequence of dispatches without a copy, and one command
 * buffer. It creates nothing per dispatch. A program that runs repeatedly is faster than a new one: while a thread
 * waits for a run and its reads, it records the next run with the same reads.
 *
 * <p>A run sees all earlier writes, by any thread. Later reads and runs see what it wrote.
 *
 * <p><b>Threads:</b> safe for any thread; runs of several threads are ordered one after the other.
 *
 * <p><b>Lifetime:</b> until it is closed, or the arena is. It keeps the arena reachable. It also keeps the kernels and
 * buffers of its steps, also when these are closed.
 */
public interface KernelProgram extends AutoCloseable {
    /**
     * Submits the steps and does not wait for them.
     *
     * @throws io.devicearena.DeviceException if the device fails
     * @throws IllegalStateException if the program or the arena is closed, or a mirror that the program reads is stale
     */
    void submit();

    /**
     * Submits the steps, and reads their results in the same submission: one submission and one wait.
     *
     * @param reads what to read after the last step, and its destinations
     * @return elements read into typed regions plus bytes read into raw ones
     * @throws IllegalArgumentException if a value has no slot or a range lies outside the arena; nothing was run
     * @throws WrongThreadException if a destination is confined to another thread
     * @throws io.devicearena.DeviceException if the device fails
     * @throws IllegalStateException if the program, the arena or the memory of a destination is closed, or a
     *     mirror that the program reads is stale
     */
    long run(Batch reads);

    /**
     * Writes inputs and submits the steps, as one, and does not wait for them. See {@link #run(Batch, Batch)}.
     *
     * @param writes the inputs; the sources can be used again when this returns
     * @throws IllegalArgumentException if a value has no slot, a type is not that of the plan, a range lies outside the
     *     arena or its value, or the inputs and their mirrors are longer together than a buffer of the device; nothing
     *     was written
     * @throws WrongThreadException if a source is confined to another thread
     * @throws io.devicearena.ArenaOutOfMemoryException if there is too little memory for the inputs; nothing was
     *     written
     * @throws io.devicearena.DeviceException if the device fails
     * @throws IllegalStateException if the arena or the memory of a source is closed, or a mirror that the program
     *     reads is stale
     */
    void submit(Batch writes);

    /**
     * Writes inputs, submits the steps and reads their results, as one: no write, run or read of another thread comes
     * between.
     *
     * <p>Threads that run one program with inputs of their own call this. With writes before the run, one thread can
     * run with the inputs of another.
     *
     * <p>Inputs of more than 512 KiB together, mirrors included, take as many bytes of host memory until the device has
     * read them. The backend keeps up to 256 MiB of it for later runs.
     *
     * @param writes the inputs
     * @param reads what to read after the last step, and its destinations
     * @return elements read into typed regions plus bytes read into raw ones
     * @throws IllegalArgumentException if a value has no slot, a type is not that of the plan, or a range lies outside
     *     the arena or its value, or the inputs and their mirrors are longer together than a buffer of the device;
     *     nothing was written
     * @throws WrongThreadException if a source or destination is confined to another thread
     * @throws io.devicearena.ArenaOutOfMemoryException if there is too little memory for the inputs; nothing was
     *     written
     * @throws io.devicearena.DeviceException if the device fails
     * @throws IllegalStateException if the program, the arena or the memory of a source or destination is closed, or a
     *     mirror that the program reads is stale
     */
    long run(Batch writes, Batch reads);

    /**
     * Writes inputs, submits the steps and the reads after them, as {@link #run(Batch, Batch)} does, and does
     * not wait.
     *
     * @param writes the inputs; the sources can be used again when this returns
     * @param reads what to read after the last step, and its destinations, as for {@link #begin(Batch)}
     * @return the handle to await
     * @throws IllegalArgumentException if a value has no slot, a type is not that of the plan, a range lies outside the
     *     arena or its value, the inputs and their mirrors are longer together than a buffer of the device, or a
     *     destination is confined to one thread; nothing was written
     * @throws WrongThreadException if a source or destination is confined to another thread
     * @throws io.devicearena.ArenaOutOfMemoryException if there is too little memory for the inputs; nothing was
     *     written
     * @throws io.devicearena.DeviceException if the device fails
     * @throws IllegalStateException if the program, the arena or the memory of a source or destination is closed, or a
     *     mirror that the program reads is stale
     */
    Transfer begin(Batch writes, Batch reads);

    /**
     * Submits the steps, waits for them, and reads a result buffer.
     *
     * @param result a buffer that a dispatch of this program is bound to
     * @param destination receives the first bytes of the buffer; its length is the number of bytes, 1 or more
     * @throws IllegalArgumentException if no dispatch is bound to {@code result}, {@code destination} is read-only, of
     *     no bytes or longer than {@code result}; nothing was run
     * @throws WrongThreadException if {@code destination} is confined to another thread
     * @throws io.devicearena.DeviceException if the device fails
     * @throws IllegalStateException if the program, the arena or the memory of {@code destination} is closed, or a
     *     mirror that the program reads is stale
     */
    void run(ResultBuffer result, MemorySegment destination);

    /**
     * Submits the steps and the reads after them, as {@link #run(Batch)} does, and does not wait.
     *
     * @param reads what to read after the last step, and its destinations. The destinations belong to the read until it
     *     has ended, and must be accessible to any thread
     * @return the handle to await
     * @throws IllegalArgumentException if a value has no slot, a range lies outside the arena, or a destination is
     *     confined to one thread; nothing was run
     * @throws WrongThreadException if a destination is confined to another thread
     * @throws io.devicearena.DeviceException if the device fails
     * @throws IllegalStateException if the program, the arena or the memory of a destination is closed, or a
     *     mirror that the program reads is stale
     */
    Transfer begin(Batch reads);

    /**
     * Prepares runs with the same reads, which are begun one after the other with one handle. {@link
     * #begin(Batch)} makes a handle for each.
     *
     * @param reads what to read after the last step, and its destinations, as for {@link #begin(Batch)}
     * @return the runs, of which none has begun
     * @throws IllegalArgumentException if a value has no slot, a range lies outside the arena, or a destination is
     *     confined to one thread
     * @throws WrongThreadException if a destination is confined to another thread
     * @throws IllegalStateException if the memory of a destination is closed
     */
    RepeatedRun repeated(Batch reads);

    /**
     * Runs the steps once, each dispatch in a pass of its own, and waits for the times. This is for measurements: it
     * allocates.
     *
     * @return the time of each dispatch, in order; copies and refreshes have no time
     * @throws UnsupportedOperationException if the device has no timestamps, or
     *     the arena has checks
     * @throws IllegalArgumentException if the program has no dispatch, or more than 2,048
     * @throws io.devicearena.DeviceException if the device fails
     * @throws IllegalStateException if the program or the arena is closed, or a mirror that the program reads is stale
     */
    List<StepTime> time();

    /**
     * Returns the number of dispatches, copies and refreshes.
     *
     * @return 0 or more
     */
    int steps();

    /**
     * Ends the use of the program, and frees what only closed programs used: bind groups, uniforms, and kernels and
     * buffers that are closed.
     *
     * <p>Any thread may close it at any time, and does not wait. Runs that are under way end as if it were open, and so
     * do the deferred reads that it began. Later runs throw {@link IllegalStateException}. A second call does nothing.
     */
    @Override
    void close();
}
