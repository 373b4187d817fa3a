package io.devicearena.conformance.runner;

import io.devicearena.conformance.junit.ClauseResult;
import io.devicearena.conformance.junit.Tally;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/**
 * The result of a run of the kit.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param providers a result for each provider that was tested, in the order in which they were found
 * @param problems what is wrong with the run as a whole, a line each: a provider that was required and is not
 *     available, one that could not be loaded, a run in which nothing was tested
 * @param environment what it ran on
 * @param started when it began
 * @param duration how long it took
 */
public record ConformanceReport(
        List<ProviderResult> providers,
        List<String> problems,
        Environment environment,
        Instant started,
        Duration duration) {
    /** Makes the report; the lists are copied. */
    public ConformanceReport {
        providers = List.copyOf(providers);
        problems = List.copyOf(problems);
    }

    /**
     * Returns whether the run is a success: something was tested, no clause failed, and there is no problem.
     *
     * @return true when it is
     */
    public boolean ok() {
        return problems.isEmpty() && tally().conforms();
    }

    /**
     * Lists all devices.
     *
     * @return the results of all devices of all providers
     */
    public List<DeviceResult> devices() {
        return providers.stream()
                .flatMap(provider -> provider.devices().stream())
                .toList();
    }

    /**
     * Counts all clauses on all devices.
     *
     * @return the counts
     */
    public Tally tally() {
        return Tally.of(results().toList());
    }

    /** All clauses of all devices. */
    Stream<ClauseResult> results() {
        return devices().stream().flatMap(device -> device.clauses().stream());
    }
}
