package io.devicearena.wgpu.testing;

import io.devicearena.wgpu.internal.device.InstalledDevices;
import io.devicearena.wgpu.internal.device.SharedDevice;
import io.devicearena.wgpu.internal.device.SharedDevices;

/** Takes devices away from under arenas, as a driver may. */
final class LostDevices {
    private LostDevices() {}

    /** Makes the device that arenas on the first adapter share lost; nobody knows it yet. */
    static void lose() {
        InstalledDevices available = InstalledDevices.ofProcess();
        SharedDevices devices = available.devices().orElseThrow();
        SharedDevice shared = devices.retain(available.adapters().getFirst());
        shared.device().destroy();
        devices.release(shared);
    }
}
