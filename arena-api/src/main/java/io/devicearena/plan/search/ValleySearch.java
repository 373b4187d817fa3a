package io.devicearena.plan.search;

import java.util.Arrays;
import java.util.function.LongPredicate;

/**
 * Decides whether a part fits in a capacity: depth first, over the skyline of what is placed so far.
 *
 * <p>The skyline has a floor at each moment, below which nothing more is placed. A <i>valley</i> is a run of moments with
 * one floor between higher walls. In a placement that gravity has pulled down, the moment at a valley's edge is either
 * covered at its floor by a buffer that lies within the valley and reaches that edge, or its floor rises to the
 * lowest place where one could rest: the wall, or the top of a buffer that lies elsewhere in the valley. Those choices
 * exclude each other and leave nothing out, whichever edge is looked at; so the search looks at the
 * edge with the fewest, and where little may be wasted. Wherever
 * the bytes that are wasted below the floor and those still to come exceed the capacity, it turns back.
 *
 * <p>A stretch of time that no buffer still to be placed reaches across is solved by itself. States that failed, what is left and the
 * floor below it, are remembered by a fingerprint of 128 bits: permutations of a stack lead to the same state. Choices near the latest
 * failure come first.
 *
 * <p>Threads: one thread at a time. Source: after Moffitt, "MiniMalloc: A Lightweight Memory Allocator for
 * Hardware-Accelerated Machine Learning", ASPLOS 2023: canonical solutions, dominance, pruning by sections, decomposition
 * in time; the branching on valleys by fewest choices, after Haralick and Elliott, "Increasing tree search efficiency for constraint
 * satisfaction problems", 1980, and Lecoutre et al., "Reasoning from last conflict(s)", 2009, is our own.
 */
final class ValleySearch implements Searcher {
    private static final int REMEMBERED_BITS = 18;
    private static final long NO_WALL = Long.MAX_VALUE;
    private static final int STOP_CHECK = 0xFF;
    /** Of more buffers all subsets would cost more to look at than they save. */
    private static final int MOST_SUMMED = 5;

    /** How much less an edge in the valley of the latest failure counts. */
    private static final double NEAR_FAILURE = 0.3;

    private final Part part;
    private final int count;
    private final int moments;
    private final int[] firsts;
    private final int[] lasts;
    private final long[] sizes;
    private final int[][] beginning;
    private final int[][] ending;

    private final long[] floor;
    /** Units still to be placed at each moment. */
    private final long[] rest;
    /** Fingerprint of the buffers still to be placed that begin at each moment. */
    private final long[] restPrint;

    private final long[] momentPrint;
    private final long[] print;
    private final boolean[] placed;
    private final long[] offsets;
    /** The highest offset of each buffer within the capacity. */
    private final long[] ceiling;

    private final double[] appeals;
    private final int[] placements;
    private int placementCount;
    private int[] raisedFirst = new int[1 << 10];
    private int[] raisedEnd = new int[1 << 10];
    private long[] raisedFrom = new long[1 << 10];
    private int raisedCount;

    private final FailedStates failed = new FailedStates(REMEMBERED_BITS);
    private long failedAt = Long.MAX_VALUE;
    private final long[] leaving;
    private final long[] sumsBefore = new long[1 << MOST_SUMMED];
    private final long[] sumsAfter = new long[1 << MOST_SUMMED];
    private final double[] failures;
    private double failureWeight;
    /** How much a unit that may be wasted at an edge counts against it. */
    private double tightness;

    private int latestFailure;
    private double[] score;
    private double snugness;
    private long capacity;
    private long nodes;
    private long nodeLimit;
    private LongPredicate stop = n -> false;
    private boolean givenUp;

    /** The valley and edge to branch on, as {@link #settle} has chosen them. */
    private int chosenFrom;

    private int chosenTo;
    private boolean chosenLeft;
    private long chosenRise;
    private double chosenCost;

    /** What {@link #look} has found out about the edges of a valley. */
    private int choicesLeft;

