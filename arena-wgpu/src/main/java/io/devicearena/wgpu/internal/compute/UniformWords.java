package io.devicearena.wgpu.internal.compute;

import io.devicearena.wgpu.internal.arena.KernelCache;

import io.devicearena.wgpu.internal.gpu.GpuBindGroup;

/** Bytes that never change. Threads: immutable. */
final class UniformWords extends BoundRange {
    UniformWords(KernelCache memory, GpuBindGroup.Range range) {
        super(memory, range);
    }

    @Override
    String noun() {
        return "a uniform";
    }
}
