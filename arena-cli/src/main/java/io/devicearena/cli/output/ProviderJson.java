package io.devicearena.cli.output;

import io.devicearena.cli.json.JsonFields;
import io.devicearena.discovery.ProviderReport;
import io.devicearena.spi.Availability;

/**
 * What documents say of a provider: its name, its class, and whether it is available.
 *
 * <p><b>Threads:</b> static and stateless; safe for any thread.
 */
public final class ProviderJson {
    private ProviderJson() {}

    /**
     * Writes the first fields of a provider.
     *
     * @param report what is known of it
     * @param json where they are written
     */
    public static void begin(ProviderReport report, JsonFields json) {
        json.put("name", report.name())
                .put("implementation", report.implementation())
                .put("available", report.availability() instanceof Availability.Ready);
        if (report.availability() instanceof Availability.Missing missing) {
            json.put("reason", missing.reason()).put("remedy", missing.remedy());
        }
    }
}
