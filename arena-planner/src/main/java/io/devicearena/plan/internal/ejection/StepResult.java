package io.devicearena.plan.internal.ejection;

/**
 * What a slice of a local search came to.
 *
 * <p><b>Threads:</b> immutable.
 */
public enum StepResult {
    /** The placement is lower than before. */
    IMPROVED,
    /** The steps of the slice are used up; the search can go on. */
    PAUSED,
    /** The placement is at the lower bound, or nothing more is tried. */
    FINISHED
}
