package io.devicearena.wgpu.internal.arena;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Rejects calls after {@link #close}, which waits for the calls in flight.
 *
 * <p>Threads: safe for any thread.
 */
public final class CloseGuard {
    private static final int CLOSED = Integer.MIN_VALUE;

    /** The pause of a close between two looks: a call takes microseconds, or as long as its transfer. */
    private static final long PAUSE_NANOS = 20_000;

    /** The number of calls in flight; with the sign bit once the guard is closed. */
    private final AtomicInteger calls = new AtomicInteger();

    /** Makes an open guard. */
    public CloseGuard() {}

    /** Begins a call; {@link #leave} must follow. */
    public void enter() {
        if (!tryEnter()) {
            throw new IllegalStateException("the arena is closed");
        }
    }

    /** Begins a call, after which {@link #leave} must follow; returns false once the guard is closed. */
    public boolean tryEnter() {
        if (calls.incrementAndGet() < 0) {
            calls.decrementAndGet();
            return false;
        }
        return true;
    }

    /** Ends a call. */
    public void leave() {
        calls.decrementAndGet();
    }

    /** Rejects all later calls, and returns when no call is in flight. */
    public void close() {
        calls.getAndUpdate(now -> now | CLOSED);
        while (calls.get() != CLOSED) {
            LockSupport.parkNanos(this, PAUSE_NANOS);
        }
    }
}
