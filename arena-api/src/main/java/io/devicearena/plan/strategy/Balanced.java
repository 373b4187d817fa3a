package io.devicearena.plan.strategy;

import java.util.Objects;

/**
 * Takes the best of what the fast strategies find, and improves it where it is too high: the default.
 *
 * <p>In turn, until a placement is no larger than the most bytes that are live at any step:
 *
 * <ol>
 *   <li>The longest on top: O(n log n) for any input, and all that nested lives need.
 *   <li>Largest first, first fit.
 *   <li>The spots that are too high, in time, are placed anew within windows. Where lives are short they are few, and
 *       the rest of a million buffers stays as it is.
 *   <li>All other orders of {@link PlacementStrategies}, and some that only serve here, first fit. Above 2,000 buffers an
 *       order is given up as soon as it cannot win; then the best order is tried again and again with what ended above
 *       the bound in front.
 *   <li>The orders that place with best fit; then the spots again.
 *   <li>Up to 2,000 buffers, descents from the two best and from the order of time: they change an order one buffer at a
 *       time.
 * </ol>
 *
 * <p>Up to 2,000 buffers no other strategy that comes with this library needs fewer bytes. Above, each step may take only
 * so many elementary steps, in proportion to the number of buffers and, from the fourth on, to what there is to gain; an
 * order that is not done by then is given up. Elementary steps are counted, not timed: the offsets are the same on every
 * machine.
 *
 * <p>On the traces that we know it meets the bound, but for one of 1,042 buffers, 1 in 1,000 above, and for packings made
 * to be dense, 1.13 to 1.20. It takes tenths of a second up to 2,000 buffers that do not meet the bound, and seconds for a
 * million; memory is O(n log n).
 *
 * <p><b>Threads:</b> safe for any thread.
 *
 * <p><b>Source:</b> the sources of the strategies that it takes; the descent's are TVM's hill climbing planner (Apache TVM
 * RFC 0009, 2021) and Shaw, "Using Constraint Programming and Local Search Methods to Solve Vehicle Routing Problems",
 * 1998, for placing anew a part while the rest is held; Joslin and Clements, "Squeaky Wheel Optimization", 1999, for putting
 * in front what ended too high.
 */
final class Balanced implements PlacementStrategy {
    Balanced() {}

    @Override
    public String name() {
        return "balanced";
    }

    @Override
    public long[] place(PlacementProblem problem) {
        Objects.requireNonNull(problem, "problem");
        Lives lives = new Lives(problem);
        return lives.count() == 0 ? new long[problem.count()] : lives.offsets(new BalancedSearch(lives).run());
    }

    @Override
    public String toString() {
        return name();
    }
}
