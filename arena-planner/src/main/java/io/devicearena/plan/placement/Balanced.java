package io.devicearena.plan.placement;

import java.util.function.BooleanSupplier;

/**
 * Takes the best of what the fast strategies find, and improves it where it is too high: the default.
 *
 * <p>In turn, until a placement is no larger than the most bytes that are live at any step:
 *
 * <ol>
 *   <li>Valleys are filled: lives go on level ground only, in each valley of what is stacked so far the best that fits in
 *       between its walls. What is best is tried in several ways: large, or long, or long where much is live. Each takes
 *       about a microsecond a buffer. Where sizes recur, as those of layers and of micro-batches do, lives of one size that follow each
 *       other are also put in one place beforehand, and these chains are placed.
 *   <li>What is live where little of the bound is missing is placed by searches in depth, as if there were no others; evictions find the
 *       others places around it, at the bound. Where lives are short against all time, or nest, that mostly goes without a step back.
 *   <li>All orders of {@link PlacementStrategies}, each given up as soon as it cannot win, and above 20,000 buffers also where it
 *       takes too long; {@code earliest-first} and {@code longest-on-top} never do.
 *   <li>Evictions lower two placements towards the bound, in two ways: what ends too high drives out what is easier to
 *       place. Above 2,000 buffers they do not wait for the orders, and begin again in the rare case that one of these is
 *       better. Up to 2,000 buffers searches in depth look for something lower beside them.
 * </ol>
 *
 * <p>Up to 20,000 buffers no other strategy that comes with this library needs fewer bytes; {@code earliest-first} and
 * {@code longest-on-top} never do. Each step may take only so many elementary steps, in proportion to the number of buffers and
 * to what there is to gain. Elementary steps are counted, not timed: the offsets are the same on every machine.
 *
 * <p>On the traces that we know it meets the bound; on packings made to be dense it needs 1.00 to 1.05 of it for some hundred
 * buffers, and up to 1.2 for more of them. It takes up to a quarter of a second for 2,000 buffers that do not meet the bound, about a
 * second for a million that live briefly or nest, and up to eight where a million lives are of any length; memory is O(n log n).
 *
 * <p><b>Threads:</b> safe for any thread. One of {@link java.util.concurrent.ForkJoinPool#commonPool()} helps where it is free, and
 * may go on for tenths of a second after the caller has its answer; the offsets do not depend on it. Searches in depth have daemon
 * threads of their own, each for as long as it takes, whose stack is large enough.
 *
 * <p><b>Source:</b> the sources of the strategies that it takes; Burke, Kendall and Whitwell, "A New Placement Heuristic for
 * the Orthogonal Stock-Cutting Problem", 2004, for valleys; Hashimoto and Stevens, "Wire routing by optimizing channel assignment within
 * large apertures", 1971, for chains; Nagata and Bräysy, "A Powerful Route Minimization Heuristic for
 * the Vehicle Routing Problem with Time Windows", 2009, for evictions; Moffitt, "MiniMalloc: A Lightweight Memory Allocator for
 * Hardware-Accelerated Machine Learning", ASPLOS 2023, for what the search in depth takes from it.
 */
final class Balanced implements PlacementStrategy {
    Balanced() {}

    @Override
    public String name() {
        return "balanced";
    }

    @Override
    public long[] place(PlacementProblem problem) {
        return place(problem, () -> false);
    }

    @Override
    public long[] place(PlacementProblem problem, BooleanSupplier unwanted) {
        return Lives.place(problem, lives -> new BalancedSearch(lives, unwanted).run());
    }

    @Override
    public String toString() {
        return name();
    }
}
