package io.devicearena.plan.search;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.LongPredicate;

/**
 * Tries to lower a placement of many buffers: takes out one that reaches above the capacity, all that it meets in some band of
 * addresses and some of their neighbours, and puts them back in another order, each at the lowest offset that is free.
 *
 * <p>The change stays where the bytes above the capacity, added up over all buffers, do not grow; so it wanders over placements that
 * are equally good. It proves nothing: it either finds a placement or gives up. The next attempt at the same target goes on from there.
 *
 * <p>Threads: one thread at a time. Source: Schrimpf, Schneider, Stamm-Wilbrandt and Dueck, "Record Breaking Optimization Results
 * Using the Ruin and Recreate Principle", 2000.
 */
final class RuinSearch implements Searcher {
    /** So many others cost about as much to look at as a node of the search in depth. */
    private static final int MET_PER_NODE = 128;

    /** So many are put in a new order at once. */
    private static final int MOST_OUT = 24;

    private static final int NEIGHBOURHOODS = 3;
    private static final long NONE = -1;
    private static final long OUT = -1;

    private final Part part;
    private final Companions companions;
    private final long[] start;
    /** Where the highest buffer ends at the start, in units: none goes higher. */
    private final long height;

    private final long[] offsets;
    private final Room room;
    /** Those that end above the target, and where each is in the list; -1 for all others. */
    private final int[] high;

    private final int[] highAt;
    private int highCount;
    private final int[] met;
    private final RankedKeys startByOffset;
    private RankedKeys byOffset;
    private final int[] out = new int[MOST_OUT];
    /** Where each of those that are out was. */
    private final long[] before = new long[MOST_OUT];

    private final double[] keys = new double[MOST_OUT];
    private int outCount;
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
    RuinSearch(Part part, Companions companions, long[] from) {
        this.part = part;
        this.companions = companions;
        int count = part.count();
        this.start = part.addresses(from);
        long top = 0;
        for (int i = 0; i < count; i++) {
            top = Math.max(top, start[i] + part.size(i));
        }
        this.height = top;
        this.offsets = new long[count];
        this.room = new Room(part);
        this.high = new int[count];
        this.highAt = new int[count];
        this.met = new int[count];
        this.startByOffset = RankedKeys.of(start);
        this.byOffset = startByOffset;
    }

    @Override
    public Verdict run(Attempt attempt, LongPredicate stopped) {
        nodes = 0;
        if (attempt.target() != target && !begin(attempt)) {
            return Verdict.DOES_NOT_FIT;
        }
        while (highCount > 0) {
            if (nodes > attempt.limit() || stopped.test(nodes)) {
                return Verdict.GIVEN_UP;
            }
            if (ruin(high[random.nextInt(highCount)])) {
                recreate();
            }
        }
        return Verdict.FITS;
    }

    /** Lists who reaches above the capacity; false if one buffer alone does not fit. */
    private boolean begin(Attempt attempt) {
        target = attempt.target();
        random = new SplittableRandom(attempt.number());
        System.arraycopy(start, 0, offsets, 0, offsets.length);
        byOffset = startByOffset.copy();
        Arrays.fill(highAt, -1);
        highCount = 0;
        if (!room.resize(target)) {
            return false;
        }
        for (int i = 0; i < offsets.length; i++) {
            list(i);
        }
        return true;
    }

    /** Puts a buffer on the list of those that are too high, or takes it off. */
    private void list(int buffer) {
        boolean isHigh = offsets[buffer] > room.ceiling(buffer);
        int at = highAt[buffer];
        if (isHigh && at < 0) {
            highAt[buffer] = highCount;
            high[highCount++] = buffer;
        } else if (!isHigh && at >= 0) {
            int last = high[--highCount];
            high[at] = last;
            highAt[last] = at;
            highAt[buffer] = -1;
        }
    }