    private int choicesRight;
    private long riseLeft;
    private long riseRight;

    private long stateLow;
    private long stateHigh;

    ValleySearch(Part part) {
        this.part = part;
        this.count = part.count();
        this.moments = part.moments();
        this.firsts = new int[count];
        this.lasts = new int[count];
        this.sizes = new long[count];
        this.print = new long[count];
        this.momentPrint = new long[moments];
        long seed = 0;
        for (int i = 0; i < count; i++) {
            firsts[i] = part.first(i);
            lasts[i] = part.last(i);
            sizes[i] = part.size(i);
            seed += 0x9E3779B97F4A7C15L;
            print[i] = FailedStates.mix(seed);
        }
        for (int m = 0; m < moments; m++) {
            momentPrint[m] = FailedStates.mix(m);
        }
        this.beginning = byMoment(firsts);
        this.ending = byMoment(lasts);
        this.floor = new long[moments];
        this.rest = new long[moments];
        this.restPrint = new long[moments];
        this.placed = new boolean[count];
        this.offsets = new long[count];
        this.ceiling = new long[count];
        this.appeals = new double[count];
        this.placements = new int[count];
        this.leaving = new long[moments + 1];
        this.failures = new double[moments];
        this.score = new double[count];
    }

    private int[][] byMoment(int[] key) {
        int[] sizeOf = new int[moments];
        for (int moment : key) {
            sizeOf[moment]++;
        }
        int[][] lists = new int[moments][];
        for (int m = 0; m < moments; m++) {
            lists[m] = new int[sizeOf[m]];
        }
        for (int i = 0; i < key.length; i++) {
            lists[key[i]][--sizeOf[key[i]]] = i;
        }
        return lists;
    }

    @Override
    public Verdict run(Attempt attempt, LongPredicate stopped) {
        if (attempt.target() > failedAt) {
            // What fails in less room need not fail in more.
            failed.clear();
        }
        failedAt = attempt.target();
        long room = attempt.target() - part.problem().origin();
        capacity = (room - 1) / part.problem().alignment() + 1;
        score = attempt.order(part);
        failureWeight = attempt.failureWeight();
        snugness = attempt.snugness();
        tightness = attempt.tightness() / capacity;
        nodeLimit = attempt.limit();
        stop = stopped;
        nodes = 0;
        givenUp = false;
        latestFailure = -1;
        raisedCount = 0;
        placementCount = 0;
        Arrays.fill(floor, 0);
        Arrays.fill(rest, 0);
        Arrays.fill(restPrint, 0);
        Arrays.fill(placed, false);
        for (int i = 0; i < count; i++) {
            ceiling[i] = part.ceiling(i, room);
            if (ceiling[i] < 0) {
                return Verdict.DOES_NOT_FIT;
            }
            restPrint[firsts[i]] ^= print[i];
            for (int m = firsts[i]; m <= lasts[i]; m++) {
                rest[m] += sizes[i];
            }
        }
        for (long units : rest) {
            if (units > capacity) {
                return Verdict.DOES_NOT_FIT;
            }
        }
        if (fillStretches(0, moments)) {
            return Verdict.FITS;
        }
        return givenUp ? Verdict.GIVEN_UP : Verdict.DOES_NOT_FIT;
    }

    @Override
    public long nodes() {
        return nodes;
    }

    @Override
    public void copyOffsets(long[] target) {
        part.copyOffsets(offsets, target);
    }

    /** Solves one after the other the stretches of a range that finished moments part. */
    private boolean fillStretches(int from, int to) {
        int raised = raisedCount;
        int done = placementCount;
        int begin = from;
        while (begin < to) {
            if (rest[begin] == 0) {
                begin++;
                continue;
            }
            int end = begin + 1;
            while (end < to && rest[end] > 0) {
                end++;
            }
            if (!fill(begin, end)) {
                undo(raised, done);
                return false;
            }
            begin = end;
        }
        return true;
    }

