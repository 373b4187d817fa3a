package io.devicearena.plan.optimal;

import io.devicearena.plan.internal.ejection.LocalSearch;
import io.devicearena.plan.internal.exact.FeasibilitySolver;
import io.devicearena.plan.internal.exact.SearchParameters;
import io.devicearena.plan.internal.live.LiveRanges;
import io.devicearena.plan.internal.live.StepBudget;
import java.util.function.LongPredicate;

/**
 * Improves a placement of many buffers by ejection, towards the capacity of each run.
 *
 * <p>A run is feasible when its placement is lower than the caller's, even if it is above the capacity. No run proves
 * infeasibility. The next run goes on where the latest one ended.
 */
final class EjectionSolver implements FeasibilitySolver {
    private final LiveRanges component;
    private final int variant;
    private final StepBudget budget = new StepBudget(Long.MAX_VALUE);
    private LocalSearch search;
    private long target;
    private long callerBytes;
    private long nodes;

    /** Begins with the caller's placement; solvers with different variants, 0 or more, make different choices. */
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
        if (parameters.capacity() != target) {
            target = parameters.capacity();
            search = search(search.offsets());
        }
        long limit = parameters.nodeLimit();
        long begun = budget.left();
        nodes = 0;
        while (nodes < limit && search.arenaBytes() > target && !stopped.test(nodes)) {
            long most = Math.min(limit - nodes, SearchLimits.EJECTION_NODES_PER_STOP_CHECK);
            search.advance(most * SearchLimits.EJECTION_STEPS_PER_NODE);
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
