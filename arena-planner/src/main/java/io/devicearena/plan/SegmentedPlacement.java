package io.devicearena.plan;

import io.devicearena.BufferSlot;
import io.devicearena.NodeId;
import io.devicearena.SegmentLayout;
import io.devicearena.plan.internal.graph.SlotSizes;
import io.devicearena.plan.placement.PlacementProblem;
import io.devicearena.plan.placement.PlacementStrategy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Places buffers for an arena of several segments.
 *
 * <p>The placement without segments is kept if segments can end between its buffers. Else buffers that are live at all
 * steps are placed one behind the other, where segments can end between any two. So are buffers larger than a segment
 * that have parts, since segments can end only between the parts. The others get a region behind them, divided into
 * cells that no buffer crosses. Some sizes of cells are tried, and the smallest region is kept.
 */
record SegmentedPlacement(
        PlacementStrategy strategy, PlacementProblem problem, long segmentBytes, IntPredicate hasParts) {
    /** Sizes of cells that are tried after that of a segment: as few cells as the region needs, or some more. */
    private static final int MORE_CELLS = 3;

    /**
     * Returns the offsets of the buffers of a problem.
     *
     * @param segmentBytes the largest segment, a multiple of the alignment; 0 for one segment of any size
     * @param hasParts whether smaller values lie in a buffer
     */
    static long[] place(
            PlacementStrategy strategy, PlacementProblem problem, long segmentBytes, IntPredicate hasParts) {
        long[] offsets = strategy.place(problem);
        SegmentedPlacement segmented = new SegmentedPlacement(strategy, problem, segmentBytes, hasParts);
        return segmentBytes == 0 || segmented.fits(problem, offsets) ? offsets : segmented.place();
    }

    private long[] place() {
        int[] buffers = IntStream.range(0, problem.count()).toArray();
        long first = IntStream.of(buffers).mapToLong(problem::lower).min().orElse(0);
        long end = IntStream.of(buffers).mapToLong(problem::upper).max().orElse(0);
        long[] offsets = new long[problem.count()];
        long origin = problem.origin();
        List<Integer> others = new ArrayList<>();
        for (int i : buffers) {
            if ((problem.lower(i) == first && problem.upper(i) == end) || isDivided(i)) {
                offsets[i] = origin;
                origin += SlotSizes.roundUp(problem.size(i), problem.alignment());
            } else {
                others.add(i);
            }
        }
        long[] placed = placeRegion(others, origin);
        for (int k = 0; k < placed.length; k++) {
            offsets[others.get(k)] = placed[k];
        }
        return offsets;
    }

    /** Places some buffers above an origin where a segment can begin; returns their offsets in order. */
    private long[] placeRegion(List<Integer> buffers, long origin) {
        PlacementProblem whole = region(buffers, 0);
        long[] best = strategy.place(whole);
        if (!fits(whole, best)) {
            long[] cells = cells(buffers, height(whole, best));
            best = new long[0];
            long height = Long.MAX_VALUE;
            for (long cell : cells) {
                PlacementProblem divided = region(buffers, cell);
                long[] placed = strategy.place(divided);
                long reached = height(divided, placed);
                if (reached < height) {
                    best = placed;
                    height = reached;
                }
            }
        }
        return Arrays.stream(best).map(offset -> origin + offset).toArray();
    }

    private PlacementProblem region(List<Integer> buffers, long cell) {
        return new PlacementProblem(
                buffers.stream().mapToLong(problem::size).toArray(),
                buffers.stream().mapToLong(problem::lower).toArray(),
                buffers.stream().mapToLong(problem::upper).toArray(),
                problem.alignment(),
                cell);
    }

    /** The sizes of cells to try: no larger than a segment, and no smaller than a buffer that a segment could hold. */
    private long[] cells(List<Integer> buffers, long height) {
        long least = buffers.stream()
                .mapToLong(problem::size)
                .filter(size -> size <= segmentBytes)
                .max()
                .orElse(0);
        long fewest = (height - 1) / segmentBytes + 1;
        return LongStream.concat(
                        LongStream.of(segmentBytes),
                        LongStream.range(fewest, fewest + MORE_CELLS)
                                .map(count -> SlotSizes.roundUp((height - 1) / count + 1, problem.alignment()))
                                .filter(cell -> cell >= least && cell < segmentBytes))
                .toArray();
    }

    private static long height(PlacementProblem problem, long[] offsets) {
        return IntStream.range(0, offsets.length)
                .mapToLong(i -> offsets[i] + problem.size(i))
                .max()
                .orElse(0);
    }

    /** Whether a buffer is larger than a segment, and segments can end only between its parts. */
    private boolean isDivided(int buffer) {
        return problem.size(buffer) > segmentBytes && hasParts.test(buffer);
    }

    /** Whether segments can end between the buffers above the origin, the first of them beginning there. */
    private boolean fits(PlacementProblem placed, long[] offsets) {
        long end = height(placed, offsets);
        if (end <= segmentBytes) {
            return true;
        }
        if (placed == problem && IntStream.range(0, offsets.length).anyMatch(this::isDivided)) {
            return false;
        }
        Map<NodeId, BufferSlot> slots = new HashMap<>();
        for (int i = 0; i < offsets.length; i++) {
            if (placed.occupies(i)) {
                slots.put(NodeId.of(i), new BufferSlot(offsets[i] - placed.origin(), placed.size(i)));
            }
        }
        return SegmentLayout.exists(slots, end - placed.origin(), segmentBytes, placed.alignment());
    }
}
