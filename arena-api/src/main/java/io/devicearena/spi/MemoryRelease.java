package io.devicearena.spi;

import io.devicearena.internal.recording.ArenaIdentity;
import io.devicearena.internal.recording.ArenaRecorder;

/**
 * Frees an arena's memory once, and logs a warning when the arena was dropped without close. Must not refer to the
 * arena.
 *
 * <p>Freeing may fail, for example while a native call uses the memory. The next close tries again, or the cleaner once
 * the arena is dropped: a close that failed loses no memory.
 */
final class MemoryRelease implements Runnable {
    private static final System.Logger LOG = System.getLogger("io.devicearena");

    private final Runnable memory;
    private final ArenaIdentity arena;
    private boolean closed;
    private boolean freed;

    /**
     * Makes the release.
     *
     * @param memory frees the memory, or throws and has freed nothing
     * @param arena what the log and the recorder say of the arena
     */
    MemoryRelease(Runnable memory, ArenaIdentity arena) {
        this.memory = memory;
        this.arena = arena;
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
            ArenaRecorder.dropped(arena);
            LOG.log(System.Logger.Level.WARNING, arena.text() + " was dropped without close; its memory is freed now");
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
