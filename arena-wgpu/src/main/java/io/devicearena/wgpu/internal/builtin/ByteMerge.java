package io.devicearena.wgpu.internal.builtin;

import io.devicearena.wgpu.internal.gpu.Commands;
import io.devicearena.wgpu.internal.gpu.GpuBindGroup;
import io.devicearena.wgpu.internal.gpu.GpuBuffer;
import io.devicearena.wgpu.internal.gpu.GpuDevice;
import io.devicearena.wgpu.internal.gpu.GpuKernel;
import java.lang.foreign.Arena;
import java.util.List;

/**
 * Writes one to three bytes of a word, on the device.
 *
 * <p>The device copies whole words. To read a word, change it on the host and write it back would overwrite what
 * another thread wrote to its other bytes meanwhile. On the device the change has its place in the queue like any
 * write.
 *
 * <p>Threads: safe for any thread.
 */
public final class ByteMerge implements AutoCloseable {
    private static final String SOURCE = """
            struct Merge { word: u32, mask: u32, bits: u32, unused: u32 }
            @group(0) @binding(0) var<storage, read_write> words: array<u32>;
            @group(0) @binding(1) var<uniform> merge: Merge;

            @compute @workgroup_size(1)
            fn main() {
                words[merge.word] = (words[merge.word] & ~merge.mask) | (merge.bits & merge.mask);
            }
            """;

    private final GpuDevice device;
    private final GpuBuffer parameters;
    private final GpuKernel kernel;
    private final long window;

    /**
     * Compiles the kernel.
     *
     * @param parameters the buffer of {@link KernelParameters}
     */
    public ByteMerge(GpuDevice device, GpuBuffer parameters) {
        this.device = device;
        this.parameters = parameters;
        this.window = device.windowBytes();
        this.kernel = GpuKernel.compile(
                device,
                "device arena byte merge",
                SOURCE,
                List.of(
                        // one bind group for each window: Mesa's lavapipe 22.3 loses writes at a dynamic offset
                        new GpuKernel.Slot(GpuKernel.Access.READ_WRITE, false),
                        new GpuKernel.Slot(GpuKernel.Access.UNIFORM, true)));
    }

    /** The bytes of a buffer that one bind group covers. */
    public long window() {
        return window;
    }

    /** Creates the bind group of the window that begins at a byte of a buffer; {@code owner} releases it. */
    public GpuBindGroup bind(GpuBuffer target, long begin, Arena owner) {
        return GpuBindGroup.create(
                device,
                kernel,
                List.of(
                        GpuBindGroup.Range.upTo(target, begin, window),
                        new GpuBindGroup.Range(parameters, 0, KernelParameters.BYTES)),
                owner);
    }

    /**
     * Records a write to some bytes of a word.
     *
     * @param word the index of the word in the window
     * @param mask the bits to write, of a little-endian word
     * @param bits their new values
     */
    public void record(
            Commands commands, GpuBindGroup target, long word, int mask, int bits, DispatchParameters parameters) {
        commands.dispatch(kernel, target, 1, parameters.add((int) word, mask, bits, 0));
    }

    @Override
    public void close() {
        kernel.close();
    }
}
