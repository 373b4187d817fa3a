package io.devicearena.plan.optimal;

import io.devicearena.plan.internal.ejection.Boundary;
import io.devicearena.plan.internal.ejection.Lifetimes;
import io.devicearena.plan.internal.ejection.RadixSort;
import io.devicearena.plan.placement.PlacementProblem;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Buffers of a problem that hang together through overlapping live ranges: they can be placed without regard to the
 * others.
 *
 * <p>Time is compressed to the maximal cliques of the live ranges, numbered from 0 in order of time. Sizes are in units
 * of the alignment.
 *
 * <p>Threads: immutable. Source: Fulkerson and Gross, "Incidence matrices and interval graphs", 1965, for the cliques.
 */
final class Component implements Lifetimes {
    private final PlacementProblem problem;
    private final int[] buffers;
    private final int[] firsts;
    private final int[] ends;
    private final long[] sizes;
    private final int cliques;
    private final Boundary boundary;

    private Component(PlacementProblem problem, int[] buffers, int[] firsts, int[] ends, int cliques) {
        this.problem = problem;
        this.buffers = buffers;
        this.firsts = firsts;
        this.ends = ends;
        this.cliques = cliques;
        this.boundary = new Boundary(problem.boundary(), problem.alignment(), problem.origin());
        this.sizes = Arrays.stream(buffers)
                .mapToLong(buffer -> (problem.size(buffer) - 1) / problem.alignment() + 1)
                .toArray();
    }

    /** The components of a problem in order of time, in O(n log n). */
    static List<Component> of(PlacementProblem problem) {
        int[] buffers =
                IntStream.range(0, problem.count()).filter(problem::occupies).toArray();
        RadixSort.sort(
                buffers,
                IntStream.range(0, problem.count()).mapToLong(problem::lower).toArray());
        List<Component> found = new ArrayList<>();
        int begin = 0;
        long latest = 0;
        for (int i = 0; i < buffers.length; i++) {
            if (i > begin && problem.lower(buffers[i]) >= latest) {
                found.add(of(problem, Arrays.copyOfRange(buffers, begin, i)));
                begin = i;
            }
            latest = Math.max(latest, problem.upper(buffers[i]));
        }
        if (buffers.length > 0) {
            found.add(of(problem, Arrays.copyOfRange(buffers, begin, buffers.length)));
        }
        return found;
    }

    /** Makes one component of buffers that are ordered by their first steps. */
    private static Component of(PlacementProblem problem, int[] buffers) {
        long[] lowers = Arrays.stream(buffers).mapToLong(problem::lower).toArray();
        long[] uppers =
                Arrays.stream(buffers).mapToLong(problem::upper).sorted().toArray();
        // For each clique the first step of the buffer that completes it: after it one ends before another begins.
        long[] steps = new long[buffers.length];
        int cliques = 0;
        int ended = 0;
        for (int i = 0; i < buffers.length; i++) {
            boolean isLast = i + 1 == buffers.length;
            if (isLast || uppers[ended] <= lowers[i + 1]) {
                steps[cliques++] = lowers[i];
                while (!isLast && uppers[ended] <= lowers[i + 1]) {
                    ended++;
                }
            }
        }
        long[] cliqueSteps = Arrays.copyOf(steps, cliques);
        int[] firsts = new int[buffers.length];
        int[] ends = new int[buffers.length];
        // In the problem's order, which ties are broken by.
        int[] ordered = Arrays.stream(buffers).sorted().toArray();
        for (int i = 0; i < ordered.length; i++) {
            firsts[i] = countBelow(cliqueSteps, problem.lower(ordered[i]));
            ends[i] = countBelow(cliqueSteps, problem.upper(ordered[i]));
        }
        return new Component(problem, ordered, firsts, ends, cliques);
    }

    private static int countBelow(long[] steps, long step) {
        int at = Arrays.binarySearch(steps, step);
        return at < 0 ? -at - 1 : at;
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
        return cliques;
    }

    @Override
    public int first(int i) {
        return firsts[i];
    }

    @Override
    public int end(int i) {
        return ends[i];
    }

    @Override
    public long steps(int i) {
        return problem.upper(buffers[i]) - problem.lower(buffers[i]);
    }

    @Override
    public long size(int i) {
        return sizes[i];
    }

    @Override
    public long bytes(int i) {
        return problem.size(buffers[i]);
    }

    @Override
    public long alignment() {
        return problem.alignment();
    }

    @Override
    public boolean hasBoundary() {
        return boundary.exists();
    }

    @Override
    public long clearOfBoundary(long address, long size) {
        return boundary.clear(address, size);
    }

    /** The addresses, in units above the origin, of offsets in bytes in the problem's order. */
    long[] addresses(long[] offsets) {
        return Arrays.stream(buffers)
                .mapToLong(buffer -> (offsets[buffer] - problem.origin()) / problem.alignment())
                .toArray();
    }

    /** Writes addresses, in units above the origin, as offsets in bytes in the problem's order. */
    void copyOffsets(long[] addresses, long[] target) {
        for (int i = 0; i < addresses.length; i++) {
            target[buffers[i]] = problem.origin() + addresses[i] * problem.alignment();
        }
    }

    /** The arena bytes that a placement of the component needs, those below the origin included. */
    long arenaBytes(long[] addresses) {
        return problem.origin() + bytes(addresses);
    }

    /**
     * The arena bytes that every placement of the component needs: the maximum load. Where the alignment pads sizes,
     * only the padding of the highest buffer does not count.
     */
    long lowerBound() {
        long alignment = problem.alignment();
        long[] bytes = new long[cliques + 1];
        long[] units = new long[cliques + 1];
        for (int i = 0; i < buffers.length; i++) {
            bytes[firsts[i]] += bytes(i);
            bytes[ends[i]] -= bytes(i);
            units[firsts[i]] += sizes[i];
            units[ends[i]] -= sizes[i];
        }
        long most = 0;
        for (int c = 0; c < cliques; c++) {
            most = Math.max(most, Math.max(bytes[c], units[c] * alignment - (alignment - 1)));
            bytes[c + 1] += bytes[c];
            units[c + 1] += units[c];
        }
        return problem.origin() + most;
    }

    /**
     * The greatest common divisor of all sizes: arena bytes above the origin are multiples of it. 1 where that need not
     * hold.
     */
    long sizeStep() {
        long divisor = 0;
        for (int i = 0; i < buffers.length; i++) {
            long a = bytes(i);
            while (a != 0) {
                long rest = divisor % a;
                divisor = a;
                a = rest;
            }
        }
        return problem.boundary() == 0 && divisor % problem.alignment() == 0 ? divisor : 1;
    }
}
