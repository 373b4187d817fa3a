package io.devicearena.wgpu.internal.arena;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Lets calls in until it is closed, and closing wait for those that are in.
 *
 * <p>Threads: safe for any thread.
 */
final class CloseGuard {
    private static final int CLOSED = Integer.MIN_VALUE;

    /** A call takes microseconds, or as long as its transfer. */
    private static final long PAUSE_NANOS = 20_000;

    /** How many calls are in; with the sign bit once the gate is closed. */
    private final AtomicInteger calls = new AtomicInteger();

    /** Lets a call in; {@link #leave} must follow. */
    void enter() {
        if (calls.incrementAndGet() < 0) {
            calls.decrementAndGet();
            throw new IllegalStateException("arena: expected it to be open, got it closed");
        }
    }

    void leave() {
        calls.decrementAndGet();
    }

    /** Lets nobody in any more, and returns when nobody is in. */
    void close() {
        calls.getAndUpdate(now -> now | CLOSED);
        while (calls.get() != CLOSED) {
            LockSupport.parkNanos(this, PAUSE_NANOS);
        }
    }
}
