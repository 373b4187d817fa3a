package io.devicearena.plan.internal.greedy;

import io.devicearena.plan.internal.live.LiveRanges;
import java.util.Arrays;
import java.util.Comparator;
import java.util.TreeSet;

/**
 * Best fit in order of time, as an allocator with a free list would do it at run time: O(n log n) on any input.
 *
 * <p><b>Source:</b> Knuth, "The Art of Computer Programming", volume 1, section 2.5, for best fit and for joining free
 * neighbours.
 */
public final class EarliestFirst {
    private static final int NONE = -1;
    /** Gaps that are wide enough but that the boundary makes too narrow are passed over up to this number. */
    private static final int MOST_GAPS_TRIED = 64;

    /** Free units right above a buffer, or above the ground, and below the next one. */
    private record Gap(long width, long offset, int below) {}

    private final LiveRanges ranges;
    /** Stands for a buffer below the lowest one. */
    private final int ground;

    private final long[] offsets;
    /** The next buffer down from each live one. */
    private final int[] below;
    /** The next buffer up from each live one and from the ground. */
    private final int[] above;

    private final TreeSet<Gap> gaps =
            new TreeSet<>(Comparator.comparingLong(Gap::width).thenComparingLong(Gap::offset));

    private int highest;

    private EarliestFirst(LiveRanges ranges) {
        this.ranges = ranges;
        this.ground = ranges.count();
        this.offsets = new long[ground];
        this.below = new int[ground];
        this.above = new int[ground + 1];
        Arrays.fill(above, NONE);
        this.highest = ground;
    }

    /** The offsets of all buffers, of which there is at least one. */
    public static long[] place(LiveRanges ranges) {
        EarliestFirst free = new EarliestFirst(ranges);
        int[] byEnd = ranges.byEnd();
        int freed = 0;
        for (int buffer : ranges.byFirst()) {
            while (ranges.end(byEnd[freed]) <= ranges.first(buffer)) {
                free.free(byEnd[freed++]);
            }
            free.put(buffer);
        }
        return free.offsets;
    }

    /** Gives a buffer the narrowest gap that it fits, the lowest of equally narrow ones, or the space above all. */
    private void put(int buffer) {
        long size = ranges.size(buffer);
        int neighbour = highest;
        int tried = 0;
        for (Gap gap : gaps.tailSet(new Gap(size, 0, NONE))) {
            if (ranges.skipBoundary(gap.offset, size) - gap.offset <= gap.width - size) {
                neighbour = gap.below;
                break;
            }
            if (++tried == MOST_GAPS_TRIED) {
                break;
            }
        }
        removeGap(neighbour);
        offsets[buffer] = ranges.skipBoundary(end(neighbour), size);
        link(buffer, above[neighbour]);
        link(neighbour, buffer);
        addGap(neighbour);
        addGap(buffer);
    }

    private void free(int buffer) {
        removeGap(below[buffer]);
        removeGap(buffer);
        link(below[buffer], above[buffer]);
        addGap(below[buffer]);
    }

    private void link(int lower, int upper) {
        above[lower] = upper;
        if (upper == NONE) {
            highest = lower;
        } else {
            below[upper] = lower;
        }
    }

    private void addGap(int lower) {
        if (above[lower] != NONE && end(lower) < offsets[above[lower]]) {
            gaps.add(gap(lower));
        }
    }

    private void removeGap(int lower) {
        if (above[lower] != NONE) {
            gaps.remove(gap(lower));
        }
    }

    private Gap gap(int lower) {
        return new Gap(offsets[above[lower]] - end(lower), end(lower), lower);
    }

    private long end(int buffer) {
        return buffer == ground ? 0 : offsets[buffer] + ranges.size(buffer);
    }
}
