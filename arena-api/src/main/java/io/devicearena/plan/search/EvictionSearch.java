package io.devicearena.plan.search;

import io.devicearena.plan.lowering.Descent;
import io.devicearena.plan.lowering.Effort;
import io.devicearena.plan.lowering.Work;
import java.util.List;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Lowers a placement of many buffers by evictions, for as long as it is let: where one course of targets is exhausted, another
 * begins, which parts the buffers in another way and tries each target harder.
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

    /** Tiers and divisors that courses take in turn. */
    private static final List<int[]> TIERS = List.of(new int[] {7, 3}, new int[] {4, 8}, new int[] {8, 4});

    /** What a tier of a target may take for each buffer, and the patience, in the first course; twice as much in each further. */
    private static final long STEPS_PER_BUFFER = 2_000;

    private static final int PATIENCE = 200;
    private static final int MOST_DOUBLINGS = 20;

    private final Part part;
    private final int lane;
    private final Work work = Work.unlimited();
    /** The lowest placement so far, and the bytes above the origin that it needs. */
    private long[] addresses;

    private long bytes;
    /** What the caller's placement needs. */
    private long known;

    private long target = -1;
    private int courses;
    private @Nullable Descent descent;
    private long nodes;

    /**
     * Makes a search.
     *
     * @param part the buffers
     * @param lane its number, 0 or more: no two lanes go the same course
     * @param from the caller's placement: offsets in bytes in the problem's order
     */
    EvictionSearch(Part part, int lane, long[] from) {
        this.part = part;
        this.lane = lane;
        this.addresses = part.addresses(from);
        this.bytes = part.bytes(addresses);
        this.known = bytes;
    }

    /** Takes over the caller's placement where it is lower: offsets in bytes in the problem's order. */
    void know(long[] offsets) {
        long[] other = part.addresses(offsets);
        known = part.bytes(other);
        if (known < bytes) {
            addresses = other;
            bytes = known;
            if (descent != null) {
                descent.turnTo(other);
            }
        }
    }

    @Override
    public Verdict run(Attempt attempt, LongPredicate stopped) {
        nodes = 0;
        if (attempt.target() != target) {
            target = attempt.target();
            descent = null;
        }
        long floor = target - part.problem().origin();
        long begun = work.left();
        while (nodes < attempt.limit() && bytes > floor && !stopped.test(nodes)) {
            advance(floor, Math.min(attempt.limit() - nodes, NODES_PER_LOOK) * STEPS_PER_NODE);
            nodes = Math.min(attempt.limit(), (begun - work.left()) / STEPS_PER_NODE);
        }
        return bytes < known ? Verdict.FITS : Verdict.GIVEN_UP;
    }

    private void advance(long floor, long steps) {
        int doublings = Math.min(courses, MOST_DOUBLINGS);
        Descent present = descent;
        if (present == null) {
            int[] tiers = TIERS.get((lane + courses) % TIERS.size());
            Effort effort =
                    new Effort(tiers[0], tiers[1], PATIENCE << doublings, (long) courses * PartSearch.LANES + lane);
            present = new Descent(part, addresses, floor, effort, work);
            descent = present;
        }
        switch (present.advance(steps, (STEPS_PER_BUFFER * part.count()) << doublings)) {
            case LOWERED -> {
                addresses = present.addresses().clone();
                bytes = present.bytes();
            }
            case EXHAUSTED -> {
                courses++;
                descent = null;
            }
            case PAUSED -> {}
        }
    }

    @Override
    public long nodes() {
        return nodes;
    }

    @Override
    public void copyOffsets(long[] offsets) {
        part.copyOffsets(addresses, offsets);
    }
}
