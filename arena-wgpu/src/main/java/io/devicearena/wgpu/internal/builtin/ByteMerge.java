package io.devicearena.wgpu.internal.builtin;

import io.devicearena.wgpu.internal.transfer.ArenaBuffers;

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

    ByteMerge(GpuDevice device, GpuBuffer parameters) {
        this.device = device;
        this.parameters = parameters;
        this.window = device.limits().maxBindingBytes() & -ArenaBuffers.SIZE_UNIT;
        this.kernel = GpuKernel.compile(
                device,
                "device arena byte merge",
                SOURCE,
                List.of(
                        // windows are bound one by one: under Mesa's lavapipe 22.3 a dynamic offset loses the writes
                        new GpuKernel.Slot(GpuKernel.Access.READ_WRITE, false),
                        new GpuKernel.Slot(GpuKernel.Access.UNIFORM, true)));
    }

    /** Bytes of a buffer that one bind group covers. */
    long window() {
        return window;
    }

    /** What the kernel needs to write to one window of a buffer, counted from its start. */
    GpuBindGroup bind(GpuBuffer target, int index) {
        long begin = index * window;
        return GpuBindGroup.create(
                device,
                kernel,
                List.of(
                        new GpuBindGroup.Range(target, begin, Math.min(window, target.bytes() - begin)),
                        new GpuBindGroup.Range(parameters, 0, KernelParameters.BYTES)));
    }

    /**
     * Records the change of the bytes of a word that a mask has set, both as a little-endian word has them.
     *
     * @param word the word, counted from the window's start
     */
    void record(Commands commands, GpuBindGroup target, long word, int mask, int bits, KernelParameters notes) {
        commands.dispatch(kernel, target, 1, notes.add((int) word, mask, bits, 0));
    }

    @Override
    public void close() {
        kernel.close();
    }
}
