package io.devicearena.conformance.junit;

/**
 * The outcome of a clause on a device.
 *
 * <p><b>Threads:</b> immutable.
 */
public enum Outcome {
    /** The clause holds. */
    PASSED("passed"),
    /** The clause is broken. */
    FAILED("failed"),
    /** The clause needs a capability that the device does not declare. */
    UNSUPPORTED("unsupported"),
    /** The clause does not apply to the device, or this machine is too small for its test. */
    LEFT_OUT("left out"),
    /** The provider is not available here. */
    NOT_AVAILABLE("not available");

    private final String label;

    Outcome(String label) {
        this.label = label;
    }

    /**
     * The name in reports.
     *
     * @return the name in lower case, with blanks
     */
    public String label() {
        return label;
    }
}
