package io.devicearena.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.devicearena.ArenaDevice;
import io.devicearena.testing.ByteArrayBackend;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class AvailabilityTest {
    private static final ArenaDevice FIRST = ByteArrayBackend.byteArray();

    @Test
    void readyNeedsADevice() {
        assertThatThrownBy(() -> new Availability.Ready(List.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("devices: expected at least one, got none; a provider without a device is missing");
    }

    @Test
    void readyNeedsDevicesInTheOrderOfTheirIndices() {
        assertThatThrownBy(() -> new Availability.Ready(List.of(FIRST, FIRST)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("device 'byte array': expected index 1, its position in the list, got 0");
    }

    @Test
    void readyCopiesItsList() {
        List<ArenaDevice> devices = new ArrayList<>(List.of(FIRST));
        Availability.Ready ready = new Availability.Ready(devices);
        devices.clear();
        assertThat(ready.devices()).containsExactly(FIRST);
    }

    @Test
    @SuppressWarnings("NullAway") // null is what these calls are about
    void missingNeedsReasonAndRemedy() {
        assertThatThrownBy(() -> new Availability.Missing(null, "buy one"))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("reason");
        assertThatThrownBy(() -> new Availability.Missing("no GPU", null))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("remedy");
    }
}
