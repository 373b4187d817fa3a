package io.devicearena.wgpu.internal.device;

import io.devicearena.wgpu.internal.gpu.GpuAdapter;
import io.devicearena.wgpu.internal.gpu.GpuDevice;
import io.devicearena.wgpu.internal.gpu.GpuInstance;
import io.devicearena.wgpu.internal.transfer.TransferPools;

/**
 * An open device that arenas share, and the number of arenas that use it.
 *
 * <p>Threads: the count is guarded by {@link SharedDevices}; the device and the pools are safe for any thread.
 */
public final class SharedDevice {
    private final GpuDevice device;
    private final TransferPools pools;
    private final PipelineCache pipelines;
    private final UniformPool uniforms;
    private int arenas;

    private SharedDevice(GpuDevice device, TransferPools pools) {
        this.device = device;
        this.pools = pools;
        this.pipelines = new PipelineCache(device);
        this.uniforms = new UniformPool(device);
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

    /** The device. */
    public GpuDevice device() {
        return device;
    }

    /** The reusable objects of its transfers. */
    public TransferPools pools() {
        return pools;
    }

    /** The compiled pipelines of its arenas. */
    public PipelineCache pipelines() {
        return pipelines;
    }

    /** The constant bytes of uniforms of its arenas. */
    public UniformPool uniforms() {
        return uniforms;
    }

    /** Counts one more arena. */
    void retain() {
        arenas++;
    }

    /** Counts one arena less; returns whether none is left. */
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
