package io.devicearena.spi;

import io.devicearena.Transfer;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/**
 * A transfer that ended before its handle was made. Threads: immutable.
 *
 * @param count elements of typed regions plus bytes of raw ones
 */
record CompletedTransfer(long count) implements Transfer {
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
