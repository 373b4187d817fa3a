package io.devicearena.wgpu.internal.compute;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Counts what uses an object: calls in flight, and programs that were recorded with it. Once the object is closed it
 * gets no new users, and the last one that leaves frees it. So no close waits.
 *
 * <p>Threads: safe for any thread.
 */
final class Uses {
    private static final int CLOSED = Integer.MIN_VALUE;

    /** The number of users; with the sign bit once the object is closed. */
    private final AtomicInteger users = new AtomicInteger();

    /** Adds a user, which must {@link #leave}; returns false once the object is closed. */
    boolean enter() {
        int now = users.get();
        while (now >= 0) {
            if (users.compareAndSet(now, now + 1)) {
                return true;
            }
            now = users.get();
        }
        return false;
    }

    /** Removes a user; returns whether the caller must free the object. */
    boolean leave() {
        return users.decrementAndGet() == CLOSED;
    }

    boolean isClosed() {
        return users.get() < 0;
    }

    /** Closes the object; returns whether the caller must free it. A second call returns false. */
    boolean close() {
        return users.getAndUpdate(now -> now | CLOSED) == 0;
    }
}
