package io.devicearena.conformance.junit;

import org.opentest4j.TestAbortedException;

/**
 * A clause was not tested. JUnit reports the test as aborted, never as passed.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public final class ClauseSkippedException extends TestAbortedException {
    private static final long serialVersionUID = 1L;

    /**
     * Why a clause was not tested.
     *
     * <p><b>Threads:</b> immutable.
     */
    public enum Reason {
        /** The clause needs a capability that the device does not declare. */
        NOT_SUPPORTED("not supported"),
        /** The clause does not apply to this device, or this machine is too small for it. */
        LEFT_OUT("left out"),
        /** The provider is not available here. */
        NOT_AVAILABLE("not available");

        private final String label;

        Reason(String label) {
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

    /** Why the clause was not tested, for counting. */
    private final Reason reason;

    /**
     * Makes the exception.
     *
     * @param reason why, for counting
     * @param message why, for people
     */
    public ClauseSkippedException(Reason reason, String message) {
        super(reason.label() + ": " + message);
        this.reason = reason;
    }

    /**
     * The reason for counting.
     *
     * @return the reason
     */
    public Reason reason() {
        return reason;
    }
}
