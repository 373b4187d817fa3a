package io.devicearena;

import java.time.Duration;
import java.util.Optional;

/**
 * Says when the sources of a deferred write may be changed or freed again: {@link DeviceArena#beginWrite}.
 *
 * <p>The write itself needs no wait: later reads, writes and kernels see it as they see any other.
 *
 * <p><b>Threads:</b> safe for any thread.
 *
 * <p><b>Lifetime:</b> closing the arena ends the write; its sources are free then. A fence that is never awaited needs
 * no release.
 */
public interface WriteFence {
    /**
     * Returns whether the sources are free, without waiting.
     *
     * @return true once they may be changed
     * @throws DeviceException if the device failed
     */
    boolean isDone();

    /**
     * Waits until the sources are free. Interrupting the thread does not end the wait; its interrupt flag stays set.
     *
     * @throws DeviceException if the device failed; the sources are free then too
     */
    void await();

    /**
     * Waits until the sources are free, at most for a time.
     *
     * @param timeout the longest wait, 0 or more; 0 checks without waiting
     * @return true when they are free, false when they are not after the time
     * @throws IllegalArgumentException if {@code timeout} is negative
     * @throws DeviceException if the device failed
     */
    boolean await(Duration timeout);

    /** {@return the device's own fence, for an engine that waits for it by other means; empty where there is none} */
    default Optional<DeviceToken> token() {
        return Optional.empty();
    }
}
