package io.devicearena.plan.internal.ejection;

/**
 * What some work at a placement has come to.
 *
 * <p><b>Threads:</b> immutable.
 */
public enum Outcome {
    /** The placement is lower than it was. */
    LOWERED,
    /** The steps are used up; it can go on. */
    PAUSED,
    /** It is as low as it may get, or nothing more is tried. */
    EXHAUSTED
}
