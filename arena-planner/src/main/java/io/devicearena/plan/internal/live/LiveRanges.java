package io.devicearena.plan.internal.live;

import io.devicearena.plan.placement.PlacementProblem;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * A placement problem in the form that algorithms work on: buffers that can conflict, their live ranges in maximal
 * cliques, sizes in units of the alignment. A placement lists the offset of each buffer in units above the origin.
 *
 * <p>A maximal clique is a largest set of buffers that are all live at one step; a live range becomes the range of its
 * cliques, and two live ranges overlap if and only if these do. There are at most as many cliques as buffers.
 *
 * <p><b>Source:</b> Fulkerson and Gross, "Incidence matrices and interval graphs", 1965.
 */
public final class LiveRanges {
    private final PlacementProblem problem;
    private final int[] buffers;
    private final int[] firsts;
    private final int[] ends;
    private final long[] sizes;
    private final int cliques;
    private final long maxLoad;
    private final long lowerBoundBytes;
    /** Units between two multiples of the boundary; 0 for no boundary. */
    private final long boundary;

    private LiveRanges(PlacementProblem problem, int[] buffers) {
        this.problem = problem;
        this.buffers = buffers;
        this.boundary = problem.boundary() / problem.alignment();
        long[] steps = cliqueSteps();
        this.cliques = steps.length;
        this.firsts = new int[buffers.length];
        this.ends = new int[buffers.length];
        this.sizes = new long[buffers.length];
        long[] bytes = new long[buffers.length];
        long padding = 0;
        for (int i = 0; i < buffers.length; i++) {
            firsts[i] = firstNotBefore(problem.lower(buffers[i]), steps);
            ends[i] = firstNotBefore(problem.upper(buffers[i]), steps);
            bytes[i] = problem.size(buffers[i]);
            sizes[i] = Math.ceilDiv(bytes[i], problem.alignment());
            padding = Math.max(padding, -bytes[i] & (problem.alignment() - 1));
        }
        this.maxLoad = max(loads(sizes));
        // The padding of the buffer that ends highest is not part of the arena.
        this.lowerBoundBytes = Math.max(maxLoad * problem.alignment() - padding, max(loads(bytes)));
    }

    /** The last step at which a buffer of each maximal clique begins, in order of time. */
    private long[] cliqueSteps() {
        long[] lowers =
                Arrays.stream(buffers).mapToLong(problem::lower).sorted().toArray();
        long[] uppers =
                Arrays.stream(buffers).mapToLong(problem::upper).sorted().toArray();
        LongStream.Builder steps = LongStream.builder();
        int ended = 0;
        for (int k = 0; k < lowers.length; k++) {
            long next = k + 1 < lowers.length ? lowers[k + 1] : Long.MAX_VALUE;
            if (uppers[ended] <= next) {
                steps.add(lowers[k]);
            }
            while (ended < uppers.length && uppers[ended] <= next) {
                ended++;
            }
        }
        return steps.build().toArray();
    }

    private static int firstNotBefore(long step, long[] steps) {
        int found = Arrays.binarySearch(steps, step);
        return found < 0 ? ~found : found;
    }

    private static long max(long[] loads) {
        return Arrays.stream(loads).max().orElse(0);
    }

    /** The buffers of a problem that can conflict, perhaps none; takes O(n log n) time. */
    public static LiveRanges of(PlacementProblem problem) {
        return new LiveRanges(
                problem,
                IntStream.range(0, problem.count()).filter(problem::occupies).toArray());
    }

    /** The offsets in bytes of a problem's buffers, by an algorithm; 0 for those that conflict with none. */
    public static long[] place(PlacementProblem problem, Function<LiveRanges, long[]> algorithm) {
        LiveRanges ranges = of(problem);
        long[] byteOffsets = new long[problem.count()];
        if (ranges.count() > 0) {
            ranges.copyByteOffsets(algorithm.apply(ranges), byteOffsets);
        }
        return byteOffsets;
    }

    public int count() {
        return buffers.length;
    }

    /** The number of maximal cliques; at most {@link #count}. */
    public int cliques() {
        return cliques;
    }

    /** The index of buffer i in the problem. */
    public int buffer(int i) {
        return buffers[i];
    }

    public int first(int i) {
        return firsts[i];
    }

    /** The clique after the last one of buffer i. */
    public int end(int i) {
        return ends[i];
    }

    public int length(int i) {
        return ends[i] - firsts[i];
    }

    public long steps(int i) {
        return problem.upper(buffers[i]) - problem.lower(buffers[i]);
    }

    public long size(int i) {
        return sizes[i];
    }

    /** The size of buffer i in bytes, before it is rounded up to units. */
    public long bytes(int i) {
        return problem.size(buffers[i]);
    }

