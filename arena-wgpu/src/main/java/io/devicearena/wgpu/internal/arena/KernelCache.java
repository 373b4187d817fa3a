package io.devicearena.wgpu.internal.arena;

import io.devicearena.wgpu.ffi.WgpuNative;
import io.devicearena.wgpu.internal.device.SharedDevice;
import io.devicearena.wgpu.internal.gpu.GpuBindGroup;
import io.devicearena.wgpu.internal.gpu.GpuBuffer;
import io.devicearena.wgpu.internal.gpu.GpuDevice;
import io.devicearena.wgpu.internal.gpu.GpuPipeline;
import io.devicearena.wgpu.internal.gpu.StagingBuffer;
import io.devicearena.wgpu.internal.lifetime.SharedObjects;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The native objects of an arena's kernels: bind groups and buffers, and its uses of the pipelines and uniforms of the
 * device. Each is acquired and released by those that use it, and freed when no user is left, or when the arena is
 * closed. The cache does not refer to the arena, which must remain collectable.
 *
 * <p>After {@link #close}, a release does nothing.
 *
 * <p>Threads: safe for any thread. Lifetime: until {@link #close}; nothing may be running then.
 */
public final class KernelCache implements AutoCloseable {
    /** The largest second buffer of copies within one buffer, in bytes; longer copies go piece by piece. */
    private static final long MAX_BOUNCE = 16L << 20;

    private record Group(GpuPipeline pipeline, int group, List<GpuBindGroup.Range> ranges) {}

    private final SharedDevice shared;
    private final GpuDevice device;
    private final String label;

    /** What the users in this arena share; together they are one user of the device's object. */
    private final SharedObjects<GpuPipeline.Program, GpuPipeline> pipelines;

    private final SharedObjects<ByteBuffer, GpuBindGroup.Range> uniforms;
    private final SharedObjects<Group, GpuBindGroup> groups = new SharedObjects<>((_, group) -> group.close());
    private final Set<GpuBuffer> buffers = new HashSet<>();
    private final Set<StagingBuffer> results = new HashSet<>();
    /** The memory of the names of steps. */
    private final Set<Arena> names = new HashSet<>();

    private @Nullable GpuBuffer bounce;

    /**
     * Makes an empty cache.
     *
     * @param label the name of the arena
     */
    public KernelCache(SharedDevice shared, String label) {
        this.shared = shared;
        this.device = shared.device();
        this.label = label;
        this.pipelines = new SharedObjects<>((program, _) -> shared.pipelines().release(program));
        this.uniforms = new SharedObjects<>((content, _) -> shared.uniforms().release(content));
    }

    /**
     * The native objects that are alive. Threads: immutable.
     *
     * @param pipelines the pipelines that this arena uses
     * @param groups the bind groups of its programs
     * @param buffers its buffers beside the arena, those for copies included
     * @param results its result buffers
     * @param uniforms the uniforms that its programs use
     */
    public record Live(int pipelines, int groups, int buffers, int results, int uniforms) {}

    /** The name of the arena. */
    public String label() {
        return label;
    }

    /** Counts the native objects that are alive. */
    public synchronized Live live() {
        return new Live(pipelines.size(), groups.size(), buffers.size(), results.size(), uniforms.size());
    }

    /** Returns a compiled pipeline, for one more user; an equal program is compiled once for the device. */
    public GpuPipeline pipeline(GpuPipeline.Program program) {
        return pipelines.acquire(program, () -> shared.pipelines().acquire(program));
    }

    /** Ends the use of a pipeline by one user. */
    public void releasePipeline(GpuPipeline.Program program) {
        pipelines.release(program);
    }

    /**
     * Returns a bind group, for one more user; equal ranges are bound once.
     *
     * @param name what is bound, for tools of the device
     */
    public GpuBindGroup group(
            String name, GpuPipeline pipeline, int group, int[] numbers, List<GpuBindGroup.Range> ranges) {
        return groups.acquire(
                new Group(pipeline, group, ranges),
                () -> GpuBindGroup.create(device, label + ": " + name, pipeline, group, numbers, ranges));
    }

    /** Ends the use of a bind group by one user. */
    public void releaseGroup(GpuPipeline pipeline, int group, List<GpuBindGroup.Range> ranges) {
        groups.release(new Group(pipeline, group, ranges));
    }

    /** Creates a buffer beside the arena; its bytes are a multiple of 4. */
    public synchronized GpuBuffer buffer(String name, long bytes) {
        GpuBuffer made = device.createBuffer(
                label + ": " + name,
                bytes,
                WgpuNative.WGPUBufferUsage_Storage()
                        | WgpuNative.WGPUBufferUsage_Uniform()
                        | WgpuNative.WGPUBufferUsage_CopySrc()
                        | WgpuNative.WGPUBufferUsage_CopyDst());
        buffers.add(made);
        return made;
    }

    /** Frees a buffer that is not in use. */
    public synchronized void free(GpuBuffer unused) {
        if (buffers.remove(unused)) {
            unused.close();
        }
    }

    /** Creates host memory that kernels write to; its bytes are a multiple of 4. */
    public synchronized StagingBuffer result(String name, long bytes) {
        StagingBuffer made = StagingBuffer.forResult(device, label + ": " + name, bytes);
        results.add(made);
        return made;
    }

    /** Frees host memory that is not in use. */
    public synchronized void free(StagingBuffer unused) {
        if (results.remove(unused)) {
            unused.close();
        }
    }

    /** Returns a range with constant bytes, for one more user; equal bytes are uploaded once for the device. */
    public GpuBindGroup.Range uniform(ByteBuffer content) {
        return uniforms.acquire(content, () -> shared.uniforms().acquire(content));
    }

    /** Ends the use of constant bytes by one user. */
    public void releaseUniform(ByteBuffer content) {
        uniforms.release(content);
    }

    /** Allocates memory for the names of steps. */
    public synchronized Arena names() {
        Arena made = Arena.ofShared();
        names.add(made);
        return made;
    }

    /** Frees the memory of names that nothing uses. */
    public synchronized void free(Arena unused) {
        if (names.remove(unused)) {
            unused.close();
        }
    }

    /** Returns the second buffer of copies within one buffer; it grows with the longest copy, up to a limit. */
    public synchronized GpuBuffer bounce(long bytes) {
        long wanted = Math.min(bytes, MAX_BOUNCE);
        GpuBuffer kept = bounce;
        if (kept == null || kept.bytes() < wanted) {
            // programs that were recorded before keep the smaller one
            kept = buffer("copies", Math.max(Long.highestOneBit(wanted - 1) << 1, 4096));
            bounce = kept;
        }
        return kept;
    }

    @Override
    public synchronized void close() {
        groups.close();
        pipelines.close();
        uniforms.close();
        buffers.forEach(GpuBuffer::close);
        buffers.clear();
        results.forEach(StagingBuffer::close);
        results.clear();
        names.forEach(Arena::close);
        names.clear();
    }
}
