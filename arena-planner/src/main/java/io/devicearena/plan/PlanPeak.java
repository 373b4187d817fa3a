package io.devicearena.plan;

import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/**
 * The step at which most bytes are live, and what is live there: what a plan's size comes from.
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
    public static PlanPeak of(PlannedMemory planned) {
        Objects.requireNonNull(planned, "planned");
        List<LiveBuffer> begins = planned.buffers().stream()
                .filter(buffer -> buffer.size() > 0 && buffer.upper() > buffer.lower())
                .sorted(Comparator.comparingLong(LiveBuffer::lower))
                .toList();
        List<LiveBuffer> ends = begins.stream()
                .sorted(Comparator.comparingLong(LiveBuffer::upper))
                .toList();
        long live = 0;
        long most = 0;
        long step = 0;
        int ended = 0;
        for (LiveBuffer begun : begins) {
            while (ends.get(ended).upper() <= begun.lower()) {
                live -= ends.get(ended++).size();
            }
            live += begun.size();
            if (live > most) {
                most = live;
                step = begun.lower();
            }
        }
        long worst = step;
        return new PlanPeak(
                step,
                most,
                begins.stream()
                        .filter(buffer -> buffer.lower() <= worst && worst < buffer.upper())
                        .sorted(Comparator.comparingLong(LiveBuffer::size).reversed())
                        .toList());
    }
}
