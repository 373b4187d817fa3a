package io.devicearena.conformance;

import io.devicearena.ArenaDevice;
import io.devicearena.spi.Availability;
import io.devicearena.spi.DeviceArenaProvider;
import java.util.List;
import java.util.Optional;

/**
 * What one pass through the clauses tests: a provider, and one of its devices where it has any.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param provider the provider
 * @param device the device, or empty when the provider is not available
 * @param absence why there is no device; empty text when there is one
 */
public record Subject(DeviceArenaProvider provider, Optional<ArenaDevice> device, String absence) {
    /**
     * Asks a provider for its devices.
     *
     * @param provider the provider
     * @return a subject for each device; one without a device when the provider is not available, or does not answer as
     *     it must, which clauses 12.1 to 12.4 then tell in full
     */
    static List<Subject> of(DeviceArenaProvider provider) {
        try {
            return switch (provider.probe()) {
                case Availability.Ready ready ->
                    ready.devices().stream()
                            .map(device -> new Subject(provider, Optional.of(device), ""))
                            .toList();
                case Availability.Missing missing ->
                    List.of(new Subject(provider, Optional.empty(), missing.reason() + "; " + missing.remedy()));
            };
        } catch (RuntimeException | LinkageError | AssertionError e) { // clause 12.3 fails on the same
            return List.of(new Subject(provider, Optional.empty(), "probe() threw " + e));
        }
    }

    /**
     * The provider's name, whatever the provider does when asked.
     *
     * @return the name, or the class name of a provider that does not tell it
     */
    public String providerName() {
        try {
            String name = provider.name();
            return name == null ? provider.getClass().getName() : name;
        } catch (RuntimeException e) { // clause 12.1 fails on the same
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
