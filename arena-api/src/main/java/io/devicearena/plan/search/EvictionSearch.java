package io.devicearena.plan.search;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.LongPredicate;

/**
 * Tries to lower a placement of many buffers: those that reach above the capacity move to where they disturb least, and whoever is in
 * their way moves next.
 *
 * <p>A buffer that has been turned out often is turned out less readily, so that the trouble moves on to
 * others. It proves nothing: it either finds a placement or gives up. The next attempt at the same target goes on from there.
 *
 * <p>Threads: one thread at a time. Source: ejection chains, Glover, "Ejection chains, reference structures and alternating path
 * methods for traveling salesman problems", 1996; the penalties after Morris, "The breakout method for escaping from
 * local minima", 1993.
 */
final class EvictionSearch implements Searcher {
    /** So many others cost about as much to look at as a node of the search in depth. */
    private static final int MET_PER_NODE = 128;

    private static final long NONE = -1;
    private static final long HOMELESS = -1;
    private static final int HEAVIEST = 1_024;

    private final Part part;
    private final Companions companions;
    private final long[] start;
    private final long[] offsets;
    private final Room room;
    private final long[] weights;
    private final long[] reluctance;
    private final int[] waiting;
    private int waitingCount;
    private final int[] met;
    private final int[] metByEnd;
    private final RankedKeys startByOffset;
    private final RankedKeys startByEnd;
    private RankedKeys byOffset;
    private RankedKeys byEnd;
    private long target = NONE;
    private SplittableRandom random = new SplittableRandom(0);
    private long nodes;

    /**
     * Makes a search.
     *
     * @param part the buffers
     * @param companions who meets whom
     * @param from the placement that attempts at a new target begin with: offsets in bytes in the problem's order
     */
    EvictionSearch(Part part, Companions companions, long[] from) {
        this.part = part;
        this.companions = companions;
        int count = part.count();
        this.start = part.addresses(from);
        long[] ends = new long[count];
        for (int i = 0; i < count; i++) {
            ends[i] = start[i] + part.size(i);
        }
        this.offsets = new long[count];
        this.room = new Room(part);
        this.weights = weights(part);
        this.reluctance = new long[count];
        this.waiting = new int[count];
        this.met = new int[count];
        this.metByEnd = new int[count];
        this.startByOffset = RankedKeys.of(start);
        this.startByEnd = RankedKeys.of(ends);
        this.byOffset = startByOffset;
        this.byEnd = startByEnd;
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
        if (attempt.target() != target && !begin(attempt)) {
            return Verdict.DOES_NOT_FIT;
        }
        while (waitingCount > 0) {
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
        target = attempt.target();
        random = new SplittableRandom(attempt.number());
        System.arraycopy(start, 0, offsets, 0, offsets.length);
        byOffset = startByOffset.copy();
        byEnd = startByEnd.copy();
        Arrays.fill(reluctance, 1);
        waitingCount = 0;
        if (!room.resize(target)) {
            return false;
        }
        for (int i = 0; i < offsets.length; i++) {
            if (offsets[i] > room.ceiling(i)) {
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
        nodes += 1 + n / MET_PER_NODE;
        for (int i = 0; i < n; i++) {
            if (offsets[met[i]] != HOMELESS) {
                byOffset.mark(met[i]);
                byEnd.mark(met[i]);
            }
        }
        int housed = byOffset.takeMarked(met);
        byEnd.takeMarked(metByEnd);
        long chosen = cheapest(buffer, housed);
        long end = chosen + part.size(buffer);
        for (int i = 0; i < housed && offsets[met[i]] < end; i++) {
            int other = met[i];
            if (chosen < offsets[other] + part.size(other)) {
                reluctance[other]++;
                turnOut(other);
            }
        }
        offsets[buffer] = chosen;
        byOffset.move(buffer, chosen);
        byEnd.move(buffer, end);
    }

    /** The offset at which those who are in the way are least reluctant to go; of equal ones the lowest. */
    private long cheapest(int buffer, int housed) {
        long size = part.size(buffer);
        long best = 0;
        long least = Long.MAX_VALUE;
        long inTheWay = 0;
        int begun = 0;
        int ended = 0;
        long offset = part.clearOfBoundary(0, size);
        while (least > 0 && offset <= room.ceiling(buffer)) {
            while (begun < housed && offsets[met[begun]] < offset + size) {
                inTheWay += cost(met[begun++]);
            }
            while (ended < housed && end(metByEnd[ended]) <= offset) {
                inTheWay -= cost(metByEnd[ended++]);
            }
            if (inTheWay < least) {
                best = offset;
                least = inTheWay;
            }
            if (ended == housed) {
                break;
            }
            offset = part.clearOfBoundary(end(metByEnd[ended]), size);
        }
        return best;
    }

    private long cost(int other) {
        return reluctance[other] * weights[other];
    }

    private long end(int other) {
        return offsets[other] + part.size(other);
    }

    @Override
    public long nodes() {
        return nodes;
    }

    @Override
    public void copyOffsets(long[] target) {
        part.copyOffsets(offsets, target);
    }
}
