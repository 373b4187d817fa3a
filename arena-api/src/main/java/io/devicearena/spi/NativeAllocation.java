package io.devicearena.spi;

import io.devicearena.ArenaOutOfMemoryException;
import io.devicearena.spi.memory.HostAllocation;
import io.devicearena.spi.memory.SystemMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Host memory of the system, for devices that have none of their own. Threads: safe for any thread. */
final class NativeAllocation implements HostAllocation {
    /** A cache line, and a multiple of the width of vector loads. */
    private static final long ALIGNMENT = 64;

    /** Less is allocated without a look at what is free: the look takes longer than the allocation. */
    private static final long SMALL = 1 << 20;

    private static final String REMEDY = "; allocate less, or close what is not needed";

    private final Arena owner = Arena.ofShared();
    private final MemorySegment memory;

    NativeAllocation(long bytes) {
        this(bytes, bytes <= SMALL ? bytes : SystemMemory.freeBytes().orElse(Long.MAX_VALUE));
    }

    NativeAllocation(long bytes, long free) {
        if (bytes > free) {
            owner.close();
            throw new ArenaOutOfMemoryException("host memory: expected " + ArenaGeometry.sizeText(bytes)
                    + " of free memory, got " + ArenaGeometry.sizeText(free) + REMEDY);
        }
        try {
            memory = owner.allocate(bytes, ALIGNMENT);
        } catch (OutOfMemoryError e) {
            owner.close();
            throw new ArenaOutOfMemoryException(
                    "host memory: expected " + ArenaGeometry.sizeText(bytes)
                            + " of free memory, the system refused them" + REMEDY,
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
}
