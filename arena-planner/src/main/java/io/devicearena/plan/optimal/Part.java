package io.devicearena.plan.optimal;

import io.devicearena.plan.internal.ejection.Boundary;
import io.devicearena.plan.internal.ejection.Lifetimes;
import io.devicearena.plan.placement.PlacementProblem;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Buffers of a problem that meet each other directly or through others, and none of the rest: a section of time that can be
 * placed by itself.
 *
 * <p>Time is cut down to the moments that matter: the largest sets of lives that all meet, in order of time, numbered from
 * 0. Sizes count in units of the alignment.
 *
 * <p>Threads: immutable; the arrays are shared and never changed. Source: the maximal cliques of an interval graph; Fulkerson and
 * Gross, "Incidence matrices and interval graphs", 1965.
 */
final class Part implements Lifetimes {
    private final PlacementProblem problem;
    private final int[] buffers;
    private final int[] firsts;
    private final int[] lasts;
    private final long[] sizes;
    private final int moments;
    private final Boundary boundary;

    private Part(PlacementProblem problem, int[] buffers, int[] firsts, int[] lasts, int moments) {
        this.problem = problem;
        this.buffers = buffers;
        this.firsts = firsts;
        this.lasts = lasts;
        this.moments = moments;
        this.boundary = new Boundary(problem.boundary(), problem.alignment(), problem.origin());
        this.sizes = new long[buffers.length];
        for (int i = 0; i < buffers.length; i++) {
            sizes[i] = (problem.size(buffers[i]) - 1) / problem.alignment() + 1;
        }
    }

    /** The parts of a problem in order of time, in O(n log n). */
    static List<Part> of(PlacementProblem problem) {
        int[] occupying = new int[problem.count()];
        int count = 0;
        for (int i = 0; i < occupying.length; i++) {
            if (problem.occupies(i)) {
                occupying[count++] = i;
            }
        }
        occupying = Arrays.copyOf(occupying, count);
        long[] times = momentTimes(problem, occupying);
        int[] firsts = new int[count];
        int[] lasts = new int[count];
        for (int i = 0; i < count; i++) {
            firsts[i] = countBelow(times, problem.lower(occupying[i]));
            lasts[i] = countBelow(times, problem.upper(occupying[i])) - 1;
        }
        return cut(problem, occupying, firsts, lasts, times.length);
    }

    /** For each moment the last step at which a life of its set begins. */
    private static long[] momentTimes(PlacementProblem problem, int[] buffers) {
        long[] lowers =
                Arrays.stream(buffers).mapToLong(problem::lower).sorted().toArray();
        long[] uppers =
                Arrays.stream(buffers).mapToLong(problem::upper).sorted().toArray();
        long[] times = new long[lowers.length];
        int moments = 0;
        int ended = 0;
        for (int i = 0; i < lowers.length; i++) {
            if (i + 1 == lowers.length || uppers[ended] <= lowers[i + 1]) {
                times[moments++] = lowers[i];
                while (i + 1 < lowers.length && uppers[ended] <= lowers[i + 1]) {
                    ended++;
                }
            }
        }
        return Arrays.copyOf(times, moments);
    }

    private static int countBelow(long[] times, long step) {
        int at = Arrays.binarySearch(times, step);
        return at < 0 ? -at - 1 : at;
    }

