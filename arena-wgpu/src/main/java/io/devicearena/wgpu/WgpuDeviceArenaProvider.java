package io.devicearena.wgpu;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaOptions;
import io.devicearena.MemoryPlan;
import io.devicearena.spi.ArenaBackend;
import io.devicearena.spi.ArenaOverhead;
import io.devicearena.spi.Availability;
import io.devicearena.spi.DeviceArenaProvider;
import io.devicearena.spi.SpiVersion;
import io.devicearena.spi.memory.SystemMemory;
import io.devicearena.wgpu.internal.arena.ArenaContext;
import io.devicearena.wgpu.internal.arena.WgpuBackend;
import io.devicearena.wgpu.internal.device.InstalledDevices;
import io.devicearena.wgpu.internal.device.PciAddress;
import io.devicearena.wgpu.kernel.Kernels;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The provider {@code wgpu}: arenas on any GPU that wgpu-native supports, through Vulkan, Metal or Direct3D 12.
 *
 * <p>The provider is available if the library loads and finds a device. A GPU that is emulated in software counts as a
 * device and ranks behind the provider {@code cpu}.
 *
 * <p>Settings, read once, when the provider is first used. Each is a system property, or the environment variable next
 * to it. With a wrong value the provider is not available, and says why:
 *
 * <ul>
 *   <li>{@code devicearena.wgpu.adapter}, {@code DEVICEARENA_WGPU_ADAPTER}: lists only some devices, by index or by
 *       part of the name; a number that is no index is part of a name, such as {@code 4090}
 *   <li>{@code devicearena.wgpu.backend}, {@code DEVICEARENA_WGPU_BACKEND}: the graphics API: {@code vulkan}, {@code
 *       metal}, {@code dx12}, {@code gl}, or {@code primary} for the first three, which is the default
 *   <li>{@code devicearena.no.f16Shadow}, {@code DEVICEARENA_NO_F16_SHADOW}: {@code on} disables the f16 shadow, {@code
 *       off} does not; {@code true}, {@code yes}, {@code 1} and {@code false}, {@code no}, {@code 0} mean the same
 *   <li>{@code devicearena.wgpu.segmentBytes}, {@code DEVICEARENA_WGPU_SEGMENT_BYTES}: the largest segment of an arena,
 *       a multiple of 256 bytes; by default, and at most, the largest buffer of the device. Small segments serve tests
 * </ul>
 *
 * <p><b>Threads:</b> immutable.
 */
public final class WgpuDeviceArenaProvider implements DeviceArenaProvider {
    /** Makes the provider, for {@link java.util.ServiceLoader}. */
    public WgpuDeviceArenaProvider() {}

    @Override
    public int spiVersion() {
        return SpiVersion.CURRENT;
    }

    @Override
    public String name() {
        return InstalledDevices.PROVIDER;
    }

    @Override
    public Availability probe() {
        return InstalledDevices.ofProcess().answer();
    }

    /** The {@link io.devicearena.wgpu.kernel.KernelFacts} of a device, without the period of timestamps. */
    @Override
    public Map<String, Object> facts(ArenaDevice device) {
        return WgpuDevices.facts(device).values();
    }

    /** The PCI address, where exactly one PCI device of the machine has the vendor and the model of the GPU. */
    @Override
    public Optional<String> identity(ArenaDevice device) {
        return PciAddress.of(InstalledDevices.ofProcess().adapter(device));
    }

    /** The free memory of the host for a GPU that is emulated in software; others do not say. */
    @Override
    public OptionalLong freeBytes(ArenaDevice device) {
        return isEmulated(device) ? SystemMemory.freeBytes() : OptionalLong.empty();
    }

    /** The memory of the host for a GPU that is emulated in software; others do not say. */
    @Override
    public OptionalLong totalBytes(ArenaDevice device) {
        return isEmulated(device) ? SystemMemory.totalBytes() : OptionalLong.empty();
    }

    private static boolean isEmulated(ArenaDevice device) {
        return InstalledDevices.ofProcess().adapter(device).isEmulated();
    }

    @Override
    public ArenaOverhead overhead(ArenaDevice device, MemoryPlan plan, ArenaOptions options) {
        return WgpuBackend.overhead(device, plan, options);
    }

    @Override
    public ArenaBackend open(ArenaDevice device, MemoryPlan plan, ArenaOptions options) {
        InstalledDevices available = InstalledDevices.ofProcess();
        return WgpuBackend.allocate(
                available.devices().orElseThrow(),
                available.adapter(device),
                device,
                plan,
                options,
                WgpuDeviceArenaProvider::unwrap);
    }

    private static <T> Optional<T> unwrap(Class<T> type, ArenaContext arena) {
        if (type == Kernels.class) {
            return arena.open().arena().unwrap(WgpuArena.class).map(opened -> type.cast(opened.kernels()));
        }
        return type == WgpuArena.class ? Optional.of(type.cast(new OpenedArena(arena))) : Optional.empty();
    }
}
