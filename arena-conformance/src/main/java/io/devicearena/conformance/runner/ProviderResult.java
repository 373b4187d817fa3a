package io.devicearena.conformance.runner;

import io.devicearena.conformance.junit.Tally;
import io.devicearena.discovery.ProviderReport;
import java.util.List;

/**
 * The outcomes of all clauses on every device of one provider.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param report the provider and its availability before the run
 * @param devices a result for each device; one without a device when the provider is not available; none when it could
 *     not be loaded
 */
public record ProviderResult(ProviderReport report, List<DeviceResult> devices) {
    /** Makes the result; the list is copied. */
    public ProviderResult {
        devices = List.copyOf(devices);
    }

    /**
     * The provider's name.
     *
     * @return the name, or the class name when {@code name()} failed
     */
    public String name() {
        return report.name();
    }

    /**
     * Counts the clauses on all its devices.
     *
     * @return the counts
     */
    public Tally tally() {
        return Tally.of(
                devices.stream().flatMap(device -> device.clauses().stream()).toList());
    }
}
