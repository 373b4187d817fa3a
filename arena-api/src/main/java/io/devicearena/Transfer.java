package io.devicearena;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * A read or a write that was begun and is awaited later.
 *
 * <p>A read takes the bytes that the arena held when it was begun; later writes do not change them. Its memory belongs
 * to the read until it is done: what it holds before, or after a cancelled or failed read, is undefined. A write needs
 * no wait for its effect, since later reads, writes and kernels see it as they see any other: it is done when its
 * memory may be changed or freed again.
 *
 * <p><b>Threads:</b> safe for any thread.
 *
 * <p><b>Lifetime:</b> closing the arena ends a pending transfer: it becomes {@link State#FAILED} with an
 * {@link IllegalStateException}, and its memory is free. A handle that is never awaited needs no release.
 */
public interface Transfer {
    /**
     * The state of a transfer.
     *
     * <p><b>Threads:</b> immutable.
     */
    enum State {
        /** Begun, and not yet through with the memory of the caller. */
        PENDING,
        /** Through with the memory of the caller, which holds the bytes of a read. */
        DONE,
        /** Cancelled by {@link Transfer#cancel}. */
        CANCELLED,
        /** The device failed or the arena was closed; {@link Transfer#await()} throws why. */
        FAILED
    }

    /** {@return the state of the transfer at this moment, without waiting} */
    State state();

    /**
     * Waits until the transfer is done. Interrupting the thread does not end the wait; its interrupt flag stays set.
     *
     * @return elements of typed regions plus bytes of raw ones, summed over the batch
     * @throws java.util.concurrent.CancellationException if the transfer was cancelled
     * @throws DeviceException if the device failed
     * @throws IllegalStateException if the arena was closed before the transfer was done
     */
    long await();

    /**
     * Waits until the transfer is done, at most for a time.
     *
     * @param timeout the longest wait, 0 or more; 0 checks without waiting
     * @return true when it is done, false when it is still pending after the time
     * @throws IllegalArgumentException if {@code timeout} is negative
     * @throws java.util.concurrent.CancellationException if the transfer was cancelled
     * @throws DeviceException if the device failed
     * @throws IllegalStateException if the arena was closed before the transfer was done
     */
    boolean await(Duration timeout);

    /**
     * Cancels a pending read, whose memory is no longer written to once this returns. A write cannot be cancelled.
     *
     * @return true when this call cancelled it, false for a write or when it had ended before
     */
    boolean cancel();

    /**
     * The same transfer as a future, for composition. Cancelling the future does not cancel the transfer.
     *
     * @return a future that completes with what {@link #await()} returns, or exceptionally with what it throws
     */
    CompletableFuture<Long> toCompletableFuture();
}
