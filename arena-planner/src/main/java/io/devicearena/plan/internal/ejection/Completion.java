package io.devicearena.plan.internal.ejection;

import java.util.Optional;

/**
 * Finds all lives places below a target around some that have theirs: the others stay where they were or move, and drive out those
 * some only where nothing else helps.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public final class Completion {
    private static final Tiers ALL_AT_ONCE = new Tiers(1, 2);
    private static final int PATIENCE = 200;

    private Completion() {}

    /**
     * Looks for places.
     *
     * @param lives all lives
     * @param addresses a placement of them, which may be too high; never changed
     * @param settled those that have places below the target, none of which overlap
     * @param settledAddresses where each of them is
     * @param bytes the target: how high lives may end, in bytes above the origin
     * @param work what is spent; all of it may be
     * @return the addresses of all; nothing where the work does not suffice
     */
    public static Optional<long[]> around(
            Lifetimes lives, long[] addresses, int[] settled, long[] settledAddresses, long bytes, Work work) {
        Evictions evictions = new Evictions(lives, ALL_AT_ONCE, 1, PATIENCE, 0, work);
        evictions.begin(addresses, bytes, Long.MAX_VALUE);
        for (int k = 0; k < settled.length; k++) {
            evictions.settle(settled[k], settledAddresses[k]);
        }
        return evictions.advance(work.left()) == Evictions.Outcome.SETTLED
                ? Optional.of(evictions.addresses())
                : Optional.empty();
    }
}
