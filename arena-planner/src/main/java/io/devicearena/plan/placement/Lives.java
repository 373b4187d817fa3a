package io.devicearena.plan.placement;

import io.devicearena.plan.internal.ejection.Boundary;
import io.devicearena.plan.internal.ejection.Lifetimes;
import io.devicearena.plan.internal.ejection.RadixSort;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * The buffers of a problem that can conflict at all, as rectangles: a range of moments by a number of units of the
 * alignment, so that a gap that alignment makes useless does not exist.
 *
 * <p>A placement of them is an array of addresses, in units above the origin, one for each. Threads: immutable.
 */
final class Lives implements Lifetimes {
    private final PlacementProblem problem;
    private final int[] buffers;
    private final int[] firsts;
    private final int[] ends;
    private final long[] sizes;
    private final int moments;
    private final Boundary boundary;
    private final long bound;
    private final long widestPadding;

    /** Finds all of a problem in O(n) after a radix sort of both ends of the lives. */
    Lives(PlacementProblem problem) {
        this(problem, problem.occupying());
    }

    private Lives(PlacementProblem problem, int[] buffers) {
        this.problem = problem;
        this.buffers = buffers;
        Moments found = new Moments(problem, buffers);
        this.moments = found.count();
        this.firsts = new int[buffers.length];
        this.ends = new int[buffers.length];
        this.sizes = new long[buffers.length];
        long padding = 0;
        for (int i = 0; i < buffers.length; i++) {
            firsts[i] = found.first(buffers[i]);
            ends[i] = found.end(buffers[i]);
            sizes[i] = (problem.size(buffers[i]) - 1) / problem.alignment() + 1;
            padding = Math.max(padding, -problem.size(buffers[i]) & (problem.alignment() - 1));
        }
        this.widestPadding = padding;
        this.boundary = new Boundary(problem.boundary(), problem.alignment(), problem.origin());
        this.bound = Arrays.stream(liveAt()).max().orElse(0);
    }

    /** Some of these lives alone, in the given order, at the fewer moments that tell which of them meet. */
    Lives only(int[] some) {
        return new Lives(problem, Arrays.stream(some).map(i -> buffers[i]).toArray());
    }

    /** Lives that each last from the beginning of one of these to the end of another one of its size. */
    Lives joined(int[] begins, int[] ends) {
        return new Lives(new PlacementProblem(
                Arrays.stream(begins).mapToLong(this::bytes).toArray(),
                Arrays.stream(begins).mapToLong(i -> problem.lower(buffers[i])).toArray(),
                Arrays.stream(ends).mapToLong(i -> problem.upper(buffers[i])).toArray(),
                problem.alignment(),
                problem.boundary(),
                problem.origin()));
    }

    /** The offsets of a problem's buffers where those that can conflict get the addresses that a way to place them gives. */
    static long[] place(PlacementProblem problem, Function<Lives, long[]> placing) {
        Lives lives = new Lives(Objects.requireNonNull(problem, "problem"));
        return lives.count() == 0 ? new long[problem.count()] : lives.offsets(placing.apply(lives));
    }

    @Override
    public int count() {
        return buffers.length;
    }

    @Override
    public int moments() {
        return moments;
    }

    /** The place of a life's buffer in the problem. */
    int buffer(int i) {
        return buffers[i];
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
    public long size(int i) {
        return sizes[i];
    }

    /** The size of the smallest: a gap below it serves none. */
    long smallestSize() {
        long smallest = Long.MAX_VALUE;
        for (long size : sizes) {
            smallest = Math.min(smallest, size);
        }
        return smallest;
    }

    @Override
    public long bytes(int i) {
        return problem.size(buffers[i]);
    }

    @Override
    public long steps(int i) {
        return problem.upper(buffers[i]) - problem.lower(buffers[i]);
    }

    /** The sum of the lengths. */
    long totalLength() {
        long total = 0;
        for (int i = 0; i < buffers.length; i++) {
            total += ends[i] - firsts[i];
        }
        return total;
    }

    /** Units live at each moment. */
    long[] liveAt() {
        long[] live = new long[moments + 1];
        for (int i = 0; i < buffers.length; i++) {
            live[firsts[i]] += sizes[i];
            live[ends[i]] -= sizes[i];
        }
        for (int m = 0; m < moments; m++) {
            live[m + 1] += live[m];
        }
        return Arrays.copyOf(live, moments);
    }

    /** The most units live at any moment: what no placement goes below. */
    long bound() {
        return bound;
    }

    /** For each life by how many units the fullest moment of it falls short of the bound. */
    long[] shortfalls() {
        RangeMax live = new RangeMax(liveAt());
        long[] shortfalls = new long[count()];
        for (int i = 0; i < shortfalls.length; i++) {
            shortfalls[i] = bound - live.max(firsts[i], ends[i]);
        }
        return shortfalls;
    }

    /** All lives, those that end first first. */
    int[] byEnd() {
        int[] order = IntStream.range(0, count()).toArray();
        RadixSort.sort(order, Arrays.stream(ends).asLongStream().toArray());
        return order;
    }

    @Override
    public long clearOfBoundary(long address, long size) {
        return boundary.clear(address, size);
    }

    @Override
    public boolean hasBoundary() {
        return boundary.exists();
    }

    @Override
    public long alignment() {
        return problem.alignment();
    }

    /** The highest end that a life can have in a placement of so many bytes, 1 or more. */
    long highestEnd(long bytes) {
        return (bytes - 1) / problem.alignment() + 1;
    }

    /** Tells whether no placement needs fewer bytes. */
    boolean isLeast(long bytes) {
        return bytes <= leastBytes();
    }

    /** The bytes above the origin that no placement goes below. */
    long leastBytes() {
        return bound * problem.alignment() - widestPadding;
    }

    /** The offsets, in the problem's order, of a placement; a buffer that conflicts with none is at 0. */
    private long[] offsets(long[] addresses) {
        long[] offsets = new long[problem.count()];
        for (int i = 0; i < buffers.length; i++) {
            offsets[buffers[i]] = problem.origin() + addresses[i] * problem.alignment();
        }
        return offsets;
    }
}
