package io.devicearena.spi.memory;

import java.util.concurrent.locks.LockSupport;

/**
 * A deferred read as the device sees it: bytes on their way into memory of the backend, from where they are copied into
 * the destinations. {@link GuardedMemory#begin} makes the handle of the caller from it, with its states, waits, future
 * and cancellation. After {@link #release} the backend may begin the same read again, see {@link
 * GuardedMemory#beginAgain}.
 *
 * <p>It must not refer to its arena: the memory of the arena keeps it, and an arena that only its own reads keep must
 * remain collectable.
 *
 * <p><b>Threads:</b> one thread at a time, which may be any; only {@link #pause} is called by several at once.
 */
public interface StagedRead {
    /** Polls without pause for so long: to sleep and to wake takes longer than most small transfers. */
    long SPIN_NANOS = 2_000_000;

    /** The pause between two polls of a longer wait. */
    long PAUSE_NANOS = 50_000;

    /**
     * Returns whether the bytes have arrived; never waits.
     *
     * @return true once {@link #land} can copy them
     * @throws io.devicearena.DeviceException if the device failed; the read has failed then
     */
    boolean hasArrived();

    /**
     * Copies the bytes into the destinations. It is called at most once for each begin of the read, after
     * {@link #hasArrived} returned true.
     */
    void land();

    /**
     * Frees what the read uses. It is called exactly once for each begin of the read: after {@link #land}, after a
     * failure, when the read is cancelled or dropped, or when its arena is closed. The device may still be at work on
     * the read unless {@code landed}; it must not touch freed memory.
     *
     * @param landed whether the bytes have been copied, so that the staging can be used again
     */
    void release(boolean landed);

    /** {@return whether the transfer can be cancelled, as reads can; a write goes on} */
    default boolean isCancellable() {
        return true;
    }

    /**
     * Pauses between two polls of a waiting thread. By default it spins for {@value #SPIN_NANOS} ns, then sleeps for
     * {@value #PAUSE_NANOS} ns at a time; an interrupt does not end the wait.
     *
     * @param waitedNanos how long the thread has waited so far
     */
    default void pause(long waitedNanos) {
        if (waitedNanos < SPIN_NANOS) {
            Thread.onSpinWait();
        } else {
            LockSupport.parkNanos(this, PAUSE_NANOS);
        }
    }
}
