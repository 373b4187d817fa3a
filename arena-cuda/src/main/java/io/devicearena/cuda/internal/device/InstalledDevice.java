package io.devicearena.cuda.internal.device;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaLimits;
import io.devicearena.Capability;
import io.devicearena.DeviceKind;
import io.devicearena.cuda.internal.driver.Cuda;
import io.devicearena.cuda.internal.driver.CudaLibrary;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

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

    static InstalledDevice of(int handle, int index) {
        DeviceKind kind = attribute(handle, Cuda.INTEGRATED) != 0 ? DeviceKind.INTEGRATED_GPU : DeviceKind.DISCRETE_GPU;
        long memory = Math.max(Cuda.DEVICE_TOTAL_MEMORY.answer(handle), 1);
        return new InstalledDevice(
                handle,
                new ArenaDevice(
                        InstalledDevices.PROVIDER,
                        index,
                        Cuda.deviceName(handle),
                        "CUDA " + driverVersion() + ", compute capability " + computeCapability(handle) + ", "
                                + (memory >> 20) + " MiB",
                        kind,
                        kind.priority() + PRIORITY_MORE,
                        new ArenaLimits(memory, "memory of the device", ALIGNMENT, Long.MAX_VALUE),
                        Set.of(Capability.F16_SHADOW, Capability.KERNELS)));
    }

    private static int attribute(int handle, int attribute) {
        return (int) Cuda.DEVICE_ATTRIBUTE.answer(attribute, handle);
    }

    private static String computeCapability(int handle) {
        return attribute(handle, Cuda.COMPUTE_CAPABILITY_MAJOR) + "."
                + attribute(handle, Cuda.COMPUTE_CAPABILITY_MINOR);
    }

    private static String driverVersion() {
        return CudaLibrary.versionText((int) Cuda.DRIVER_VERSION.answer(0));
    }

    /** The compute capability as one number: 90 for 9.0. */
    public int computeCapability() {
        return 10 * attribute(handle, Cuda.COMPUTE_CAPABILITY_MAJOR) + attribute(handle, Cuda.COMPUTE_CAPABILITY_MINOR);
    }

    /** What names the hardware: the PCI address, else the UUID. */
    public Optional<String> identity() {
        return Cuda.devicePciAddress(handle)
                .map(address -> "pci:" + address.toLowerCase(Locale.ROOT))
                .or(() -> Optional.of("uuid:" + Cuda.deviceUuid(handle)));
    }

    /** What the device offers to kernels, and who it is. */
    public Map<String, Object> facts() {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("deviceName", device.name());
        facts.put("computeCapability", computeCapability(handle));
        facts.put("driverVersion", driverVersion());
        facts.put("library", CudaLibrary.ofProcess().file());
        facts.put("pciAddress", Cuda.devicePciAddress(handle).orElse(""));
        facts.put("uuid", Cuda.deviceUuid(handle).toString());
        facts.put("totalBytes", Cuda.DEVICE_TOTAL_MEMORY.answer(handle));
        facts.put("multiprocessors", (long) attribute(handle, Cuda.MULTIPROCESSOR_COUNT));
        facts.put("maxThreadsPerBlock", (long) attribute(handle, Cuda.MAX_THREADS_PER_BLOCK));
        facts.put("maxSharedBytesPerBlock", (long) attribute(handle, Cuda.MAX_SHARED_MEMORY_PER_BLOCK));
        return facts;
    }

    /** The free memory in bytes. Where no arena is open, this makes a context and drops it. */
    public long freeBytes() {
        long context = Cuda.RETAIN_CONTEXT.answer(handle);
        try {
            Cuda.SET_CURRENT.call(context);
            return Cuda.freeMemory();
        } finally {
            Cuda.RELEASE_CONTEXT.call(handle);
        }
    }
}
