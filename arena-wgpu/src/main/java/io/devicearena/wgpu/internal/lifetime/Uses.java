package io.devicearena.wgpu.internal.lifetime;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Counts the users of an object: its owner, and what acquires it later, such as calls in flight and programs that were
 * recorded with it. Once the owner closes it, the object gets no new users. The last one that leaves frees it, so that
 * no close waits.
 *
 * <p>Threads: safe for any thread.
 */
public final class Uses {
    private static final int CLOSED = Integer.MIN_VALUE;

    /** The number of users; with the sign bit once the owner closed the object. */
    private final AtomicInteger users = new AtomicInteger(1);

    private final Runnable free;

    /**
     * Begins with one user, the owner.
     *
     * @param free frees the object; called once, on the thread that leaves last
     */
    public Uses(Runnable free) {
        this.free = free;
    }

    /** Adds a user, which must {@link #release}; returns false once the object is closed or freed. */
    public boolean acquire() {
        return users.getAndUpdate(now -> now > 0 ? now + 1 : now) > 0;
    }

    /** Removes a user; the last one frees the object. */
    public void release() {
        if ((users.decrementAndGet() & ~CLOSED) == 0) {
            free.run();
        }
    }

    /** Ends the use by the owner; a second call does nothing. */
    public void close() {
        if (users.getAndUpdate(now -> now | CLOSED) > 0) {
            release();
        }
    }

    /** Whether the owner closed the object. */
    public boolean isClosed() {
        return users.get() < 0;
    }

    /** Whether the object has users other than its owner. */
    public boolean isShared() {
        return (users.get() & ~CLOSED) > 1;
    }
}
