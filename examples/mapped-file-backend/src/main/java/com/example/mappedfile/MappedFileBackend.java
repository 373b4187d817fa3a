package com.example.mappedfile;

import io.devicearena.BufferSlot;
import io.devicearena.DType;
import io.devicearena.DeviceException;
import io.devicearena.cast.TypedCasts;
import io.devicearena.spi.ArenaBackend;
import io.devicearena.spi.OpenArena;
import io.devicearena.spi.memory.HostAllocation;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * The bytes of an arena in a mapped file. The arena in front checks the arguments; this class moves the bytes.
 *
 * <p>Threads: safe for any thread.
 */
final class MappedFileBackend implements ArenaBackend {
    private final ArenaFile file;
    private final MemorySegment memory;

    MappedFileBackend(ArenaFile file) {
        this.file = file;
        this.memory = file.memory();
    }

    @Override
    public void write(long offset, MemorySegment source) {
        move(() -> MemorySegment.copy(source, 0, memory, offset, source.byteSize()));
    }

    @Override
    public void read(long offset, MemorySegment destination) {
        move(() -> MemorySegment.copy(memory, offset, destination, 0, destination.byteSize()));
    }

    // By default floats are cast in a host array; the file's pages are host memory, so casting there saves a copy.

    @Override
    public void writeFloats(BufferSlot slot, DType dtype, MemorySegment source, long elements) {
        move(() -> TypedCasts.write(memory, slot.offset(), dtype, source, 0, elements));
    }

    @Override
    public void readFloats(BufferSlot slot, DType dtype, MemorySegment destination, long elements) {
        move(() -> TypedCasts.read(memory, slot.offset(), dtype, destination, 0, elements));
    }

    @Override
    public HostAllocation map(long offset, long length) {
        return new Slice(memory.asSlice(offset, length));
    }

    /** Bytes of the file, which stay mapped until the arena is closed. Threads: safe for any thread. */
    private record Slice(MemorySegment segment) implements HostAllocation {
        @Override
        public void free() {
            // they are the arena's
        }
    }

    @Override
    public void flush() {
        file.force();
    }

    @Override
    public <T> Optional<T> unwrap(Class<T> type, OpenArena arena) {
        return type == MemorySegment.class ? Optional.of(type.cast(memory)) : Optional.empty();
    }

    @Override
    public void close() {
        file.release();
    }

    /** The JVM throws an InternalError when the disk cannot read or write a page; here that is a failed device. */
    private void move(Runnable bytes) {
        try {
            bytes.run();
        } catch (InternalError e) {
            throw new DeviceException(
                    file + ": the disk could not read or write a page; check whether it is full or broken", e);
        }
    }
}
