package io.devicearena;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A read that was begun and is awaited later.
 *
 * <p>The bytes are those the arena held when the read was begun; later writes do not change them. The destinations
 * belong to the read until it is done: what they hold before, or after a cancelled or failed read, is undefined.
 *
 * <p><b>Threads:</b> safe for any thread.
 *
 * <p><b>Lifetime:</b> closing the arena ends a pending read: it becomes {@link State#FAILED} with an
 * {@link IllegalStateException}. A handle that is never awaited needs no release.
 */
public interface DeferredRead {
    /**
     * The state of a deferred read.
     *
     * <p><b>Threads:</b> immutable.
     */
    enum State {
        /** Begun, not yet in the destinations. */
        PENDING,
        /** The destinations hold the bytes. */
        DONE,
        /** Cancelled by {@link DeferredRead#cancel}. */
        CANCELLED,
        /** The device failed or the arena was closed; {@link DeferredRead#await()} throws why. */
        FAILED
    }

    /** {@return the state of the read at this moment, without waiting} */
    State state();

    /**
     * Waits until the read is done. Interrupting the thread does not end the wait; its interrupt flag stays set.
     *
     * @return elements read into typed regions plus bytes read into raw ones, summed over the batch
     * @throws java.util.concurrent.CancellationException if the read was cancelled
     * @throws DeviceException if the device failed
     * @throws IllegalStateException if the arena was closed before the read was done
     */
    long await();

    /**
     * Waits until the read is done, at most for a time.
     *
     * @param timeout the longest wait, 0 or more; 0 checks without waiting
     * @return true when it is done, false when it is still pending after the time
     * @throws IllegalArgumentException if {@code timeout} is negative
     * @throws java.util.concurrent.CancellationException if the read was cancelled
     * @throws DeviceException if the device failed
     * @throws IllegalStateException if the arena was closed before the read was done
     */
    boolean await(Duration timeout);

    /**
     * Cancels a pending read. The destinations are no longer written to once this returns.
     *
     * @return true when this call cancelled it, false when it had ended before
     */
    boolean cancel();

    /** {@return the device's own fence, for an engine that waits for it by other means; empty where there is none} */
    default Optional<DeviceToken> token() {
        return Optional.empty();
    }

    /**
     * The same read as a future, for composition. Cancelling the future does not cancel the read.
     *
     * @return a future that completes with what {@link #await()} returns, or exceptionally with what it throws
     */
    CompletableFuture<Long> toCompletableFuture();
}
