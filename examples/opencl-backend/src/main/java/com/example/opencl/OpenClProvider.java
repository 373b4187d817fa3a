package com.example.opencl;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaOptions;
import io.devicearena.MemoryPlan;
import io.devicearena.spi.ArenaBackend;
import io.devicearena.spi.ArenaGeometry;
import io.devicearena.spi.Availability;
import io.devicearena.spi.DeviceArenaProvider;
import io.devicearena.spi.SpiVersion;
import java.util.List;
import java.util.Optional;

/**
 * The provider {@code opencl}: arenas in buffers of OpenCL devices, of all platforms that the machine has.
 *
 * <p><b>Threads:</b> immutable.
 */
public final class OpenClProvider implements DeviceArenaProvider {
    static final String NAME = "opencl";

    /** Makes the provider; {@link java.util.ServiceLoader} does. */
    public OpenClProvider() {}

    @Override
    public int spiVersion() {
        return SpiVersion.CURRENT;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Availability probe() {
        try {
            List<ClDevice> devices = ClDevice.all();
            return devices.isEmpty()
                    ? new Availability.Missing(
                            "OpenCL lists no device", "install the driver of one (Debian: pocl-opencl-icd)")
                    : new Availability.Ready(
                            devices.stream().map(one -> one.device).toList());
        } catch (LinkageError | RuntimeException e) { // no library, one without a function, or a driver that fails
            Throwable why = e.getCause() == null ? e : e.getCause();
            return new Availability.Missing(
                    ("OpenCL did not answer: " + why).replaceAll("\\R", " "),
                    "install an OpenCL loader and a driver (Debian: ocl-icd-libopencl1 and pocl-opencl-icd)");
        }
    }

    @Override
    public Optional<String> identity(ArenaDevice device) {
        return ClDevice.of(device).identity();
    }

    @Override
    public ArenaBackend open(ArenaDevice device, MemoryPlan plan, ArenaOptions options) {
        if (!device.provider().equals(NAME)) {
            throw new IllegalArgumentException("device: expected one of provider '" + NAME + "', got '" + device.name()
                    + "' of provider '" + device.provider() + "'; pass what probe() lists");
        }
        ArenaGeometry geometry = ArenaGeometry.of(plan, options, device);
        return OpenClBackend.allocate(ClDevice.of(device), geometry.sizeBytes());
    }
}
