package io.devicearena.plan.internal.exact;

import java.util.function.LongPredicate;

/**
 * Looks for a placement of one component within a capacity.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public interface FeasibilitySolver {
    /** The answer of a run. */
    enum Verdict {
        /** A placement is found: {@link #addresses} returns it. */
        FEASIBLE,
        /** No placement exists. */
        INFEASIBLE,
        /** The node limit is reached or the run was stopped. */
        UNKNOWN
    }

    /**
     * Makes one run; what it learns may serve later ones.
     *
     * @param parameters the capacity, the node limit and the choices of this run
     * @param stopped asked now and then with the number of nodes so far; true ends the run
     */
    Verdict run(SearchParameters parameters, LongPredicate stopped);

    /** The nodes of the latest run. */
    long nodes();

    /** The placement that the latest run has found, in units above the origin; not a copy. */
    long[] addresses();
}
