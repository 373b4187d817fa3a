package io.devicearena.plan.optimal;

import io.devicearena.plan.internal.exact.BranchAndBound;
import io.devicearena.plan.internal.exact.FeasibilitySolver;
import io.devicearena.plan.internal.exact.FeasibilitySolver.Verdict;
import io.devicearena.plan.internal.exact.SearchParameters;
import io.devicearena.plan.internal.live.LiveRanges;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/**
 * The search of one component in rounds, in which each solver makes one run. The first one aims at the capacity or the
 * least size that is not ruled out; the second one without a capacity also at sizes between that and the best. The
 * answer after the fewest nodes counts, so the speed of threads decides nothing.
 *
 * <p>Source: Luby, Sinclair and Zuckerman, "Optimal speedup of Las Vegas algorithms", 1993, for the lengths of runs.
 */
final class ComponentSearch {
    private final LiveRanges component;
    private final long origin;
    private final long sizeStep;
    private final long[] offsets;
    private final List<FeasibilitySolver> solvers = new ArrayList<>();
    private long lowerBound;
    private long arenaBytes;
    private int restarts;
    private int rounds;

    /** Begins with a placement in bytes in the problem's order, which changes where a better one is found. */
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

    /** Makes a run of each solver, towards the capacity or else {@code least}; returns whether the arena is smaller. */
    boolean playRound(long least, OptionalLong capacity, SearchBudget budget, Workers workers) {
        long before = arenaBytes;
        SearchParameters[] runs = nextRuns(least, capacity, budget.nodesLeft());
        makeSolvers(runs[0].capacity());
        AtomicLong fewestNodes = new AtomicLong(Long.MAX_VALUE);
        List<Future<Verdict>> running = IntStream.range(0, runs.length)
                .mapToObj(i -> workers.submit(() -> {
                    FeasibilitySolver solver = solvers.get(i);
                    Verdict verdict = solver.run(runs[i], nodes -> nodes > fewestNodes.get() || budget.isOver());
                    if (verdict != Verdict.UNKNOWN) {
                        fewestNodes.accumulateAndGet(solver.nodes(), Math::min);
                    }
                    return verdict;
                }))
                .toList();
        List<Verdict> verdicts = running.stream().map(workers::join).toList();
        long fewest = fewestNodes.get();
        for (int i = 0; i < runs.length; i++) {
            FeasibilitySolver solver = solvers.get(i);
            budget.spend(Math.min(solver.nodes(), fewest));
            // When time is up it no longer matters which answer was first.
            if (budget.isOver() || solver.nodes() == fewest) {
                take(verdicts.get(i), solver, runs[i]);
            }
        }
        if (fewest < Long.MAX_VALUE) {
            endRounds(fewest < runs[0].nodeLimit());
        }
        return arenaBytes < before;
    }

    private SearchParameters[] nextRuns(long least, OptionalLong capacity, long mostNodes) {
        long low = Math.max(lowerBound, roundUp(least));
        long wanted = capacity.isPresent() ? Math.max(low, roundDown(capacity.getAsLong())) : low;
        boolean aimsBetween = capacity.isEmpty()
                && rounds >= SearchLimits.ROUNDS_AT_LEAST_SIZE
                && component.count() <= SearchLimits.EXACT_ONLY_BUFFERS;
        long best = roundDown(arenaBytes - 1);
        long between = roundDown(best - ((best - low) >> (1 + rounds % SearchLimits.SIZES_BETWEEN)));
        rounds++;
        long limit = Math.min(
                (long) Math.max(SearchLimits.UNIT_NODES, component.count()) * luby(rounds),
                Math.ceilDiv(mostNodes, SearchLimits.SOLVERS));
        return new SearchParameters[] {
            new SearchParameters(wanted - origin, restarts++, limit),
            new SearchParameters((aimsBetween ? between : wanted) - origin, restarts++, limit)
        };
    }

    /** 1, 1, 2, 1, 1, 2, 4, 1, and so on: close to the best schedule of lengths without knowledge of the runs. */
    private static int luby(int round) {
        int power = Integer.highestOneBit(round);
        return round == 2 * power - 1 ? power : luby(round - power + 1);
    }

    private void makeSolvers(long capacity) {
        for (int i = solvers.size(); i < SearchLimits.SOLVERS; i++) {
            int mostExact = i == 0 ? SearchLimits.MOST_EXACT_BUFFERS : SearchLimits.EXACT_ONLY_BUFFERS;
            solvers.add(
                    component.count() <= mostExact
                            ? new BranchAndBound(component)
                            : new EjectionSolver(component, i, offsets, capacity));
        }
    }

    private void take(Verdict verdict, FeasibilitySolver solver, SearchParameters run) {
        if (verdict == Verdict.FEASIBLE) {
            long found = origin + component.arenaBytes(solver.addresses());
            if (found < arenaBytes) {
                component.copyByteOffsets(solver.addresses(), offsets);
                arenaBytes = found;
            }
        } else if (verdict == Verdict.INFEASIBLE) {
            lowerBound = Math.max(lowerBound, Math.min(arenaBytes, roundUp(origin + run.capacity() + 1)));
        }
    }

    /** Begins anew after an answer; after an early one with new solvers, as chance decides how far the other came. */
    private void endRounds(boolean isEarly) {
        rounds = 0;
        if (isEarly) {
            solvers.clear();
        }
        for (FeasibilitySolver solver : solvers) {
            if (solver instanceof EjectionSolver ejection) {
                ejection.continueFrom(offsets);
            }
        }
    }
}