    /** Chooses who goes out to make room for one that is too high; false where that would be too many. */
    private boolean ruin(int hot) {
        int n = companions.of(hot, met);
        nodes += 1 + n / MET_PER_NODE;
        long from = Math.min(room.ceiling(hot), offsets[met[random.nextInt(n)]]);
        long above = from + part.size(hot);
        long to = above + random.nextLong(Math.max(1, Math.min(part.size(hot), height - above)));
        outCount = 0;
        out[outCount++] = hot;
        for (int i = 0; i < n; i++) {
            if (met[i] != hot && isWithin(met[i], from, to)) {
                if (outCount == MOST_OUT) {
                    return false;
                }
                out[outCount++] = met[i];
            }
        }
        int most = random.nextInt(MOST_OUT);
        for (int k = 0; k < NEIGHBOURHOODS && outCount < most; k++) {
            addNeighbours(out[random.nextInt(outCount)], from, to, most);
        }
        order();
        return true;
    }

    private void addNeighbours(int of, long from, long to, int most) {
        int n = companions.of(of, met);
        nodes += 1 + n / MET_PER_NODE;
        int begin = random.nextInt(n);
        for (int i = 0; i < n && outCount < most; i++) {
            int other = met[(begin + i) % n];
            if (isWithin(other, from, to) && !isOut(other)) {
                out[outCount++] = other;
            }
        }
    }

    private boolean isWithin(int buffer, long from, long to) {
        return offsets[buffer] < to && offsets[buffer] + part.size(buffer) > from;
    }

    private boolean isOut(int buffer) {
        for (int k = 0; k < outCount; k++) {
            if (out[k] == buffer) {
                return true;
            }
        }
        return false;
    }

    /** Puts back what is out; all goes back to where it was if the bytes above the target would grow. */
    private void recreate() {
        long spare = 0;
        for (int k = 0; k < outCount; k++) {
            before[k] = offsets[out[k]];
            spare += Math.max(0, before[k] - room.ceiling(out[k]));
            offsets[out[k]] = OUT;
        }
        int placed = 0;
        while (placed < outCount) {
            int buffer = out[placed];
            long offset = lowest(buffer);
            spare -= Math.max(0, offset - room.ceiling(buffer));
            if (spare < 0 || offset + part.size(buffer) > height) {
                restore(placed);
                return;
            }
            offsets[buffer] = offset;
            byOffset.move(buffer, offset);
            placed++;
        }
        for (int k = 0; k < outCount; k++) {
            list(out[k]);
        }
    }

    private void restore(int placed) {
        for (int k = 0; k < outCount; k++) {
            offsets[out[k]] = before[k];
            if (k < placed) {
                byOffset.move(out[k], before[k]);
            }
        }
    }

    /** Sorts those that are out, by a taste drawn at random. */
    private void order() {
        int taste = random.nextInt(4);
        double noise = random.nextDouble();
        boolean first = random.nextBoolean();
        for (int k = 0; k < outCount; k++) {
            int buffer = out[k];
            double size = part.size(buffer);
            double length = part.last(buffer) - part.first(buffer) + 1.0;
            double plain = switch (taste) {
                case 0 -> size;
                case 1 -> length;
                case 2 -> size * length;
                default -> 1;
            };
            double key = k == 0 && first ? Double.MAX_VALUE : plain * (1 + noise * (random.nextDouble() - 0.5));
            int at = k;
            for (; at > 0 && key > keys[at - 1]; at--) {
                keys[at] = keys[at - 1];
                out[at] = out[at - 1];
            }
            keys[at] = key;
            out[at] = buffer;
        }
    }

    /** The lowest offset at which a buffer meets none that is not out. */
    private long lowest(int buffer) {
        int n = companions.of(buffer, met);
        nodes += 1 + n / MET_PER_NODE;
        for (int i = 0; i < n; i++) {
            if (offsets[met[i]] != OUT) {
                byOffset.mark(met[i]);
            }
        }
        int housed = byOffset.takeMarked(met);
        long size = part.size(buffer);
        long offset = part.clearOfBoundary(0, size);
        for (int i = 0; i < housed && offsets[met[i]] < offset + size; i++) {
            long end = offsets[met[i]] + part.size(met[i]);
            if (end > offset) {
                offset = part.clearOfBoundary(end, size);
            }
        }
        return offset;
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
