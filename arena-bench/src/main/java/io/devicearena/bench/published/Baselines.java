package io.devicearena.bench.published;

import io.devicearena.plan.placement.PlacementStrategy;
import java.util.List;

/**
 * The baselines: what other planners do with the same buffers.
 *
 * <p><b>Threads:</b> static and stateless; safe for any thread.
 */
public final class Baselines {
    /** More buffers than this take a baseline minutes: each scans all that are placed. */
    public static final int MAX_BUFFERS = 20_000;

    private static final List<PlacementStrategy> ALL = List.of(
            new GreedyBaseline("largest-first", BufferOrder::largestFirst, GapRule.FIRST),
            new GreedyBaseline("largest-first-best-fit", BufferOrder::largestFirst, GapRule.SMALLEST),
            new GreedyBaseline("tflite-greedy-by-size", BufferOrder::tfliteBySize, GapRule.SMALLEST),
            new GreedyBaseline("greedy-by-breadth", BufferOrder::byBreadth, GapRule.SMALLEST),
            new XlaBaseline());

    private Baselines() {}

    /**
     * Lists the baselines.
     *
     * <ul>
     *   <li>{@code largest-first}: by descending size, at the lowest offset that is free. Source: Gergov, "Algorithms
     *   for
     *       Compile-Time Memory Optimization", SODA 1999, for first fit with sorted buffers.
     *   <li>{@code largest-first-best-fit}: by descending size, in the smallest gap. Source: Pisarchyk and Lee,
     *   "Efficient
     *       Memory Management for Deep Neural Net Inference", 2020, greedy by size for offsets.
     *   <li>{@code tflite-greedy-by-size}: buffers that are live at every step, then by descending size and ascending
     *   first
     *       step, in the smallest gap. Source: the arena planner of TensorFlow Lite.
     *   <li>{@code greedy-by-breadth}: step by step from the largest load to the smallest, in each step by descending
     *   size,
     *       in the smallest gap. Source: Pisarchyk and Lee, as above, greedy by breadth.
     *   <li>{@code xla-best-of-orders}: the smaller of best fit by size, then length, and best fit by length, then
     *   size.
     *       Source: the global decreasing-size best-fit heap of OpenXLA, spatial and temporal.
     * </ul>
     *
     * @return the baselines, always in this order
     */
    public static List<PlacementStrategy> all() {
        return ALL;
    }
}
