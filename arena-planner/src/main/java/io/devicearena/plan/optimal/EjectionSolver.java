package io.devicearena.plan.optimal;

import io.devicearena.plan.internal.ejection.LocalSearch;
import io.devicearena.plan.internal.exact.FeasibilitySolver;
import io.devicearena.plan.internal.exact.SearchParameters;
import io.devicearena.plan.internal.live.LiveRanges;
import io.devicearena.plan.internal.live.StepBudget;
import java.util.function.LongPredicate;

/**
 * Improves a placement of many buffers by ejection. A run is feasible if it makes the placement lower, even if that is
 * above the capacity; no run proves infeasibility. The next run goes on where the latest one ended.
 */
final class EjectionSolver implements FeasibilitySolver {
    private final LiveRanges component;
    private final StepBudget budget = new StepBudget(Long.MAX_VALUE);
    private final LocalSearch search;
    private long nodes;

    /** Begins with the caller's placement, towards a least capacity; solvers with other variants choose differently. */
    EjectionSolver(LiveRanges component, int variant, long[] offsets, long least) {
        this.component = component;
        long[] addresses = component.unitOffsets(offsets);
        this.search = new LocalSearch(component, addresses, least, Integer.MAX_VALUE, variant, budget);
    }

    /** Goes on from the caller's placement if it is lower: offsets in bytes in the problem's order. */
    void continueFrom(long[] offsets) {
        long[] addresses = component.unitOffsets(offsets);
        if (component.arenaBytes(addresses) < search.arenaBytes()) {
            search.continueFrom(addresses);
        }
    }

    @Override
    public Verdict run(SearchParameters parameters, LongPredicate stopped) {
        long before = search.arenaBytes();
        long limit = parameters.nodeLimit();
        long begun = budget.left();
        nodes = 0;
        while (nodes < limit && search.arenaBytes() > parameters.capacity() && !stopped.test(nodes)) {
            long most = Math.min(limit - nodes, SearchLimits.EJECTION_NODES_PER_STOP_CHECK);
            search.advance(most * SearchLimits.EJECTION_STEPS_PER_NODE);
            nodes = Math.min(limit, (begun - budget.left()) / SearchLimits.EJECTION_STEPS_PER_NODE);
        }
        return search.arenaBytes() < before ? Verdict.FEASIBLE : Verdict.UNKNOWN;
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