    /** Solves a stretch without a finished moment; where it can not, everything is as before. */
    private boolean fill(int from, int to) {
        if (++nodes > nodeLimit || ((nodes & STOP_CHECK) == 0 && stop.test(nodes))) {
            givenUp = true;
            return false;
        }
        int raised = raisedCount;
        int done = placementCount;
        if (!settle(from, to)) {
            undo(raised, done);
            return false;
        }
        boolean solved = chosenCost == 0 ? branch(from, to) : branchUnlessFailed(from, to);
        if (!solved) {
            undo(raised, done);
        }
        return solved;
    }

    /** Where there is but one choice it is not worth the while to look whether it was made before: the next states tell. */
    private boolean branchUnlessFailed(int from, int to) {
        fingerprint(from, to);
        long low = stateLow;
        long high = stateHigh;
        if (failed.contains(low, high)) {
            return false;
        }
        boolean solved = branch(from, to);
        if (!solved && !givenUp) {
            failed.add(low, high);
        }
        return solved;
    }

    private boolean branch(int from, int to) {
        do {
            int left = chosenFrom;
            int right = chosenTo;
            boolean atLeft = chosenLeft;
            long rise = chosenRise;
            for (int buffer : candidates(left, right, atLeft)) {
                int raised = raisedCount;
                int done = placementCount;
                if (place(buffer) ? fillStretches(from, to) : fill(from, to)) {
                    return true;
                }
                undo(raised, done);
                if (givenUp) {
                    return false;
                }
            }
            int edge = atLeft ? left : right - 1;
            if (!canRise(edge, rise)) {
                return false;
            }
            raise(edge, edge + 1, rise);
        } while (settle(from, to));
        return false;
    }

    /** The buffers that may cover an edge at its floor, the most appealing first; of equal ones the first. */
    private int[] candidates(int left, int right, boolean atLeft) {
        int[] list = atLeft ? beginning[left] : ending[right - 1];
        int[] found = new int[list.length];
        int n = 0;
        long address = floor[left];
        for (int buffer : list) {
            if (placed[buffer] || !isWithin(buffer, left, right) || !mayRest(buffer, address)) {
                continue;
            }
            if (isLikeOneOf(buffer, found, n)) {
                continue;
            }
            double appeal = score[buffer] * (1 + snugness * snugSides(buffer, left, right));
            int at = n;
            for (; at > 0 && appeal > appeals[at - 1]; at--) {
                found[at] = found[at - 1];
                appeals[at] = appeals[at - 1];
            }
            found[at] = buffer;
            appeals[at] = appeal;
            n++;
        }
        return n == found.length ? found : Arrays.copyOf(found, n);
    }

    /** Counts what fits where a buffer rests in a valley: its length, and its top a wall that it touches or the capacity. */
    private int snugSides(int buffer, int left, int right) {
        boolean touchesLeft = firsts[buffer] == left;
        boolean touchesRight = lasts[buffer] == right - 1;
        long top = floor[left] + sizes[buffer];
        return (touchesLeft && touchesRight ? 1 : 0)
                + (touchesLeft && left > 0 && floor[left - 1] == top ? 1 : 0)
                + (touchesRight && right < moments && floor[right] == top ? 1 : 0)
                + (top == capacity ? 1 : 0);
    }

    /** Tells whether a buffer could trade places with one of those found. */
    private boolean isLikeOneOf(int buffer, int[] found, int n) {
        for (int i = 0; i < n; i++) {
            int other = found[i];
            if (sizes[buffer] == sizes[other]
                    && firsts[buffer] == firsts[other]
                    && lasts[buffer] == lasts[other]
                    && ceiling[buffer] == ceiling[other]) {
                return true;
            }
        }
        return false;
    }

    private boolean isWithin(int buffer, int left, int right) {
        return firsts[buffer] >= left && lasts[buffer] < right;
    }

    private boolean mayRest(int buffer, long address) {
        return address <= ceiling[buffer] && part.clearOfBoundary(address, sizes[buffer]) == address;
    }

