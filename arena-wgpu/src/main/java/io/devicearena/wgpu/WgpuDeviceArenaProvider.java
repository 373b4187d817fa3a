package io.devicearena.wgpu;

import io.devicearena.wgpu.internal.arena.ArenaResources;
import io.devicearena.wgpu.internal.device.InstalledDevices;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaOptions;
import io.devicearena.Capability;
import io.devicearena.DeviceArena;
import io.devicearena.DeviceException;
import io.devicearena.F16ShadowMode;
import io.devicearena.MemoryPlan;
import io.devicearena.spi.ArenaGeometry;
import io.devicearena.spi.Availability;
import io.devicearena.spi.DeviceArenaProvider;
import io.devicearena.spi.SpiVersion;
import java.util.Objects;

/**
 * The provider {@code wgpu}: arenas on any GPU that wgpu-native reaches, through Vulkan, Metal or Direct3D 12. It is
 * available where the library loads and finds a device; a GPU that is emulated in software is one, ranked behind the
 * provider {@code cpu}.
 *
 * <p>{@code DEVICEARENA_WGPU_ADAPTER} (an index or part of a name) picks the devices that are listed,
 * {@code DEVICEARENA_WGPU_BACKEND} (vulkan, metal, dx12 or gl) the interface under the library, and
 * {@code DEVICEARENA_NO_F16_SHADOW} leaves the f16 shadow away. They count when the provider is first asked; so do the
 * properties {@code devicearena.wgpu.adapter}, {@code devicearena.wgpu.backend} and {@code devicearena.noF16Shadow},
 * which come first.
 *
 * <p><b>Threads:</b> immutable.
 */
public final class WgpuDeviceArenaProvider implements DeviceArenaProvider {
    static final String NAME = "wgpu";

    /** Makes the provider; {@link java.util.ServiceLoader} does. */
    public WgpuDeviceArenaProvider() {}

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
        return InstalledDevices.ofProcess().answer();
    }

    @Override
    public DeviceArena open(ArenaDevice device, MemoryPlan plan, ArenaOptions options) {
        InstalledDevices available = InstalledDevices.ofProcess();
        requireListed(Objects.requireNonNull(device, "device"), available.answer());
        ArenaGeometry geometry = ArenaGeometry.of(plan, options, device);
        boolean shadowed =
                device.capabilities().contains(Capability.F16_SHADOW) && options.f16Shadow() != F16ShadowMode.OFF;
        ArenaResources memory = ArenaResources.allocate(
                available.devices().orElseThrow(),
                available.adapters().get(device.index()),
                options.label(),
                geometry.sizeBytes(),
                shadowed ? ArenaResources.shadowBytes(plan, device) : 0);
        return new WgpuDeviceArena(device, plan, options, geometry, memory);
    }

    private static void requireListed(ArenaDevice device, Availability answer) {
        switch (answer) {
            case Availability.Ready(var devices) -> {
                if (!devices.contains(device)) {
                    throw new IllegalArgumentException("device: expected one of provider '" + NAME + "', got '"
                            + device.name() + "' of provider '" + device.provider() + "'; pass what probe() lists");
                }
            }
            case Availability.Missing missing ->
                throw new DeviceException("provider '" + NAME + "': expected it to be" + " available, got: "
                        + missing.reason() + "; " + missing.remedy());
        }
    }
}
