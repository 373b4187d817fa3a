package io.devicearena.plan.search;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.LongPredicate;

/**
 * Tries to lower a placement of many buffers: those that reach above the capacity move to where they disturb least, and whoever is in
 * their way moves next.
 *
 * <p>A buffer that has been turned out often is turned out less readily, so that the trouble moves on to
 * others. It proves nothing: it either finds a placement or gives up.
 *
 * <p>Threads: one thread at a time. Source: ejection chains, Glover, "Ejection chains, reference structures and alternating path
 * methods for traveling salesman problems", 1996; the penalties after Morris, "The breakout method for escaping from
 * local minima", 1993.
 */
final class EvictionSearch implements Searcher {
    /** A move costs about as much as that many nodes of the search in depth. */
    private static final int NODES_PER_MOVE = 16;

    private static final long HOMELESS = -1;
    private static final int HEAVIEST = 1_024;

    private final Part part;
    private final Companions companions;
    private final long alignment;
    private final long boundary;
    private final long phase;
    private final long[] start;
    private final long[] offsets;
    private final long[] ceiling;
    private final long[] weights;
    private final long[] reluctance;
    private final int[] waiting;
    private int waitingCount;
    private final int[] met;
    private final WeighedKeys starts = new WeighedKeys();
    private final WeighedKeys ends = new WeighedKeys();
    private long nodes;

    /**
     * Makes a search.
     *
     * @param part the buffers
     * @param companions who meets whom
     * @param from the placement that every attempt begins with: offsets in bytes in the problem's order
     */
    EvictionSearch(Part part, Companions companions, long[] from) {
        this.part = part;
        this.companions = companions;
        this.alignment = part.problem().alignment();
        this.boundary = part.problem().boundary() / alignment;
        this.phase = boundary == 0 ? 0 : part.problem().origin() / alignment % boundary;
        int count = part.count();
        this.start = new long[count];
        for (int i = 0; i < count; i++) {
            start[i] = (from[part.buffer(i)] - part.problem().origin()) / alignment;
        }
        this.offsets = new long[count];
        this.ceiling = new long[count];
        this.weights = weights(part);
        this.reluctance = new long[count];
        this.waiting = new int[count];
        this.met = new int[count];
    }

    /** How hard buffers are to place anew, by their size: from 1 to {@value #HEAVIEST}. */
    private static long[] weights(Part part) {
        long largest = 1;
        for (int i = 0; i < part.count(); i++) {
            largest = Math.max(largest, part.size(i));
        }
        long[] weights = new long[part.count()];
        for (int i = 0; i < weights.length; i++) {
            weights[i] = 1 + (long) ((HEAVIEST - 1) * ((double) part.size(i) / largest));
        }
        return weights;
    }

    @Override
    public Verdict run(Attempt attempt, LongPredicate stopped) {
        nodes = 0;
        if (!begin(attempt)) {
            return Verdict.DOES_NOT_FIT;
        }
        SplittableRandom random = new SplittableRandom(attempt.number());
        while (waitingCount > 0) {
            nodes += NODES_PER_MOVE;
            if (nodes > attempt.limit() || stopped.test(nodes)) {
                return Verdict.GIVEN_UP;
            }
            int chosen = random.nextInt(waitingCount);
            int buffer = waiting[chosen];
            waiting[chosen] = waiting[--waitingCount];
            settle(buffer);
        }
        return Verdict.FITS;
    }

    /** Turns out who reaches above the capacity; false if one buffer alone does not fit. */
    private boolean begin(Attempt attempt) {
        long room = attempt.target() - part.problem().origin();
        System.arraycopy(start, 0, offsets, 0, offsets.length);
        Arrays.fill(reluctance, 1);
        waitingCount = 0;
        for (int i = 0; i < offsets.length; i++) {
            long bytes = part.problem().size(part.buffer(i));
            if (bytes > room) {
                return false;
            }
            ceiling[i] = (room - bytes) / alignment;
            if (offsets[i] > ceiling[i]) {
                turnOut(i);
            }
        }
        return true;
    }

    private void turnOut(int buffer) {
        offsets[buffer] = HOMELESS;
        waiting[waitingCount++] = buffer;
    }

    private void settle(int buffer) {
        int n = companions.of(buffer, met);
        starts.clear();
        ends.clear();
        for (int i = 0; i < n; i++) {
            int other = met[i];
            if (other != buffer && offsets[other] != HOMELESS) {
                long weight = reluctance[other] * weights[other];
                starts.add(offsets[other], weight);
                ends.add(offsets[other] + part.size(other), weight);
            }
        }
        starts.sort();
        ends.sort();
        long size = part.size(buffer);
        long chosen = cheapest(buffer, size);
        offsets[buffer] = chosen;
        for (int i = 0; i < n; i++) {
            int other = met[i];
            if (other != buffer
                    && offsets[other] != HOMELESS
                    && offsets[other] < chosen + size
                    && chosen < offsets[other] + part.size(other)) {
                reluctance[other]++;
                turnOut(other);
            }
        }
    }

    /** The offset at which those who are in the way are least reluctant to go; of equal ones the lowest. */
    private long cheapest(int buffer, long size) {
        // With a boundary too: no buffer is larger than it, but the origin can be anywhere in it.
        long best = clearOfBoundary(0, size);
        long least = best > ceiling[buffer] ? Long.MAX_VALUE : cost(best, size);
        for (int i = 0; i < ends.count() && least > 0; i++) {
            long offset = clearOfBoundary(ends.key(i), size);
            if (ends.key(i) > ceiling[buffer]) {
                break;
            }
            long cost = offset > ceiling[buffer] ? Long.MAX_VALUE : cost(offset, size);
            if (cost < least) {
                best = offset;
                least = cost;
            }
        }
        return best;
    }

    /** How reluctant those are who are in the way at an offset. */
    private long cost(long offset, long size) {
        return starts.weightBelow(offset + size) - ends.weightBelow(offset + 1);
    }

    private long clearOfBoundary(long offset, long size) {
        if (boundary == 0) {
            return offset;
        }
        long inside = (offset + phase) % boundary;
        return inside + size <= boundary ? offset : offset + (boundary - inside);
    }

    @Override
    public long nodes() {
        return nodes;
    }

    @Override
    public void copyOffsets(long[] target) {
        for (int i = 0; i < offsets.length; i++) {
            target[part.buffer(i)] = part.problem().origin() + offsets[i] * alignment;
        }
    }
}
