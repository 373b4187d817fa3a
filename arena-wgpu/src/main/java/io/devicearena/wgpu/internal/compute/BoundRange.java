package io.devicearena.wgpu.internal.compute;

import io.devicearena.wgpu.internal.arena.KernelCache;

import io.devicearena.wgpu.internal.gpu.GpuBindGroup;
import io.devicearena.wgpu.kernel.Binding;

/** What every binding of ours is: a range of a buffer, belonging to an arena's kernels. Threads: safe for any thread. */
abstract class BoundRange implements Binding {
    private final KernelCache memory;
    private final GpuBindGroup.Range range;

    BoundRange(KernelCache memory, GpuBindGroup.Range range) {
        this.memory = memory;
        this.range = range;
    }

    final KernelCache memory() {
        return memory;
    }

    final GpuBindGroup.Range range() {
        return range;
    }

    @Override
    public long bytes() {
        return range.bytes();
    }

    /** What messages call it. */
    abstract String noun();
}
