package io.devicearena.plan.optimal;

/** The numbers that decide which solver a component gets and for how long. */
final class SearchLimits {
    /** Solvers side by side, on every machine: the course of a search must not depend on its processors. */
    static final int SOLVERS = 2;
    /** Above, one solver ejects: squares of 600 pieces are hardly ever solved exactly. */
    static final int EXACT_ONLY_BUFFERS = 500;
    /** Above, both solvers eject, and the search proves nothing beyond the lower bound. */
    static final int MOST_EXACT_BUFFERS = 8_192;
    /** Nodes of a unit run; components with more buffers than that get one node for each. */
    static final int UNIT_NODES = 256;
    /** Rounds in which both solvers aim at the least size, before the second one aims in between. */
    static final int ROUNDS_AT_LEAST_SIZE = 2;
    /** Sizes in between that are tried in turn: 1/2 of the difference below the best one, then 1/4, 1/8, 1/16. */
    static final int SIZES_BETWEEN = 4;
    /** Steps of the ejection search that take about as long as a node of branch and bound, 2 microseconds. */
    static final long EJECTION_STEPS_PER_NODE = 128;
    /** Nodes between two questions of the ejection search whether to stop: about 2 milliseconds. */
    static final long EJECTION_NODES_PER_STOP_CHECK = 1_024;
    /** How long the calling thread waits for solvers before it looks at the clock and asks the caller. */
    static final long WAIT_NANOS = 20_000_000;
    /** How long the calling thread waits at least between two reports without news. */
    static final long REPORT_NANOS = 200_000_000;
    /** Branch and bound recurses once for each buffer, in about half a KiB. Stack that is not used takes no memory. */
    static final long STACK_BYTES = 64L << 20;

    private SearchLimits() {}
}
