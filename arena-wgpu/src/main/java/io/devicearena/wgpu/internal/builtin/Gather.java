package io.devicearena.wgpu.internal.builtin;

import io.devicearena.wgpu.internal.transfer.ArenaBuffers;

import io.devicearena.wgpu.internal.gpu.Commands;
import io.devicearena.wgpu.internal.gpu.GpuBindGroup;
import io.devicearena.wgpu.internal.gpu.GpuBuffer;
import io.devicearena.wgpu.internal.gpu.GpuDevice;
import io.devicearena.wgpu.internal.gpu.GpuKernel;
import io.devicearena.wgpu.internal.gpu.GpuPipeline;
import io.devicearena.wgpu.internal.gpu.StagingBuffer;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Brings ranges of an arena to staging with a kernel. A device does copies into one buffer one after the other, and what a
 * kernel copies all at once; and behind another kernel it is part of that one's pass, while a copy costs the library
 * commands of their own.
 *
 * <p>Threads: safe for any thread.
 */
final class Gather implements AutoCloseable {
    /** What one submission can gather: a kernel writes to the host's memory more slowly than the device copies to it. */
    static final long MOST_BYTES = 128L << 10;

    private static final int FEWEST_COPIES = 4;
    private static final int MOST_COPIES = 32;
    private static final int WORKGROUP = 256;
    /** What one workgroup takes; a longer range is cut. */
    private static final long PIECE_BYTES = 4L << 10;

    private static final int MOST_JOBS = MOST_COPIES + (int) (MOST_BYTES / PIECE_BYTES);
    private static final int JOB_BYTES = 4 * Integer.BYTES;

    /** The jobs of a submission. */
    static final int JOBS_BYTES = MOST_JOBS * JOB_BYTES;

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
            """, MOST_JOBS, WORKGROUP, WORKGROUP);

    private static final int[] ARENA_BINDINGS = {0};
    private static final int[] TARGET_BINDINGS = {0, 1};

    private final GpuDevice device;
    private final GpuPipeline pipeline;
    private final long window;

    Gather(GpuDevice device) {
        this.device = device;
        this.window = device.limits().maxBindingBytes() & -ArenaBuffers.SIZE_UNIT;
        this.pipeline = GpuPipeline.compile(
                device,
                new GpuPipeline.Program(
                        "device arena gather",
                        SOURCE,
                        "main",
                        Map.of(),
                        List.of(
                                new GpuPipeline.Entry(0, 0, GpuKernel.Access.READ, false),
                                new GpuPipeline.Entry(1, 0, GpuKernel.Access.READ_WRITE, false),
                                new GpuPipeline.Entry(1, 1, GpuKernel.Access.UNIFORM, false))));
    }

    /** What the kernel needs to read one window of an arena, counted from its start. */
    GpuBindGroup bindArena(GpuBuffer arena, int index) {
        long begin = index * window;
        return GpuBindGroup.create(
                device,
                pipeline,
                0,
                ARENA_BINDINGS,
                List.of(new GpuBindGroup.Range(arena, begin, Math.min(window, arena.bytes() - begin))));
    }

    /** What the kernel needs to write to staging. */
    GpuBindGroup bindTarget(GpuBuffer staging, GpuBuffer jobs) {
        return GpuBindGroup.create(
                device,
                pipeline,
                1,
                TARGET_BINDINGS,
                List.of(
                        new GpuBindGroup.Range(staging, 0, staging.bytes()),
                        new GpuBindGroup.Range(jobs, 0, JOBS_BYTES)));
    }

    /**
     * The window that all copies of a layout are in, or -1 when gathering them is not possible or not worth it.
     *
     * @param behindKernels whether they follow dispatches
     */
    int windowOf(ReadbackLayout layout, boolean behindKernels) {
        int fewest = behindKernels ? 1 : FEWEST_COPIES;
        if (layout.copies() < fewest || layout.copies() > MOST_COPIES || layout.bytes() > MOST_BYTES) {
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
     * Sees that the jobs of a layout are on the device, ahead of the recording.
     *
     * @param staging that kernels can write to, of at most twice {@link #MOST_BYTES}
     * @param notes room for the jobs, {@link #JOBS_BYTES}
     * @return how many jobs there are
     */
    int prepare(StagingBuffer staging, ReadbackLayout layout, int index, MemorySegment notes) {
        int count = noteJobs(index, layout, notes);
        GatherTarget target = target(staging);
        if (target == null) {
            target = new GatherTarget(device, staging, this);
            staging.keep(target);
        }
        target.write(notes, (long) count * JOB_BYTES);
        return count;
    }

    /** Records jobs that were prepared. */
    void record(Commands commands, GpuBindGroup arena, StagingBuffer staging, int count) {
        commands.dispatch(
                pipeline, arena, Objects.requireNonNull(target(staging)).group(), count);
    }

    private static @Nullable GatherTarget target(StagingBuffer staging) {
        return (GatherTarget) staging.companion();
    }

    private int noteJobs(int index, ReadbackLayout layout, MemorySegment notes) {
        int count = 0;
        for (int i = 0; i < layout.copies(); i++) {
            for (long done = 0; done < layout.length(i); done += PIECE_BYTES) {
                long at = (long) count * JOB_BYTES;
                long from = layout.from(i) - index * window + done;
                long bytes = Math.min(PIECE_BYTES, layout.length(i) - done);
                notes.set(ValueLayout.JAVA_INT, at, (int) (from / Integer.BYTES));
                notes.set(ValueLayout.JAVA_INT, at + 4, (int) ((layout.target(i) + done) / Integer.BYTES));
                notes.set(ValueLayout.JAVA_INT, at + 8, (int) (bytes / Integer.BYTES));
                notes.set(ValueLayout.JAVA_INT, at + 12, 0);
                count++;
            }
        }
        return count;
    }

    @Override
    public void close() {
        pipeline.close();
    }
}
