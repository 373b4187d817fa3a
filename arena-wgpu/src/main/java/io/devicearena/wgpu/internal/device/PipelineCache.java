package io.devicearena.wgpu.internal.device;

import io.devicearena.wgpu.internal.gpu.GpuDevice;
import io.devicearena.wgpu.internal.gpu.GpuPipeline;
import io.devicearena.wgpu.internal.lifetime.SharedObjects;

/**
 * The compiled pipelines of one device, for all arenas: an equal program is compiled once, also when several threads
 * ask for it at a time. A pipeline is freed with its last user.
 *
 * <p>Threads: safe for any thread.
 */
public final class PipelineCache {
    private final GpuDevice device;
    private final SharedObjects<GpuPipeline.Program, GpuPipeline> pipelines =
            new SharedObjects<>((_, pipeline) -> pipeline.close());

    PipelineCache(GpuDevice device) {
        this.device = device;
    }

    /**
     * Returns the pipeline of a program, for one more user; {@link #release} must follow.
     *
     * @throws io.devicearena.DeviceException if the device or the library refuses the program
     */
    public GpuPipeline acquire(GpuPipeline.Program program) {
        return pipelines.acquire(program, () -> LargeStackThread.call(() -> GpuPipeline.compile(device, program)));
    }

    /** Ends the use of a pipeline by one user. */
    public void release(GpuPipeline.Program program) {
        pipelines.release(program);
    }

    /** The number of pipelines, those that are being compiled included. */
    public int size() {
        return pipelines.size();
    }
}
