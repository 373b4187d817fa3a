package io.devicearena.wgpu.internal.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PciAddressTest {
    @TempDir
    Path devices;

    /** A folder without colons, which some file systems refuse. */
    private void add(String address, String vendor, String model) throws IOException {
        Path device = Files.createDirectory(devices.resolve(address));
        Files.writeString(device.resolve("vendor"), vendor + "\n");
        Files.writeString(device.resolve("device"), model + "\n");
    }

    @Test
    void addressOfTheOnlyDeviceOfAModel_isFound() throws IOException {
        add("0000-00", "0x8086", "0x2335");
        add("0000-3B", "0x10de", "0x2335");
        assertThat(PciAddress.find(devices, 0x10DE, 0x2335)).contains("pci:0000-3b");
        assertThat(PciAddress.find(devices, 0x10DE, 0x2336)).isEmpty();
    }

    @Test
    void twoOfAModel_noNumbersAndNoFolder_areUnknown() throws IOException {
        add("0000-3b", "0x10de", "0x2335");
        add("0000-5e", "0x10de", "0x2335");
        Files.createDirectory(devices.resolve("0000-00"));
        assertThat(PciAddress.find(devices, 0x10DE, 0x2335)).isEmpty();
        assertThat(PciAddress.find(devices, 0, 0)).isEmpty();
        assertThat(PciAddress.find(devices.resolve("none"), 0x10DE, 0x2335)).isEmpty();
    }
}
