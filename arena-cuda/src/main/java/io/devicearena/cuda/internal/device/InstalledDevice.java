package io.devicearena.cuda.internal.device;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaLimits;
import io.devicearena.Capability;
import io.devicearena.DeviceKind;
import io.devicearena.cuda.internal.driver.Cuda;
import io.devicearena.cuda.internal.driver.CudaLibrary;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * A GPU that the driver lists.
 *
 * <p>Threads: immutable.
 *
 * @param handle the {@code CUdevice}
 * @param device what users see
 */
public record InstalledDevice(int handle, ArenaDevice device) {
    /** Before the same GPU by another provider, such as wgpu: transfers and launches are faster. */
    private static final int PRIORITY_MORE = 10;

    /** A line of the cache, the unit of accesses to memory. */
    private static final long ALIGNMENT = 128;

    private static final int UUID_BYTES = 16;

    static InstalledDevice of(int handle, int index) {
        DeviceKind kind = Cuda.deviceAttribute(handle, Cuda.INTEGRATED) != 0
                ? DeviceKind.INTEGRATED_GPU
                : DeviceKind.DISCRETE_GPU;
        long memory = Math.max(Cuda.deviceTotalMemory(handle), 1);
        return new InstalledDevice(
                handle,
                new ArenaDevice(
                        InstalledDevices.PROVIDER,
                        index,
                        Cuda.deviceName(handle),
                        "CUDA " + CudaLibrary.versionText(Cuda.driverVersion()) + ", compute capability "
                                + computeCapability(handle) + ", " + (memory >> 20) + " MiB",
                        kind,
                        kind.priority() + PRIORITY_MORE,
                        new ArenaLimits(memory, "memory of the device", ALIGNMENT, Long.MAX_VALUE),
                        Set.of(Capability.F16_SHADOW, Capability.KERNELS)));
    }

    private static String computeCapability(int handle) {
        int both = tenTimesComputeCapability(handle);
        return both / 10 + "." + both % 10;
    }

    private static int tenTimesComputeCapability(int handle) {
        return 10 * Cuda.deviceAttribute(handle, Cuda.COMPUTE_CAPABILITY_MAJOR)
                + Cuda.deviceAttribute(handle, Cuda.COMPUTE_CAPABILITY_MINOR);
    }

    /** The compute capability as one number: 90 for 9.0. */
    public int computeCapability() {
        return tenTimesComputeCapability(handle);
    }

    /** What names the hardware: the PCI address, else the UUID. */
    public Optional<String> identity() {
        return Cuda.devicePciAddress(handle)
                .map(address -> "pci:" + address.toLowerCase(Locale.ROOT))
                .or(() -> Optional.of("uuid:" + uuid()));
    }

    private UUID uuid() {
        ByteBuffer bytes = ByteBuffer.wrap(Cuda.deviceUuid(handle), 0, UUID_BYTES);
        return new UUID(bytes.getLong(), bytes.getLong());
    }

    /** What the device offers to kernels, and who it is. */
    public Map<String, Object> facts() {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("deviceName", device.name());
        facts.put("computeCapability", computeCapability(handle));
        facts.put("driverVersion", CudaLibrary.versionText(Cuda.driverVersion()));
        facts.put("library", CudaLibrary.ofProcess().file());
        facts.put("pciAddress", Cuda.devicePciAddress(handle).orElse(""));
        facts.put("uuid", uuid().toString());
        facts.put("totalBytes", Cuda.deviceTotalMemory(handle));
        facts.put("multiprocessors", (long) Cuda.deviceAttribute(handle, Cuda.MULTIPROCESSOR_COUNT));
        facts.put("maxThreadsPerBlock", (long) Cuda.deviceAttribute(handle, Cuda.MAX_THREADS_PER_BLOCK));
        facts.put("maxSharedBytesPerBlock", (long) Cuda.deviceAttribute(handle, Cuda.MAX_SHARED_MEMORY_PER_BLOCK));
        return facts;
    }

    /** The free memory in bytes. Where no arena is open, this makes a context and drops it. */
    public long freeBytes() {
        long context = Cuda.retainPrimaryContext(handle);
        try {
            Cuda.setCurrent(context);
            return Cuda.freeMemory();
        } finally {
            Cuda.releasePrimaryContext(handle);
        }
    }
}
