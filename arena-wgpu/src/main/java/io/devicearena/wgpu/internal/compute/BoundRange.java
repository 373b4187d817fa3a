package io.devicearena.wgpu.internal.compute;

import io.devicearena.wgpu.internal.arena.KernelCache;
import io.devicearena.wgpu.internal.gpu.GpuBindGroup;
import io.devicearena.wgpu.kernel.Binding;

/** A range of a buffer that kernels of one arena can be bound to. Threads: safe for any thread. */
abstract class BoundRange implements Binding {
    private final KernelCache owner;

    BoundRange(KernelCache owner) {
        this.owner = owner;
    }

    /** Identifies the arena. */
    final KernelCache owner() {
        return owner;
    }

    /** The bytes in their buffer; those of a uniform have a place only while it is held. */
    abstract GpuBindGroup.Range range();

    /** Keeps the bytes for a program; throws if the binding is closed. */
    void hold(Holds holds) {
        // windows: the arena keeps its memory
    }

    @Override
    public long bytes() {
        return range().bytes();
    }

    /** The bytes that have a content. */
    long filledBytes() {
        return bytes();
    }

    /** The name of this kind of binding in messages. */
    abstract String noun();
}
