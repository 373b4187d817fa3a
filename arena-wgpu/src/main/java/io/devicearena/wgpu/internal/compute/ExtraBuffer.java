package io.devicearena.wgpu.internal.compute;

import io.devicearena.spi.CallerMemory;
import io.devicearena.wgpu.internal.arena.ArenaContext;
import io.devicearena.wgpu.internal.gpu.GpuBindGroup;
import io.devicearena.wgpu.internal.gpu.GpuBuffer;
import io.devicearena.wgpu.internal.transfer.SegmentedBuffer;
import io.devicearena.wgpu.kernel.KernelBuffer;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/** Device memory beside the arena. Threads: safe for any thread. */
final class ExtraBuffer extends BoundRange implements KernelBuffer {
    private final ArenaContext arena;
    private final GpuBuffer buffer;
    private final SegmentedBuffer segments;

    ExtraBuffer(ArenaContext arena, GpuBuffer buffer) {
        super(arena.kernels(), new GpuBindGroup.Range(buffer, 0, buffer.bytes()));
        this.arena = arena;
        this.buffer = buffer;
        this.segments = SegmentedBuffer.of(buffer);
    }

    @Override
    String noun() {
        return "an extra buffer";
    }

    @Override
    public void write(long offset, MemorySegment source) {
        long length = Objects.requireNonNull(source, "source").byteSize();
        requireRange(offset, length);
        if (((offset | length) & 3) != 0) {
            throw new IllegalArgumentException("range: expected offset and length in multiples of 4, got offset "
                    + offset + " and length " + length);
        }
        CallerMemory.requireAccess("source", source);
        if (length > 0) {
            arena.enter();
            try {
                arena.upload().writeBytes(segments, offset, source);
            } finally {
                arena.leave();
            }
        }
    }

    @Override
    public void read(long offset, MemorySegment destination) {
        long length = Objects.requireNonNull(destination, "destination").byteSize();
        CallerMemory.requireWritable("destination", destination);
        requireRange(offset, length);
        CallerMemory.requireAccess("destination", destination);
        if (length > 0) {
            arena.enter();
            try {
                arena.readback().readBytes(segments, offset, destination);
            } finally {
                arena.leave();
            }
        }
    }

    private void requireRange(long offset, long length) {
        if (offset < 0 || length > buffer.bytes() || offset > buffer.bytes() - length) {
            throw new IllegalArgumentException("range: expected one within the buffer of " + buffer.bytes()
                    + " bytes, got offset " + offset + " and length " + length);
        }
    }
}
