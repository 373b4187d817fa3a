package io.devicearena.spi;

import io.devicearena.ArenaOutOfMemoryException;
import io.devicearena.spi.memory.HostAllocation;
import io.devicearena.spi.memory.SystemMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Zeroed host memory of the system: for arenas that are in it, and for devices that have none of their own.
 *
 * <p>The memory is in a shared {@link Arena}: any thread may use it, and the JVM itself makes an access that races with
 * the release throw instead of touching freed memory, at no cost to the access.
 *
 * <p><b>Threads:</b> safe for any thread.
 */
public final class SystemAllocation implements HostAllocation {
    /** Where an allocation begins, in bytes: a cache line, and a multiple of the width of vector loads. */
    public static final long ALIGNMENT = 64;

    /** Less is allocated without a look at what is free: the look takes longer than the allocation. */
    private static final long SMALL = 1 << 20;

    private static final String REMEDY = "; close other arenas, or ask for less";

    private final Arena owner;
    private final MemorySegment memory;

    private SystemAllocation(Arena owner, MemorySegment memory) {
        this.owner = owner;
        this.memory = memory;
    }

    /**
     * Allocates memory, which {@link #free} frees.
     *
     * @param what what it is for, the first words of an error
     * @param bytes 1 or more
     * @return the memory, at a multiple of {@link #ALIGNMENT}
     * @throws ArenaOutOfMemoryException if the system has less free, or refuses the memory
     */
    public static SystemAllocation allocate(String what, long bytes) {
        if (bytes > SMALL) {
            requireFree(what, bytes);
        }
        return ofSystem(what, bytes);
    }

    static SystemAllocation ofSystem(String what, long bytes) {
        Arena owner = Arena.ofShared();
        try {
            return new SystemAllocation(owner, owner.allocate(bytes, ALIGNMENT));
        } catch (OutOfMemoryError e) {
            owner.close();
            throw new ArenaOutOfMemoryException(expected(what, bytes) + ", the system refused them" + REMEDY, e);
        }
    }

    /**
     * Throws if the system has less memory free than is asked for; where it does not say, nothing.
     *
     * @param what what the memory is for, the first words of the error
     * @param bytes what is to be allocated
     * @throws ArenaOutOfMemoryException if it has less; the message has both figures
     */
    public static void requireFree(String what, long bytes) {
        requireFree(what, bytes, SystemMemory.freeBytes().orElse(Long.MAX_VALUE));
    }

    static void requireFree(String what, long bytes, long free) {
        if (bytes > free) {
            throw new ArenaOutOfMemoryException(
                    expected(what, bytes) + ", got " + ArenaGeometry.sizeText(free) + REMEDY);
        }
    }

    private static String expected(String what, long bytes) {
        return what + ": expected " + ArenaGeometry.sizeText(bytes) + " of free host memory";
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
