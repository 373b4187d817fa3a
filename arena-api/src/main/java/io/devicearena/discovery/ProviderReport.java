package io.devicearena.discovery;

import io.devicearena.spi.Availability;
import java.util.Objects;

/**
 * What asking a provider gave.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param name the provider's name, or its class name when it could not be asked
 * @param implementation the provider's class name, for telling two of one name apart
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
