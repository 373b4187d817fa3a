package io.devicearena.wgpu.internal.compute;

import io.devicearena.wgpu.internal.arena.KernelCache;
import io.devicearena.wgpu.internal.gpu.GpuBindGroup;

/** Constant bytes of a uniform. Threads: immutable. */
final class UniformWords extends BoundRange {
    UniformWords(KernelCache owner, GpuBindGroup.Range range) {
        super(owner, range);
    }

    @Override
    String noun() {
        return "a uniform";
    }
}