    private static List<Part> cut(PlacementProblem problem, int[] buffers, int[] firsts, int[] lasts, int moments) {
        // partOf[m] counts the moments up to m that no life carries over from the one before.
        int[] carried = new int[moments + 1];
        for (int i = 0; i < buffers.length; i++) {
            carried[firsts[i] + 1]++;
            carried[lasts[i] + 1]--;
        }
        int[] partOf = new int[moments];
        int[] begin = new int[moments + 1];
        int parts = 0;
        int lives = 0;
        for (int m = 0; m < moments; m++) {
            lives += carried[m];
            if (lives == 0) {
                begin[parts++] = m;
            }
            partOf[m] = parts - 1;
        }
        begin[parts] = moments;
        int[] sizes = new int[parts + 1];
        for (int first : firsts) {
            sizes[partOf[first] + 1]++;
        }
        for (int p = 0; p < parts; p++) {
            sizes[p + 1] += sizes[p];
        }
        int[] members = new int[buffers.length];
        int[] next = Arrays.copyOf(sizes, parts);
        for (int i = 0; i < buffers.length; i++) {
            members[next[partOf[firsts[i]]]++] = i;
        }
        List<Part> found = new ArrayList<>(parts);
        for (int p = 0; p < parts; p++) {
            int[] inPart = Arrays.copyOfRange(members, sizes[p], sizes[p + 1]);
            int from = begin[p];
            found.add(new Part(
                    problem,
                    Arrays.stream(inPart).map(i -> buffers[i]).toArray(),
                    Arrays.stream(inPart).map(i -> firsts[i] - from).toArray(),
                    Arrays.stream(inPart).map(i -> lasts[i] - from).toArray(),
                    begin[p + 1] - from));
        }
        return found;
    }

    PlacementProblem problem() {
        return problem;
    }

    @Override
    public int count() {
        return buffers.length;
    }

    @Override
    public int moments() {
        return moments;
    }

    /** The place in the problem of a buffer of this part. */
    int buffer(int i) {
        return buffers[i];
    }

    @Override
    public int first(int i) {
        return firsts[i];
    }

    @Override
    public int end(int i) {
        return lasts[i] + 1;
    }

    @Override
    public int last(int i) {
        return lasts[i];
    }

    @Override
    public long steps(int i) {
        return problem.upper(buffers[i]) - problem.lower(buffers[i]);
    }

    @Override
    public boolean hasBoundary() {
        return boundary.exists();
    }

    @Override
    public long clearOfBoundary(long address, long size) {
        return boundary.clear(address, size);
    }

    /** The addresses, in units above the origin, of a placement: offsets in bytes in the problem's order. */
    long[] addresses(long[] offsets) {
        long[] addresses = new long[buffers.length];
        for (int i = 0; i < addresses.length; i++) {
            addresses[i] = (offsets[buffers[i]] - problem.origin()) / problem.alignment();
        }
        return addresses;
    }

    /** Writes a placement of addresses, in units above the origin, as offsets in bytes in the problem's order. */
    void copyOffsets(long[] addresses, long[] target) {
        for (int i = 0; i < addresses.length; i++) {
            target[buffers[i]] = problem.origin() + addresses[i] * problem.alignment();
        }
    }

    @Override
    public long alignment() {
        return problem.alignment();
    }

    @Override
    public long bytes(int i) {
        return problem.size(buffers[i]);
    }

    @Override
    public long size(int i) {
        return sizes[i];
    }

    /** The end of the highest buffer in bytes: offsets in the problem's order, multiples of the alignment above the origin. */
    long height(long[] offsets) {
        return problem.origin() + bytes(addresses(offsets));
    }

    /**
     * What every placement of the part needs, in bytes with those below the origin: the most that is live at a moment, and
     * with sizes that the alignment pads all but the padding of the one on top.
     */
    long lowerBound() {
        long alignment = problem.alignment();
        long[] change = new long[moments + 1];
        long[] changeInUnits = new long[moments + 1];
        for (int i = 0; i < buffers.length; i++) {
            long size = problem.size(buffers[i]);
            change[firsts[i]] += size;
            change[lasts[i] + 1] -= size;
            changeInUnits[firsts[i]] += sizes[i];
            changeInUnits[lasts[i] + 1] -= sizes[i];
        }
        long live = 0;
        long liveInUnits = 0;
        long most = 0;
        for (int m = 0; m < moments; m++) {
            live += change[m];
            liveInUnits += changeInUnits[m];
            most = Math.max(most, Math.max(live, liveInUnits * alignment - (alignment - 1)));
        }
        return problem.origin() + most;
    }

    /** Heights above the origin are multiples of it: the largest number of bytes that divides all sizes, where it can be told. */
    long grain() {
        long divisor = 0;
        for (int buffer : buffers) {
            long a = problem.size(buffer);
            while (a != 0) {
                long rest = divisor % a;
                divisor = a;
                a = rest;
            }
        }
        return problem.boundary() == 0 && divisor % problem.alignment() == 0 ? divisor : 1;
    }
}
