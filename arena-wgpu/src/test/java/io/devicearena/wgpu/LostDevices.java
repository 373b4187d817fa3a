package io.devicearena.wgpu;

/** Takes devices away from under arenas, as a driver may. */
final class LostDevices {
    private LostDevices() {}

    /** Makes the device that arenas on the first adapter share lost; nobody knows it yet. */
    static void lose() {
        WgpuAvailability available = WgpuAvailability.ofProcess();
        WgpuDevices devices = available.devices().orElseThrow();
        OpenDevice shared = devices.retain(available.adapters().getFirst());
        shared.device().destroy();
        devices.release(shared);
    }
}
