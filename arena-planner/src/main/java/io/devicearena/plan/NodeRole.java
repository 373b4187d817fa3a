package io.devicearena.plan;

/**
 * The role of a value in its graph; it decides the live range.
 *
 * <p><b>Threads:</b> immutable.
 */
public enum NodeRole {
    /** Written by the host before each execution; live at every step. */
    INPUT,
    /** A trained weight, written once; live at every step. */
    PARAMETER,
    /** A fixed value, written once; live at every step. */
    CONSTANT,
    /** Made by an op; live from its step to its last use. */
    OP,
    /** Made by an op and read by the host afterwards; live from its step to the end of the execution. */
    OUTPUT;

    /** {@return whether the value is persistent: an input, parameter or constant, which the host writes} */
    public boolean isPersistent() {
        return this == INPUT || this == PARAMETER || this == CONSTANT;
    }
}
