package io.devicearena.wgpu.internal.device;

import io.devicearena.wgpu.internal.gpu.GpuAdapter;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

/**
 * Finds the PCI address of a GPU. The library reports only its vendor and its model, so this lists the PCI devices of
 * the machine: the address is known if exactly one device has both.
 *
 * <p><b>Source:</b> the Linux kernel's ABI documentation, sysfs-bus-pci: one folder per device, named by its address,
 * with the files {@code vendor} and {@code device}.
 *
 * <p>Threads: safe for any thread.
 */
public final class PciAddress {
    private static final Path LINUX_DEVICES = Path.of("/sys/bus/pci/devices");

    private PciAddress() {}

    /** Returns {@code pci:} and the address of the device of an adapter, if it is known. */
    public static Optional<String> of(GpuAdapter adapter) {
        return find(LINUX_DEVICES, adapter.vendorId(), adapter.deviceId());
    }

    static Optional<String> find(Path devices, int vendor, int model) {
        if (vendor == 0 || !Files.isDirectory(devices)) {
            return Optional.empty();
        }
        Optional<String> found = Optional.empty();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(devices)) {
            for (Path device : all) {
                if (holds(device.resolve("vendor"), vendor) && holds(device.resolve("device"), model)) {
                    if (found.isPresent()) {
                        return Optional.empty(); // two of one model: which of them it is is not known
                    }
                    found = Optional.of("pci:" + device.getFileName().toString().toLowerCase(Locale.ROOT));
                }
            }
        } catch (IOException e) {
            return Optional.empty(); // not readable: the address is not known
        }
        return found;
    }

    private static boolean holds(Path file, int number) throws IOException {
        return Files.isReadable(file)
                && Files.readString(file).strip().equalsIgnoreCase(String.format(Locale.ROOT, "0x%04x", number));
    }
}
