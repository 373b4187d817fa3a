package io.devicearena.wgpu.internal.compute;

import io.devicearena.wgpu.internal.arena.KernelCache;
import io.devicearena.wgpu.internal.gpu.GpuBindGroup;
import io.devicearena.wgpu.kernel.Binding;

/** A range of a buffer that kernels of one arena can be bound to. Threads: safe for any thread. */
abstract class BoundRange implements Binding {
    private final KernelCache owner;
    private final GpuBindGroup.Range range;

    BoundRange(KernelCache owner, GpuBindGroup.Range range) {
        this.owner = owner;
        this.range = range;
    }

    /** Identifies the arena. */
    final KernelCache owner() {
        return owner;
    }

    final GpuBindGroup.Range range() {
        return range;
    }

    @Override
    public long bytes() {
        return range.bytes();
    }

    /** The bytes that have a content. */
    long filledBytes() {
        return bytes();
    }

    /** The name of this kind of binding in messages. */
    abstract String noun();
}
