package io.devicearena.wgpu.internal.builtin;

import io.devicearena.wgpu.ffi.WgpuNative;
import io.devicearena.wgpu.internal.gpu.GpuBindGroup;
import io.devicearena.wgpu.internal.gpu.GpuBuffer;
import io.devicearena.wgpu.internal.gpu.GpuDevice;
import io.devicearena.wgpu.internal.gpu.GpuKernel;
import io.devicearena.wgpu.internal.gpu.GpuPipeline;
import io.devicearena.wgpu.internal.gpu.SubmissionQueue.MergeKernel;
import java.lang.foreign.Arena;
import java.util.List;
import java.util.Locale;

/**
 * Writes bytes of many words with one dispatch, as {@link ByteMerge} does for one word: for the small writes that begin
 * or end within words and wait for the next submission.
 *
 * <p>Threads: safe for any thread.
 */
public final class WordScatter implements AutoCloseable {
    private static final String SOURCE = String.format(Locale.ROOT, """
            @group(0) @binding(0) var<storage, read_write> words: array<u32>;
            @group(1) @binding(0) var<storage, read> merges: array<vec4<u32>>;

            @compute @workgroup_size(%d)
            fn main(@builtin(global_invocation_id) id: vec3<u32>) {
                let merge = merges[id.x];
                if (merge.y != 0u) {
                    words[merge.x] = (words[merge.x] & ~merge.y) | merge.z;
                }
            }
            """, MergeKernel.WORKGROUP);

    private static final int[] BINDINGS = {0};

    private final GpuDevice device;
    private final long window;
    private final Arena memory = Arena.ofShared();
    private final MergeKernel kernel;

    /** Compiles the kernel, and allocates the list of the words of one dispatch. */
    public WordScatter(GpuDevice device) {
        this.device = device;
        this.window = device.windowBytes();
        GpuBuffer list = device.createBuffer(
                "device arena word merges",
                MergeKernel.LIST_BYTES,
                WgpuNative.WGPUBufferUsage_Storage() | WgpuNative.WGPUBufferUsage_CopyDst());
        GpuPipeline pipeline = GpuPipeline.compile(
                device,
                new GpuPipeline.Program(
                        "device arena word scatter",
                        SOURCE,
                        "main",
                        List.of(
                                new GpuPipeline.Entry(0, 0, GpuKernel.Access.READ_WRITE, false),
                                new GpuPipeline.Entry(1, 0, GpuKernel.Access.READ, false))));
        this.kernel = new MergeKernel(
                pipeline, list, bind(pipeline, 1, new GpuBindGroup.Range(list, 0, MergeKernel.LIST_BYTES), memory));
    }

    private GpuBindGroup bind(GpuPipeline pipeline, int group, GpuBindGroup.Range range, Arena owner) {
        return GpuBindGroup.create(device, pipeline, group, BINDINGS, List.of(range), owner);
    }

    /** The bytes of a buffer that one bind group covers. */
    public long window() {
        return window;
    }

    /** Creates the bind group of the window that begins at a byte of a buffer; {@code owner} releases it. */
    public GpuBindGroup bind(GpuBuffer target, long begin, Arena owner) {
        return bind(kernel.pipeline(), 0, GpuBindGroup.Range.upTo(target, begin, window), owner);
    }

    /** The kernel, for the queue. */
    public MergeKernel kernel() {
        return kernel;
    }

    @Override
    public void close() {
        memory.close();
        kernel.pipeline().close();
        kernel.list().close();
    }
}
