package io.devicearena.plan.placement;

import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;

/**
 * A way to give every buffer of a problem its offset.
 *
 * <p>Planners call it; whoever has a better idea implements it. Placing is deterministic: the same problem gives the
 * same offsets on every JDK and platform.
 *
 * <p><b>Threads:</b> safe for any thread.
 */
public interface PlacementStrategy {
    /**
     * The name that the command line and reports use.
     *
     * @return a short lower-case name, for example {@code largest-first}
     */
    String name();

    /**
     * Gives every buffer its offset.
     *
     * @param problem the buffers
     * @return an offset in bytes for each buffer, in the problem's order: multiples of the alignment, no two conflicting
     *     buffers sharing a byte, no buffer crossing a multiple of the boundary
     */
    long[] place(PlacementProblem problem);

    /**
     * Tells whether an arena of some size is all that is wanted, so that a planner that knows several problems to place, such as
     * ways to share slots, looks no further than the first that needs no more.
     *
     * @param bytes the size of an arena that was found, 0 or more
     * @return true when nothing smaller is looked for; by default false, the smallest is
     */
    default boolean isEnough(long bytes) {
        return false;
    }

    /**
     * Gives every buffer its offset, unless told meanwhile that the answer is not wanted any more: who has a better one, or no more
     * time, does not leave threads at work behind. The strategies of this library ask a hundred times a second and more, but in
     * preparations, which take up to some tenths of a second for a million buffers, and {@code balanced} in searches of about a second.
     *
     * <p>Strategies that take long override it; as it is, it never asks.
     *
     * @param problem the buffers
     * @param unwanted tells whether the answer is not wanted any more, from then on always; asked on any thread
     * @return what {@link #place(PlacementProblem)} gives; once the answer is not wanted any more, maybe other offsets that are as valid
     * @throws CancellationException if there is no answer, and it is not wanted any more
     */
    default long[] place(PlacementProblem problem, BooleanSupplier unwanted) {
        return place(problem);
    }
}
