package io.devicearena.wgpu.internal.arena;

import io.devicearena.BufferSlot;
import io.devicearena.DType;
import io.devicearena.F16Shadow;
import io.devicearena.NodeId;
import io.devicearena.spi.CallerMemory;
import io.devicearena.wgpu.internal.transfer.SegmentedBuffer;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.OptionalLong;

/**
 * The f16 shadow of an arena: a second buffer that holds the f16 cast of each value that has a mirror, except where the
 * mirror is marked as stale.
 *
 * <p>Threads: safe for any thread.
 */
public final class WgpuF16Shadow implements F16Shadow {
    private final ArenaContext arena;

    /** Makes the shadow of an arena that has one. */
    public WgpuF16Shadow(ArenaContext arena) {
        this.arena = arena;
    }

    @Override
    public long sizeBytes() {
        arena.open().requireOpen();
        return arena.backend().shadowBytes();
    }

    @Override
    public boolean fits(NodeId id) {
        return arena.open().arena().hasBuffer(id)
                && arena.backend().mirrors().has(arena.open().requireSlot(id));
    }

    @Override
    public OptionalLong byteOffset(NodeId id) {
        return fits(id) ? OptionalLong.of(arena.open().requireSlot(id).offset() / 2) : OptionalLong.empty();
    }

    @Override
    public boolean isStale(NodeId id) {
        return fits(id) && arena.backend().mirrors().isStale(arena.open().requireSlot(id));
    }

    @Override
    public long write(NodeId id, float[] data) {
        Objects.requireNonNull(data, "data");
        return write(id, MemorySegment.ofArray(data));
    }

    @Override
    public long write(NodeId id, MemorySegment data) {
        Objects.requireNonNull(data, "data");
        BufferSlot slot = arena.mirrored(Objects.requireNonNull(id, "id"));
        if (data.byteSize() % Float.BYTES != 0) {
            throw new IllegalArgumentException(
                    "data: expected a multiple of 4 bytes, got " + data.byteSize() + "; pass whole f32 elements");
        }
        CallerMemory.requireAccess("data", data);
        long capacity = slot.size() / Float.BYTES;
        long count = Math.min(data.byteSize() / Float.BYTES, capacity);
        if (count > 0) {
            arena.enter();
            try {
                long offset = slot.offset() / 2;
                SegmentedBuffer shadow = arena.backend().buffers().shadow();
                arena.backend().upload().writeFloats(shadow, offset, DType.F16, data, count);
                if (count == capacity && count % 2 == 1) {
                    MemorySegment zero = MemorySegment.ofArray(new short[1]);
                    arena.backend().upload().writeBytes(shadow, offset + count * Short.BYTES, zero);
                }
                arena.backend().mirrors().markFresh(slot.offset(), slot.size());
            } finally {
                arena.leave();
            }
        }
        return count;
    }

    @Override
    public void refresh(NodeId id) {
        BufferSlot slot = arena.mirrored(Objects.requireNonNull(id, "id"));
        long elements = slot.size() / Float.BYTES;
        arena.enter();
        try {
            arena.backend()
                    .mirrors()
                    .markFresh(slot.offset(), slot.size()); // before the cast: a write meanwhile makes it stale again
            if (elements > 0) {
                arena.backend().upload().castMirror(slot.offset(), elements, true);
            }
        } finally {
            arena.leave();
        }
    }

    @Override
    public void readBytes(long offset, MemorySegment destination) {
        Objects.requireNonNull(destination, "destination");
        long size = sizeBytes();
        long length = destination.byteSize();
        CallerMemory.requireWritable("destination", destination);
        if (offset < 0 || length > size || offset > size - length) {
            throw new IllegalArgumentException("range: expected one within the shadow of " + size
                    + " bytes, got offset " + offset + " and length " + length);
        }
        CallerMemory.requireAccess("destination", destination);
        if (length > 0) {
            arena.enter();
            try {
                arena.backend().readback().readBytes(arena.backend().buffers().shadow(), offset, destination);
            } finally {
                arena.leave();
            }
        }
    }
}
