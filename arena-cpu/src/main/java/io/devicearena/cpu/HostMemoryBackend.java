package io.devicearena.cpu;

import io.devicearena.BufferSlot;
import io.devicearena.DType;
import io.devicearena.cast.TypedCasts;
import io.devicearena.spi.ArenaBackend;
import io.devicearena.spi.OpenArena;
import io.devicearena.spi.memory.HostAllocation;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/** One segment of host memory: every transfer is a copy or a cast, at once. Threads: safe for any thread. */
final class HostMemoryBackend implements ArenaBackend {
    private final HostAllocation block;
    private final MemorySegment memory;

    HostMemoryBackend(HostAllocation block) {
        this.block = block;
        this.memory = block.segment();
    }

    @Override
    public void write(long offset, MemorySegment source) {
        MemorySegment.copy(source, 0, memory, offset, source.byteSize());
    }

    @Override
    public void read(long offset, MemorySegment destination) {
        MemorySegment.copy(memory, offset, destination, 0, destination.byteSize());
    }

    @Override
    public void writeFloats(BufferSlot slot, DType dtype, MemorySegment source, long elements) {
        TypedCasts.write(memory, slot.offset(), dtype, source, 0, elements);
    }

    @Override
    public void writeFloats(BufferSlot slot, DType dtype, float[] source, int elements) {
        TypedCasts.write(memory, slot.offset(), dtype, source, 0, elements);
    }

    @Override
    public void readFloats(BufferSlot slot, DType dtype, MemorySegment destination, long elements) {
        TypedCasts.read(memory, slot.offset(), dtype, destination, 0, elements);
    }

    @Override
    public void readFloats(BufferSlot slot, DType dtype, float[] destination, int elements) {
        TypedCasts.read(memory, slot.offset(), dtype, destination, 0, elements);
    }

    @Override
    public HostAllocation map(long offset, long length) {
        return new Slice(memory.asSlice(offset, length));
    }

    /** Bytes of the arena, which stay until it is closed. Threads: safe for any thread. */
    private record Slice(MemorySegment segment) implements HostAllocation {
        @Override
        public void free() {
            // they are the arena's
        }
    }

    @Override
    public void fill(long offset, long length, byte value) {
        memory.asSlice(offset, length).fill(value);
    }

    @Override
    public void copy(long from, long to, long length) {
        MemorySegment.copy(memory, from, memory, to, length);
    }

    @Override
    public <T> Optional<T> unwrap(Class<T> type, OpenArena arena) {
        return type == MemorySegment.class ? Optional.of(type.cast(memory)) : Optional.empty();
    }

    @Override
    public void close() {
        try {
            block.free();
        } catch (IllegalStateException e) {
            throw new IllegalStateException(
                    "arena: a native call still uses the segment that unwrap returned; close the arena again when it has returned",
                    e);
        }
    }
}
