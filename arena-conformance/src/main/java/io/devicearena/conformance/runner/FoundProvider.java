package io.devicearena.conformance.runner;

import io.devicearena.discovery.DeviceArenas;
import io.devicearena.discovery.ProviderReport;
import io.devicearena.spi.Availability;
import io.devicearena.spi.DeviceArenaProvider;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;

/**
 * A provider on the path: what the library says of it, and itself where it can be made. The kit tests also those that
 * the library refuses, such as one for another version of the SPI: its clauses say best what is wrong.
 */
record FoundProvider(ProviderReport report, Optional<DeviceArenaProvider> provider) {
    /** A broken provider file can make the loader fail again and again: past this many failures in a row we stop. */
    private static final int MOST_FAILURES_IN_A_ROW = 100;

    /** Finds all, in the order in which the library lists them. */
    static List<FoundProvider> onThePath() {
        Map<String, DeviceArenaProvider> made = made(DeviceArenaProvider.class.getClassLoader());
        return DeviceArenas.providers().stream()
                .map(report -> new FoundProvider(report, Optional.ofNullable(made.get(report.implementation()))))
                .toList();
    }

    /**
     * Makes every provider that can be made, by class name; what is wrong with the others, the library's report says.
     */
    private static Map<String, DeviceArenaProvider> made(ClassLoader loader) {
        Map<String, DeviceArenaProvider> made = new HashMap<>();
        Iterator<ServiceLoader.Provider<DeviceArenaProvider>> all =
                ServiceLoader.load(DeviceArenaProvider.class, loader).stream().iterator();
        int failures = 0;
        while (failures < MOST_FAILURES_IN_A_ROW) {
            try {
                if (!all.hasNext()) {
                    break;
                }
                DeviceArenaProvider provider = all.next().get();
                made.put(provider.getClass().getName(), provider);
                failures = 0;
            } catch (ServiceConfigurationError | LinkageError e) {
                failures++; // the report has it
            }
        }
        return made;
    }

    /** How many devices the provider lists. */
    int devices() {
        return report.availability() instanceof Availability.Ready ready
                ? ready.devices().size()
                : 0;
    }

    /** Why no arena can be opened on it, or empty when one can. */
    Optional<String> absence() {
        return switch (report.availability()) {
            case Availability.Ready ready -> Optional.empty();
            case Availability.Missing missing -> Optional.of(missing.reason() + "; " + missing.remedy());
        };
    }
}
