package com.example.opencl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.devicearena.discovery.DeviceArenas;
import io.devicearena.discovery.ProviderReport;
import io.devicearena.spi.Availability;
import org.junit.jupiter.api.Test;

/** Found on the module path and, in an execution of its own, on the class path. */
class RegistrationTest {
    @Test
    void engineFindsTheProvider_availableOrWithAReason() {
        ProviderReport report = DeviceArenas.providers().stream()
                .filter(found -> found.name().equals("opencl"))
                .findFirst()
                .orElseThrow();
        switch (report.availability()) {
            case Availability.Ready ready ->
                ready.devices().forEach(device -> assertEquals("opencl", device.provider()));
            case Availability.Missing missing -> assertFalse(missing.remedy().isBlank());
        }
    }
}
