package io.devicearena.spi;

import io.devicearena.BufferSlot;
import io.devicearena.DType;
import io.devicearena.DeferredRead;
import io.devicearena.DeviceArena;
import io.devicearena.MemoryPlan;
import io.devicearena.ReadBatch;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.Function;

/**
 * What a backend overrides of {@link AbstractDeviceArena}: {@link #writeRange} and {@link #readRange} always, the typed
 * and the batched hooks where the device can do better than their defaults.
 *
 * <p>A hook gets checked arguments: the range lies within the arena, the memory is alive, accessible to the calling
 * thread and, for reads, writable. Many threads call hooks at once, without a lock.
 */
abstract class ArenaHooks implements DeviceArena {
    /** The slots of the plan, with the actual lengths of its values. */
    final SlotTable slots;

    ArenaHooks(MemoryPlan plan) {
        this.slots = new SlotTable(plan);
    }

    /**
     * Writes bytes.
     *
     * @param offset bytes from the arena's start
     * @param source 1 byte or more
     */
    protected abstract void writeRange(long offset, MemorySegment source);

    /**
     * Reads bytes.
     *
     * @param offset bytes from the arena's start
     * @param destination 1 byte or more
     */
    protected abstract void readRange(long offset, MemorySegment destination);

    /**
     * Writes host floats to the start of a value, cast to a type. By default they are cast in host memory, some
     * thousand at a time, and written by {@link #writeRange}.
     *
     * @param slot where the value is
     * @param dtype F32, F16 or BF16
     * @param source f32 elements, {@code elements} of them or more
     * @param elements how many to write from the start of {@code source}, 1 to what the slot holds
     */
    protected void writeFloats(BufferSlot slot, DType dtype, MemorySegment source, long elements) {
        CastedTransfers.write(this, slot.offset(), dtype, source, elements);
    }

    /**
     * Writes host floats from an array to the start of a value, cast to a type. By default this is the segment form; a
     * backend overrides it where the segment over the array should not be allocated on each call.
     *
     * @param slot where the value is
     * @param dtype F32, F16 or BF16
     * @param source host floats, {@code elements} of them or more
     * @param elements how many to write from the start of {@code source}, 1 to what the slot holds
     */
    protected void writeFloats(BufferSlot slot, DType dtype, float[] source, int elements) {
        writeFloats(slot, dtype, MemorySegment.ofArray(source), elements);
    }

    /**
     * Reads the start of a value as host floats, cast from a type. By default bytes are read by {@link #readRange} and
     * cast in host memory, some thousand elements at a time.
     *
     * @param slot where the value is
     * @param dtype F32, F16 or BF16
     * @param destination room for {@code elements} f32 elements or more; those past them keep their values
     * @param elements how many to read, 1 to what the slot holds
     */
    protected void readFloats(BufferSlot slot, DType dtype, MemorySegment destination, long elements) {
        CastedTransfers.read(this, slot.offset(), dtype, destination, elements);
    }

    /**
     * Reads the start of a value into an array as host floats, cast from a type. By default this is the segment form; a
     * backend overrides it where the segment over the array should not be allocated on each call.
     *
     * @param slot where the value is
     * @param dtype F32, F16 or BF16
     * @param destination room for {@code elements} floats or more; those past them keep their values
     * @param elements how many to read, 1 to what the slot holds
     */
    protected void readFloats(BufferSlot slot, DType dtype, float[] destination, int elements) {
        readFloats(slot, dtype, MemorySegment.ofArray(destination), elements);
    }

    /**
     * Reads the regions of a batch and waits for them. By default one after the other, by the other hooks.
     *
     * @param regions each within the arena; {@link #elementsRead} says how much of each to read
     * @return the sum over the regions of what was read, elements or bytes
     */
    protected long readRegions(List<ReadBatch.Region> regions) {
        long total = 0;
        for (int i = 0; i < regions.size(); i++) {
            total += readRegion(regions.get(i));
        }
        return total;
    }

    /**
     * Begins to read the current bytes of the regions of a batch. By default they are read at once.
     *
     * @param regions each within the arena, its destination accessible to any thread
     * @return the handle
     */
    protected DeferredRead beginRegions(List<ReadBatch.Region> regions) {
        return new CompletedRead(readRegions(regions));
    }

    /**
     * Passes bytes to a function. By default they are copied into memory that is freed when the function returns.
     *
     * @param offset bytes from the arena's start
     * @param length 1 byte or more
     * @param reader gets a read-only segment of {@code length} bytes
     * @param <R> what the function makes of the bytes
     * @return what {@code reader} returned
     */
    protected <R> R withRange(long offset, long length, Function<MemorySegment, R> reader) {
        return CastedTransfers.withCopy(this, offset, length, reader);
    }

    /** Waits until what the calling thread wrote has reached the device's memory. By default it has. */
    protected void flushWrites() {}

    /**
     * Where a region begins.
     *
     * @param region a region of a batch that was passed to a hook
     * @return bytes from the arena's start
     */
    protected final long regionOffset(ReadBatch.Region region) {
        return switch (region) {
            case ReadBatch.Output output -> slots.require(output.node()).offset;
            case ReadBatch.Bytes bytes -> bytes.offset();
        };
    }

    /**
     * How much of a region is read: a value ends at its actual length. Another thread may change that length: call this
     * once for each region and read.
     *
     * @param region a region of a batch that was passed to a hook
     * @return elements of a typed region, bytes of a raw one
     */
    protected final long elementsRead(ReadBatch.Region region) {
        return switch (region) {
            case ReadBatch.Output output ->
                Math.min(
                        output.destination().byteSize() / Float.BYTES,
                        slots.require(output.node()).length / output.dtype().bytes());
            case ReadBatch.Bytes bytes -> bytes.destination().byteSize();
        };
    }

    private long readRegion(ReadBatch.Region region) {
        long count = elementsRead(region);
        if (count > 0) {
            switch (region) {
                case ReadBatch.Output output ->
                    readFloats(slots.require(output.node()).slot, output.dtype(), output.destination(), count);
                case ReadBatch.Bytes bytes -> readRange(bytes.offset(), bytes.destination());
            }
        }
        return count;
    }
}
