package io.devicearena.plan.internal.skyline;

import io.devicearena.plan.internal.live.LiveRanges;
import io.devicearena.plan.internal.live.StepBudget;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Skyline packing: the gap at the bottom of the skyline receives the best-scoring buffer whose live range fits in it;
 * where none fits, the gap is raised to its lower neighbour. Gaps do not compete for buffers, so their order does not
 * matter. Takes O(n log n) time, plus the search for candidates, which the budget bounds.
 *
 * <p><b>Source:</b> Burke, Kendall and Whitwell, "A New Placement Heuristic for the Orthogonal Stock-Cutting Problem",
 * 2004, for the lowest gap first; here buffers have fixed positions along the gap.
 */
public final class SkylinePacker {
    private static final int NONE = -1;

    private final LiveRanges ranges;
    private final StepBudget budget;
    private final long[] offsets;
    /** The unplaced buffers by the number of binary digits of their lengths, the longest first. */
    private final List<CandidateTree> candidates = new ArrayList<>();

    // A segment of the skyline is known by its first clique; a wall, which joins no segment, stands at both ends.
    private final int wall;
    private final int[] ends;
    private final int[] previous;
    private final long[] heights;

    private SkylinePacker(LiveRanges ranges, double[] scores, StepBudget budget) {
        int cliques = ranges.cliques();
        this.ranges = ranges;
        this.budget = budget;
        this.offsets = new long[ranges.count()];
        this.ends = new int[cliques];
        this.previous = new int[cliques + 1];
        this.heights = new long[cliques + 1];
        this.wall = cliques;
        heights[wall] = Long.MAX_VALUE;
        int[] byFirst = ranges.byFirst();
        for (int digits = digits(cliques); digits > 0; digits--) {
            int wanted = digits;
            int[] ofLength = Arrays.stream(byFirst)
                    .filter(i -> digits(ranges.length(i)) == wanted)
                    .toArray();
            if (ofLength.length > 0) {
                candidates.add(new CandidateTree(ranges, ofLength, scores, budget));
            }
        }
        ends[0] = cliques;
        previous[0] = wall;
    }

    private static int digits(int length) {
        return Integer.SIZE - Integer.numberOfLeadingZeros(length);
    }

    /** The offsets of all buffers, of which there is at least one; empty when the budget was exhausted. */
    public static Optional<long[]> place(LiveRanges ranges, ScoringRule rule, StepBudget budget) {
        SkylinePacker packer = new SkylinePacker(ranges, rule.scores(ranges), budget);
        return packer.run() ? Optional.of(packer.offsets) : Optional.empty();
    }

    private boolean run() {
        int segment = 0;
        for (int left = offsets.length; left > 0; ) {
            if (budget.isExhausted()) {
                return false;
            }
            segment = lowestFrom(segment);
            int buffer = takeBest(segment, ends[segment]);
            if (buffer == NONE) {
                segment = raise(segment);
            } else {
                segment = put(segment, buffer);
                left--;
            }
        }
        return true;
    }

    /** Walks downhill from a segment to one between higher ones. */
    private int lowestFrom(int segment) {
        int at = segment;
        while (true) {
            int before = previous[at];
            int after = ends[at];
            budget.spend(1);
            if (heights[before] < heights[at]) {
                at = before;
            } else if (heights[after] < heights[at]) {
                at = after;
            } else {
                return at;
            }
        }
    }

    /** Raises a gap to its lower neighbour; returns the segment that it is then part of. */
    private int raise(int segment) {
        int before = previous[segment];
        int after = ends[segment];
        heights[segment] = Math.min(heights[before], heights[after]);
        return joinNeighbours(segment);
    }

    /** Joins a segment with neighbours of its height; returns the segment that it is then part of. */
    private int joinNeighbours(int segment) {
        int after = ends[segment];
        if (after != wall && heights[after] == heights[segment]) {
            setEnd(segment, ends[after]);
        }
        int before = previous[segment];
        if (before != wall && heights[before] == heights[segment]) {
            setEnd(before, ends[segment]);
            return before;
        }
        return segment;
    }

    private void setEnd(int segment, int end) {
        ends[segment] = end;
        previous[end] = segment;
    }

    /** Puts a buffer on a segment, which is split into up to three; returns the one below the buffer. */
    private int put(int segment, int i) {
        long offset = ranges.skipBoundary(heights[segment], ranges.size(i));
        offsets[i] = offset;
        int first = ranges.first(i);
        int end = ranges.end(i);
        int segmentEnd = ends[segment];
        long ground = heights[segment];
        if (first > segment) {
            previous[first] = segment;
            ends[segment] = first;
        }
        if (end < segmentEnd) {
            heights[end] = ground;
            setEnd(end, segmentEnd);
        }
        heights[first] = offset + ranges.size(i);
        setEnd(first, end);
        return joinNeighbours(first);
    }

    /** Takes the best-scoring unplaced buffer that fits between two cliques. */
    private int takeBest(int first, int end) {
        CandidateTree best = candidates.getFirst();
        int leaf = NONE;
        double score = 0;
        for (CandidateTree tree : candidates) {
            if (tree.mayFit(first, end, score)) {
                int found = tree.best(first, end, score);
                if (found != NONE) {
                    best = tree;
                    leaf = found;
                    score = tree.score(found);
                }
            }
        }
        return leaf == NONE ? NONE : best.remove(leaf);
    }
}
