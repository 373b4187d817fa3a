package io.devicearena.wgpu.internal.builtin;

import io.devicearena.wgpu.ffi.WgpuNative;
import io.devicearena.wgpu.internal.gpu.GpuBindGroup;
import io.devicearena.wgpu.internal.gpu.GpuBuffer;
import io.devicearena.wgpu.internal.gpu.GpuDevice;
import io.devicearena.wgpu.internal.gpu.StagingBuffer;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * The bind group with which {@link Gather} writes to one staging buffer, and its list of jobs. An engine reads the same
 * few batches again and again, each through the same staging, so the jobs are mostly on the device already.
 *
 * <p>Threads: as the staging buffer that it belongs to.
 */
final class GatherTarget implements StagingBuffer.Companion {
    private final GpuDevice device;
    private final Arena memory = Arena.ofShared();
    private final GpuBuffer jobs;
    private final GpuBindGroup group;
    /** The jobs that are on the device, or on their way to it. */
    private final MemorySegment written = MemorySegment.ofArray(new byte[Gather.JOBS_BYTES]);

    private long writtenBytes;

    GatherTarget(GpuDevice device, StagingBuffer staging, Gather gather) {
        this.device = device;
        this.jobs = device.createBuffer(
                "device arena gather jobs",
                Gather.JOBS_BYTES,
                WgpuNative.WGPUBufferUsage_Uniform() | WgpuNative.WGPUBufferUsage_CopyDst());
        try {
            this.group = gather.bindTarget(staging.buffer(), jobs, memory);
        } catch (RuntimeException | Error e) {
            memory.close();
            jobs.close();
            throw e;
        }
    }

    /** Writes jobs to the device, unless they are there. */
    void write(MemorySegment wanted, long bytes) {
        if (bytes != writtenBytes || MemorySegment.mismatch(written, 0, bytes, wanted, 0, bytes) != -1) {
            writtenBytes = 0; // in case the write fails
            device.queue().write(jobs, 0, wanted.address(), bytes);
            MemorySegment.copy(wanted, 0, written, 0, bytes);
            writtenBytes = bytes;
        }
    }

    GpuBindGroup group() {
        return group;
    }

    @Override
    public void close() {
        memory.close();
        jobs.close();
    }
}
