package io.devicearena.plan.internal.exact;

import java.util.function.LongPredicate;

/** Looks for a placement of one component within a capacity. */
public interface FeasibilitySolver {
    /** The answer of a run: a placement is found, none exists, or the run ended before. */
    enum Verdict {
        FEASIBLE,
        INFEASIBLE,
        UNKNOWN
    }

    /** Makes one run; {@code stopped} is asked often with the number of nodes so far, and true ends the run. */
    Verdict run(SearchParameters parameters, LongPredicate stopped);

    /** The nodes of the latest run. */
    long nodes();

    /** The placement that the latest run has found, in units above the origin; not a copy. */
    long[] addresses();
}
