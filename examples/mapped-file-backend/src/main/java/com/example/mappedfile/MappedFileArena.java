package com.example.mappedfile;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaOptions;
import io.devicearena.BufferSlot;
import io.devicearena.DType;
import io.devicearena.DeviceException;
import io.devicearena.MemoryPlan;
import io.devicearena.cast.TypedCasts;
import io.devicearena.spi.AbstractDeviceArena;
import io.devicearena.spi.ArenaGeometry;
import io.devicearena.spi.memory.GuardedMemory;
import java.lang.foreign.MemorySegment;
import java.util.function.Function;

/** An arena over a mapped file. The superclass checks the arguments; this class moves the bytes. */
final class MappedFileArena extends AbstractDeviceArena {
    private final ArenaFile file;
    private final MemorySegment memory;

    MappedFileArena(
            ArenaDevice device, MemoryPlan plan, ArenaOptions options, ArenaGeometry geometry, ArenaFile file) {
        // the mapping must not end during a transfer, nor during force, which is a native call
        super(device, plan, options, geometry, new GuardedMemory(file::release));
        this.file = file;
        this.memory = file.memory();
    }

    @Override
    protected void writeRange(long offset, MemorySegment source) {
        move(() -> MemorySegment.copy(source, 0, memory, offset, source.byteSize()));
    }

    @Override
    protected void readRange(long offset, MemorySegment destination) {
        move(() -> MemorySegment.copy(memory, offset, destination, 0, destination.byteSize()));
    }

    // The superclass casts through a host array; the file's pages are host memory, so casting there saves a copy.

    @Override
    protected void writeFloats(BufferSlot slot, DType dtype, MemorySegment source, long elements) {
        move(() -> TypedCasts.write(memory, slot.offset(), dtype, source, 0, elements));
    }

    @Override
    protected void readFloats(BufferSlot slot, DType dtype, MemorySegment destination, long elements) {
        move(() -> TypedCasts.read(memory, slot.offset(), dtype, destination, 0, elements));
    }

    @Override
    protected <R> R withRange(long offset, long length, Function<MemorySegment, R> reader) {
        return reader.apply(memory.asSlice(offset, length).asReadOnly());
    }

    @Override
    protected void flushWrites() {
        file.force();
    }

    @Override
    public MemorySegment hostMemory() {
        device(); // throws when the arena is closed
        return memory;
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
