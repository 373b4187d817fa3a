package io.devicearena.spi;

import io.devicearena.spi.memory.GuardedMemory;
import io.devicearena.spi.observation.MemoryWatch;

/**
 * Memory that an arena and its views use: it is freed when the last of them has released it. Must not refer to an
 * arena.
 *
 * <p>Threads: safe for any thread.
 */
final class SharedMemory {
    final ArenaBackend backend;
    /** Counts the calls that the backend makes by itself, and keeps its deferred transfers. */
    final GuardedMemory guard;

    final MemoryWatch watch;

    /** The arena and views that use the memory; 0 once it is freed. */
    private int uses = 1;

    /** Takes memory for its first use, which {@link #release} ends. */
    SharedMemory(ArenaBackend backend, MemoryWatch watch) {
        this.backend = backend;
        this.guard = new GuardedMemory(backend::close);
        this.watch = watch;
        try {
            watch.allocated(backend::figures, this::uses);
        } catch (RuntimeException | Error e) {
            backend.close();
            throw e;
        }
    }

    /**
     * Begins a use; {@link #release} must follow.
     *
     * @throws IllegalStateException if the last use has ended: a view came too late
     */
    synchronized void use() {
        if (uses == 0) {
            throw new IllegalStateException("memory of an arena: expected it in use, got it freed; open a new arena");
        }
        uses++;
    }

    /** The number of uses that have not ended. */
    private synchronized int uses() {
        return uses;
    }

    /** Ends a use, or throws and has ended nothing. */
    synchronized void release() {
        if (uses == 1) {
            guard.run();
            watch.freed();
        }
        uses--;
    }
}
