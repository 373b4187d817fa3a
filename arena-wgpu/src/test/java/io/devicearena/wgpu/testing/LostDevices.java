package io.devicearena.wgpu.testing;

import io.devicearena.wgpu.internal.device.InstalledDevices;
import io.devicearena.wgpu.internal.device.SharedDevice;
import io.devicearena.wgpu.internal.device.SharedDevices;

/** Makes devices lost while arenas use them, as a driver may. */
public final class LostDevices {
    private LostDevices() {}

    /** Makes the shared device of the first adapter lost; no call has noticed it yet. */
    public static void lose() {
        InstalledDevices available = InstalledDevices.ofProcess();
        SharedDevices devices = available.devices().orElseThrow();
        SharedDevice shared = devices.acquire(available.adapter(TestArenas.device()));
        shared.device().destroy();
        devices.release(shared);
    }
}
