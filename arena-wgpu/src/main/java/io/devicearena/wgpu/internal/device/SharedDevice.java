package io.devicearena.wgpu.internal.device;

import io.devicearena.wgpu.internal.gpu.GpuAdapter;
import io.devicearena.wgpu.internal.gpu.GpuDevice;
import io.devicearena.wgpu.internal.gpu.GpuInstance;
import io.devicearena.wgpu.internal.transfer.TransferPools;

/**
 * A device that arenas share, and how many do.
 *
 * <p>Threads: guarded by {@link SharedDevices}, but for the device and the pools themselves.
 */
final class SharedDevice {
    private final GpuDevice device;
    private final TransferPools pools;
    private int arenas;

    private SharedDevice(GpuDevice device, TransferPools pools) {
        this.device = device;
        this.pools = pools;
    }

    static SharedDevice open(GpuInstance instance, GpuAdapter adapter) {
        GpuDevice device = GpuDevice.open(instance, adapter);
        try {
            return new SharedDevice(device, new TransferPools(device));
        } catch (RuntimeException | Error e) {
            device.close();
            throw e;
        }
    }

    GpuDevice device() {
        return device;
    }

    TransferPools pools() {
        return pools;
    }

    void retain() {
        arenas++;
    }

    /** One arena less; tells whether none is left. */
    boolean release() {
        return --arenas == 0;
    }

    int arenas() {
        return arenas;
    }

    void close() {
        pools.close();
        device.close();
    }
}
