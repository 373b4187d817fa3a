package io.devicearena.wgpu.internal.transfer;

import io.devicearena.wgpu.ffi.WgpuNative;
import io.devicearena.wgpu.internal.gpu.Commands;
import io.devicearena.wgpu.internal.gpu.GpuBindGroup;
import io.devicearena.wgpu.internal.gpu.GpuBuffer;
import io.devicearena.wgpu.internal.gpu.GpuDevice;
import io.devicearena.wgpu.internal.gpu.GpuKernel;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Locale;

/**
 * Brings scattered ranges of an arena together, on the device, so that one copy takes them to staging: a device does copies
 * into one buffer one after the other, and a kernel's all at once.
 *
 * <p>Threads: safe for any thread; what several submit at a time has its order in the queue.
 */
final class Gather implements AutoCloseable {
    /** What one submission can gather. */
    private static final long MOST_BYTES = 256L << 10;

    private static final int FEWEST_COPIES = 4;
    private static final int MOST_COPIES = 32;
    private static final int WORKGROUP = 256;
    /** What one workgroup takes; a longer range is cut. */
    private static final long PIECE_BYTES = 8L << 10;

    private static final int MOST_JOBS = MOST_COPIES + (int) (MOST_BYTES / PIECE_BYTES);
    private static final int JOB_BYTES = 4 * Integer.BYTES;

    /** The jobs of a submission. */
    static final long JOBS_BYTES = (long) MOST_JOBS * JOB_BYTES;

    private static final String SOURCE = String.format(Locale.ROOT, """
            struct Jobs { list: array<vec4<u32>, %d> }
            @group(0) @binding(0) var<storage, read> words: array<u32>;
            @group(0) @binding(1) var<storage, read_write> gathered: array<u32>;
            @group(0) @binding(2) var<uniform> jobs: Jobs;

            @compute @workgroup_size(%d)
            fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
                let job = jobs.list[group.x];
                for (var i = lane; i < job.z; i += %du) {
                    gathered[job.y + i] = words[job.x + i];
                }
            }
            """, MOST_JOBS, WORKGROUP, WORKGROUP);

    private final GpuDevice device;
    private final GpuBuffer jobs;
    private final GpuBuffer gathered;
    private final GpuKernel kernel;
    private final long window;

    Gather(GpuDevice device) {
        this.device = device;
        this.window = device.limits().maxBindingBytes() & -ArenaBuffers.SIZE_UNIT;
        this.jobs = device.createBuffer(
                "device arena gather jobs",
                JOBS_BYTES,
                WgpuNative.WGPUBufferUsage_Uniform() | WgpuNative.WGPUBufferUsage_CopyDst());
        this.gathered = device.createBuffer(
                "device arena gathered",
                MOST_BYTES,
                WgpuNative.WGPUBufferUsage_Storage() | WgpuNative.WGPUBufferUsage_CopySrc());
        this.kernel = GpuKernel.compile(
                device,
                "device arena gather",
                SOURCE,
                List.of(
                        new GpuKernel.Slot(GpuKernel.Access.READ, false),
                        new GpuKernel.Slot(GpuKernel.Access.READ_WRITE, false),
                        new GpuKernel.Slot(GpuKernel.Access.UNIFORM, true)));
    }

    /** What the kernel needs to read one window of an arena, counted from its start. */
    GpuBindGroup bind(GpuBuffer arena, int index) {
        long begin = index * window;
        return GpuBindGroup.create(
                device,
                kernel,
                List.of(
                        new GpuBindGroup.Range(arena, begin, Math.min(window, arena.bytes() - begin)),
                        new GpuBindGroup.Range(gathered, 0, MOST_BYTES),
                        new GpuBindGroup.Range(jobs, 0, JOBS_BYTES)));
    }

    /** The window that all copies of a layout are in, or -1 when gathering them is not possible or not worth it. */
    int windowOf(ReadbackLayout layout) {
        if (layout.copies() < FEWEST_COPIES || layout.copies() > MOST_COPIES || layout.bytes() > MOST_BYTES) {
            return -1;
        }
        long index = layout.from(0) / window;
        for (int i = 0; i < layout.copies(); i++) {
            long end = layout.from(i) + layout.length(i);
            if (layout.from(i) / window != index || (end - 1) / window != index) {
                return -1;
            }
        }
        return Math.toIntExact(index);
    }

    /**
     * Records the gathering of the copies of a layout, and the copy of all of them to staging.
     *
     * @param notes where the jobs are put, for {@link #jobs()}
     * @return how many bytes of them there are
     */
    long record(
            Commands commands,
            GpuBindGroup group,
            int index,
            ReadbackLayout layout,
            GpuBuffer to,
            MemorySegment notes) {
        int count = 0;
        for (int i = 0; i < layout.copies(); i++) {
            for (long done = 0; done < layout.length(i); done += PIECE_BYTES) {
                long at = (long) count * JOB_BYTES;
                long from = layout.from(i) - index * window + done;
                long bytes = Math.min(PIECE_BYTES, layout.length(i) - done);
                notes.set(ValueLayout.JAVA_INT, at, (int) (from / Integer.BYTES));
                notes.set(ValueLayout.JAVA_INT, at + 4, (int) ((layout.target(i) + done) / Integer.BYTES));
                notes.set(ValueLayout.JAVA_INT, at + 8, (int) (bytes / Integer.BYTES));
                count++;
            }
        }
        commands.dispatch(kernel, group, count, 0);
        commands.copy(gathered, 0, to, 0, layout.bytes());
        return (long) count * JOB_BYTES;
    }

    /** What the jobs are written to ahead of the submission. */
    GpuBuffer jobs() {
        return jobs;
    }

    @Override
    public void close() {
        kernel.close();
        gathered.close();
        jobs.close();
    }
}