    public long origin() {
        return problem.origin();
    }

    public long alignment() {
        return problem.alignment();
    }

    /** Some of these buffers as a problem of their own, in the given order. */
    public LiveRanges only(int[] some) {
        return new LiveRanges(problem, Arrays.stream(some).map(i -> buffers[i]).toArray());
    }

    /** The connected components, in order of time: buffers whose live ranges overlap directly or through others. */
    public List<LiveRanges> components() {
        List<LiveRanges> components = new ArrayList<>();
        int[] byFirst = byFirst();
        int begin = 0;
        int latestEnd = 0;
        for (int k = 0; k <= byFirst.length; k++) {
            boolean isLast = k == byFirst.length;
            if (k > begin && (isLast || firsts[byFirst[k]] >= latestEnd)) {
                components.add(only(Arrays.stream(byFirst, begin, k).sorted().toArray()));
                begin = k;
            }
            latestEnd = isLast ? latestEnd : Math.max(latestEnd, ends[byFirst[k]]);
        }
        return components;
    }

    public long[] loads() {
        return loads(sizes);
    }

    private long[] loads(long[] amounts) {
        long[] loads = new long[cliques + 1];
        for (int i = 0; i < buffers.length; i++) {
            loads[firsts[i]] += amounts[i];
            loads[ends[i]] -= amounts[i];
        }
        for (int clique = 0; clique < cliques; clique++) {
            loads[clique + 1] += loads[clique];
        }
        return Arrays.copyOf(loads, cliques);
    }

    /** The most units that are live at any clique: no placement ends lower. */
    public long maxLoad() {
        return maxLoad;
    }

    /** The bytes above the origin that no placement goes below. */
    public long lowerBoundBytes() {
        return lowerBoundBytes;
    }

    /** The greatest common divisor of all sizes in bytes if every arena is a multiple of it, else 1. */
    public long sizeStep() {
        long divisor = 0;
        for (int i = 0; i < count(); i++) {
            long a = bytes(i);
            while (a != 0) {
                long rest = divisor % a;
                divisor = a;
                a = rest;
            }
        }
        return boundary == 0 && divisor % alignment() == 0 ? divisor : 1;
    }

    /** The bytes above the origin that a placement needs. */
    public long arenaBytes(long[] offsets) {
        long most = 0;
        for (int i = 0; i < offsets.length; i++) {
            most = Math.max(most, offsets[i] * alignment() + bytes(i));
        }
        return most;
    }

    /** The highest offset at which buffer i ends within so many bytes above the origin; else negative. */
    public long highestOffset(int i, long arenaBytes) {
        long size = bytes(i);
        return arenaBytes < size ? -1 : (arenaBytes - size) / alignment();
    }

    /** The lowest offset, from one on, at which so many units cross no multiple of the boundary, or begin at one. */
    public long skipBoundary(long offset, long size) {
        if (boundary == 0) {
            return offset;
        }
        long inside = (problem.origin() / problem.alignment() + offset) % boundary;
        return inside == 0 || inside + size <= boundary ? offset : offset + boundary - inside;
    }

    /** All buffers by first clique; of equal ones the longest first. */
    public int[] byFirst() {
        return sorted(i -> firsts[i], descending(this::steps));
    }

    public int[] byEnd() {
        return sorted(i -> ends[i]);
    }

    /** All buffers by the highest load at any of their cliques, the highest first; of equal ones the largest first. */
    public int[] highestLoadFirst() {
        LoadTree loads = new LoadTree(loads());
        return sorted(i -> maxLoad - loads.max(firsts[i], ends[i]), descending(this::bytes));
    }

    private IntToLongFunction descending(IntToLongFunction key) {
        long most = IntStream.range(0, count()).mapToLong(key).max().orElse(0);
        return i -> most - key.applyAsLong(i);
    }

    private int[] sorted(IntToLongFunction... keys) {
        int[] order = IntStream.range(0, count()).toArray();
        for (int k = keys.length - 1; k >= 0; k--) {
            RadixSort.sort(order, IntStream.range(0, count()).mapToLong(keys[k]).toArray());
        }
        return order;
    }

    /** The offsets in units above the origin of a placement in bytes, which lists all buffers of the problem. */
    public long[] unitOffsets(long[] byteOffsets) {
        return Arrays.stream(buffers)
                .mapToLong(buffer -> (byteOffsets[buffer] - problem.origin()) / problem.alignment())
                .toArray();
    }

    /** Writes a placement into one in bytes, which lists all buffers of the problem. */
    public void copyByteOffsets(long[] offsets, long[] target) {
        for (int i = 0; i < buffers.length; i++) {
            target[buffers[i]] = problem.origin() + offsets[i] * problem.alignment();
        }
    }
}
