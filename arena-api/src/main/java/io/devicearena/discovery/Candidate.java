package io.devicearena.discovery;

import io.devicearena.spi.Availability;
import io.devicearena.spi.DeviceArenaProvider;
import io.devicearena.spi.SpiVersion;
import org.jspecify.annotations.Nullable;

/**
 * A provider that was found, or the trace of one that could not be loaded. Asking it anything is safe: what it throws
 * becomes an answer.
 *
 * @param name the provider's name, or its class name when it could not be asked
 * @param implementation the class name
 * @param provider the provider, or null when it cannot be used
 * @param fault why it cannot be used, or null when it can
 */
record Candidate(
        String name,
        String implementation,
        @Nullable DeviceArenaProvider provider,
        Availability.@Nullable Missing fault) {
    private static final String UPDATE =
            "use versions of arena-api and the provider that belong together, or take the provider off the path";

    static Candidate of(DeviceArenaProvider provider) {
        String implementation = provider.getClass().getName();
        String name = implementation;
        try {
            String answer = provider.name();
            if (answer == null || answer.isBlank()) {
                return broken(
                        implementation,
                        implementation,
                        "it has no name: expected a text, got " + (answer == null ? "null" : "'" + answer + "'"),
                        "report this to the provider's author");
            }
            name = answer;
            int version = provider.spiVersion();
            if (version != SpiVersion.CURRENT) {
                return broken(
                        name,
                        implementation,
                        "it was built for version " + version + " of the provider SPI, this arena-api speaks version "
                                + SpiVersion.CURRENT,
                        "use versions of arena-api and the provider that belong together");
            }
            return new Candidate(name, implementation, provider, null);
        } catch (VirtualMachineError e) {
            throw e;
        } catch (Throwable e) { // whatever a provider throws, the others live on
            return broken(name, implementation, "asking it for its name and version failed: " + e, UPDATE);
        }
    }

    static Candidate broken(String name, String implementation, String reason, String remedy) {
        return new Candidate(name, implementation, null, new Availability.Missing(reason, remedy));
    }

    /** Asks the provider; never throws what the provider throws. */
    Availability probe() {
        if (provider == null) {
            return fault == null ? new Availability.Missing("it is not loaded", UPDATE) : fault;
        }
        try {
            Availability answer = provider.probe();
            return answer == null
                    ? new Availability.Missing("its probe answered null", "report this to the provider's author")
                    : answer;
        } catch (VirtualMachineError e) {
            throw e;
        } catch (Throwable e) { // whatever a provider throws, the others live on
            return new Availability.Missing(
                    "its probe threw " + e, "report this to the provider's author; a probe must answer, not throw");
        }
    }

    ProviderReport report() {
        return new ProviderReport(name, implementation, probe());
    }
}
