package io.devicearena.plan.internal.graph;

import java.util.Arrays;
import java.util.Comparator;

/**
 * The most bytes that are live at one step: the lower bound of every placement.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param step the first step at which most bytes are live; 0 if none are
 * @param bytes the load there
 */
public record PeakLoad(long step, long bytes) {
    /**
     * Finds the peak of buffers, in O(n log n).
     *
     * @param firstSteps the first step at which each buffer is live
     * @param endSteps the first step at which it is no longer live
     * @param sizes its bytes
     */
    public static PeakLoad of(long[] firstSteps, long[] endSteps, long[] sizes) {
        Integer[] begins = new Integer[sizes.length];
        int count = 0;
        for (int i = 0; i < sizes.length; i++) {
            if (sizes[i] > 0 && firstSteps[i] < endSteps[i]) {
                begins[count++] = i;
            }
        }
        begins = Arrays.copyOf(begins, count);
        Integer[] ends = begins.clone();
        Arrays.sort(begins, Comparator.comparingLong((Integer i) -> firstSteps[i]));
        Arrays.sort(ends, Comparator.comparingLong((Integer i) -> endSteps[i]));
        long load = 0;
        PeakLoad peak = new PeakLoad(0, 0);
        int ended = 0;
        for (int begun : begins) {
            while (endSteps[ends[ended]] <= firstSteps[begun]) {
                load -= sizes[ends[ended++]];
            }
            load += sizes[begun];
            if (load > peak.bytes) {
                peak = new PeakLoad(firstSteps[begun], load);
            }
        }
        return peak;
    }
}
