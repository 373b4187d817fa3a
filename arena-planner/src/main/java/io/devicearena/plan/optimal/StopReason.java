package io.devicearena.plan.optimal;

/**
 * Why a search ended.
 *
 * <p><b>Threads:</b> immutable.
 */
public enum StopReason {
    /** The best placement is as small as the lower bound that was known before the search: it is optimal. */
    LOWER_BOUND_REACHED,
    /** The search space is exhausted: no smaller placement exists. */
    OPTIMAL,
    /** A placement within the requested capacity is found; smaller ones may exist. */
    CAPACITY_REACHED,
    /** No placement within the requested capacity exists. */
    INFEASIBLE,
    /** The time limit was reached; more time may give a smaller placement. */
    TIME_LIMIT,
    /** The node limit was reached; more nodes may give a smaller placement. */
    NODE_LIMIT,
    /** The caller cancelled the search, or interrupted its thread; more time may give a smaller placement. */
    CANCELLED
}
