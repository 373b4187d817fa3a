package io.devicearena.bench.plans;

import java.util.List;

/**
 * What was measured on one problem.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param problem the problem's name
 * @param buffers the number of buffers
 * @param lowerBoundBytes the largest load: the most bytes that are live at one step
 * @param strategies the figures of each strategy
 */
public record PlanFigures(String problem, int buffers, long lowerBoundBytes, List<Result> strategies) {
    /** Makes the figures; the list is copied. */
    public PlanFigures {
        strategies = List.copyOf(strategies);
    }

    /**
     * How close a strategy comes to the lower bound.
     *
     * @param result what it makes of the problem
     * @return its bytes over the lower bound; 1 is optimal
     */
    public double ratio(Result result) {
        return lowerBoundBytes == 0 ? 1 : (double) result.arenaBytes() / lowerBoundBytes;
    }

    /**
     * What one strategy makes of the problem.
     *
     * <p><b>Threads:</b> immutable.
     *
     * @param strategy its name
     * @param arenaBytes bytes from the lowest offset that buffers may have to the end of the highest buffer
     * @param coldMillis the first run, in milliseconds
     * @param millis the median of the later runs in milliseconds, or the first run where there is no other
     */
    public record Result(String strategy, long arenaBytes, double coldMillis, double millis) {}
}
