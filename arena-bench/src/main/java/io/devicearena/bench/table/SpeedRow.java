package io.devicearena.bench.table;

/**
 * A row of the table: how long one call takes.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param caseName what is measured
 * @param provider whose arena, or {@code -} for what needs none
 * @param bytes host bytes that one call moves
 * @param medianMicros the median call, in microseconds
 * @param p10Micros the call that a tenth of all are faster than, in microseconds
 * @param p90Micros the call that a tenth of all are slower than, in microseconds
 * @param iterations how many calls were measured
 * @param heapBytesPerCall bytes that all threads of the process took from the heap, a call
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
     * @return 10^9 bytes a second
     */
    public double gigabytesPerSecond() {
        return bytes / medianMicros / 1e3;
    }
}
