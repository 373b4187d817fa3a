package io.devicearena.kernel;

import io.devicearena.Transfer;

/**
 * A run of a program with the reads after it, begun again and again with one handle: {@link #begin} allocates nothing
 * on the Java heap from the second call on. An engine that submits several steps ahead has one for each of them.
 *
 * <p><b>Threads:</b> safe for any thread.
 *
 * <p><b>Lifetime:</b> that of its program, which it keeps reachable.
 */
public interface RepeatedRun {
    /**
     * Submits the steps and the reads after them, and does not wait.
     *
     * @return the handle to await, the same each time: it is pending again. In an arena with checks each call returns a
     *     new one
     * @throws io.devicearena.DeviceException if the device fails
     * @throws IllegalStateException if the read that was begun before is pending; or if the program, the arena or the
     *     memory of a destination is closed, or a mirror that the program reads is stale
     */
    Transfer begin();
}
