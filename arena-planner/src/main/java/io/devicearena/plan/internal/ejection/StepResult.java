package io.devicearena.plan.internal.ejection;

/** What a slice of a search came to. */
public enum StepResult {
    /** The placement is lower than before, or below the target. */
    IMPROVED,
    /** The steps of the slice are used up; the search can go on. */
    PAUSED,
    /** The placement is at the lower bound, or nothing more is tried. */
    FINISHED
}
