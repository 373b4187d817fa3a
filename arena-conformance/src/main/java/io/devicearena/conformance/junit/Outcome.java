package io.devicearena.conformance.junit;

import java.util.Locale;

/**
 * The outcome of a clause on a device.
 *
 * <p><b>Threads:</b> immutable.
 */
public enum Outcome {
    /** The clause holds. */
    PASSED,
    /** The clause is broken. */
    FAILED,
    /** The clause needs a capability that the device does not declare. */
    UNSUPPORTED,
    /** The clause does not apply to the device, or this machine is too small for its test. */
    LEFT_OUT,
    /** The provider is not available here. */
    NOT_AVAILABLE;

    /**
     * The name in reports.
     *
     * @return the name in lower case, with blanks
     */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
