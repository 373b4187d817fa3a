package io.devicearena.bench.table;

/**
 * The time for each case.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param warmUpNanos how long calls run before they are measured
 * @param measuredNanos how long calls are measured
 * @param minCalls the number of calls that are measured even when they take longer
 */
public record Pace(long warmUpNanos, long measuredNanos, int minCalls) {
    /** For a first impression. */
    public static final Pace QUICK = new Pace(50_000_000, 150_000_000, 3);

    /** For figures: the JIT compilers have settled before the measurement begins. */
    public static final Pace FULL = new Pace(500_000_000, 1_000_000_000, 9);
}
