package io.devicearena.plan.optimal;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** What a search may spend: time and nodes, until it is cancelled. Only {@link #isOver} is safe for any thread. */
final class SearchBudget {
    private final long begun = System.nanoTime();
    private final long nanos;
    private final long nodeLimit;
    private final BooleanSupplier cancelled;
    private long nodes;
    private StopReason reason = StopReason.TIME_LIMIT;
    private volatile boolean isOver;

    SearchBudget(Duration timeLimit, long nodeLimit, BooleanSupplier cancelled) {
        this.nanos = TimeUnit.NANOSECONDS.convert(timeLimit); // centuries at most
        this.nodeLimit = nodeLimit;
        this.cancelled = cancelled;
    }

    boolean isOver() {
        return isOver;
    }

    void end() {
        isOver = true;
    }

    void cancel() {
        reason = StopReason.CANCELLED;
        end();
    }

    /** Looks at the clock and asks the caller; returns whether anything is left. */
    boolean check() {
        if (Thread.currentThread().isInterrupted() || cancelled.getAsBoolean()) {
            cancel();
        }
        isOver = isOver || System.nanoTime() - begun >= nanos;
        return !isOver && nodes < nodeLimit;
    }

    void spend(long visited) {
        nodes += visited;
    }

    long nodes() {
        return nodes;
    }

    long nodesLeft() {
        return nodeLimit - nodes;
    }

    Duration elapsed() {
        return Duration.ofNanos(System.nanoTime() - begun);
    }

    /** What has ended the search if no answer did. */
    StopReason stopReason() {
        return nodes >= nodeLimit ? StopReason.NODE_LIMIT : reason;
    }
}
