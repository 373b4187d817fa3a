package io.devicearena.conformance.junit;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * How many clauses had which outcome.
 *
 * <p><b>Threads:</b> immutable.
 */
public final class Tally {
    private final Map<Outcome, Integer> counts = new EnumMap<>(Outcome.class);

    private Tally(List<ClauseResult> results) {
        results.forEach(result -> counts.merge(result.outcome(), 1, Integer::sum));
    }

    /**
     * Counts.
     *
     * @param results the clauses of a device, a group or a whole run
     * @return their counts
     */
    public static Tally of(List<ClauseResult> results) {
        return new Tally(results);
    }

    /**
     * How many had an outcome.
     *
     * @param outcome the outcome
     * @return 0 or more
     */
    public int count(Outcome outcome) {
        return counts.getOrDefault(outcome, 0);
    }

    /**
     * How many there are.
     *
     * @return 0 or more
     */
    public int total() {
        return counts.values().stream().mapToInt(Integer::intValue).sum();
    }

    /**
     * Returns whether a device conforms by these clauses: it passed some and failed none.
     *
     * @return true when it does
     */
    public boolean conforms() {
        return count(Outcome.PASSED) > 0 && count(Outcome.FAILED) == 0;
    }
}
