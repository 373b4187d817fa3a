package io.devicearena.wgpu.internal.device;

import io.devicearena.wgpu.internal.gpu.GpuAdapter;
import io.devicearena.wgpu.internal.gpu.GpuInstance;
import java.util.HashMap;
import java.util.Map;

/**
 * The devices in use in this process, one for each adapter, shared by its arenas and counted.
 *
 * <p>A device that no arena uses is kept for the next one: opening takes tens of milliseconds. Its staging is given back.
 * A device that was lost is given back with its last arena, and the next arena gets a new one.
 *
 * <p>Threads: safe for any thread.
 */
final class SharedDevices {
    private final GpuInstance instance;
    private final Map<GpuAdapter, SharedDevice> open = new HashMap<>();

    SharedDevices(GpuInstance instance) {
        this.instance = instance;
    }

    GpuInstance instance() {
        return instance;
    }

    /** Counts an arena in; {@link #release} must follow. */
    synchronized SharedDevice retain(GpuAdapter adapter) {
        SharedDevice device = open.get(adapter);
        if (device != null && device.device().isLost()) {
            open.remove(adapter);
            if (device.arenas() == 0) {
                device.close();
            }
            device = null;
        }
        if (device == null) {
            device = SharedDevice.open(instance, adapter);
            open.put(adapter, device);
        }
        device.retain();
        return device;
    }

    /** Counts an arena out. */
    synchronized void release(SharedDevice device) {
        if (device.release()) {
            if (device.device().isLost()) {
                open.values().remove(device);
                device.close();
            } else {
                device.pools().trim();
            }
        }
    }
}
