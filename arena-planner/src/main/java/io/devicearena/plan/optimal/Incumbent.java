package io.devicearena.plan.optimal;

import io.devicearena.plan.placement.PlacementProblem;
import java.util.OptionalLong;
import java.util.stream.IntStream;

/** The best placement so far and the lower bound, and whether the two answer the caller. */
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
        this.arenaBytes = arenaBytes(offsets);
        // Buffers with an empty live range are at offset 0.
        long emptyBytes = IntStream.range(0, problem.count())
                .filter(i -> !problem.occupies(i))
                .mapToLong(problem::size)
                .max()
                .orElse(0);
        this.firstLowerBound = Math.max(emptyBytes, problem.origin() + problem.lowerBound());
        this.lowerBound = firstLowerBound;
    }

    private long arenaBytes(long[] placement) {
        long most = problem.origin();
        for (int i = 0; i < placement.length; i++) {
            most = Math.max(most, placement[i] + problem.size(i));
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
        boolean isSmaller = arenaBytes(other) < arenaBytes;
        if (isSmaller) {
            System.arraycopy(other, 0, offsets, 0, offsets.length);
            arenaBytes = arenaBytes(offsets);
        }
        return isSmaller;
    }

    /** Notes that the offsets have changed; returns whether the arena is smaller now. */
    boolean isSmallerNow() {
        long before = arenaBytes;
        arenaBytes = arenaBytes(offsets);
        return arenaBytes < before;
    }

    /** Raises the lower bound if a higher one is proved. */
    void prove(long bound) {
        lowerBound = Math.max(lowerBound, bound);
    }

    private boolean fits() {
        return capacity.isPresent() && arenaBytes <= capacity.getAsLong();
    }

    /** How many bytes the capacity lacks at least, if it is proved too small; 0 otherwise. */
    long shortfallBytes() {
        return Math.max(0, lowerBound - capacity.orElse(Long.MAX_VALUE));
    }

    /** Whether nothing more is to be found for the caller. */
    boolean isFinal() {
        return arenaBytes == lowerBound || fits() || shortfallBytes() > 0;
    }

    /** Why the search ended. */
    StopReason stopReason(SearchBudget budget) {
        if (fits()) {
            return StopReason.CAPACITY_REACHED;
        }
        if (shortfallBytes() > 0) {
            return StopReason.INFEASIBLE;
        }
        if (arenaBytes == lowerBound) {
            return lowerBound == firstLowerBound ? StopReason.LOWER_BOUND_REACHED : StopReason.OPTIMAL;
        }
        return budget.stopReason();
    }
}
