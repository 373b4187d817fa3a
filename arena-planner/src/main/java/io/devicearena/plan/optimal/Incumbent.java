package io.devicearena.plan.optimal;

import io.devicearena.plan.placement.PlacementProblem;
import java.util.OptionalLong;

/**
 * The best placement so far and the lower bound, and whether the two answer the caller.
 *
 * <p>Threads: one thread at a time.
 */
final class Incumbent {
    private final PlacementProblem problem;
    private final OptionalLong capacity;
    private final long[] offsets;
    private final long firstLowerBound;
    private long arenaBytes;
    private long lowerBound;

    /** Begins with a first placement, which it owns from then on. */
    Incumbent(PlacementProblem problem, long[] offsets, OptionalLong capacity) {
        this.problem = problem;
        this.capacity = capacity;
        this.offsets = offsets;
        this.arenaBytes = arenaBytes(problem, offsets);
        this.firstLowerBound = Math.max(restingBytes(problem), problem.origin() + problem.lowerBound());
        this.lowerBound = firstLowerBound;
    }

    private static long arenaBytes(PlacementProblem problem, long[] offsets) {
        long most = problem.origin();
        for (int i = 0; i < offsets.length; i++) {
            most = Math.max(most, offsets[i] + problem.size(i));
        }
        return most;
    }

    /** What buffers with an empty live range need, which are at offset 0. */
    private static long restingBytes(PlacementProblem problem) {
        long most = problem.origin();
        for (int i = 0; i < problem.count(); i++) {
            if (!problem.occupies(i)) {
                most = Math.max(most, problem.size(i));
            }
        }
        return most;
    }

    /** The placement, in bytes in the problem's order; not a copy. */
    long[] offsets() {
        return offsets;
    }

    long arenaBytes() {
        return arenaBytes;
    }

    long lowerBound() {
        return lowerBound;
    }

    OptionalLong capacity() {
        return capacity;
    }

    /** Takes over another placement if it is smaller; returns whether it is. */
    boolean take(long[] other) {
        long bytes = arenaBytes(problem, other);
        if (bytes >= arenaBytes) {
            return false;
        }
        System.arraycopy(other, 0, offsets, 0, offsets.length);
        arenaBytes = bytes;
        return true;
    }

    /** Notes that the offsets have changed and need so many arena bytes now; returns whether those are fewer. */
    boolean improve(long bytes) {
        boolean isBetter = bytes < arenaBytes;
        arenaBytes = Math.min(arenaBytes, bytes);
        return isBetter;
    }

    /** Raises the lower bound if a higher one is proved. */
    void prove(long bound) {
        lowerBound = Math.max(lowerBound, bound);
    }

    /** Whether nothing more is to be found for the caller. */
    boolean isFinal() {
        return arenaBytes == lowerBound
                || (capacity.isPresent() && (arenaBytes <= capacity.getAsLong() || lowerBound > capacity.getAsLong()));
    }

    /** Why the search ended. */
    StopReason stopReason(SearchBudget budget) {
        if (capacity.isPresent() && arenaBytes <= capacity.getAsLong()) {
            return StopReason.CAPACITY_REACHED;
        }
        if (capacity.isPresent() && lowerBound > capacity.getAsLong()) {
            return StopReason.INFEASIBLE;
        }
        if (arenaBytes == lowerBound) {
            return lowerBound == firstLowerBound ? StopReason.LOWER_BOUND_REACHED : StopReason.OPTIMAL;
        }
        return budget.stopReason();
    }

    /** How many bytes the capacity lacks at least, if it is proved too small; 0 otherwise. */
    long shortfallBytes() {
        return capacity.isPresent() ? Math.max(0, lowerBound - capacity.getAsLong()) : 0;
    }
}
