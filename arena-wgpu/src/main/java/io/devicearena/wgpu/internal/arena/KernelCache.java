package io.devicearena.wgpu.internal.arena;

import io.devicearena.wgpu.ffi.WgpuNative;
import io.devicearena.wgpu.internal.device.SharedDevice;
import io.devicearena.wgpu.internal.gpu.GpuBindGroup;
import io.devicearena.wgpu.internal.gpu.GpuBuffer;
import io.devicearena.wgpu.internal.gpu.GpuDevice;
import io.devicearena.wgpu.internal.gpu.GpuPipeline;
import io.devicearena.wgpu.internal.gpu.StagingBuffer;
import io.devicearena.wgpu.internal.lifetime.SharedObjects;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
    private final SharedObjects<ByteBuffer, GpuBindGroup.Range> uniforms;

    private final SharedObjects<Group, GpuBindGroup> groups = new SharedObjects<>((_, group) -> group.close());
    /** Compiled kernels, buffers, host memory that kernels write to, and memory of names, each with what frees it. */
    private final Map<Object, Runnable> owned = new HashMap<>();

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
        this.uniforms = new SharedObjects<>((content, _) -> shared.uniforms().release(content));
    }

    /** The name of the arena. */
    public String label() {
        return label;
    }

    /** Counts the native objects that are alive, in words. */
    public synchronized String live() {
        return groups.size() + " groups, " + uniforms.size() + " uniforms, " + owned.size()
                + " kernels, buffers and names";
    }

    /** Returns a compiled pipeline, for one more user; an equal program is compiled once for the device. */
    public GpuPipeline pipeline(GpuPipeline.Program program) {
        return shared.pipeline(program);
    }

    /** Ends the use of a pipeline by one user. */
    public void releasePipeline(GpuPipeline pipeline) {
        shared.pipelines().release(pipeline.program());
    }

    /**
     * Returns a bind group, for one more user; equal ranges are bound once.
     *
     * @param name what is bound, for tools of the device
     */
    public GpuBindGroup group(String name, GpuPipeline pipeline, int group, List<GpuBindGroup.Range> ranges) {
        return groups.acquire(
                new Group(pipeline, group, ranges),
                () -> GpuBindGroup.create(device, label + ": " + name, pipeline, group, ranges));
    }

    /** Ends the use of a bind group by one user. */
    public void releaseGroup(GpuPipeline pipeline, int group, List<GpuBindGroup.Range> ranges) {
        groups.release(new Group(pipeline, group, ranges));
    }

    /** Creates a buffer beside the arena; its bytes are a multiple of 4. */
    public GpuBuffer buffer(String name, long bytes) {
        GpuBuffer made = device.createBuffer(
                label + ": " + name,
                bytes,
                WgpuNative.WGPUBufferUsage_Storage()
                        | WgpuNative.WGPUBufferUsage_Uniform()
                        | WgpuNative.WGPUBufferUsage_CopySrc()
                        | WgpuNative.WGPUBufferUsage_CopyDst());
        return own(made, made::close);
    }

    /** Creates host memory that kernels write to; its bytes are a multiple of 4. */
    public StagingBuffer result(String name, long bytes) {
        StagingBuffer made = StagingBuffer.forResult(device, label + ": " + name, bytes);
        return own(made, made::close);
    }

    /** Takes over an object; it is freed by {@link #free}, or when the arena is closed. */
    public synchronized <T> T own(T made, Runnable free) {
        owned.put(made, free);
        return made;
    }

    /** Frees an object that nothing uses. */
    public synchronized void free(Object unused) {
        Runnable free = owned.remove(unused);
        if (free != null) {
            free.run();
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
        uniforms.close();
        owned.values().forEach(Runnable::run);
        owned.clear();
    }
}
