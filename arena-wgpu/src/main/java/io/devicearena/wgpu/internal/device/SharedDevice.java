package io.devicearena.wgpu.internal.device;

import io.devicearena.wgpu.internal.gpu.GpuAdapter;
import io.devicearena.wgpu.internal.gpu.GpuDevice;
import io.devicearena.wgpu.internal.gpu.GpuInstance;
import io.devicearena.wgpu.internal.gpu.GpuPipeline;
import io.devicearena.wgpu.internal.lifetime.SharedObjects;
import io.devicearena.wgpu.internal.lifetime.Uses;
import io.devicearena.wgpu.internal.transfer.TransferPools;

/**
 * An open device that arenas share.
 *
 * <p>Threads: safe for any thread.
 */
public final class SharedDevice {
    private final GpuDevice device;
    private final TransferPools pools;
    /** An equal program is compiled once, also when several threads ask for it at a time. */
    private final SharedObjects<GpuPipeline.Program, GpuPipeline> pipelines =
            new SharedObjects<>((_, pipeline) -> pipeline.close());

    private final UniformPool uniforms;
    /** Its users: its owner is {@link SharedDevices}, the others are arenas. */
    final Uses uses = new Uses(this::close);

    private SharedDevice(GpuDevice device, TransferPools pools) {
        this.device = device;
        this.pools = pools;
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
    public SharedObjects<GpuPipeline.Program, GpuPipeline> pipelines() {
        return pipelines;
    }

    /**
     * Returns the pipeline of a program, for one more user of {@link #pipelines}, where a release must follow.
     *
     * @throws io.devicearena.DeviceException if the device or the library refuses the program
     */
    public GpuPipeline pipeline(GpuPipeline.Program program) {
        return pipelines.acquire(program, () -> LargeStackThread.call(() -> GpuPipeline.compile(device, program)));
    }

    /** The constant bytes of uniforms of its arenas. */
    public UniformPool uniforms() {
        return uniforms;
    }

    private void close() {
        pools.close();
        device.close();
    }
}
