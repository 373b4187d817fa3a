package io.devicearena.bench.table;

/**
 * A row of the table: the time of one call.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param caseName the name of the case
 * @param provider the provider of the arena, or {@code -} for a case without one
 * @param bytes host bytes of one call; nodes for a planner
 * @param medianMicros the median call, in microseconds
 * @param p10Micros the 10th percentile, in microseconds
 * @param p90Micros the 90th percentile, in microseconds
 * @param iterations the number of measured calls, or of iterations that are each the mean of many
 * @param heapBytesPerCall heap bytes that all threads of the process allocated, for each call; NaN where that was not
 *     measured
 */
public record SpeedRow(
        String caseName,
        String provider,
        long bytes,
        double medianMicros,
        double p10Micros,
        double p90Micros,
        int iterations,
        double heapBytesPerCall) {
    /**
     * The rate of the median call.
     *
     * @return 10^9 bytes a second; NaN for a plan, whose size is in nodes
     */
    public double gigabytesPerSecond() {
        return caseName.startsWith("plan") ? Double.NaN : bytes / medianMicros / 1e3;
    }
}
