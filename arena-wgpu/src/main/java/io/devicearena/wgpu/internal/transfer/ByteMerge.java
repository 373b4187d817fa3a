package io.devicearena.wgpu.internal.transfer;

import io.devicearena.wgpu.internal.gpu.Commands;
import io.devicearena.wgpu.internal.gpu.GpuBindGroup;
import io.devicearena.wgpu.internal.gpu.GpuBuffer;
import io.devicearena.wgpu.internal.gpu.GpuDevice;
import io.devicearena.wgpu.internal.gpu.GpuKernel;
import java.util.List;

/**
 * Writes some of the four bytes of a word, on the device.
 *
 * <p>Copies come in words. To read a word, change it on the host and write it back would undo what others wrote to its
 * other bytes meanwhile; on the device the change has its place in the queue like any write.
 *
 * <p>Threads: safe for any thread.
 */
final class ByteMerge implements AutoCloseable {
    /** The kernel sees this much of the buffer, from a multiple of it on: every device takes such an offset. */
    static final long WINDOW = 256;

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

    ByteMerge(GpuDevice device, GpuBuffer parameters) {
        this.device = device;
        this.parameters = parameters;
        this.kernel = GpuKernel.compile(
                device,
                "device arena byte merge",
                SOURCE,
                List.of(
                        new GpuKernel.Slot(GpuKernel.Access.READ_WRITE, true),
                        new GpuKernel.Slot(GpuKernel.Access.UNIFORM, true)));
    }

    /** What the kernel needs to write to a buffer, whose size must be a multiple of {@link #WINDOW}. */
    GpuBindGroup bind(GpuBuffer target) {
        return GpuBindGroup.create(
                device,
                kernel,
                List.of(
                        new GpuBindGroup.Range(target, 0, WINDOW),
                        new GpuBindGroup.Range(parameters, 0, KernelParameters.BYTES)));
    }

    /** Records the change of the bytes of a word that a mask has set, both as a little-endian word has them. */
    void record(Commands commands, GpuBindGroup target, long offset, int mask, int bits, KernelParameters notes) {
        long window = offset & -WINDOW;
        int place = notes.add((int) (offset - window) / Integer.BYTES, mask, bits, 0);
        commands.dispatch(kernel, target, 1, (int) window, place);
    }

    @Override
    public void close() {
        kernel.close();
    }
}
