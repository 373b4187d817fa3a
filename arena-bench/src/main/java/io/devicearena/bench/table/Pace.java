package io.devicearena.bench.table;

import java.util.concurrent.TimeUnit;

/**
 * The time for each case.
 *
 * <p><b>Threads:</b> immutable.
 */
public enum Pace {
    /** For a first impression. */
    QUICK(50, 150, 3),
    /** For figures: the JIT compilers have settled before the measurement begins. */
    FULL(500, 1_000, 9);

    private final long warmUpMillis;
    private final long measuredMillis;
    private final int minCalls;

    Pace(long warmUpMillis, long measuredMillis, int minCalls) {
        this.warmUpMillis = warmUpMillis;
        this.measuredMillis = measuredMillis;
        this.minCalls = minCalls;
    }

    long warmUpNanos() {
        return TimeUnit.MILLISECONDS.toNanos(warmUpMillis);
    }

    long measuredNanos() {
        return TimeUnit.MILLISECONDS.toNanos(measuredMillis);
    }

    /** The number of calls that are measured even when they take longer. */
    int minCalls() {
        return minCalls;
    }
}
