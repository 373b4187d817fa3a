package io.devicearena.spi;

import io.devicearena.WriteFence;
import java.time.Duration;
import java.util.Objects;

/** The fence of a write whose sources were free when it returned. Threads: immutable. */
final class CompletedWrite implements WriteFence {
    static final CompletedWrite INSTANCE = new CompletedWrite();

    private CompletedWrite() {}

    @Override
    public boolean isDone() {
        return true;
    }

    @Override
    public void await() {
        // they are free
    }

    @Override
    public boolean await(Duration timeout) {
        if (Objects.requireNonNull(timeout, "timeout").isNegative()) {
            throw new IllegalArgumentException("timeout: expected 0 or more, got " + timeout);
        }
        return true;
    }
}