    /** Places a buffer on the flat floor below it; returns whether that finished a moment. */
    private boolean place(int buffer) {
        long size = sizes[buffer];
        int first = firsts[buffer];
        long top = floor[first] + size;
        placed[buffer] = true;
        offsets[buffer] = floor[first];
        placements[placementCount++] = buffer;
        restPrint[first] ^= print[buffer];
        boolean finished = false;
        raise(first, lasts[buffer] + 1, top);
        for (int m = first; m <= lasts[buffer]; m++) {
            rest[m] -= size;
            finished |= rest[m] == 0;
        }
        return finished;
    }

    /** Raises the floor of moments that have the same one. */
    private void raise(int first, int end, long to) {
        if (raisedCount == raisedFirst.length) {
            raisedFirst = Arrays.copyOf(raisedFirst, 2 * raisedCount);
            raisedEnd = Arrays.copyOf(raisedEnd, 2 * raisedCount);
            raisedFrom = Arrays.copyOf(raisedFrom, 2 * raisedCount);
        }
        raisedFirst[raisedCount] = first;
        raisedEnd[raisedCount] = end;
        raisedFrom[raisedCount++] = floor[first];
        Arrays.fill(floor, first, end, to);
    }

    private void undo(int raised, int done) {
        while (placementCount > done) {
            int buffer = placements[--placementCount];
            placed[buffer] = false;
            restPrint[firsts[buffer]] ^= print[buffer];
            for (int m = firsts[buffer]; m <= lasts[buffer]; m++) {
                rest[m] += sizes[buffer];
            }
        }
        while (raisedCount > raised) {
            raisedCount--;
            Arrays.fill(floor, raisedFirst[raisedCount], raisedEnd[raisedCount], raisedFrom[raisedCount]);
        }
    }

    private boolean canRise(int moment, long to) {
        return to != NO_WALL && capacity - to >= rest[moment];
    }

    private boolean fail(int moment) {
        latestFailure = moment;
        failures[moment]++;
        return false;
    }

    /** Raises floors that nothing can rest on until there is none, and chooses an edge; false where that is a dead end. */
    private boolean settle(int from, int to) {
        chosenFrom = -1;
        int left = from;
        while (left < to) {
            int right = left + 1;
            while (right < to && floor[right] == floor[left]) {
                right++;
            }
            long leftWall = left == from ? NO_WALL : floor[left - 1];
            long rightWall = right == to ? NO_WALL : floor[right];
            if (Math.min(leftWall, rightWall) < floor[left]) {
                left = right;
                continue;
            }
            if ((left > from && !canBridge(left)) || (right < to && !canBridge(right))) {
                return false;
            }
            int raised = raisedCount;
            if (!look(left, right, Math.min(leftWall, rightWall))) {
                return false;
            }
            if (raisedCount > raised) {
                // What lies before is as it was, but for a run that is level with this one now.
                while (left > from && floor[left - 1] == floor[left]) {
                    left--;
                }
            } else if (choose(left, right, true, choicesLeft, riseLeft)
                    && choose(left, right, false, choicesRight, riseRight)) {
                left = right;
            } else {
                return false;
            }
        }
        return true;
    }

    /**
     * Tells whether a buffer that spans a step of the floor can find both sides filled up to one height.
     *
     * <p>Up to the lowest that spans it, the side after the step is filled by buffers that begin there, the side before it by
     * buffers that end there, and the rest is waste. Where no choice of the two keeps that within the capacity, it is a
     * dead end.
     */
    private boolean canBridge(int step) {
        int beginners = sums(beginning[step], sumsAfter);
        int enders = sums(ending[step - 1], sumsBefore);
        if (beginners == 0 || enders == 0 || sumsAfter[beginners - 1] == rest[step]) {
            return true;
        }
        long rise = floor[step] - floor[step - 1];
        long wasteAfter = capacity - floor[step] - rest[step];
        long wasteBefore = capacity - floor[step - 1] - rest[step - 1];
        for (int i = 0; i < beginners; i++) {
            for (int k = 0; k < enders; k++) {
                long difference = rise + sumsAfter[i] - sumsBefore[k];
                if (-wasteAfter <= difference && difference <= wasteBefore) {
                    return true;
                }
            }
        }
        return fail(rise < 0 ? step : step - 1);
    }

