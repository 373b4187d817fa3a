package io.devicearena.wgpu.kernel;

import java.lang.foreign.MemorySegment;

/**
 * Memory of the device besides the arena, for what a plan does not know: tables, counters, parameters that change.
 *
 * <p>It can be bound to {@code var<storage>} and to {@code var<uniform>} alike. New memory reads as zero.
 *
 * <p><b>Threads:</b> safe for any thread; a kernel that is run later sees what was written before.
 *
 * <p><b>Lifetime:</b> until the arena is closed, which frees it.
 */
public interface KernelBuffer extends Binding {
    /**
     * Writes bytes.
     *
     * @param offset bytes from the buffer's start, a multiple of 4
     * @param source the bytes, a multiple of 4 of them; none is allowed
     * @throws IllegalArgumentException if the range does not lie within the buffer, or is not in whole words
     * @throws WrongThreadException if {@code source} is confined to another thread
     * @throws io.devicearena.DeviceException if the device fails
     * @throws IllegalStateException if the arena or the memory of {@code source} is closed
     */
    void write(long offset, MemorySegment source);

    /**
     * Reads bytes, as they are behind every program that was run before.
     *
     * @param offset bytes from the buffer's start, 0 or more
     * @param destination where they land; its length says how many
     * @throws IllegalArgumentException if the range does not lie within the buffer, or {@code destination} is read-only
     * @throws WrongThreadException if {@code destination} is confined to another thread
     * @throws io.devicearena.DeviceException if the device fails
     * @throws IllegalStateException if the arena or the memory of {@code destination} is closed
     */
    void read(long offset, MemorySegment destination);
}
