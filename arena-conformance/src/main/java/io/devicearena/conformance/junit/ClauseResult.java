package io.devicearena.conformance.junit;

import java.time.Duration;
import java.util.Objects;

/**
 * The outcome of one clause on one device.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param clause the clause
 * @param outcome its outcome
 * @param message why it failed or was not tested; of a clause that passed, what it says of its tries, or empty
 * @param trace where it failed, as a stack trace of some lines; empty for any other outcome
 * @param duration how long its test took
 */
public record ClauseResult(Clause clause, Outcome outcome, String message, String trace, Duration duration) {
    /** Makes the result. */
    public ClauseResult {
        Objects.requireNonNull(clause, "clause");
        Objects.requireNonNull(outcome, "outcome");
        Objects.requireNonNull(message, "message");
        Objects.requireNonNull(trace, "trace");
        Objects.requireNonNull(duration, "duration");
    }
}
