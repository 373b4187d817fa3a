package io.devicearena.plan.strategy;

import io.devicearena.plan.internal.skyline.ScoringRule;

/**
 * The numbers by which {@code fast} and {@code balanced} divide their work among algorithms; those of one algorithm
 * alone stand at the top of its class. A step is about a nanosecond; docs/planning.md lists the classes, and has the
 * table that each number was chosen by, with what is lost on real traces without the mechanism.
 */
final class StrategyTuning {
    /**
     * Time alone, where a clique at the maximum load counts 1 / 0.02^2 and an empty one 1: meets the bound on 34 of 43
     * real traces. Margins of 0.01 to 0.1 differ by less than 0.5 % on all of them.
     */
    static final ScoringRule TIME = new ScoringRule(0, 0.02);

    /** Time multiplied by the root of the size: 11 % instead of 24 % above the bound on dense packing A. */
    static final ScoringRule TIME_AND_SIZE = new ScoringRule(0.5, 0.02);

    /** Steps a buffer for one skyline: real traces take 20 to 130; more means an input made to take long. */
    static final long SKYLINE_STEPS_PER_BUFFER = 400;

    /** Steps for each buffer of a small problem: dense packing A, of 154 buffers, needs them up to {@link #STEPS}. */
    static final long STEPS_PER_BUFFER_OF_FEW = 600_000;

    /** Most of those: 0.1 s; beyond, dense packings of 150 to 320 buffers gain little. */
    static final long STEPS = 90_000_000;

    /** Further steps for each buffer: first fit on schedules of micro-batches takes up to 9,000 a buffer. */
    static final long STEPS_PER_BUFFER = 15_000;

    /**
     * Most steps, times the number of buffers: a step takes longer where the working set outgrows the processor's
     * caches. Keeps 62,000 buffers within 3 seconds on one core, and a million within 8.
     */
    static final double MOST_STEPS_TIMES_BUFFERS = 6e13;

    /**
     * How far above the bound, as a fraction of it, a placement must be to earn all steps; a smaller gap earns in
     * proportion. Less than 0.5 % is not worth seconds: 100,000 nested live ranges take 0.2 s in place of 1.9 s.
     */
    static final double GAP_THAT_EARNS_ALL_STEPS = 0.005;

    /** The part of all steps that first fit may take. */
    static final double FIRST_FIT_SHARE = 2.0 / 3;

    /** The part of all steps that the local search may take. */
    static final double LOCAL_SEARCH_SHARE = 1.0 / 3;

    /** Descents of the local search: a third one gains less than 0.5 % on dense packings. */
    static final int DESCENTS = 2;

    /** Steps of the local search between two looks at the budget. */
    static final long STEPS_AT_A_TIME = 250_000;

    private StrategyTuning() {}

    /** All steps of {@code balanced} for so many buffers. */
    static long totalSteps(int buffers) {
        long affordable = (long) (MOST_STEPS_TIMES_BUFFERS / buffers);
        return Math.min(affordable, Math.min(STEPS, STEPS_PER_BUFFER_OF_FEW * buffers) + STEPS_PER_BUFFER * buffers);
    }
}
