package io.devicearena.plan.optimal;

import io.devicearena.plan.internal.exact.Attempt;
import io.devicearena.plan.internal.exact.Searcher;
import io.devicearena.plan.internal.ejection.Lowering;
import io.devicearena.plan.internal.ejection.Work;
import java.util.function.LongPredicate;

/**
 * Lowers a placement of many buffers by evictions, for as long as it is let.
 *
 * <p>An attempt fits when it has come to something lower, be it above its target. It proves nothing. The next attempt goes on
 * where it was.
 *
 * <p>Threads: one thread at a time.
 */
final class EvictionSearch implements Searcher {
    /** So many steps cost about as much as a node of the search in depth. */
    private static final long STEPS_PER_NODE = 128;
    /** After so many nodes it asks whether it is to stop. */
    private static final long NODES_PER_LOOK = 1_024;

    private final Part part;
    private final int lane;
    private final Work work = Work.unlimited();
    private Lowering lowering;
    private long target;
    /** What the caller's placement needs, in bytes above the origin. */
    private long known;

    private long nodes;

    /**
     * Makes a search.
     *
     * @param part the buffers
     * @param lane its number, 0 or more: no two lanes go the same course
     * @param from the caller's placement: offsets in bytes in the problem's order
     * @param target how low it may get, in bytes above the origin
     */
    EvictionSearch(Part part, int lane, long[] from, long target) {
        this.part = part;
        this.lane = lane;
        this.target = target;
        this.lowering = lowering(part.addresses(from));
        this.known = lowering.bytes();
    }

    private Lowering lowering(long[] addresses) {
        return new Lowering(part, addresses, target, Integer.MAX_VALUE, lane, work);
    }

    /** Takes over the caller's placement where it is lower: offsets in bytes in the problem's order. */
    void know(long[] offsets) {
        long[] addresses = part.addresses(offsets);
        known = part.bytes(addresses);
        if (known < lowering.bytes()) {
            lowering.turnTo(addresses);
        }
    }

    @Override
    public Verdict run(Attempt attempt, LongPredicate stopped) {
        nodes = 0;
        if (attempt.target() != target) {
            target = attempt.target();
            lowering = lowering(lowering.addresses());
        }
        long begun = work.left();
        while (nodes < attempt.limit() && lowering.bytes() > target && !stopped.test(nodes)) {
            lowering.advance(Math.min(attempt.limit() - nodes, NODES_PER_LOOK) * STEPS_PER_NODE);
            nodes = Math.min(attempt.limit(), (begun - work.left()) / STEPS_PER_NODE);
        }
        return lowering.bytes() < known ? Verdict.FITS : Verdict.GIVEN_UP;
    }

    @Override
    public long nodes() {
        return nodes;
    }

    @Override
    public long[] addresses() {
        return lowering.addresses();
    }
}
