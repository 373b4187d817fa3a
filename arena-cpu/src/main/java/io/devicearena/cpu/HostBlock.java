package io.devicearena.cpu;

import io.devicearena.ArenaOutOfMemoryException;
import io.devicearena.spi.ArenaGeometry;
import io.devicearena.spi.memory.HostAllocation;
import io.devicearena.spi.memory.SystemMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * One zeroed block of host memory, and what frees it.
 *
 * <p>The block is in a shared arena: any thread may use it, and the JVM itself makes an access that races with the
 * release throw instead of touching freed memory, at no cost to the access.
 */
final class HostBlock implements HostAllocation {
    /** A cache line, and a multiple of the width of vector loads. */
    static final long ALIGNMENT = 64;

    private static final String REMEDY = "; close other arenas or plan a smaller one";

    private final Arena owner;
    private final MemorySegment memory;

    private HostBlock(Arena owner, MemorySegment memory) {
        this.owner = owner;
        this.memory = memory;
    }

    /**
     * Allocates memory.
     *
     * @throws ArenaOutOfMemoryException if the system has less free
     */
    static HostBlock allocate(long bytes) {
        return allocate(bytes, SystemMemory.freeBytes().orElse(Long.MAX_VALUE));
    }

    static HostBlock allocate(long bytes, long available) {
        if (bytes > available) {
            throw new ArenaOutOfMemoryException("arena: expected " + ArenaGeometry.sizeText(bytes)
                    + " of free host memory, got " + ArenaGeometry.sizeText(available) + REMEDY);
        }
        Arena owner = Arena.ofShared();
        try {
            return new HostBlock(owner, owner.allocate(bytes, ALIGNMENT));
        } catch (OutOfMemoryError e) {
            owner.close();
            throw new ArenaOutOfMemoryException(
                    "arena: expected " + ArenaGeometry.sizeText(bytes) + " of free host memory, the system refused them"
                            + REMEDY,
                    e);
        }
    }

    @Override
    public MemorySegment segment() {
        return memory;
    }

    @Override
    public void free() {
        owner.close();
    }

    /**
     * Frees the block, or leaves it as it is and throws.
     *
     * @throws IllegalStateException if a native call is using the block; a call after it has returned frees the block
     */
    void closeArena() {
        try {
            owner.close();
        } catch (IllegalStateException e) {
            throw new IllegalStateException(
                    "arena: a native call still uses the segment that unwrap returned; close the arena again when it has returned",
                    e);
        }
    }
}
