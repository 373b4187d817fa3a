package io.devicearena.spi;

import io.devicearena.spi.observation.ArenaIdentity;
import io.devicearena.spi.observation.ArenaTrace;

/**
 * Frees an arena's memory once, and reports when the arena was dropped without close. Must not refer to the arena.
 *
 * <p>Freeing may fail, for example while a native call uses the memory. The next close tries again, or the cleaner once
 * the arena is dropped: a close that failed loses no memory.
 *
 * <p>Threads: safe for any thread.
 */
final class MemoryRelease implements Runnable {
    private static final System.Logger LOG = System.getLogger("io.devicearena");

    private final Runnable memory;
    private final ArenaIdentity arena;
    private final ArenaTrace trace;
    private boolean closed;
    private boolean freed;

    /**
     * Makes the release.
     *
     * @param memory frees the memory, or throws and has freed nothing
     * @param arena what the log says of the arena
     * @param trace gets the report of a drop
     */
    MemoryRelease(Runnable memory, ArenaIdentity arena, ArenaTrace trace) {
        this.memory = memory;
        this.arena = arena;
        this.trace = trace;
    }

    /**
     * Frees the memory on behalf of close; a second closer waits until it is free. Throws what freeing throws.
     *
     * @return whether this call freed it
     */
    synchronized boolean close() {
        closed = true;
        return free();
    }

    /** Frees the memory on behalf of the cleaner, if it is not free yet. */
    @Override
    public synchronized void run() {
        try {
            free(); // before the log, whose handlers may throw
        } catch (RuntimeException e) {
            // a cleaner drops what its action throws, and nothing calls again
            LOG.log(System.Logger.Level.ERROR, arena.text() + " was dropped and its memory could not be freed", e);
            return;
        }
        if (!closed) {
            trace.dropped();
        }
    }

    /** Frees the memory unless it is free already; returns whether it did. */
    private boolean free() {
        if (freed) {
            return false;
        }
        memory.run();
        freed = true;
        return true;
    }
}
