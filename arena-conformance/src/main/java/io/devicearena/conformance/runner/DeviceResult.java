package io.devicearena.conformance.runner;

import io.devicearena.ArenaDevice;
import io.devicearena.conformance.junit.ClauseResult;
import io.devicearena.conformance.junit.Tally;
import java.util.List;
import java.util.Optional;

/**
 * The outcomes of all clauses on one device.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param provider the provider's name
 * @param device the device, or empty for a provider that is not available: clauses about the provider alone were tested
 * @param clauses a result for each clause, in the order of the specification
 */
public record DeviceResult(String provider, Optional<ArenaDevice> device, List<ClauseResult> clauses) {
    /** Makes the result; the list is copied. */
    public DeviceResult {
        clauses = List.copyOf(clauses);
    }

    /**
     * Names the device among those of a run.
     *
     * @return provider and index, for example {@code cpu/0}, or the provider alone
     */
    public String id() {
        return device.map(one -> provider + "/" + one.index()).orElse(provider);
    }

    /**
     * Counts the clauses.
     *
     * @return the counts
     */
    public Tally tally() {
        return Tally.of(clauses);
    }
}
