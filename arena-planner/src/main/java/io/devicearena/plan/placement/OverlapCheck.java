package io.devicearena.plan.placement;

import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.IntFunction;

/**
 * Proves that a placement keeps its promises, whoever made it.
 *
 * <p>It knows no strategy and shares no code with one: a sweep over time holds the spans that are live, ordered by offset,
 * and looks at the two neighbours of each that begins. Takes O(n log n) time and O(n) memory.
 *
 * <p><b>Threads:</b> safe for any thread.
 *
 * <p><b>Source:</b> Shamos and Hoey, "Geometric Intersection Problems", 1976, for the sweep.
 */
public final class OverlapCheck {
    private final PlacementProblem problem;
    private final long[] offsets;
    private final IntFunction<String> names;

    private OverlapCheck(PlacementProblem problem, long[] offsets, IntFunction<String> names) {
        this.problem = Objects.requireNonNull(problem, "problem");
        this.offsets = Objects.requireNonNull(offsets, "offsets");
        this.names = Objects.requireNonNull(names, "names");
    }

    /**
     * Checks a placement: every buffer within the arena at a multiple of the alignment, crossing no multiple of the
     * boundary, and no two buffers that are live at one step sharing a byte.
     *
     * @param problem the buffers
     * @param offsets an offset in bytes for each buffer, in the problem's order
     * @param arenaSize bytes of the arena, 0 or more; {@link Long#MAX_VALUE} where only the overlaps matter
     * @throws IllegalArgumentException if there are not as many offsets as buffers, or the placement breaks a promise; the
     *     message has the first buffer that breaks one alone, in the problem's order, or the first two found in order of
     *     time that share a byte
     */
    public static void check(PlacementProblem problem, long[] offsets, long arenaSize) {
        check(problem, offsets, arenaSize, i -> "buffer " + i);
    }

    /**
     * Checks a placement, as {@link #check(PlacementProblem, long[], long)} does.
     *
     * @param problem the buffers
     * @param offsets an offset in bytes for each buffer, in the problem's order
     * @param arenaSize bytes of the arena, 0 or more; {@link Long#MAX_VALUE} where only the overlaps matter
     * @param names what the message calls a buffer, by its place in the problem
     * @throws IllegalArgumentException as the form without names says
     */
    public static void check(PlacementProblem problem, long[] offsets, long arenaSize, IntFunction<String> names) {
        new OverlapCheck(problem, offsets, names).run(arenaSize);
    }

    private void run(long arenaSize) {
        if (offsets.length != problem.count()) {
            throw new IllegalArgumentException(
                    "offsets: expected one for each of " + problem.count() + " buffers, got " + offsets.length);
        }
        if (arenaSize < 0) {
            throw new IllegalArgumentException("arena: expected a size of 0 or more bytes, got " + arenaSize);
        }
        for (int i = 0; i < offsets.length; i++) {
            checkAlone(i, arenaSize);
        }
        sweep();
    }

    private void checkAlone(int i, long arenaSize) {
        long offset = offsets[i];
        long size = problem.size(i);
        if (offset < (problem.occupies(i) ? problem.origin() : 0)) {
            throw broken("an offset of " + problem.origin() + " or more", i);
        }
        if (offset % problem.alignment() != 0) {
            throw broken("an offset that is a multiple of " + problem.alignment(), i);
        }
        if (size > arenaSize || offset > arenaSize - size) {
            throw broken("an end within the arena of " + arenaSize + " bytes", i);
        }
        long boundary = problem.boundary();
        if (boundary > 0 && size > boundary - offset % boundary) {
            throw broken("bytes that cross no multiple of " + boundary, i);
        }
    }

    private void sweep() {
        Integer[] begins = new Integer[problem.count()];
        int n = 0;
        for (int i = 0; i < problem.count(); i++) {
            if (problem.occupies(i)) {
                begins[n++] = i;
            }
        }
        begins = Arrays.copyOf(begins, n);
        Integer[] ends = begins.clone();
        Arrays.sort(begins, (a, b) -> Long.compare(problem.lower(a), problem.lower(b)));
        Arrays.sort(ends, (a, b) -> Long.compare(problem.upper(a), problem.upper(b)));
        // Those that are live share no byte, as checked so far, so no two of them have one offset.
        TreeMap<Long, Integer> live = new TreeMap<>();
        int ended = 0;
        for (Integer i : begins) {
            while (problem.upper(ends[ended]) <= problem.lower(i)) {
                live.remove(offsets[ends[ended++]]);
            }
            Map.Entry<Long, Integer> below = live.floorEntry(offsets[i]);
            if (below != null && offsets[i] - below.getKey() < problem.size(below.getValue())) {
                throw overlapping(below.getValue(), i);
            }
            Map.Entry<Long, Integer> above = live.higherEntry(offsets[i]);
            if (above != null && above.getKey() - offsets[i] < problem.size(i)) {
                throw overlapping(i, above.getValue());
            }
            live.put(offsets[i], i);
        }
    }

    private IllegalArgumentException broken(String expected, int i) {
        return new IllegalArgumentException(names.apply(i) + ": expected " + expected + ", got " + told(i));
    }

    private IllegalArgumentException overlapping(int a, int b) {
        int low = Math.min(a, b);
        int high = Math.max(a, b);
        return new IllegalArgumentException(names.apply(low) + " and " + names.apply(high)
                + ": expected no byte in common, got " + told(low) + " and "
                + told(high));
    }

    private String told(int i) {
        return "offset " + offsets[i] + ", size " + problem.size(i) + ", life [" + problem.lower(i) + ", "
                + problem.upper(i) + ")";
    }
}
