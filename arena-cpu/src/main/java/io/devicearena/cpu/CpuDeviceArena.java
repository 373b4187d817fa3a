package io.devicearena.cpu;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaOptions;
import io.devicearena.BufferSlot;
import io.devicearena.DType;
import io.devicearena.MemoryPlan;
import io.devicearena.cast.TypedCasts;
import io.devicearena.spi.AbstractDeviceArena;
import io.devicearena.spi.ArenaGeometry;
import io.devicearena.spi.memory.HostAllocation;
import java.lang.foreign.MemorySegment;
import java.util.function.Function;

/** An arena over one segment of host memory: every transfer is a copy or a cast, at once. */
final class CpuDeviceArena extends AbstractDeviceArena {
    private final MemorySegment memory;

    CpuDeviceArena(ArenaDevice device, MemoryPlan plan, ArenaOptions options, ArenaGeometry geometry, HostBlock block) {
        super(device, plan, options, geometry, block);
        this.memory = block.memory();
    }

    @Override
    protected void writeRange(long offset, MemorySegment source) {
        MemorySegment.copy(source, 0, memory, offset, source.byteSize());
    }

    @Override
    protected void readRange(long offset, MemorySegment destination) {
        MemorySegment.copy(memory, offset, destination, 0, destination.byteSize());
    }

    @Override
    protected void writeFloats(BufferSlot slot, DType dtype, MemorySegment source, long elements) {
        TypedCasts.write(memory, slot.offset(), dtype, source, 0, elements);
    }

    @Override
    protected void writeFloats(BufferSlot slot, DType dtype, float[] source, int elements) {
        TypedCasts.write(memory, slot.offset(), dtype, source, 0, elements);
    }

    @Override
    protected void readFloats(BufferSlot slot, DType dtype, MemorySegment destination, long elements) {
        TypedCasts.read(memory, slot.offset(), dtype, destination, 0, elements);
    }

    @Override
    protected void readFloats(BufferSlot slot, DType dtype, float[] destination, int elements) {
        TypedCasts.read(memory, slot.offset(), dtype, destination, 0, elements);
    }

    @Override
    protected <R> R withRange(long offset, long length, Function<MemorySegment, R> reader) {
        return reader.apply(memory.asSlice(offset, length).asReadOnly());
    }

    @Override
    protected HostAllocation allocateHostMemory(long bytes) {
        return HostBlock.allocate(bytes);
    }

    @Override
    protected void fillRange(long offset, long length, int word) {
        MemorySegment range = memory.asSlice(offset, length);
        byte first = (byte) word;
        if (word == (first & 0xFF) * 0x01010101) {
            range.fill(first);
        } else {
            super.fillRange(offset, length, word);
        }
    }

    @Override
    protected void copyRange(long from, long to, long length) {
        MemorySegment.copy(memory, from, memory, to, length);
    }

    @Override
    public MemorySegment hostMemory() {
        device(); // throws when the arena is closed
        beginChecks();
        return memory;
    }
}
