package io.devicearena.plan.optimal;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * What a search may spend: time, nodes, and the patience of the caller.
 *
 * <p>Threads: {@link #isOver} is safe for any thread; all else is for the thread that called the search.
 */
final class SearchBudget {
    /** Differences of {@link System#nanoTime} hold for centuries only. */
    private static final Duration LONGEST = Duration.ofDays(36_500);

    private final long begun;
    private final long deadline;
    private final long nodeLimit;
    private final BooleanSupplier cancelled;
    private long nodes;
    private boolean isCancelled;
    private volatile boolean over;

    /** Begins to count the time. */
    SearchBudget(Duration timeLimit, long nodeLimit, BooleanSupplier cancelled) {
        this.begun = System.nanoTime();
        this.deadline = begun + (timeLimit.compareTo(LONGEST) > 0 ? LONGEST : timeLimit).toNanos();
        this.nodeLimit = nodeLimit;
        this.cancelled = cancelled;
    }

    /** Whether solvers must stop. */
    boolean isOver() {
        return over;
    }

    /** Stops solvers. */
    void end() {
        over = true;
    }

    /** Ends the search as the caller's cancellation does. */
    void cancel() {
        isCancelled = true;
        over = true;
    }

    /** Looks at the clock and asks the caller; returns whether anything is left. */
    boolean check() {
        isCancelled = isCancelled || Thread.currentThread().isInterrupted() || cancelled.getAsBoolean();
        over = over || isCancelled || System.nanoTime() - deadline >= 0;
        return !over && nodes < nodeLimit;
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
        if (nodes >= nodeLimit) {
            return StopReason.NODE_LIMIT;
        }
        return isCancelled ? StopReason.CANCELLED : StopReason.TIME_LIMIT;
    }
}
