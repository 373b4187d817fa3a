package io.devicearena.wgpu.internal.builtin;

import io.devicearena.kernel.KernelBinding;
import io.devicearena.wgpu.ffi.WgpuNative;
import io.devicearena.wgpu.internal.gpu.Commands;
import io.devicearena.wgpu.internal.gpu.GpuBindGroup;
import io.devicearena.wgpu.internal.gpu.GpuBuffer;
import io.devicearena.wgpu.internal.gpu.GpuDevice;
import io.devicearena.wgpu.internal.gpu.GpuPipeline;
import io.devicearena.wgpu.internal.gpu.SubmissionQueue.MergeKernel;
import io.devicearena.wgpu.internal.gpu.SubmissionQueue.MergeWindow;
import java.lang.foreign.Arena;
import java.util.List;
import java.util.Locale;

/**
 * Writes one to three bytes of each of many words, on the device: the ends of writes that begin or end within words.
 *
 * <p>The device copies whole words. To read a word, change it on the host and write it back would overwrite what
 * another thread wrote to its other bytes meanwhile. On the device the change has its place in the queue like any
 * write.
 *
 * <p>Threads: safe for any thread.
 */
public final class WordScatter implements AutoCloseable {
    private static final String SOURCE = String.format(Locale.ROOT, """
            @group(0) @binding(0) var<storage, read_write> words: array<u32>;
            @group(1) @binding(0) var<storage, read> merges: array<vec4<u32>>;

            @compute @workgroup_size(%d)
            fn main(@builtin(global_invocation_id) id: vec3<u32>) {
                if (id.x < merges[0].w) {
                    let merge = merges[id.x];
                    words[merge.x] = (words[merge.x] & ~merge.y) | (merge.z & merge.y);
                }
            }
            """, MergeKernel.WORKGROUP);

    private final GpuDevice device;
    private final Arena memory = Arena.ofShared();
    private final MergeKernel kernel;

    /** Compiles the kernel, and allocates the list of the words of one dispatch. */
    public WordScatter(GpuDevice device) {
        this.device = device;
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
                                new KernelBinding(0, 0, "words", KernelBinding.Access.READ_WRITE),
                                new KernelBinding(1, 0, "merges", KernelBinding.Access.READ))));
        this.kernel = new MergeKernel(
                pipeline, list, bind(pipeline, 1, new GpuBindGroup.Range(list, 0, MergeKernel.LIST_BYTES), memory));
    }

    private GpuBindGroup bind(GpuPipeline pipeline, int group, GpuBindGroup.Range range, Arena owner) {
        return GpuBindGroup.create(device, pipeline, group, List.of(range), owner);
    }

    /** Makes the window that begins at a byte of a buffer; {@code owner} releases its bind group. */
    public MergeWindow bind(GpuBuffer target, long begin, Arena owner) {
        GpuBindGroup group =
                bind(kernel.pipeline(), 0, GpuBindGroup.Range.upTo(target, begin, device.windowBytes()), owner);
        return new MergeWindow(kernel, target, begin, group);
    }

    /**
     * Records a write to some bytes of a word.
     *
     * @param word the index of the word in the window
     * @param mask the bits to write, of a little-endian word
     * @param bits their new values
     */
    public void record(Commands commands, MergeWindow target, int word, int mask, int bits) {
        commands.write(kernel.list(), word, mask, bits, 1);
        commands.dispatch(kernel.pipeline(), target.group(), kernel.listGroup(), 1);
    }

    @Override
    public void close() {
        memory.close();
        kernel.pipeline().close();
        kernel.list().close();
    }
}
