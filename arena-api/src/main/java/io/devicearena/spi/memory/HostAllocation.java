package io.devicearena.spi.memory;

import java.lang.foreign.MemorySegment;

/**
 * Host memory that a backend has allocated for {@link io.devicearena.DeviceArena#allocateHost}: page-locked, or mapped
 * from a buffer that the device copies from. The arena makes the handle of the caller from it and frees it once. It is
 * also what {@link io.devicearena.spi.ArenaBackend#map} returns: bytes that a caller looks at.
 *
 * <p>Writes and reads of the arena get this memory as any other source or destination; the backend knows it by its
 * address. It must not refer to its arena, whose memory keeps it.
 *
 * <p><b>Threads:</b> safe for any thread.
 */
public interface HostAllocation {
    /**
     * Returns the memory. Where the device works on it and the host has no access meanwhile, this waits until the host
     * has it again.
     *
     * @return the bytes for any thread, of a scope that is closed when they are freed
     * @throws io.devicearena.DeviceException if the device failed
     */
    MemorySegment segment();

    /**
     * Frees the memory. It is not called again once it has returned. The memory of its arena is not freed yet. When the
     * arena is closed, and has {@link GuardedMemory}, no hook of it runs any more.
     *
     * @throws IllegalStateException if a native call is using the memory; nothing is freed then
     */
    void free();
}
