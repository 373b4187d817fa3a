package io.devicearena.plan.placement;

import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;

/**
 * A way to place the buffers of a problem: it gives every buffer an offset.
 *
 * <p>Planners call it; an engine with a better algorithm implements it. It is deterministic: the same problem gets the
 * same offsets on every JDK and platform.
 *
 * <p><b>Threads:</b> safe for any thread.
 */
public interface PlacementStrategy {
    /** {@return the short lower-case name that the command line and reports use, for example {@code balanced}} */
    String name();

    /**
     * Places all buffers.
     *
     * @param problem the buffers
     * @return an offset in bytes for each buffer, in the problem's order: multiples of the alignment, no two
     *     conflicting buffers sharing a byte, no buffer crossing a multiple of the boundary
     */
    long[] place(PlacementProblem problem);

    /**
     * {@return whether a planner with several problems to place, such as ways to share slots, stops at an arena of this
     * size; false by default, for the smallest}
     *
     * @param bytes the size of an arena that was found, 0 or more
     */
    default boolean isGoodEnough(long bytes) {
        return false;
    }

    /**
     * Places all buffers; may stop early once the result is no longer wanted.
     *
     * <p>Strategies that take long override it and ask at least ten times a second; as it is, it never asks.
     *
     * @param problem the buffers
     * @param cancelled whether the result is no longer wanted; once true, it stays true; asked on any thread
     * @return the same as {@link #place(PlacementProblem)}; after cancellation perhaps other offsets, which are as
     *     valid
     * @throws CancellationException if it was cancelled before there was any placement
     */
    default long[] place(PlacementProblem problem, BooleanSupplier cancelled) {
        return place(problem);
    }
}
