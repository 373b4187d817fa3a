package io.devicearena.wgpu.internal.kernel;

import io.devicearena.wgpu.internal.gpu.GpuBindGroup;

/** Bytes that never change. Threads: immutable. */
final class UniformWords extends BoundRange {
    UniformWords(KernelMemory memory, GpuBindGroup.Range range) {
        super(memory, range);
    }

    @Override
    String noun() {
        return "a uniform";
    }
}
