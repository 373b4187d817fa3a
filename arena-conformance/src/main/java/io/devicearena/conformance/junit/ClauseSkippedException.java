package io.devicearena.conformance.junit;

import org.opentest4j.TestAbortedException;

/**
 * A clause was not tested. JUnit reports the test as aborted, never as passed.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public final class ClauseSkippedException extends TestAbortedException {
    private static final long serialVersionUID = 1L;

    /** Why the clause was not tested, for counting. */
    private final Outcome outcome;

    /**
     * Makes the exception.
     *
     * @param outcome why, for counting
     * @param message why, for people
     */
    public ClauseSkippedException(Outcome outcome, String message) {
        super(outcome.label() + ": " + message);
        this.outcome = outcome;
    }

    /**
     * The reason for counting.
     *
     * @return unsupported, left out or not available
     */
    public Outcome outcome() {
        return outcome;
    }
}
