package io.devicearena;

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
    /**
     * Kept from one execution to the next, such as a key-value cache; zero at first, changed in place by ops or by the
     * host; live at every step of every graph that has it.
     */
    STATE,
    /** Made by an op; live from its step to its last use. */
    OP,
    /** Made by an op and read by the host afterwards; live from its step to the end of the execution. */
    OUTPUT;

    /** {@return whether the value is live at every step: an input, parameter, constant or state} */
    public boolean isPersistent() {
        return this == INPUT || this == PARAMETER || this == CONSTANT || this == STATE;
    }

    /** {@return whether graphs of one arena share the value by its id: a parameter, constant or state} */
    public boolean isShared() {
        return this == PARAMETER || this == CONSTANT || this == STATE;
    }
}
