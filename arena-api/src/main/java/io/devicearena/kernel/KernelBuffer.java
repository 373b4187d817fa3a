package io.devicearena.kernel;

import java.lang.foreign.MemorySegment;

/**
 * Device memory beside the arena, for data that is not in a plan: tables, counters, parameters that change.
 *
 * <p>It can be bound to {@code var<storage>} and to {@code var<uniform>}. New memory reads as zero.
 *
 * <p><b>Threads:</b> safe for any thread. A kernel that runs later sees earlier writes.
 *
 * <p><b>Lifetime:</b> until it is closed, or the arena is. Programs that were recorded with it keep its memory.
 */
public interface KernelBuffer extends Binding, AutoCloseable {
    /**
     * Writes bytes.
     *
     * @param offset bytes from the start of the buffer, a multiple of 4
     * @param source the bytes; their number is a multiple of 4, 0 allowed
     * @throws IllegalArgumentException if the range does not lie within the buffer, or is not in whole words
     * @throws WrongThreadException if {@code source} is confined to another thread
     * @throws io.devicearena.DeviceException if the device fails
     * @throws IllegalStateException if the arena, the buffer or the memory of {@code source} is closed
     */
    void write(long offset, MemorySegment source);

    /**
     * Reads bytes, after all programs that were run before.
     *
     * @param offset bytes from the start of the buffer, 0 or more
     * @param destination receives the bytes; its length is the number of bytes
     * @throws IllegalArgumentException if the range does not lie within the buffer, or {@code destination} is read-only
     * @throws WrongThreadException if {@code destination} is confined to another thread
     * @throws io.devicearena.DeviceException if the device fails
     * @throws IllegalStateException if the arena, the buffer or the memory of {@code destination} is closed
     */
    void read(long offset, MemorySegment destination);

    /**
     * Ends the use of the buffer. Its memory is freed when no program that was recorded with it is open, and the
     * device has finished with it. To write, read or bind it throws {@link IllegalStateException}.
     *
     * <p>Any thread may close it at any time, and does not wait. A second call does nothing.
     */
    @Override
    void close();
}
