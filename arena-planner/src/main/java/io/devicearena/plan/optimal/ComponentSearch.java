package io.devicearena.plan.optimal;

import io.devicearena.plan.internal.exact.BranchAndBound;
import io.devicearena.plan.internal.exact.FeasibilitySolver;
import io.devicearena.plan.internal.exact.FeasibilitySolver.Verdict;
import io.devicearena.plan.internal.exact.SearchParameters;
import io.devicearena.plan.internal.live.LiveRanges;
import java.util.OptionalLong;

/**
 * The search of one component: its solvers, what they have proved, and what the next round tries.
 *
 * <p>In a round each solver makes one run. The first solver aims at the least size that is not ruled out, or at the
 * capacity; the second one of a small component without a capacity also at sizes between that and the best one. Runs
 * are short and now and then longer: few of them succeed, and those do so early.
 *
 * <p>Threads: one thread at a time. Source: Luby, Sinclair and Zuckerman, "Optimal speedup of Las Vegas algorithms",
 * 1993, for the lengths of runs.
 */
final class ComponentSearch {
    private final LiveRanges component;
    private final long origin;
    private final long sizeStep;
    private final long[] offsets;
    private long lowerBound;
    private long arenaBytes;
    private int restarts;
    private int rounds;
    private FeasibilitySolver[] solvers = new FeasibilitySolver[0];

    /**
     * Makes a search.
     *
     * @param component the buffers
     * @param offsets a placement in bytes in the problem's order; changed where the search finds a better one
     */
    ComponentSearch(LiveRanges component, long[] offsets) {
        this.component = component;
        this.origin = component.origin();
        this.sizeStep = component.sizeStep();
        this.offsets = offsets;
        this.lowerBound = roundUp(origin + component.lowerBoundBytes());
        this.arenaBytes = origin + component.arenaBytes(component.unitOffsets(offsets));
    }

    private long roundUp(long bytes) {
        return origin + Math.ceilDiv(bytes - origin, sizeStep) * sizeStep;
    }

    private long roundDown(long bytes) {
        return origin + (bytes - origin) / sizeStep * sizeStep;
    }

    /** The arena bytes that the component's placement needs. */
    long arenaBytes() {
        return arenaBytes;
    }

    /** The arena bytes that every placement of the component needs, as far as proved. */
    long lowerBound() {
        return lowerBound;
    }

    /** The solvers for the next round; takes long where they are made. */
    FeasibilitySolver[] solvers() {
        if (solvers.length == 0) {
            solvers = new FeasibilitySolver[SearchLimits.SOLVERS];
            for (int i = 0; i < solvers.length; i++) {
                int mostBuffers = i == 0 ? SearchLimits.MOST_EXACT_BUFFERS : SearchLimits.EXACT_ONLY_BUFFERS;
                solvers[i] = component.count() <= mostBuffers
                        ? new BranchAndBound(component)
                        : new EjectionSolver(component, i, offsets, lowerBound - origin);
            }
        }
        return solvers;
    }

    /**
     * Plans a round.
     *
     * @param least a smaller arena than this is of no use, in bytes; less than the present one
     * @param capacity the arena bytes that are good enough; less than the present ones
     * @param mostNodes the most nodes of all runs together
     * @return the parameters of each solver's run
     */
    SearchParameters[] nextRound(long least, OptionalLong capacity, long mostNodes) {
        long low = Math.max(lowerBound, roundUp(least));
        long wanted = capacity.isPresent() ? Math.max(low, roundDown(capacity.getAsLong())) : low;
        boolean aimsBetween = capacity.isEmpty()
                && rounds >= SearchLimits.ROUNDS_AT_LEAST_SIZE
                && component.count() <= SearchLimits.EXACT_ONLY_BUFFERS;
        long second = aimsBetween ? between(low, roundDown(arenaBytes - 1)) : wanted;
        rounds++;
        long limit = Math.min(
                (long) Math.max(SearchLimits.UNIT_NODES, component.count()) * luby(rounds),
                Math.ceilDiv(mostNodes, SearchLimits.SOLVERS));
        return new SearchParameters[] {
            new SearchParameters(wanted - origin, restarts++, limit),
            new SearchParameters(second - origin, restarts++, limit)
        };
    }

    private long between(long low, long high) {
        return roundDown(high - ((high - low) >> (1 + rounds % SearchLimits.SIZES_BETWEEN)));
    }

    /** 1, 1, 2, 1, 1, 2, 4, 1, and so on: close to the best schedule of lengths without knowledge of the runs. */
    private static int luby(int round) {
        int power = Integer.highestOneBit(round);
        return round == 2 * power - 1 ? power : luby(round - power + 1);
    }

    /**
     * Takes over the answer of a run.
     *
     * @param solver the solver
     * @param parameters of its run
     * @param verdict its answer
     */
    void answered(FeasibilitySolver solver, SearchParameters parameters, Verdict verdict) {
        if (verdict == Verdict.FEASIBLE) {
            take(solver.addresses());
        } else if (verdict == Verdict.INFEASIBLE) {
            lowerBound = Math.max(lowerBound, Math.min(arenaBytes, roundUp(origin + parameters.capacity() + 1)));
        }
    }

    private void take(long[] addresses) {
        long found = origin + component.arenaBytes(addresses);
        if (found < arenaBytes) {
            component.copyByteOffsets(addresses, offsets);
            arenaBytes = found;
        }
    }

    /**
     * Ends a round that had an answer: lengths begin anew. If it ended early, how far the other solver had come is left
     * to chance, so both solvers are made anew.
     */
    void endRound(boolean isEarly) {
        rounds = 0;
        if (isEarly) {
            solvers = new FeasibilitySolver[0];
        }
        for (FeasibilitySolver solver : solvers) {
            if (solver instanceof EjectionSolver ejection) {
                ejection.continueFrom(offsets);
            }
        }
    }
}
