package io.devicearena.plan;

import io.devicearena.plan.internal.graph.PeakLoad;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

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
     * {@return the peak of a plan, found in O(n log n)}
     *
     * @param planned the plan
     */
    public static PlanPeak of(PlanResult planned) {
        return of(Objects.requireNonNull(planned, "planned").buffers());
    }

    /**
     * {@return the peak of buffers, found in O(n log n)}
     *
     * @param buffers the buffers
     */
    public static PlanPeak of(List<LiveBuffer> buffers) {
        PeakLoad peak = PeakLoad.of(
                buffers.stream().mapToLong(LiveBuffer::firstStep).toArray(),
                buffers.stream().mapToLong(LiveBuffer::endStep).toArray(),
                buffers.stream().mapToLong(LiveBuffer::size).toArray());
        long step = peak.step();
        List<LiveBuffer> live = buffers.stream()
                .filter(buffer -> buffer.size() > 0 && buffer.firstStep() <= step && step < buffer.endStep())
                .sorted(Comparator.comparingLong(LiveBuffer::size).reversed().thenComparingLong(LiveBuffer::firstStep))
                .toList();
        return new PlanPeak(step, peak.bytes(), live);
    }
}
