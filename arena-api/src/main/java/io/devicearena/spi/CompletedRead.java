package io.devicearena.spi;

import io.devicearena.DeferredRead;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/** A deferred read that ended before its handle was made. Threads: immutable. */
final class CompletedRead implements DeferredRead {
    private final long count;

    /** Takes the elements read into typed regions plus the bytes read into raw ones. */
    CompletedRead(long count) {
        this.count = count;
    }

    @Override
    public State state() {
        return State.DONE;
    }

    @Override
    public long await() {
        return count;
    }

    @Override
    public boolean await(Duration timeout) {
        if (Objects.requireNonNull(timeout, "timeout").isNegative()) {
            throw new IllegalArgumentException("timeout: expected 0 or more, got " + timeout);
        }
        return true;
    }

    @Override
    public boolean cancel() {
        return false;
    }

    @Override
    public CompletableFuture<Long> toCompletableFuture() {
        return CompletableFuture.completedFuture(count);
    }
}
