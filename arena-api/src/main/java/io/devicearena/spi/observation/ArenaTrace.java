package io.devicearena.spi.observation;

import io.devicearena.spi.memory.Span;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Records what happens to one arena or view: by default nothing but its drop. It must not refer to it.
 *
 * <p><b>Threads:</b> safe for any thread.
 */
public interface ArenaTrace {
    /** {@return whether calls are recorded now; asked before each call, so it takes no time and allocates nothing} */
    default boolean isRecording() {
        return false;
    }

    /**
     * Makes a call and records it, unless it throws.
     *
     * @param call the kind of call
     * @param spans what it moves, at least one
     * @param move makes it
     */
    default void record(ArenaCall call, List<Span> spans, Runnable move) {
        move.run();
    }

    /**
     * Closes the arena.
     *
     * @param close closes it, and returns false if it was closed before
     * @return what {@code close} returned
     */
    default boolean close(BooleanSupplier close) {
        return close.getAsBoolean();
    }

    /** Writes to the log {@code io.devicearena} that the arena was dropped without close. */
    void dropped();
}
