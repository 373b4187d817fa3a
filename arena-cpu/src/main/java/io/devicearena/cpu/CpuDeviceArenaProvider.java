package io.devicearena.cpu;

import com.sun.management.OperatingSystemMXBean;
import io.devicearena.ArenaDevice;
import io.devicearena.ArenaLimits;
import io.devicearena.ArenaOptions;
import io.devicearena.Capability;
import io.devicearena.DeviceKind;
import io.devicearena.MemoryPlan;
import io.devicearena.spi.ArenaBackend;
import io.devicearena.spi.ArenaGeometry;
import io.devicearena.spi.Availability;
import io.devicearena.spi.DeviceArenaProvider;
import io.devicearena.spi.SpiVersion;
import io.devicearena.spi.SystemAllocation;
import io.devicearena.spi.memory.SystemMemory;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The provider {@code cpu}: arenas in host memory. It is available everywhere.
 *
 * <p><b>Threads:</b> immutable.
 */
public final class CpuDeviceArenaProvider implements DeviceArenaProvider {
    private static final String NAME = "cpu";

    /** Makes the provider; {@link java.util.ServiceLoader} does. */
    public CpuDeviceArenaProvider() {}

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
        return new Availability.Ready(List.of(hostMemory()));
    }

    @Override
    public OptionalLong freeBytes(ArenaDevice device) {
        requireOwn(device);
        return SystemMemory.freeBytes();
    }

    @Override
    public OptionalLong totalBytes(ArenaDevice device) {
        requireOwn(device);
        return OptionalLong.of(device.limits().maxArenaBytes());
    }

    @Override
    public ArenaBackend open(ArenaDevice device, MemoryPlan plan, ArenaOptions options) {
        requireOwn(device);
        ArenaGeometry geometry = ArenaGeometry.of(plan, options, device);
        return new HostMemoryBackend(SystemAllocation.allocate("arena", geometry.sizeBytes()));
    }

    private static void requireOwn(ArenaDevice device) {
        if (!Objects.requireNonNull(device, "device").provider().equals(NAME)) {
            throw new IllegalArgumentException("device: expected one of provider '" + NAME + "', got '" + device.name()
                    + "' of provider '" + device.provider() + "'; pass what probe() lists");
        }
    }

    /** The memory of the machine, or of the container where that is less. */
    static ArenaLimits limits(long physicalBytes, OptionalLong limitBytes) {
        boolean limited = limitBytes.isPresent() && limitBytes.getAsLong() <= physicalBytes;
        return new ArenaLimits(
                Math.max(limited ? limitBytes.getAsLong() : physicalBytes, 1),
                limited ? "memory limit of the container" : "physical memory",
                SystemAllocation.ALIGNMENT,
                Long.MAX_VALUE);
    }

    private static long physicalBytes() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system
                ? system.getTotalMemorySize()
                : Long.MAX_VALUE;
    }

    private static ArenaDevice hostMemory() {
        int processors = Runtime.getRuntime().availableProcessors();
        return new ArenaDevice(
                NAME,
                0,
                "host memory",
                System.getProperty("os.name") + " " + System.getProperty("os.arch") + ", " + processors
                        + (processors == 1 ? " processor" : " processors") + ", Java "
                        + System.getProperty("java.version"),
                DeviceKind.HOST,
                DeviceKind.HOST.priority(),
                limits(physicalBytes(), SystemMemory.limitBytes()),
                Set.of(Capability.HOST_MEMORY));
    }
}
