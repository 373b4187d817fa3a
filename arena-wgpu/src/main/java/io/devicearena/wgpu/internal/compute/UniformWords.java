package io.devicearena.wgpu.internal.compute;

import io.devicearena.wgpu.internal.arena.KernelCache;
import io.devicearena.wgpu.internal.gpu.GpuBindGroup;

/** Constant bytes of a uniform. Threads: immutable. */
final class UniformWords extends BoundRange {
    /** The bytes that the caller passed; the range behind them is filled up with zeros. */
    private final long bytes;

    UniformWords(KernelCache owner, GpuBindGroup.Range range, long bytes) {
        super(owner, range);
        this.bytes = bytes;
    }

    @Override
    long filledBytes() {
        return bytes;
    }

    @Override
    String noun() {
        return "a uniform";
    }
}
