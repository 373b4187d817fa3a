package com.example.mappedfile;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaOptions;
import io.devicearena.DType;
import io.devicearena.DeviceException;
import io.devicearena.MemoryPlan;
import io.devicearena.cast.TypedCasts;
import io.devicearena.spi.AbstractDeviceArena;
import io.devicearena.spi.ArenaGeometry;
import java.lang.foreign.MemorySegment;
import java.util.function.Function;

/** An arena over a mapped file. The checks are done by the superclass; what is left is to move bytes. */
final class MappedFileArena extends AbstractDeviceArena {
    private final MappedFile file;
    private final MemorySegment memory;

    MappedFileArena(
            ArenaDevice device, MemoryPlan plan, ArenaOptions options, ArenaGeometry geometry, MappedFile file) {
        super(device, plan, options, geometry, file::release);
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

    // The superclass casts in a piece of host memory; the file's pages are host memory, so casting there saves a copy.

    @Override
    protected void writeFloats(long offset, DType dtype, MemorySegment source, long elements) {
        move(() -> TypedCasts.write(memory, offset, dtype, source, 0, elements));
    }

    @Override
    protected void readFloats(long offset, DType dtype, MemorySegment destination, long elements) {
        move(() -> TypedCasts.read(memory, offset, dtype, destination, 0, elements));
    }

    @Override
    protected <R> R lendRange(long offset, long length, Function<MemorySegment, R> reader) {
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

    /** The JVM answers a page that the disk cannot give or take with an InternalError; here that is a failed device. */
    private void move(Runnable bytes) {
        try {
            file.use(bytes);
        } catch (InternalError e) {
            throw new DeviceException(
                    file + ": expected the disk to move the bytes, got a fault; see whether it is full or broken", e);
        }
    }
}
