package io.devicearena.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.discovery.DeviceArenas;
import io.devicearena.discovery.ProviderReport;
import io.devicearena.spi.Availability;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** A build that names providers in {@code DEVICEARENA_REQUIRE} fails if one of them is missing. */
class RequiredProvidersTest {
    @Test
    void everyRequiredProviderIsAvailable() {
        List<String> required = Arrays.stream(
                        Pattern.compile(",").split(System.getenv().getOrDefault("DEVICEARENA_REQUIRE", "cpu")))
                .map(String::strip)
                .filter(name -> !name.isEmpty())
                .toList();
        List<ProviderReport> reports = DeviceArenas.providers();
        List<String> available = reports.stream()
                .filter(report -> report.availability() instanceof Availability.Ready)
                .map(ProviderReport::name)
                .collect(Collectors.toList());
        assertThat(available).as("available among %s", reports).containsAll(required);
    }
}
