package io.devicearena.wgpu.internal.compute;

import io.devicearena.wgpu.internal.arena.KernelCache;
import io.devicearena.wgpu.internal.gpu.GpuBindGroup;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Constant bytes of a uniform. They are on the device as long as a program uses them. Threads: safe for any thread.
 */
final class UniformWords extends BoundRange {
    private final ByteBuffer content;
    /** Where the bytes are while they are held: the same place for all that hold them. */
    private volatile GpuBindGroup.@Nullable Range place;

    /** Makes a uniform with a copy of some bytes. */
    UniformWords(KernelCache owner, MemorySegment bytes) {
        super(owner, "uniform");
        this.content = ByteBuffer.wrap(bytes.toArray(ValueLayout.JAVA_BYTE));
    }

    @Override
    void hold(Holds holds) {
        place = owner.uniform(content);
        holds.add(() -> owner.releaseUniform(content));
    }

    @Override
    GpuBindGroup.Range range() {
        GpuBindGroup.Range held = place;
        if (held == null) {
            throw new AssertionError("a uniform is not held");
        }
        return held;
    }

    @Override
    public long bytes() {
        return content.remaining() + 15L & -16L;
    }

    /** The bytes that the caller passed; the range behind them is filled up with zeros. */
    @Override
    long filledBytes() {
        return content.remaining();
    }
}
