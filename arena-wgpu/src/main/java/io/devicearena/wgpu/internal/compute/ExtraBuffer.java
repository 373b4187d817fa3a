package io.devicearena.wgpu.internal.compute;

import io.devicearena.DType;
import io.devicearena.kernel.KernelBuffer;
import io.devicearena.spi.CallerMemory;
import io.devicearena.wgpu.internal.arena.ArenaContext;
import io.devicearena.wgpu.internal.gpu.GpuBuffer;
import io.devicearena.wgpu.internal.transfer.SegmentedBuffer;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/** Device memory beside the arena. Threads: safe for any thread. */
final class ExtraBuffer extends ClosableRange implements KernelBuffer {
    private final SegmentedBuffer segments;

    ExtraBuffer(ArenaContext arena, String label, GpuBuffer buffer) {
        super(arena, "extra buffer", label, buffer, buffer);
        this.segments = SegmentedBuffer.of(buffer);
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
            uses.enter();
            try {
                arena.backend().upload().write(segments, offset, DType.U8, source, length);
            } finally {
                uses.leave();
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
            uses.enter();
            try {
                arena.backend().readback().read(segments, offset, DType.U8, destination, length);
            } finally {
                uses.leave();
            }
        }
    }

    private void requireRange(long offset, long length) {
        if (offset < 0 || length > bytes() || offset > bytes() - length) {
            throw new IllegalArgumentException("range: expected one within the buffer of " + bytes()
                    + " bytes, got offset " + offset + " and length " + length);
        }
    }
}
