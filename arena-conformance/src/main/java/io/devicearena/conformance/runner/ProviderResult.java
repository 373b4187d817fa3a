package io.devicearena.conformance.runner;

import io.devicearena.discovery.ProviderReport;
import java.util.List;

/**
 * What became of every clause on every device of one provider.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param report what asking the provider gave before the run
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
     * @return the name, or the class name of a provider that does not tell it
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
