package io.devicearena.plan.internal.overlap;

import io.devicearena.plan.internal.live.LiveRanges;
import io.devicearena.plan.internal.live.StepBudget;
import java.util.Arrays;
import java.util.SplittableRandom;

/** Finds an offset for a buffer among the placed ones: the lowest free one, or the one that is cheapest to clear. */
public final class InsertionSearch {
    private final LiveRanges ranges;
    private final PlacementState state;
    private final StepBudget budget;
    /** What ejecting a buffer costs; the owner may change it. */
    private final long[] costs;

    private final SplittableRandom random;
    /** The first clique of each buffer in the high half, its end in the low half: the scan reads both. */
    private final long[] spans;

    // The placed buffers that overlap the one to insert, by offset; the bottom and the ends of the same ones, by end.
    private int[] overlapping = {};
    private long[] offsets = {};
    private long[] offsetCosts = {};
    private long[] ends = {};
    private long[] endCosts = {};
    private int overlappingCount;

    private long found;
    private long leastCost;
    private int equallyCheap;

    /** Prepares; costs are above 0 whenever {@link #findCheapest} runs, and the seed decides between equal ones. */
    public InsertionSearch(LiveRanges ranges, PlacementState state, long[] costs, long seed, StepBudget budget) {
        this.ranges = ranges;
        this.state = state;
        this.costs = costs;
        this.random = new SplittableRandom(seed);
        this.budget = budget;
        this.spans = new long[ranges.count()];
        for (int i = 0; i < spans.length; i++) {
            spans[i] = (long) ranges.first(i) << Integer.SIZE | ranges.end(i);
        }
    }

    /** The lowest free offset for a buffer. */
    public long firstFit(OverlapIndex index, int buffer) {
        OverlapIndex.Bucket bucket = index.around(buffer);
        long size = ranges.size(buffer);
        int first = ranges.first(buffer);
        int end = ranges.end(buffer);
        long lowest = ranges.skipBoundary(0, size);
        int k = 0;
        for (; k < bucket.count; k++) {
            int other = bucket.byOffset[k];
            if (oneIfOverlapping(other, first, end) == 1) {
                if (state.offset(other) - lowest >= size) {
                    break;
                }
                if (state.end(other) > lowest) {
                    lowest = ranges.skipBoundary(state.end(other), size);
                }
            }
        }
        budget.spend(k);
        return lowest;
    }

    public boolean isFree(OverlapIndex index, int buffer, long offset) {
        OverlapIndex.Bucket bucket = index.around(buffer);
        long end = offset + ranges.size(buffer);
        int k = 0;
        boolean free = true;
        for (; free && k < bucket.count && state.offset(bucket.byOffset[k]) < end; k++) {
            int other = bucket.byOffset[k];
            free = state.end(other) <= offset || oneIfOverlapping(other, ranges.first(buffer), ranges.end(buffer)) == 0;
        }
        budget.spend(k);
        return free;
    }

    /**
     * Finds the offset, up to a highest one, at which ejecting what is in the way costs least; false if there is none.
     *
     * <p>The cost falls only where another buffer ends, and stays the same from there to where the buffer touches the
     * next one: both ends of such a range are candidates.
     */
    public boolean findCheapest(OverlapIndex index, int buffer, long highest) {
        gather(index.around(buffer), buffer);
        leastCost = Long.MAX_VALUE;
        long size = ranges.size(buffer);
        long cost = 0;
        int entered = 0;
        int left = 0;
        for (int k = 0; k <= overlappingCount && leastCost > 0; k++) {
            long offset = ranges.skipBoundary(ends[k], size);
            if (offset > highest) {
                break;
            }
            while (entered < overlappingCount && offsets[entered] < offset + size) {
                cost += offsetCosts[entered++];
            }
            while (left <= overlappingCount && ends[left] <= offset) {
                cost -= endCosts[left++];
            }
            if (cost <= leastCost) {
                take(offset, cost);
                long raised = Math.min(highest, entered < overlappingCount ? offsets[entered] - size : highest);
                if (cost > 0 && raised > offset && ranges.skipBoundary(raised, size) == raised) {
                    take(raised, cost);
                }
            }
        }
        return leastCost < Long.MAX_VALUE;
    }

    /** Takes an offset that costs no more than any before; of equals each with the same probability. */
    private void take(long offset, long cost) {
        if (cost < leastCost) {
            equallyCheap = 0;
        }
        if (random.nextInt(++equallyCheap) == 0) {
            found = offset;
        }
        leastCost = cost;
    }

    public long found() {
        return found;
    }

    public boolean isFoundFree() {
        return leastCost == 0;
    }

    /** The buffers in the way of one at the offset that was found for it. */
    public int[] inTheWay(int buffer) {
        long end = found + ranges.size(buffer);
        int[] those = new int[overlappingCount];
        int count = 0;
        for (int k = 0; k < overlappingCount && offsets[k] < end; k++) {
            if (state.end(overlapping[k]) > found) {
                those[count++] = overlapping[k];
            }
        }
        return Arrays.copyOf(those, count);
    }

    private void gather(OverlapIndex.Bucket bucket, int buffer) {
        if (overlapping.length <= bucket.count) {
            overlapping = new int[2 * bucket.count + 1];
            offsets = new long[overlapping.length];
            offsetCosts = new long[overlapping.length];
            ends = new long[overlapping.length];
            endCosts = new long[overlapping.length];
        }
        int first = ranges.first(buffer);
        int end = ranges.end(buffer);
        int byOffset = 0;
        int byEnd = 1;
        for (int k = 0; k < bucket.count; k++) {
            int other = bucket.byOffset[k];
            overlapping[byOffset] = other;
            offsets[byOffset] = state.offset(other);
            offsetCosts[byOffset] = costs[other];
            byOffset += oneIfOverlapping(other, first, end);
        }
        for (int k = 0; k < bucket.count; k++) {
            int other = bucket.byEnd[k];
            ends[byEnd] = state.end(other);
            endCosts[byEnd] = costs[other];
            byEnd += oneIfOverlapping(other, first, end);
        }
        overlappingCount = byOffset;
        budget.spend(4L * bucket.count);
    }

    /** 1 if a live range overlaps a range of cliques, else 0; no branch, since half of them would be mispredicted. */
    private int oneIfOverlapping(int other, int first, int end) {
        long span = spans[other];
        long beginsBefore = (span >>> Integer.SIZE) - end;
        long endsAfter = first - (span & 0xFFFF_FFFFL);
        return (int) ((beginsBefore & endsAfter) >>> (Long.SIZE - 1));
    }
}
