package io.devicearena.bench.table;

import java.util.concurrent.TimeUnit;

/**
 * How long each case is measured.
 *
 * <p><b>Threads:</b> immutable.
 */
public enum Pace {
    /** A look, not a measurement. */
    QUICK(50, 150, 3),
    /** A measurement: the compilers have settled before it begins. */
    FULL(500, 1_000, 9);

    private final long warmUpMillis;
    private final long measuredMillis;
    private final int leastCalls;

    Pace(long warmUpMillis, long measuredMillis, int leastCalls) {
        this.warmUpMillis = warmUpMillis;
        this.measuredMillis = measuredMillis;
        this.leastCalls = leastCalls;
    }

    long warmUpNanos() {
        return TimeUnit.MILLISECONDS.toNanos(warmUpMillis);
    }

    long measuredNanos() {
        return TimeUnit.MILLISECONDS.toNanos(measuredMillis);
    }

    /** Calls that are measured however long they take. */
    int leastCalls() {
        return leastCalls;
    }
}
