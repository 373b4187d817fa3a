package io.devicearena.discovery;

import io.devicearena.spi.Availability;
import java.util.Objects;

/**
 * A provider that was found, and whether it is available.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param name the provider's name, or its class name when {@code name()} failed
 * @param implementation the provider's class name, to distinguish two of one name
 * @param availability its devices, or why there are none and what would fix it
 */
public record ProviderReport(String name, String implementation, Availability availability) {
    /** Makes the report. */
    public ProviderReport {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(implementation, "implementation");
        Objects.requireNonNull(availability, "availability");
    }
}
