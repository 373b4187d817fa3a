package io.devicearena.plan.placement;

import io.devicearena.plan.internal.ejection.Work;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What is taken when: a tree over moments whose nodes hold sets of addresses.
 *
 * <p>Level 0 has a node for each moment, every level above it a node for each {@value #FAN} nodes below. Up to the cut
 * level a life is parted into the fewest nodes that make it up. There a node has two sets: <i>throughout</i>, what was
 * parted into it, and <i>within</i>, what was parted into it or into nodes below it. A life meets what is within the
 * nodes that it parts into and throughout those above them. Above the cut a node has one set, within, of all that lives
 * at any of its moments; long lives are not stored throughout such a node but at each node of the cut level that they
 * fill.
 *
 * <p>So a short life asks few sets, each near to all that is live then, at the price of storing a long life often. The cut
 * is the lowest level at which that comes to no more than {@value #COPIES} nodes a life on average, but one of
 * {@value #FEWEST_NODES} nodes or more where there is one: where most lives are long, coarser nodes cost more in searches
 * than they save.
 *
 * <p>Threads: one thread at a time. Source: Bentley, "Solutions to Klee's rectangle problems", 1977, for the
 * parting of an interval into nodes.
 */
final class TimeTree {
    private static final int FAN_BITS = 2;
    private static final int FAN = 1 << FAN_BITS;
    private static final int COPIES = 4;
    private static final int FEWEST_NODES = 16;
    /** Steps that a question to one set counts as: it costs a binary search or two. */
    private static final int PROBE = 16;

    private final BusySet empty;
    private final long smallestGap;
    private final Lives lives;
    private final Work work;
    private final int cut;
    private final @Nullable BusySet[][] throughout;
    private final @Nullable BusySet[][] within;
    private BusySet[] asked = new BusySet[16];
    /** Where the room ends that was found last in each set asked, or 0. */
    private long[] ceilings = new long[16];

    private int askedCount;

    /**
     * Makes an empty tree.
     *
     * @param lives the lives that will be taken, at least one
     * @param work what searches spend
     */
    TimeTree(Lives lives, Work work) {
        this.lives = lives;
        this.work = work;
        this.smallestGap = lives.smallestSize();
        int moments = lives.moments();
        long totalMoments = lives.totalLength();
        this.empty = new BusyRun(smallestGap);
        int levels = 1;
        while (nodes(moments, levels - 1) > 1) {
            levels++;
        }
        int level = 0;
        while (nodes(moments, level + 1) >= FEWEST_NODES
                && totalMoments >>> (FAN_BITS * level) > (long) COPIES * lives.count()) {
            level++;
        }
        this.cut = level;
        this.throughout = new BusySet[cut + 1][];
        this.within = new BusySet[levels][];
        for (int i = 0; i < levels; i++) {
            int nodes = nodes(moments, i);
            within[i] = new BusySet[i == 0 ? 0 : nodes];
            if (i <= cut) {
                throughout[i] = new BusySet[nodes];
            }
        }
    }

    private static int nodes(int moments, int level) {
        return ((moments - 1) >>> (FAN_BITS * level)) + 1;
    }

    /**
     * Takes addresses for a life.
     *
     * @param first its first moment
     * @param end the moment after its last
     * @param low the first address
     * @param high the address after the last
     */
    void take(int first, int end, long low, long high) {
        int left = first;
        int right = end;
        for (int level = 0; level < cut && left < right; level++) {
            while (left < right && left % FAN != 0) {
                fill(level, left++, low, high);
            }
            while (left < right && right % FAN != 0) {
                fill(level, --right, low, high);
            }
            left /= FAN;
            right /= FAN;
        }
        while (left < right) {
            fill(cut, left++, low, high);
        }
        takeParted(first, end, low, high);
        takeAboveCut(first, end, low, high);
    }

    private void fill(int level, int node, long low, long high) {
        take(throughout[level], node, low, high);
        if (level > 0) {
            take(within[level], node, low, high);
        }
    }

    private void takeParted(int first, int end, long low, long high) {
        for (int level = 1; level <= cut; level++) {
            int left = first >>> (FAN_BITS * level);
            int right = (end - 1) >>> (FAN_BITS * level);
            if (isParted(left, level, first, end)) {
                take(within[level], left, low, high);
            }
            if (right != left && isParted(right, level, first, end)) {
                take(within[level], right, low, high);
            }
        }
    }

    private void takeAboveCut(int first, int end, long low, long high) {
        boolean news = true;
        for (int level = cut + 1; level < within.length && news; level++) {
            news = false;
            int right = (end - 1) >>> (FAN_BITS * level);
            for (int node = first >>> (FAN_BITS * level); node <= right; node++) {
                news |= take(within[level], node, low, high);
            }
        }
    }

    /** Tells whether a node that a life meets has moments outside the life. */
    private static boolean isParted(int node, int level, int first, int end) {
        int shift = FAN_BITS * level;
        return (long) node << shift < first || (node + 1L) << shift > end;
    }

    private boolean take(@Nullable BusySet[] sets, int node, long low, long high) {
        BusySet set = sets[node];
        if (set == null) {
            set = new BusyRun(smallestGap);
        } else if (set.covers(low, high)) {
            return false;
        }
        sets[node] = set.with(low, high);
        return true;
    }

    /**
     * Finds the lowest room that is free throughout a life.
     *
     * @param first its first moment
     * @param end the moment after its last
     * @param size how much room, 1 or more
     * @return its first address
     */
    long firstFit(int first, int end, long size) {
        ask(first, end);
        return rise(0, size);
    }

    /**
     * Finds the narrowest room that is free throughout a life, the lowest of equally narrow ones; what is above all that
     * is taken is the widest.
     *
     * @param first its first moment
     * @param end the moment after its last
     * @param size how much room, 1 or more
     * @return its first address
     */
    long bestFit(int first, int end, long size) {
        ask(first, end);
        long best = rise(0, size);
        long ceiling = ceiling();
        long narrowest = ceiling - best;
        while (ceiling != BusySet.NONE && narrowest > size) {
            long address = rise(ceiling, size);
            ceiling = ceiling();
            if (ceiling - address < narrowest) {
                best = address;
                narrowest = ceiling - address;
            }
        }
        return best;
    }

    /** Where the room that was found last ends. */
    private long ceiling() {
        long ceiling = BusySet.NONE;
        for (int i = 0; i < askedCount; i++) {
            ceiling = Math.min(ceiling, ceilings[i]);
        }
        work.spend(askedCount);
        return ceiling;
    }

    /** The lowest address from one on at which there is room in all sets asked. */
    private long rise(long from, long size) {
        long address = lives.clearOfBoundary(from, size);
        int next = 0;
        while (next < askedCount) {
            if (address <= ceilings[next] - size) {
                next++;
                work.spend(1);
            } else {
                long fit = asked[next].firstFit(address, size);
                ceilings[next] = asked[next].nextTaken(fit);
                work.spend(PROBE);
                long clear = lives.clearOfBoundary(fit, size);
                next = clear == address ? next + 1 : promote(next);
                address = clear;
            }
        }
        return address;
    }

    /** Moves a set that has just raised the address towards the front, and begins again there: dense sets come first. */
    private int promote(int at) {
        BusySet raised = asked[at];
        long ceiling = ceilings[at];
        int to = at / 2;
        asked[at] = asked[to];
        ceilings[at] = ceilings[to];
        asked[to] = raised;
        ceilings[to] = ceiling;
        return 0;
    }

    private void ask(int first, int end) {
        askedCount = 0;
        int left = first;
        int right = end;
        int level = 0;
        for (; level < within.length - 1 && left < right; level++) {
            while (left < right && left % FAN != 0) {
                askNode(level, left++);
            }
            while (left < right && right % FAN != 0) {
                askNode(level, --right);
            }
            left /= FAN;
            right /= FAN;
        }
        while (left < right) {
            askNode(level, left++);
        }
        askAbove(first, end);
        if (askedCount == 0) {
            ask(empty);
        }
    }

    private void askAbove(int first, int end) {
        for (int level = 1; level <= cut; level++) {
            int left = first >>> (FAN_BITS * level);
            int right = (end - 1) >>> (FAN_BITS * level);
            if (isParted(left, level, first, end)) {
                ask(throughout[level][left]);
            }
            if (right != left && isParted(right, level, first, end)) {
                ask(throughout[level][right]);
            }
        }
    }

    private void askNode(int level, int node) {
        ask(level == 0 ? throughout[0][node] : within[level][node]);
    }

    private void ask(@Nullable BusySet set) {
        if (set == null) {
            return;
        }
        if (askedCount == asked.length) {
            asked = Arrays.copyOf(asked, 2 * askedCount);
            ceilings = Arrays.copyOf(ceilings, 2 * askedCount);
        }
        ceilings[askedCount] = 0;
        asked[askedCount++] = set;
    }
}
