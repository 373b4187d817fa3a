package io.devicearena.spi;

import io.devicearena.internal.recording.ArenaIdentity;
import io.devicearena.internal.recording.ArenaRecorder;
import io.devicearena.internal.tracking.LeakDetection;
import io.devicearena.internal.tracking.OpeningPlace;
import org.jspecify.annotations.Nullable;

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
    private final @Nullable OpeningPlace place;
    private boolean closed;
    private boolean freed;

    /**
     * Makes the release.
     *
     * @param memory frees the memory, or throws and has freed nothing
     * @param arena what the log and the recorder say of the arena
     * @param place where it was opened, or null if that was not recorded
     */
    MemoryRelease(Runnable memory, ArenaIdentity arena, @Nullable OpeningPlace place) {
        this.memory = memory;
        this.arena = arena;
        this.place = place;
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
            reportDrop();
        }
    }

    private void reportDrop() {
        ArenaRecorder.dropped(arena, place == null ? "" : place.caller());
        String line = arena.text() + " was dropped without close; its memory is freed now";
        if (place == null) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    line + ". Set the property " + LeakDetection.PROPERTY + " to all to see where it was opened");
        } else {
            LOG.log(System.Logger.Level.WARNING, line + ". It was opened at " + place.caller(), place);
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
