package io.devicearena.conformance.junit;

import io.devicearena.ArenaDevice;
import io.devicearena.spi.Availability;
import io.devicearena.spi.DeviceArenaProvider;
import java.util.List;
import java.util.Optional;

/**
 * A provider and one of its devices, which one run of the clauses tests.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param provider the provider
 * @param device the device, or empty when the provider is not available
 * @param absence why there is no device; empty text when there is one
 */
public record Subject(DeviceArenaProvider provider, Optional<ArenaDevice> device, String absence) {
    /**
     * Probes a provider.
     *
     * @param provider the provider
     * @return a subject for each device; one without a device when the provider is not available, or its probe
     *     breaks the contract, which clauses 15.1 and 15.2 then report
     */
    public static List<Subject> of(DeviceArenaProvider provider) {
        try {
            return switch (provider.probe()) {
                case Availability.Ready ready ->
                    ready.devices().stream()
                            .map(device -> new Subject(provider, Optional.of(device), ""))
                            .toList();
                case Availability.Missing missing ->
                    List.of(new Subject(provider, Optional.empty(), missing.reason() + "; " + missing.remedy()));
            };
        } catch (RuntimeException | LinkageError | AssertionError e) { // clause 15.2 fails on the same
            return List.of(new Subject(provider, Optional.empty(), "probe() threw " + e));
        }
    }

    /**
     * The provider's name; never throws.
     *
     * @return the name, or the class name when {@code name()} fails
     */
    public String providerName() {
        try {
            String name = provider.name();
            return name == null ? provider.getClass().getName() : name;
        } catch (RuntimeException e) { // clause 15.1 fails on the same
            return provider.getClass().getName();
        }
    }

    /** Names provider and device for messages and reports. */
    @Override
    public String toString() {
        return "provider '" + providerName() + "', "
                + device.map(one -> "device " + one.index() + " '" + one.name() + "'")
                        .orElse("not available");
    }
}
