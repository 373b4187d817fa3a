package io.devicearena.spi;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaOptions;
import io.devicearena.ArenaOutOfMemoryException;
import io.devicearena.BufferSlot;
import io.devicearena.DType;
import io.devicearena.DeferredRead;
import io.devicearena.DeviceArena;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.ReadBatch;
import io.devicearena.cast.TypedCasts;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * An arena of which a backend author writes only the moving of bytes.
 *
 * <p>This class looks values up, cuts to slots, checks every argument, keeps actual lengths, ends the arena once, and
 * frees its memory when it is dropped. A backend implements {@link #writeRange} and {@link #readRange}; it overrides
 * the typed and the batched hooks where the device has a better way. A hook is called with checked arguments only: the
 * range lies within the arena, the memory is alive, accessible to the calling thread and, for reads, writable.
 *
 * <p><b>Threads:</b> safe for any thread; hooks are called by many threads at once, without a lock. A hook may still
 * run while {@link #close} frees the memory: it must then end, or throw {@link IllegalStateException}, and never touch
 * freed memory.
 *
 * <p><b>Lifetime:</b> the memory is released exactly once, by {@link #close} or, when the arena was dropped, by a
 * cleaner thread that says so in the log. When the backend cannot release it yet, for example while a native call holds
 * a segment that {@link #hostMemory} lent, {@link #close} throws what the backend throws: the arena is closed to every
 * call, and its memory is released by the next {@link #close} or, failing that, once the arena is dropped.
 */
public abstract class AbstractDeviceArena implements DeviceArena {
    /** Elements cast at a time by the default typed hooks: small enough to stay in a core's cache. */
    private static final int CAST_PIECE = 8192;

    /** Bytes written between two reports of progress: seldom enough to cost nothing, often enough to show. */
    private static final long PROGRESS_PIECE = 16L << 20;

    /** The longest array that every virtual machine allocates. */
    private static final int MAX_ARRAY = Integer.MAX_VALUE - 8;

    private static final Cleaner CLEANER = Cleaner.create();

    private final ArenaDevice device;
    private final MemoryPlan plan;
    private final ArenaGeometry geometry;
    private final SlotTable slots;
    private final String label;
    private final MemoryRelease release;
    private final Cleaner.Cleanable cleanable;
    private volatile boolean open = true;

    /**
     * Makes an arena over memory that the backend has allocated.
     *
     * @param device where the memory is
     * @param plan where the values live
     * @param options whose label names the arena
     * @param geometry the sizes, as {@link ArenaGeometry#of} gives them for the same plan and options
     * @param memory frees the memory; called by any thread, and never again once it has returned. When it throws it
     *     must have freed nothing: {@link #close} throws the same, and the next close calls it again. It must not refer
     *     to this arena, or the arena is never found to be dropped
     */
    @SuppressWarnings("this-escape") // the cleaner keeps a phantom reference and calls nothing of this object
    protected AbstractDeviceArena(
            ArenaDevice device, MemoryPlan plan, ArenaOptions options, ArenaGeometry geometry, Runnable memory) {
        this.device = Objects.requireNonNull(device, "device");
        this.plan = Objects.requireNonNull(plan, "plan");
        this.geometry = Objects.requireNonNull(geometry, "geometry");
        this.slots = new SlotTable(plan);
        this.label = Objects.requireNonNull(options, "options").label();
        this.release = new MemoryRelease(
                Objects.requireNonNull(memory, "memory"),
                "device arena '" + label + "' of " + geometry.sizeBytes() + " bytes on '" + device.name() + "'");
        this.cleanable = CLEANER.register(this, release);
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
     * Writes host floats, cast to a type. By default they are cast piece by piece in host memory and written by
     * {@link #writeRange}.
     *
     * @param offset bytes from the arena's start
     * @param dtype F32, F16 or BF16
     * @param source f32 elements, as many as are to be written or more
     * @param elements how many from its start, 1 or more
     */
    protected void writeFloats(long offset, DType dtype, MemorySegment source, long elements) {
        if (dtype == DType.F32) {
            writeRange(offset, prefix(source, elements * Float.BYTES));
            return;
        }
        MemorySegment piece = MemorySegment.ofArray(new short[(int) Math.min(elements, CAST_PIECE)]);
        for (long done = 0; done < elements; done += CAST_PIECE) {
            long count = Math.min(elements - done, CAST_PIECE);
            TypedCasts.writeTypedFromF32(piece, dtype, source.asSlice(done * Float.BYTES, count * Float.BYTES), count);
            writeRange(offset + done * dtype.bytes(), piece.asSlice(0, count * dtype.bytes()));
        }
    }

    /**
     * Writes host floats from an array, cast to a type. By default this is the segment form.
     *
     * @param offset bytes from the arena's start
     * @param dtype F32, F16 or BF16
     * @param source host floats
     * @param elements how many from its start, 1 or more
     */
    protected void writeFloats(long offset, DType dtype, float[] source, int elements) {
        writeFloats(offset, dtype, MemorySegment.ofArray(source), elements);
    }

    /**
     * Writes host floats to the start of a value, cast to a type. By default this is {@link #writeFloats(long, DType,
     * MemorySegment, long)} at the slot's offset; a backend overrides it when what it does depends on the slot's end.
     *
     * @param slot where the value is
     * @param dtype F32, F16 or BF16
     * @param source f32 elements, as many as are to be written or more
     * @param elements how many from its start, 1 to what the slot holds
     */
    protected void writeValue(BufferSlot slot, DType dtype, MemorySegment source, long elements) {
        writeFloats(slot.offset(), dtype, source, elements);
    }

    /**
     * Writes host floats from an array to the start of a value, cast to a type. By default this is {@link
     * #writeFloats(long, DType, float[], int)} at the slot's offset.
     *
     * @param slot where the value is
     * @param dtype F32, F16 or BF16
     * @param source host floats
     * @param elements how many from its start, 1 to what the slot holds
     */
    protected void writeValue(BufferSlot slot, DType dtype, float[] source, int elements) {
        writeFloats(slot.offset(), dtype, source, elements);
    }

    /**
     * Reads host floats, cast from a type. By default bytes are read by {@link #readRange} and cast piece by piece in
     * host memory.
     *
     * @param offset bytes from the arena's start
     * @param dtype F32, F16 or BF16
     * @param destination f32 elements, as many as are to be read or more; those past them keep their values
     * @param elements how many to its start, 1 or more
     */
    protected void readFloats(long offset, DType dtype, MemorySegment destination, long elements) {
        if (dtype == DType.F32) {
            readRange(offset, prefix(destination, elements * Float.BYTES));
            return;
        }
        MemorySegment piece = MemorySegment.ofArray(new short[(int) Math.min(elements, CAST_PIECE)]);
        for (long done = 0; done < elements; done += CAST_PIECE) {
            long count = Math.min(elements - done, CAST_PIECE);
            readRange(offset + done * dtype.bytes(), piece.asSlice(0, count * dtype.bytes()));
            TypedCasts.readTypedToF32(piece, dtype, destination.asSlice(done * Float.BYTES, count * Float.BYTES));
        }
    }

    /**
     * Reads host floats into an array, cast from a type. By default this is the segment form.
     *
     * @param offset bytes from the arena's start
     * @param dtype F32, F16 or BF16
     * @param destination host floats
     * @param elements how many to its start, 1 or more
     */
    protected void readFloats(long offset, DType dtype, float[] destination, int elements) {
        readFloats(offset, dtype, MemorySegment.ofArray(destination), elements);
    }

    /**
     * Reads the regions of a batch and waits for them. By default one after the other, by the other hooks.
     *
     * @param regions each within the arena; {@link #elementsRead} tells how much of each to read
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
     * Begins to read the regions of a batch as they are now. By default they are read at once.
     *
     * @param regions each within the arena, its destination accessible to any thread
     * @return the handle
     */
    protected DeferredRead beginRegions(List<ReadBatch.Region> regions) {
        return new CompletedRead(readRegions(regions));
    }

    /**
     * Reads bytes and lends them. By default they are copied into memory that is freed when the function returns.
     *
     * @param offset bytes from the arena's start
     * @param length 1 byte or more
     * @param reader to be given a read-only segment of {@code length} bytes
     * @param <R> what the function makes of the bytes
     * @return what {@code reader} returned
     */
    protected <R> R lendRange(long offset, long length, Function<MemorySegment, R> reader) {
        try (Arena copy = Arena.ofConfined()) {
            MemorySegment bytes = allocate(copy, length);
            readRange(offset, bytes);
            return reader.apply(bytes.asReadOnly());
        }
    }

    private static MemorySegment allocate(Arena arena, long length) {
        try {
            return arena.allocate(length, Long.BYTES);
        } catch (OutOfMemoryError e) {
            throw new ArenaOutOfMemoryException(
                    "host memory: expected room for a copy of " + length
                            + " bytes while they are lent, the system refused it; lend fewer bytes at a time",
                    e);
        }
    }

    /** Waits until what the calling thread wrote has reached the device's memory. By default it has. */
    protected void flushWrites() {}

    /**
     * Where a region begins.
     *
     * @param region a region of a batch that was handed to a hook
     * @return bytes from the arena's start
     */
    protected final long regionOffset(ReadBatch.Region region) {
        return switch (region) {
            case ReadBatch.Output output -> slots.require(output.node()).offset;
            case ReadBatch.Bytes bytes -> bytes.offset();
        };
    }

    /**
     * How much of a region is read: a value ends at its actual length. Another thread may change that length: ask once
     * for each region and read.
     *
     * @param region a region of a batch that was handed to a hook
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
                    readFloats(regionOffset(region), output.dtype(), output.destination(), count);
                case ReadBatch.Bytes bytes -> readRange(bytes.offset(), bytes.destination());
            }
        }
        return count;
    }

    @Override
    public final ArenaDevice device() {
        requireOpen();
        return device;
    }

    @Override
    public final MemoryPlan plan() {
        requireOpen();
        return plan;
    }

    @Override
    public final long sizeBytes() {
        requireOpen();
        return geometry.sizeBytes();
    }

    @Override
    public final long scratchOffset() {
        requireOpen();
        return geometry.planBytes();
    }

    @Override
    public final long scratchBytes() {
        requireOpen();
        return geometry.scratchBytes();
    }

    @Override
    public final boolean hasBuffer(NodeId id) {
        Objects.requireNonNull(id, "id");
        requireOpen();
        return slots.find(id) != null;
    }

    @Override
    public final OptionalLong byteOffset(NodeId id) {
        Objects.requireNonNull(id, "id");
        requireOpen();
        SlotState slot = slots.find(id);
        return slot == null ? OptionalLong.empty() : OptionalLong.of(slot.offset);
    }

    @Override
    public final long lengthBytes(NodeId id) {
        Objects.requireNonNull(id, "id");
        requireOpen();
        SlotState slot = slots.find(id);
        return slot == null ? 0 : slot.length;
    }

    @Override
    public final void setActualLength(NodeId id, long bytes) {
        Objects.requireNonNull(id, "id");
        requireOpen();
        SlotState slot = slots.require(id);
        if (bytes < 0 || bytes > slot.capacity) {
            throw new IllegalArgumentException(id + ": expected an actual length of 0 to " + slot.capacity
                    + " bytes, what its slot holds, got " + bytes + "; plan the value with more elements");
        }
        slot.length = bytes;
    }

    @Override
    public final long writeInputF32(NodeId id, DType dtype, float[] data) {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(data, "data");
        requireHostFloat(dtype);
        requireOpen();
        SlotState slot = slots.require(id);
        int count = (int) Math.min(data.length, slot.capacity / dtype.bytes());
        if (count > 0) {
            try {
                writeValue(slot.slot, dtype, data, count);
            } catch (IllegalStateException e) {
                throw closedOr(e);
            } finally {
                Reference.reachabilityFence(this);
            }
        }
        return count;
    }

    @Override
    public final long writeInputF32(NodeId id, DType dtype, MemorySegment data) {
        Objects.requireNonNull(id, "id");
        requireHostFloat(dtype);
        requireFloats("data", data);
        requireOpen();
        SlotState slot = slots.require(id);
        CallerMemory.requireAccess("data", data);
        long count = Math.min(data.byteSize() / Float.BYTES, slot.capacity / dtype.bytes());
        if (count > 0) {
            try {
                writeValue(slot.slot, dtype, data, count);
            } catch (IllegalStateException e) {
                throw closedOr(e);
            } finally {
                Reference.reachabilityFence(this);
            }
        }
        return count;
    }

    @Override
    public final float[] readOutputF32(NodeId id, DType dtype, long elements) {
        Objects.requireNonNull(id, "id");
        requireHostFloat(dtype);
        requireOpen();
        SlotState slot = slots.require(id);
        if (elements < 0) {
            throw new IllegalArgumentException(
                    "elements: expected 0 or more, got " + elements + "; lengthBytes tells how long a value is");
        }
        long count = Math.min(elements, slot.length / dtype.bytes());
        if (count > MAX_ARRAY) {
            throw new IllegalArgumentException("elements: expected at most " + MAX_ARRAY + ", what an array holds, got "
                    + count + "; read into a MemorySegment");
        }
        float[] result = new float[(int) count];
        read(slot, dtype, result, (int) count);
        return result;
    }

    @Override
    public final long readOutputF32(NodeId id, DType dtype, float[] destination) {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(destination, "destination");
        requireHostFloat(dtype);
        requireOpen();
        SlotState slot = slots.require(id);
        int count = (int) Math.min(destination.length, slot.length / dtype.bytes());
        read(slot, dtype, destination, count);
        return count;
    }

    private void read(SlotState slot, DType dtype, float[] destination, int count) {
        if (count > 0) {
            try {
                readFloats(slot.offset, dtype, destination, count);
            } catch (IllegalStateException e) {
                throw closedOr(e);
            } finally {
                Reference.reachabilityFence(this);
            }
        }
    }

    @Override
    public final long readOutputF32(NodeId id, DType dtype, MemorySegment destination) {
        Objects.requireNonNull(id, "id");
        requireHostFloat(dtype);
        requireFloats("destination", destination);
        CallerMemory.requireWritable("destination", destination);
        requireOpen();
        SlotState slot = slots.require(id);
        CallerMemory.requireAccess("destination", destination);
        long count = Math.min(destination.byteSize() / Float.BYTES, slot.length / dtype.bytes());
        if (count > 0) {
            try {
                readFloats(slot.offset, dtype, destination, count);
            } catch (IllegalStateException e) {
                throw closedOr(e);
            } finally {
                Reference.reachabilityFence(this);
            }
        }
        return count;
    }

    @Override
    public final long readBatch(ReadBatch batch) {
        List<ReadBatch.Region> regions = checkedRegions(batch);
        try {
            return readRegions(regions);
        } catch (IllegalStateException e) {
            throw closedOr(e);
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    @Override
    public final DeferredRead beginRead(ReadBatch batch) {
        List<ReadBatch.Region> regions = checkedRegions(batch);
        for (ReadBatch.Region region : regions) {
            CallerMemory.requireShared("destination", region.destination());
        }
        try {
            return beginRegions(regions);
        } catch (IllegalStateException e) {
            throw closedOr(e);
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    private List<ReadBatch.Region> checkedRegions(ReadBatch batch) {
        List<ReadBatch.Region> regions = Objects.requireNonNull(batch, "batch").regions();
        requireOpen();
        for (int i = 0; i < regions.size(); i++) {
            ReadBatch.Region region = regions.get(i);
            switch (region) {
                case ReadBatch.Output output -> slots.require(output.node());
                case ReadBatch.Bytes bytes ->
                    requireRange(bytes.offset(), bytes.destination().byteSize());
            }
            CallerMemory.requireAccess("destination", region.destination());
        }
        return regions;
    }

    @Override
    public final void writeBytes(long offset, MemorySegment source) {
        Objects.requireNonNull(source, "source");
        requireOpen();
        requireRange(offset, source.byteSize());
        CallerMemory.requireAccess("source", source);
        if (source.byteSize() > 0) {
            try {
                writeRange(offset, source);
            } catch (IllegalStateException e) {
                throw closedOr(e);
            } finally {
                Reference.reachabilityFence(this);
            }
        }
    }

    @Override
    public final void readBytes(long offset, MemorySegment destination) {
        Objects.requireNonNull(destination, "destination");
        CallerMemory.requireWritable("destination", destination);
        requireOpen();
        requireRange(offset, destination.byteSize());
        CallerMemory.requireAccess("destination", destination);
        if (destination.byteSize() > 0) {
            try {
                readRange(offset, destination);
            } catch (IllegalStateException e) {
                throw closedOr(e);
            } finally {
                Reference.reachabilityFence(this);
            }
        }
    }

    @Override
    public final void writeBytes(long offset, MemorySegment source, LongConsumer progress) {
        Objects.requireNonNull(source, "source");
        Objects.requireNonNull(progress, "progress");
        long length = source.byteSize();
        requireOpen();
        requireRange(offset, length);
        for (long done = 0; done < length; ) {
            long piece = Math.min(length - done, PROGRESS_PIECE);
            writeBytes(offset + done, source.asSlice(done, piece));
            done += piece;
            progress.accept(done);
        }
    }

    @Override
    public final <R> R lendBytes(long offset, long length, Function<MemorySegment, R> reader) {
        Objects.requireNonNull(reader, "reader");
        if (length < 0) {
            throw new IllegalArgumentException("length: expected 0 or more bytes, got " + length);
        }
        requireOpen();
        requireRange(offset, length);
        if (length == 0) {
            return reader.apply(MemorySegment.ofArray(new byte[0]).asReadOnly());
        }
        try {
            return lendRange(offset, length, reader);
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    @Override
    public final void flush() {
        requireOpen();
        try {
            flushWrites();
        } catch (IllegalStateException e) {
            throw closedOr(e);
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    @Override
    public final boolean isOpen() {
        return open;
    }

    @Override
    public final void close() {
        open = false;
        try {
            release.close();
            cleanable.clean(); // not before: a release that threw is left to the cleaner, should nobody close again
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    @Override
    public final String toString() {
        return "device arena '" + label + "' of " + geometry.sizeBytes() + " bytes on '" + device.name() + "'"
                + (open ? "" : " (closed)");
    }

    private void requireOpen() {
        if (!open) {
            throw closed(null);
        }
    }

    private IllegalStateException closedOr(IllegalStateException thrown) {
        return open ? thrown : closed(thrown);
    }

    private IllegalStateException closed(@Nullable IllegalStateException cause) {
        return new IllegalStateException(
                "device arena '" + label + "': expected it to be open, got it closed; open a new one", cause);
    }

    private static void requireHostFloat(DType dtype) {
        Objects.requireNonNull(dtype, "dtype");
        if (!dtype.isHostFloat()) {
            throw new IllegalArgumentException("dtype: expected f32, f16 or bf16, got " + dtype.label()
                    + "; move other types with writeBytes and readBytes");
        }
    }

    private static void requireFloats(String name, MemorySegment floats) {
        Objects.requireNonNull(floats, name);
        if (floats.byteSize() % Float.BYTES != 0) {
            throw new IllegalArgumentException(
                    name + ": expected a multiple of 4 bytes, got " + floats.byteSize() + "; pass whole f32 elements");
        }
    }

    private void requireRange(long offset, long length) {
        long size = geometry.sizeBytes();
        if (offset < 0 || length > size || offset > size - length) {
            throw new IllegalArgumentException("range: expected one within the arena of " + size + " bytes, got offset "
                    + offset + " and length " + length
                    + "; sizeBytes tells the size, plan and scratch together");
        }
    }

    private static MemorySegment prefix(MemorySegment memory, long bytes) {
        return memory.byteSize() == bytes ? memory : memory.asSlice(0, bytes);
    }
}
