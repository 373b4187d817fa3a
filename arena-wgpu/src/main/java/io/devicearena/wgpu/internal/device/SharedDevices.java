package io.devicearena.wgpu.internal.device;

import io.devicearena.wgpu.internal.gpu.GpuAdapter;
import io.devicearena.wgpu.internal.gpu.GpuInstance;
import java.util.HashMap;
import java.util.Map;

/**
 * The open devices of this process: one for each adapter, shared by its arenas.
 *
 * <p>A device without arenas stays open for the next arena, since to open one takes tens of milliseconds; its unused
 * staging is freed. A lost device is closed with its last arena, and the next arena opens a new device.
 *
 * <p>Threads: safe for any thread.
 */
public final class SharedDevices {
    private final GpuInstance instance;
    private final Map<GpuAdapter, SharedDevice> open = new HashMap<>();

    SharedDevices(GpuInstance instance) {
        this.instance = instance;
    }

    /** The instance of all devices. */
    public GpuInstance instance() {
        return instance;
    }

    /** Returns the device of an adapter, for one more arena; {@link #release} must follow. */
    public synchronized SharedDevice acquire(GpuAdapter adapter) {
        SharedDevice device = open.get(adapter);
        if (device == null || device.device().isLost() || !device.uses.acquire()) {
            if (device != null) {
                device.uses.close();
            }
            device = SharedDevice.open(instance, adapter);
            open.put(adapter, device);
            device.uses.acquire();
        }
        return device;
    }

    /** Ends the use of a device by one arena. */
    public synchronized void release(SharedDevice device) {
        boolean lost = device.device().isLost();
        if (lost) {
            open.values().remove(device);
            device.uses.close();
        }
        device.uses.release();
        if (!lost && !device.uses.isShared()) {
            device.pools().trim();
        }
    }
}
