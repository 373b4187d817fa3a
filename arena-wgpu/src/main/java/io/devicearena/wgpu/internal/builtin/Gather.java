package io.devicearena.wgpu.internal.builtin;

import io.devicearena.kernel.KernelBinding;
import io.devicearena.wgpu.ffi.WgpuNative;
import io.devicearena.wgpu.internal.gpu.Commands;
import io.devicearena.wgpu.internal.gpu.GpuBindGroup;
import io.devicearena.wgpu.internal.gpu.GpuBuffer;
import io.devicearena.wgpu.internal.gpu.GpuDevice;
import io.devicearena.wgpu.internal.gpu.GpuPipeline;
import io.devicearena.wgpu.internal.gpu.StagingBuffer;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Copies ranges of an arena to staging with a kernel. A device runs copies into one buffer one after the other; a
 * kernel copies all ranges at once. Behind another kernel it joins that kernel's pass, while a copy ends the pass.
 *
 * <p>Threads: safe for any thread.
 */
public final class Gather implements AutoCloseable {
    /** The most bytes of one submission: for more, copies are faster than a kernel that writes to host memory. */
    public static final long MAX_BYTES = 128L << 10;

    private static final int MIN_COPIES = 4;
    private static final int MAX_COPIES = 32;
    private static final int WORKGROUP = 256;
    /** The bytes that one workgroup copies; a longer range becomes several jobs. */
    private static final long PIECE_BYTES = 4L << 10;

    private static final int MAX_JOBS = MAX_COPIES + (int) (MAX_BYTES / PIECE_BYTES);
    private static final int JOB_BYTES = 4 * Integer.BYTES;

    /** The size of the list of jobs of one submission, in bytes. */
    public static final int JOBS_BYTES = MAX_JOBS * JOB_BYTES;

    private static final String SOURCE = String.format(Locale.ROOT, """
            struct Jobs { list: array<vec4<u32>, %d> }
            @group(0) @binding(0) var<storage, read> words: array<u32>;
            @group(1) @binding(0) var<storage, read_write> gathered: array<u32>;
            @group(1) @binding(1) var<uniform> jobs: Jobs;

            @compute @workgroup_size(%d)
            fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
                let job = jobs.list[group.x];
                for (var i = lane; i < job.z; i += %du) {
                    gathered[job.y + i] = words[job.x + i];
                }
            }
            """, MAX_JOBS, WORKGROUP, WORKGROUP);

    private final GpuDevice device;
    private final GpuPipeline pipeline;

    /** Compiles the kernel. */
    public Gather(GpuDevice device) {
        this.device = device;
        this.pipeline = GpuPipeline.compile(
                device,
                new GpuPipeline.Program(
                        "device arena gather",
                        SOURCE,
                        "main",
                        List.of(
                                new KernelBinding(0, 0, "words", KernelBinding.Access.READ),
                                new KernelBinding(1, 0, "gathered", KernelBinding.Access.READ_WRITE),
                                new KernelBinding(1, 1, "jobs", KernelBinding.Access.UNIFORM))));
    }

    /** Creates the bind group of the window that begins at a byte of a buffer; {@code owner} releases it. */
    public GpuBindGroup bindArena(GpuBuffer arena, long begin, Arena owner) {
        return GpuBindGroup.create(
                device, pipeline, 0, List.of(GpuBindGroup.Range.upTo(arena, begin, device.windowBytes())), owner);
    }

    /**
     * Whether the kernel may copy the ranges of a layout, and is not slower than copies by the device.
     *
     * @param behindKernels whether the copies follow dispatches
     */
    public boolean suits(ReadbackLayout layout, boolean behindKernels) {
        int least = behindKernels ? 1 : MIN_COPIES;
        return layout.copies() >= least && layout.copies() <= MAX_COPIES && layout.bytes() <= MAX_BYTES;
    }

    /**
     * Brings the jobs of a layout to the device, before the recording.
     *
     * @param staging staging that kernels can write to, of at most twice {@link #MAX_BYTES}
     * @param start where the bound window begins in the arena
     * @param jobs memory for the jobs, {@link #JOBS_BYTES}
     * @return the number of jobs
     */
    public int prepare(StagingBuffer staging, ReadbackLayout layout, long start, MemorySegment jobs) {
        int count = listJobs(start, layout, jobs);
        Target target = target(staging);
        if (target == null) {
            target = new Target(staging.buffer());
            staging.attach(target);
        }
        target.write(jobs, (long) count * JOB_BYTES);
        return count;
    }

    /** Records prepared jobs. */
    public void record(Commands commands, GpuBindGroup arena, StagingBuffer staging, int count) {
        commands.dispatch(pipeline, arena, Objects.requireNonNull(target(staging)).group, count);
    }

    private static @Nullable Target target(StagingBuffer staging) {
        return (Target) staging.companion();
    }

    private static int listJobs(long start, ReadbackLayout layout, MemorySegment jobs) {
        int count = 0;
        for (int i = 0; i < layout.copies(); i++) {
            for (long done = 0; done < layout.length(i); done += PIECE_BYTES) {
                long at = (long) count * JOB_BYTES;
                long from = layout.from(i) - start + done;
                long bytes = Math.min(PIECE_BYTES, layout.length(i) - done);
                jobs.set(ValueLayout.JAVA_INT, at, (int) (from / Integer.BYTES));
                jobs.set(ValueLayout.JAVA_INT, at + 4, (int) ((layout.target(i) + done) / Integer.BYTES));
                jobs.set(ValueLayout.JAVA_INT, at + 8, (int) (bytes / Integer.BYTES));
                jobs.set(ValueLayout.JAVA_INT, at + 12, 0);
                count++;
            }
        }
        return count;
    }

    @Override
    public void close() {
        pipeline.close();
    }

    /**
     * The bind group with which the kernel writes to one staging buffer, and its list of jobs. An engine reads the same
     * few batches again and again, each through the same staging, so the jobs are mostly on the device already.
     *
     * <p>Threads: as the staging buffer that it belongs to.
     */
    private final class Target implements StagingBuffer.Companion {
        private final Arena memory = Arena.ofShared();
        private final GpuBuffer jobs;
        private final GpuBindGroup group;
        /** The jobs that are on the device, or on their way to it. */
        private final MemorySegment written = MemorySegment.ofArray(new byte[JOBS_BYTES]);

        private long writtenBytes;

        Target(GpuBuffer staging) {
            this.jobs = device.createBuffer(
                    "device arena gather jobs",
                    JOBS_BYTES,
                    WgpuNative.WGPUBufferUsage_Uniform() | WgpuNative.WGPUBufferUsage_CopyDst());
            try {
                this.group = GpuBindGroup.create(
                        device,
                        pipeline,
                        1,
                        List.of(
                                new GpuBindGroup.Range(staging, 0, staging.bytes()),
                                new GpuBindGroup.Range(jobs, 0, JOBS_BYTES)),
                        memory);
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

        @Override
        public void close() {
            memory.close();
            jobs.close();
        }
    }
}
