package io.devicearena.wgpu.internal.arena;

import io.devicearena.wgpu.ffi.WgpuNative;
import io.devicearena.wgpu.internal.gpu.GpuBindGroup;
import io.devicearena.wgpu.internal.gpu.GpuBuffer;
import io.devicearena.wgpu.internal.gpu.GpuDevice;
import io.devicearena.wgpu.internal.gpu.GpuPipeline;
import io.devicearena.wgpu.internal.gpu.StagingBuffer;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The native objects of an arena's kernels: pipelines, bind groups, uniforms and buffers. Each is kept until the arena
 * is closed. The cache does not refer to the arena, which must remain collectable.
 *
 * <p>Threads: safe for any thread. Lifetime: until {@link #close}; nothing may be running then.
 */
public final class KernelCache implements AutoCloseable {
    /** The size of the buffers that hold uniforms, in bytes. */
    private static final long UNIFORM_BLOCK = 64L << 10;

    /** The largest second buffer of copies within one buffer, in bytes; longer copies go piece by piece. */
    private static final long MAX_BOUNCE = 16L << 20;

    private record Group(GpuPipeline pipeline, int group, List<GpuBindGroup.Range> ranges) {}

    private final GpuDevice device;
    /** Releases the bind groups. */
    private final Arena memory = Arena.ofShared();

    private final Map<GpuPipeline.Program, GpuPipeline> pipelines = new HashMap<>();
    private final Map<Group, GpuBindGroup> groups = new HashMap<>();
    private final Map<ByteBuffer, GpuBindGroup.Range> uniforms = new HashMap<>();
    private final ArrayDeque<GpuBuffer> owned = new ArrayDeque<>();
    private final ArrayDeque<StagingBuffer> results = new ArrayDeque<>();
    private @Nullable GpuBuffer uniformBlock;
    private long uniformsUsed;
    private @Nullable GpuBuffer bounce;

    /** Makes an empty cache. */
    public KernelCache(GpuDevice device) {
        this.device = device;
    }

    /** Returns a compiled pipeline; an equal program is compiled once. */
    public synchronized GpuPipeline pipeline(GpuPipeline.Program program) {
        GpuPipeline known = pipelines.get(program);
        if (known == null) {
            known = LargeStackThread.call(() -> GpuPipeline.compile(device, program));
            pipelines.put(program, known);
        }
        return known;
    }

    /** Returns a bind group; equal ranges are bound once. */
    public synchronized GpuBindGroup group(
            GpuPipeline pipeline, int group, int[] numbers, List<GpuBindGroup.Range> ranges) {
        Group key = new Group(pipeline, group, ranges);
        GpuBindGroup known = groups.get(key);
        if (known == null) {
            known = GpuBindGroup.create(device, pipeline, group, numbers, ranges, memory);
            groups.put(key, known);
        }
        return known;
    }

    /** Creates a buffer beside the arena; its bytes are a multiple of 4. */
    public synchronized GpuBuffer buffer(String label, long bytes) {
        GpuBuffer made = device.createBuffer(
                label,
                bytes,
                WgpuNative.WGPUBufferUsage_Storage()
                        | WgpuNative.WGPUBufferUsage_Uniform()
                        | WgpuNative.WGPUBufferUsage_CopySrc()
                        | WgpuNative.WGPUBufferUsage_CopyDst());
        owned.push(made);
        return made;
    }

    /** Creates host memory that kernels write to; its bytes are a multiple of 4. */
    public synchronized StagingBuffer result(String label, long bytes) {
        StagingBuffer made = StagingBuffer.forResult(device, label, bytes);
        results.push(made);
        return made;
    }

    /** Returns a range with a constant content of 1 to 65,536 bytes, filled up with zeros to a multiple of 16. */
    public synchronized GpuBindGroup.Range uniform(byte[] content) {
        ByteBuffer key = ByteBuffer.wrap(content);
        GpuBindGroup.Range known = uniforms.get(key);
        if (known == null) {
            known = place(content.length + 15L & -16L);
            try (Arena call = Arena.ofConfined()) {
                MemorySegment copy = call.allocate(known.bytes(), 8);
                MemorySegment.copy(MemorySegment.ofArray(content), 0, copy, 0, content.length);
                device.queue().write(known.buffer(), known.offset(), copy.address(), known.bytes());
            }
            uniforms.put(key, known);
        }
        return known;
    }

    private GpuBindGroup.Range place(long bytes) {
        GpuBuffer block = uniformBlock;
        if (block == null || uniformsUsed + bytes > UNIFORM_BLOCK) {
            block = device.createBuffer(
                    "device arena uniforms",
                    UNIFORM_BLOCK,
                    WgpuNative.WGPUBufferUsage_Uniform() | WgpuNative.WGPUBufferUsage_CopyDst());
            owned.push(block);
            uniformBlock = block;
            uniformsUsed = 0;
        }
        long at = uniformsUsed;
        long alignment = device.limits().uniformAlignment();
        uniformsUsed = at + bytes + (alignment - 1) & -alignment;
        return new GpuBindGroup.Range(block, at, bytes);
    }

    /** Returns the second buffer of copies within one buffer; it grows with the longest copy, up to a limit. */
    public synchronized GpuBuffer bounce(long bytes) {
        long wanted = Math.min(bytes, MAX_BOUNCE);
        GpuBuffer kept = bounce;
        if (kept == null || kept.bytes() < wanted) {
            // programs that were recorded before keep the smaller one
            kept = buffer("device arena copies", Math.max(Long.highestOneBit(wanted - 1) << 1, 4096));
            bounce = kept;
        }
        return kept;
    }

    @Override
    public synchronized void close() {
        if (memory.scope().isAlive()) {
            memory.close();
        }
        pipelines.values().forEach(GpuPipeline::close);
        owned.forEach(GpuBuffer::close);
        results.forEach(StagingBuffer::close);
    }
}
