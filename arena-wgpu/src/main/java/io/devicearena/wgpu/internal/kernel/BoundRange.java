package io.devicearena.wgpu.internal.kernel;

import io.devicearena.wgpu.internal.gpu.GpuBindGroup;
import io.devicearena.wgpu.kernel.Binding;

/** What every binding of ours is: a range of a buffer, belonging to an arena's kernels. Threads: safe for any thread. */
abstract class BoundRange implements Binding {
    private final KernelMemory memory;
    private final GpuBindGroup.Range range;

    BoundRange(KernelMemory memory, GpuBindGroup.Range range) {
        this.memory = memory;
        this.range = range;
    }

    final KernelMemory memory() {
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
