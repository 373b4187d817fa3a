package io.devicearena.plan.optimal;

import io.devicearena.plan.internal.ejection.LocalSearch;
import io.devicearena.plan.internal.live.LiveRanges;
import io.devicearena.plan.internal.live.StepBudget;
import io.devicearena.plan.internal.exact.FeasibilitySolver;
import io.devicearena.plan.internal.exact.SearchParameters;
import java.util.function.LongPredicate;

/**
 * Improves a placement of many buffers by ejection, towards the capacity of each run.
 *
 * <p>A run is feasible when its placement is lower than the caller's, even if it is above the capacity. No run proves
 * infeasibility. The next run goes on where the latest one ended.
 *
 * <p>Threads: one thread at a time.
 */
final class EjectionSolver implements FeasibilitySolver {
    private final LiveRanges component;
    private final int variant;
    private final StepBudget budget = new StepBudget(Long.MAX_VALUE);
    private LocalSearch search;
    private long target;
    /** What the caller's placement needs, in bytes above the origin. */
    private long callerBytes;

    private long nodes;

    /**
     * Makes a solver.
     *
     * @param component the buffers
     * @param variant 0 or more; solvers with different numbers make different choices
     * @param offsets the caller's placement, in bytes in the problem's order
     * @param target the bytes above the origin below which the search need not go
     */
    EjectionSolver(LiveRanges component, int variant, long[] offsets, long target) {
        this.component = component;
        this.variant = variant;
        this.target = target;
        this.search = search(component.unitOffsets(offsets));
        this.callerBytes = search.arenaBytes();
    }

    private LocalSearch search(long[] addresses) {
        return new LocalSearch(component, addresses, target, Integer.MAX_VALUE, variant, budget);
    }

    /** Goes on from the caller's placement if it is lower: offsets in bytes in the problem's order. */
    void continueFrom(long[] offsets) {
        long[] addresses = component.unitOffsets(offsets);
        callerBytes = component.arenaBytes(addresses);
        if (callerBytes < search.arenaBytes()) {
            search.continueFrom(addresses);
        }
    }

    @Override
    public Verdict run(SearchParameters parameters, LongPredicate stopped) {
        nodes = 0;
        if (parameters.capacity() != target) {
            target = parameters.capacity();
            search = search(search.offsets());
        }
        long limit = parameters.nodeLimit();
        long begun = budget.left();
        while (nodes < limit && search.arenaBytes() > target && !stopped.test(nodes)) {
            search.advance(Math.min(limit - nodes, SearchLimits.EJECTION_NODES_PER_STOP_CHECK)
                    * SearchLimits.EJECTION_STEPS_PER_NODE);
            nodes = Math.min(limit, (begun - budget.left()) / SearchLimits.EJECTION_STEPS_PER_NODE);
        }
        return search.arenaBytes() < callerBytes ? Verdict.FEASIBLE : Verdict.UNKNOWN;
    }

    @Override
    public long nodes() {
        return nodes;
    }

    @Override
    public long[] addresses() {
        return search.offsets();
    }
}
