package io.devicearena.plan;

/**
 * The role of a value in its graph; it decides how long the value lives.
 *
 * <p><b>Threads:</b> immutable.
 */
public enum NodeRole {
    /** Written by the host before the execution; lives through all of it. */
    INPUT,
    /** A trained weight, written once; lives through the whole execution. */
    PARAMETER,
    /** A fixed value, written once; lives through the whole execution. */
    CONSTANT,
    /** Made by an op; lives from its step to its last use. */
    OP,
    /** Made by an op and read by the host afterwards; lives from its step to the end of the execution. */
    OUTPUT;

    /**
     * Whether the host writes the value before the execution, so that it lives through all of it.
     *
     * @return true for inputs, parameters and constants
     */
    public boolean isPersistent() {
        return this == INPUT || this == PARAMETER || this == CONSTANT;
    }
}
