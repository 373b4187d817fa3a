package io.devicearena.plan.optimal;

/**
 * Why a search ended.
 *
 * <p><b>Threads:</b> immutable.
 */
public enum SearchEnd {
    /** The best plan is as small as the lower bound that was known before any search: it is optimal. */
    BOUND_MET,

    /** The search space is exhausted: nothing smaller than the best plan exists. */
    PROVED_OPTIMAL,

    /** A plan within the capacity that was asked for is found; smaller ones may exist. */
    CAPACITY_MET,

    /** No plan within the capacity that was asked for exists. */
    PROVED_NOT_TO_FIT,

    /** The time was up; more of it may give a smaller plan. */
    BUDGET_OVER,

    /** As many nodes as were allowed are looked at; more of them may give a smaller plan. */
    NODES_OVER,

    /** The caller cancelled the search, or its thread was interrupted; more time may give a smaller plan. */
    CANCELLED
}
