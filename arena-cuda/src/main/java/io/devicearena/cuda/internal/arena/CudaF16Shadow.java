package io.devicearena.cuda.internal.arena;

import io.devicearena.BufferSlot;
import io.devicearena.DType;
import io.devicearena.F16Shadow;
import io.devicearena.NodeId;
import io.devicearena.spi.CallerMemory;
import io.devicearena.spi.OpenArena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.OptionalLong;

/**
 * The f16 shadow of an arena: a second allocation that holds the f16 cast of each value that has a mirror, except where
 * the mirror is marked as stale.
 *
 * <p>Threads: safe for any thread.
 */
final class CudaF16Shadow implements F16Shadow {
    private final CudaBackend backend;
    private final OpenArena arena;

    CudaF16Shadow(CudaBackend backend, OpenArena arena) {
        this.backend = backend;
        this.arena = arena;
    }

    @Override
    public long sizeBytes() {
        arena.requireOpen();
        return backend.shadowBytes();
    }

    @Override
    public boolean fits(NodeId id) {
        return arena.arena().hasBuffer(id) && backend.mirrors().has(arena.requireSlot(id));
    }

    @Override
    public OptionalLong byteOffset(NodeId id) {
        return fits(id) ? OptionalLong.of(arena.requireSlot(id).offset() / 2) : OptionalLong.empty();
    }

    @Override
    public boolean isStale(NodeId id) {
        return fits(id) && backend.mirrors().isStale(arena.requireSlot(id));
    }

    @Override
    public long write(NodeId id, float[] data) {
        return write(id, MemorySegment.ofArray(Objects.requireNonNull(data, "data")));
    }

    @Override
    public long write(NodeId id, MemorySegment data) {
        Objects.requireNonNull(data, "data");
        BufferSlot slot = backend.requireMirror(arena, Objects.requireNonNull(id, "id"));
        if (data.byteSize() % Float.BYTES != 0) {
            throw new IllegalArgumentException(
                    "data: expected a multiple of 4 bytes, got " + data.byteSize() + "; pass whole f32 elements");
        }
        CallerMemory.requireAccess("data", data);
        long capacity = slot.size() / Float.BYTES;
        long count = Math.min(data.byteSize() / Float.BYTES, capacity);
        if (count > 0) {
            run(() -> {
                long to = backend.mirrorOf(slot);
                backend.transfers().write(to, 0, data, null, DType.F16, count);
                if (count == capacity && count % 2 == 1) {
                    backend.transfers().fill(to + count * Short.BYTES, Short.BYTES, (byte) 0);
                }
                backend.mirrors().markFresh(slot.offset(), slot.size());
            });
        }
        return count;
    }

    @Override
    public void refresh(NodeId id) {
        BufferSlot slot = backend.requireMirror(arena, Objects.requireNonNull(id, "id"));
        run(() -> {
            // before the cast: a write meanwhile makes it stale again
            backend.mirrors().markFresh(slot.offset(), slot.size());
            backend.refresh(slot, backend.transfers().context().stream());
        });
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
            run(() -> backend.transfers().read(backend.shadow() + offset, destination, null, null, length));
        }
    }

    private void run(Runnable call) {
        arena.requireOpen();
        arena.memory().enter();
        try {
            call.run();
        } finally {
            arena.memory().leave();
        }
    }
}
