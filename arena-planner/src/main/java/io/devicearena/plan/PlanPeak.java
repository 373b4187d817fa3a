package io.devicearena.plan;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;

/**
 * The step at which most bytes are live, and what is live there: what decides a plan's size.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param step the first step at which most bytes are live; 0 for a plan without values
 * @param bytes the sum of the sizes of the values that are live there
 * @param values those values, the largest first, and equally large ones in the order in which they begin
 */
public record PlanPeak(long step, long bytes, List<LiveBuffer> values) {
    /** Makes the peak; the list is copied. */
    public PlanPeak {
        values = List.copyOf(values);
    }

    /**
     * Finds the peak of a plan, in O(n log n).
     *
     * @param planned the plan
     * @return its peak
     */
    public static PlanPeak of(PlanResult planned) {
        return of(Objects.requireNonNull(planned, "planned").buffers());
    }

    /**
     * Finds the peak of buffers, in O(n log n).
     *
     * @param buffers the buffers
     * @return their peak
     */
    public static PlanPeak of(List<LiveBuffer> buffers) {
        NavigableMap<Long, Long> changes = new TreeMap<>();
        for (LiveBuffer buffer : buffers) {
            changes.merge(buffer.firstStep(), buffer.size(), Long::sum);
            changes.merge(buffer.endStep(), -buffer.size(), Long::sum);
        }
        long load = 0;
        long peakStep = 0;
        long peakBytes = 0;
        for (Map.Entry<Long, Long> change : changes.entrySet()) {
            load += change.getValue();
            if (load > peakBytes) {
                peakStep = change.getKey();
                peakBytes = load;
            }
        }
        long step = peakStep;
        return new PlanPeak(
                step,
                peakBytes,
                buffers.stream()
                        .filter(buffer -> buffer.size() > 0 && buffer.firstStep() <= step && step < buffer.endStep())
                        .sorted(Comparator.comparingLong(LiveBuffer::size)
                                .reversed()
                                .thenComparingLong(LiveBuffer::firstStep))
                        .toList());
    }
}
