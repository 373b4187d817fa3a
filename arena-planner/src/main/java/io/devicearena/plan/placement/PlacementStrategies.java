package io.devicearena.plan.placement;

import java.util.List;
import java.util.stream.Collectors;

/**
 * The strategies that come with this library, by name.
 *
 * <ul>
 *   <li>{@code balanced}, the default, takes the best of all below and improves it. Up to 20,000 buffers none below needs
 *       fewer bytes; above, what it may cost is bounded, and an order that costs more is given up, but for
 *       {@code earliest-first} and {@code longest-on-top}.
 *       It ends as soon as the lower bound is met: a few microseconds for each of 1,000 buffers, about one for each of a
 *       million that live briefly or nest. Where the bound is not met it takes up to a quarter of a second for 2,000 buffers, and
 *       up to eight seconds for a million of any length; memory is O(n log n). Source: those of the strategies below; for valleys
 *       Burke, Kendall and Whitwell, as below; for chains of equal sizes Hashimoto and Stevens, "Wire routing by optimizing
 *       channel assignment within large apertures", 1971; for evictions, which lower what is placed, Nagata and Bräysy, "A
 *       Powerful Route Minimization Heuristic for the Vehicle Routing Problem with Time Windows", 2009; for searches in depth
 *       Moffitt, "MiniMalloc: A Lightweight Memory Allocator for Hardware-Accelerated Machine Learning", ASPLOS 2023.
 *   <li>{@code largest-first}: {@link LargestFirst}.
 *   <li>{@code largest-first-best-fit}: from the largest to the smallest, each in the narrowest room that is free for the
 *       whole of its life. Source: Pisarchyk and Lee, "Efficient Memory Management for Deep Neural Net Inference", 2020,
 *       algorithm 3.
 *   <li>{@code largest-area-first}: from the largest product of bytes and steps to the smallest, first fit. Source:
 *       Lamprakos, Xydis, Catthoor and Soudris, "The Unexpected Efficiency of Bin Packing Algorithms for Dynamic Storage
 *       Allocation in the Wild", 2023, for orders by size and life.
 *   <li>{@code longest-first}: from the longest life to the shortest, of equally long ones the largest, first fit. Source:
 *       as the one before.
 *   <li>{@code tflite-greedy-by-size}: what lives all the time, then from the largest to the smallest, of equal ones the
 *       one that begins first, best fit. Source: the arena planner of TensorFlow Lite.
 *   <li>{@code greedy-by-breadth}: what is live when most bytes are, then when next most are, and so on, each time from
 *       the largest to the smallest, best fit. Source: Pisarchyk and Lee, as above, algorithm 2, for offsets.
 *   <li>{@code xla-best-of-orders}: the better of best fit by size, then length, and by length, then size. Source: the
 *       heap simulator of OpenXLA, spatial and temporal.
 *   <li>{@code earliest-first}: in order of time, best fit, as a runtime would with a free list: O(n log n)
 *       time whatever the input, but for boundaries. Source: the slice layout of IREE's stream dialect, for packing in order of
 *       time.
 *   <li>{@code skyline-best-fit}: in the next valley of what is stacked so far, what lasts longest within its walls where
 *       much is live; where nothing fits, the valley is raised to the lower wall. One to four microseconds a buffer; an
 *       input made to take more than 400 steps a buffer is placed by {@code longest-on-top}. Source: Burke, Kendall and
 *       Whitwell, "A New Placement Heuristic for the Orthogonal Stock-Cutting Problem", 2004.
 *   <li>{@code longest-on-top}: from the longest life to the shortest, each on top of all that it meets: no gap is ever
 *       filled. Takes O(n log n) time whatever the input, and meets the bound where lives nest.
 * </ul>
 *
 * <p>First fit asks O(log n) sets for each buffer, each in O(log n) for every gap that it passes: tens of milliseconds for
 * 20,000 buffers and seconds for a million, more where many lives that differ are long. Best fit looks at every gap that
 * is wide enough, O(n) for each buffer at worst: ten times as much where many lives are long.
 *
 * <p><b>Threads:</b> static and stateless; safe for any thread. Strategies work on the calling thread; {@code balanced} lets one of
 * {@link java.util.concurrent.ForkJoinPool#commonPool()} help where it is free, which changes no offset.
 */
public final class PlacementStrategies {
    private static final List<PlacementStrategy> ALL = List.of(
            new Balanced(),
            new LargestFirst(),
            new BestOf("largest-first-best-fit", new Recipe(Order.LARGEST, Fit.BEST)),
            new BestOf("largest-area-first", new Recipe(Order.LARGEST_AREA, Fit.FIRST)),
            new BestOf("longest-first", new Recipe(Order.LONGEST_LARGEST, Fit.FIRST)),
            new BestOf("tflite-greedy-by-size", new Recipe(Order.THROUGHOUT_LARGEST_EARLIEST, Fit.BEST)),
            new BestOf("greedy-by-breadth", new Recipe(Order.FULLEST_LARGEST, Fit.BEST)),
            new BestOf(
                    "xla-best-of-orders",
                    new Recipe(Order.LARGEST_LONGEST, Fit.BEST),
                    new Recipe(Order.LONGEST_LARGEST, Fit.BEST)),
            new BestOf("earliest-first", new Recipe(Order.EARLIEST, Fit.BEST_IN_TIME)),
            new SkylineBestFit(),
            new BestOf("longest-on-top", Recipe.LONGEST_ON_TOP));

    private PlacementStrategies() {}

    /**
     * Lists the strategies, the default first.
     *
     * @return at least one
     */
    public static List<PlacementStrategy> all() {
        return ALL;
    }

    /**
     * Finds a strategy.
     *
     * @param name its name, as {@link PlacementStrategy#name} gives it
     * @return the strategy
     * @throws IllegalArgumentException if none has that name; the message lists those that exist
     */
    public static PlacementStrategy named(String name) {
        return ALL.stream()
                .filter(strategy -> strategy.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("strategy: expected one of "
                        + ALL.stream().map(PlacementStrategy::name).collect(Collectors.joining(", ")) + ", got '"
                        + name + "'"));
    }
}
