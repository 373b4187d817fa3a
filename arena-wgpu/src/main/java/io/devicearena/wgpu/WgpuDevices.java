package io.devicearena.wgpu;

import io.devicearena.ArenaDevice;
import io.devicearena.wgpu.internal.device.InstalledDevices;
import io.devicearena.wgpu.kernel.KernelFacts;

/**
 * The limits and features of the devices of provider {@code wgpu}, before an arena is open.
 *
 * <p><b>Threads:</b> safe for any thread.
 */
public final class WgpuDevices {
    private WgpuDevices() {}

    /**
     * Returns what a device offers to kernels. It opens nothing.
     *
     * @param device a device of provider {@code wgpu}, for example the answer of
     *     {@link io.devicearena.discovery.DeviceArenas#choose}
     * @return the facts, without the period of timestamps
     * @throws IllegalArgumentException if {@code device} is not one of provider {@code wgpu}
     * @throws io.devicearena.DeviceException if the provider is not available
     */
    public static KernelFacts facts(ArenaDevice device) {
        return InstalledDevices.ofProcess().adapter(device).facts();
    }
}