    /** Writes the sizes of all subsets of buffers still to be placed, all of them last; 0 if they are too many. */
    private int sums(int[] buffers, long[] found) {
        int n = 1;
        for (int buffer : buffers) {
            if (!placed[buffer]) {
                if (n == found.length) {
                    return 0;
                }
                for (int i = 0; i < n; i++) {
                    found[n + i] = found[i] + sizes[buffer];
                }
                n *= 2;
            }
        }
        return n;
    }

    /**
     * Looks at a valley: which of its moments nothing can cover below the lower wall, whether what can is enough to fill it,
     * and how many choices its edges have.
     */
    private boolean look(int left, int right, long wall) {
        long address = floor[left];
        Arrays.fill(leaving, left, right + 1, 0);
        choicesLeft = 0;
        choicesRight = 0;
        riseLeft = wall;
        riseRight = wall;
        long within = 0;
        int uncovered = left;
        for (int m = left; m < right; m++) {
            for (int buffer : beginning[m]) {
                if (!placed[buffer] && lasts[buffer] < right) {
                    count(buffer, m == left, lasts[buffer] == right - 1, address);
                    within += sizes[buffer];
                    leaving[lasts[buffer] + 1] += sizes[buffer];
                }
            }
            within -= leaving[m];
            if (within > 0) {
                raiseUncovered(uncovered, m, wall);
                uncovered = m + 1;
            }
            long lowest = wall == NO_WALL ? address : Math.max(address, wall - within);
            if (capacity - lowest < rest[m]) {
                return fail(m);
            }
        }
        raiseUncovered(uncovered, right, wall);
        return true;
    }

    private void raiseUncovered(int first, int end, long wall) {
        if (first < end) {
            raise(first, end, wall);
        }
    }

    private void count(int buffer, boolean atLeft, boolean atRight, long address) {
        int choices = mayRest(buffer, address) ? 1 : 0;
        long next = part.clearOfBoundary(address, sizes[buffer]);
        if (next == address) {
            next = NO_WALL;
        }
        long top = address + sizes[buffer];
        choicesLeft += atLeft ? choices : 0;
        choicesRight += atRight ? choices : 0;
        riseLeft = Math.min(riseLeft, atLeft ? next : top);
        riseRight = Math.min(riseRight, atRight ? next : top);
    }

    /** Remembers an edge if it has the fewest choices so far; false if it has none. */
    private boolean choose(int left, int right, boolean atLeft, int candidates, long rise) {
        int edge = atLeft ? left : right - 1;
        int choices = candidates + (canRise(edge, rise) ? 1 : 0);
        if (choices == 0) {
            return fail(edge);
        }
        double cost = choices == 1 ? 0 : choices / (1 + failureWeight * failures[edge]);
        if (choices > 1) {
            cost *= 1 + tightness * (capacity - floor[edge] - rest[edge]);
        }
        if (latestFailure >= left && latestFailure < right) {
            cost *= NEAR_FAILURE;
        }
        if (chosenFrom < 0 || cost < chosenCost || (cost == chosenCost && floor[left] < floor[chosenFrom])) {
            chosenFrom = left;
            chosenTo = right;
            chosenLeft = atLeft;
            chosenRise = rise;
            chosenCost = cost;
        }
        return true;
    }

    private void fingerprint(int from, int to) {
        long low = 0;
        long high = 0;
        for (int m = from; m < to; m++) {
            long state = FailedStates.mix(floor[m] + momentPrint[m]) ^ restPrint[m];
            low += state;
            high += FailedStates.mix(state);
        }
        stateLow = low;
        stateHigh = high;
    }
}
