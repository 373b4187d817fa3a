package io.devicearena.plan;

import java.util.ArrayList;
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
        NavigableMap<Long, Long> changes = new TreeMap<>();
        for (LiveBuffer buffer : buffers) {
            changes.merge(buffer.firstStep(), buffer.size(), Long::sum);
            changes.merge(buffer.endStep(), -buffer.size(), Long::sum);
        }
        long load = 0;
        long step = 0;
        long bytes = 0;
        for (Map.Entry<Long, Long> change : changes.entrySet()) {
            load += change.getValue();
            if (load > bytes) {
                step = change.getKey();
                bytes = load;
            }
        }
        List<LiveBuffer> values = new ArrayList<>();
        for (LiveBuffer buffer : buffers) {
            if (buffer.size() > 0 && buffer.firstStep() <= step && step < buffer.endStep()) {
                values.add(buffer);
            }
        }
        values.sort(Comparator.comparingLong(LiveBuffer::size).reversed().thenComparingLong(LiveBuffer::firstStep));
        return new PlanPeak(step, bytes, values);
    }
}
