package io.devicearena.wgpu.internal.arena;

import io.devicearena.wgpu.WgpuDeviceArena;

import io.devicearena.BufferSlot;
import io.devicearena.DType;
import io.devicearena.F16Shadow;
import io.devicearena.NodeId;
import io.devicearena.spi.CallerMemory;
import io.devicearena.wgpu.internal.transfer.Readback;
import io.devicearena.wgpu.internal.transfer.Upload;
import io.devicearena.wgpu.internal.transfer.Upload.Mirror;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** The second buffer of an arena. Element by element it is the cast of the first, but where that is noted as stale. */
final class WgpuF16Shadow implements F16Shadow {
    private static final int FLOATS_PER_WORD = 8;

    private final WgpuDeviceArena arena;
    private final ArenaResources memory;
    private final CloseGuard gate;
    private final Upload upload;
    private final Readback readback;
    private final StaleRanges stale = new StaleRanges();

    WgpuF16Shadow(WgpuDeviceArena arena, ArenaResources memory, Upload upload, Readback readback) {
        this.arena = arena;
        this.memory = memory;
        this.gate = memory.gate();
        this.upload = upload;
        this.readback = readback;
    }

    void stale(long offset, long bytes) {
        stale.add(offset, offset + bytes);
    }

    void fresh(long offset, long bytes) {
        stale.remove(offset, offset + bytes);
    }

    boolean isStale(long offset, long bytes) {
        return stale.meets(offset, offset + bytes);
    }

    /** Words of the shadow hold two values, and no two slots may share one: so only such slots have a mirror. */
    boolean fits(BufferSlot slot) {
        return slot.offset() % FLOATS_PER_WORD == 0
                && ArenaResources.mirrorEnd(slot.offset(), slot.size()) <= memory.shadowBytes();
    }

    private @Nullable BufferSlot mirrored(NodeId id) {
        Objects.requireNonNull(id, "id");
        BufferSlot slot = arena.plan().slots().get(id);
        return slot != null && fits(slot) ? slot : null;
    }

    private BufferSlot requireMirror(NodeId id) {
        BufferSlot slot = mirrored(id);
        if (slot == null) {
            throw new IllegalArgumentException(id + ": expected a value with a mirror in the shadow of "
                    + memory.shadowBytes() + " bytes, got one without; ask fits first");
        }
        return slot;
    }

    @Override
    public long sizeBytes() {
        arena.plan(); // throws when the arena is closed
        return memory.shadowBytes();
    }

    @Override
    public boolean fits(NodeId id) {
        return mirrored(id) != null;
    }

    @Override
    public OptionalLong byteOffset(NodeId id) {
        BufferSlot slot = mirrored(id);
        return slot == null ? OptionalLong.empty() : OptionalLong.of(slot.offset() / 2);
    }

    @Override
    public boolean isStale(NodeId id) {
        BufferSlot slot = mirrored(id);
        return slot != null && stale.meets(slot.offset(), slot.end());
    }

    @Override
    public long write(NodeId id, float[] data) {
        Objects.requireNonNull(data, "data");
        return write(id, MemorySegment.ofArray(data));
    }

    @Override
    public long write(NodeId id, MemorySegment data) {
        Objects.requireNonNull(data, "data");
        BufferSlot slot = requireMirror(id);
        if (data.byteSize() % Float.BYTES != 0) {
            throw new IllegalArgumentException(
                    "data: expected a multiple of 4 bytes, got " + data.byteSize() + "; pass whole f32 elements");
        }
        CallerMemory.requireAccess("data", data);
        long capacity = slot.size() / Float.BYTES;
        long count = Math.min(data.byteSize() / Float.BYTES, capacity);
        if (count > 0) {
            gate.enter();
            try {
                long offset = slot.offset() / 2;
                upload.writeFloats(memory.buffers().shadow(), offset, DType.F16, data, count, Mirror.NONE);
                if (count == capacity && count % 2 == 1) {
                    MemorySegment zero = MemorySegment.ofArray(new short[1]);
                    upload.writeBytes(memory.buffers().shadow(), offset + count * Short.BYTES, zero);
                }
                fresh(slot.offset(), slot.size());
            } finally {
                gate.leave();
            }
        }
        return count;
    }

    @Override
    public void refresh(NodeId id) {
        BufferSlot slot = requireMirror(id);
        long elements = slot.size() / Float.BYTES;
        gate.enter();
        try {
            fresh(slot.offset(), slot.size()); // ahead of the cast: what is written meanwhile makes it stale again
            if (elements > 0) {
                upload.castMirror(slot.offset(), elements, true);
            }
        } finally {
            gate.leave();
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
            gate.enter();
            try {
                readback.readBytes(memory.buffers().shadow(), offset, destination);
            } finally {
                gate.leave();
            }
        }
    }
}
