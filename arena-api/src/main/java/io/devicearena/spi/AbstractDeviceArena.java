package io.devicearena.spi;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaOptions;
import io.devicearena.BufferSlot;
import io.devicearena.DType;
import io.devicearena.DeferredRead;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.ReadBatch;
import io.devicearena.SegmentLayout;
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
 * An arena whose backend moves bytes and does nothing else.
 *
 * <p>This class finds the slot of a value, cuts data to the slot, checks every argument, keeps actual lengths, closes
 * the arena once, and frees its memory when it is dropped without close. A backend implements {@link #writeRange} and
 * {@link #readRange}, and overrides the typed and the batched hooks where the device can do better. A hook gets
 * checked arguments: the range lies within the arena, the memory is alive, accessible to the calling thread and, for
 * reads, writable. An {@link IllegalStateException} that a hook throws while the arena is being closed reaches the
 * caller as the arena's own.
 *
 * <p><b>Threads:</b> safe for any thread; hooks are called by many threads at once, without a lock. A hook may still
 * run while {@link #close} frees the memory: it must then return, or throw {@link IllegalStateException}, and never
 * touch freed memory.
 *
 * <p><b>Lifetime:</b> the memory is freed exactly once, by {@link #close} or, when the arena was dropped, by a cleaner
 * thread that writes a line to the log. When the backend cannot free it yet, for example while a native call uses the
 * segment of {@link #hostMemory}, {@link #close} throws what the backend throws. The arena then refuses every call, and
 * its memory is freed by the next {@link #close} or once the arena is dropped.
 */
public abstract class AbstractDeviceArena extends ArenaHooks {
    /** Bytes written between two reports of progress: enough to cost nothing, few enough for a smooth bar. */
    private static final long PROGRESS_BYTES = 16L << 20;

    private static final FloatMove<float[]> WRITE_ARRAY =
            (arena, slot, dtype, floats, elements) -> arena.writeFloats(slot, dtype, floats, (int) elements);
    private static final FloatMove<MemorySegment> WRITE_SEGMENT = ArenaHooks::writeFloats;
    private static final FloatMove<float[]> READ_ARRAY =
            (arena, slot, dtype, floats, elements) -> arena.readFloats(slot, dtype, floats, (int) elements);
    private static final FloatMove<MemorySegment> READ_SEGMENT = ArenaHooks::readFloats;
    private static final ByteMove WRITE_BYTES = ArenaHooks::writeRange;
    private static final ByteMove READ_BYTES = ArenaHooks::readRange;

    private static final Cleaner CLEANER = Cleaner.create();

    private final ArenaDevice device;
    private final MemoryPlan plan;
    private final ArenaGeometry geometry;
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
     * @param memory frees the memory. Any thread may call it; it is not called again once it has returned. When it
     *     throws it must have freed nothing: {@link #close} throws the same, and the next close calls it again. It must
     *     not refer to this arena, or the cleaner never finds the arena dropped
     */
    @SuppressWarnings("this-escape") // the cleaner keeps a phantom reference and calls nothing of this object
    protected AbstractDeviceArena(
            ArenaDevice device, MemoryPlan plan, ArenaOptions options, ArenaGeometry geometry, Runnable memory) {
        super(Objects.requireNonNull(plan, "plan"));
        this.device = Objects.requireNonNull(device, "device");
        this.plan = plan;
        this.geometry = Objects.requireNonNull(geometry, "geometry");
        this.label = Objects.requireNonNull(options, "options").label();
        this.release = new MemoryRelease(
                Objects.requireNonNull(memory, "memory"),
                "device arena '" + label + "' of " + geometry.sizeBytes() + " bytes on '" + device.name() + "'");
        this.cleanable = CLEANER.register(this, release);
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
    public final SegmentLayout segments() {
        requireOpen();
        return geometry.segments();
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
        ArenaChecks.requireHostFloat(dtype);
        requireOpen();
        SlotState slot = slots.require(id);
        long count = Math.min(data.length, slot.capacity / dtype.bytes());
        moveFloats(WRITE_ARRAY, slot, dtype, data, count);
        return count;
    }

    @Override
    public final long writeInputF32(NodeId id, DType dtype, MemorySegment data) {
        Objects.requireNonNull(id, "id");
        ArenaChecks.requireHostFloat(dtype);
        ArenaChecks.requireFloats("data", data);
        requireOpen();
        SlotState slot = slots.require(id);
        CallerMemory.requireAccess("data", data);
        long count = Math.min(data.byteSize() / Float.BYTES, slot.capacity / dtype.bytes());
        moveFloats(WRITE_SEGMENT, slot, dtype, data, count);
        return count;
    }

    @Override
    public final float[] readOutputF32(NodeId id, DType dtype, long elements) {
        Objects.requireNonNull(id, "id");
        ArenaChecks.requireHostFloat(dtype);
        requireOpen();
        SlotState slot = slots.require(id);
        ArenaChecks.requireNotNegative(elements);
        int count = ArenaChecks.arrayLength(Math.min(elements, slot.length / dtype.bytes()));
        float[] result = new float[count];
        moveFloats(READ_ARRAY, slot, dtype, result, count);
        return result;
    }

    @Override
    public final long readOutputF32(NodeId id, DType dtype, float[] destination) {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(destination, "destination");
        ArenaChecks.requireHostFloat(dtype);
        requireOpen();
        SlotState slot = slots.require(id);
        long count = Math.min(destination.length, slot.length / dtype.bytes());
        moveFloats(READ_ARRAY, slot, dtype, destination, count);
        return count;
    }

    @Override
    public final long readOutputF32(NodeId id, DType dtype, MemorySegment destination) {
        Objects.requireNonNull(id, "id");
        ArenaChecks.requireHostFloat(dtype);
        ArenaChecks.requireFloats("destination", destination);
        CallerMemory.requireWritable("destination", destination);
        requireOpen();
        SlotState slot = slots.require(id);
        CallerMemory.requireAccess("destination", destination);
        long count = Math.min(destination.byteSize() / Float.BYTES, slot.length / dtype.bytes());
        moveFloats(READ_SEGMENT, slot, dtype, destination, count);
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
        ArenaChecks.requireRegions(regions, slots, geometry.sizeBytes());
        return regions;
    }

    @Override
    public final void writeBytes(long offset, MemorySegment source) {
        Objects.requireNonNull(source, "source");
        requireOpen();
        requireRange(offset, source.byteSize());
        CallerMemory.requireAccess("source", source);
        moveBytes(WRITE_BYTES, offset, source);
    }

    @Override
    public final void readBytes(long offset, MemorySegment destination) {
        Objects.requireNonNull(destination, "destination");
        CallerMemory.requireWritable("destination", destination);
        requireOpen();
        requireRange(offset, destination.byteSize());
        CallerMemory.requireAccess("destination", destination);
        moveBytes(READ_BYTES, offset, destination);
    }

    @Override
    public final void writeBytes(long offset, MemorySegment source, LongConsumer progress) {
        Objects.requireNonNull(source, "source");
        Objects.requireNonNull(progress, "progress");
        long length = source.byteSize();
        requireOpen();
        requireRange(offset, length);
        for (long done = 0; done < length; ) {
            long chunk = Math.min(length - done, PROGRESS_BYTES);
            writeBytes(offset + done, source.asSlice(done, chunk));
            done += chunk;
            progress.accept(done);
        }
    }

    @Override
    public final <R> R withBytes(long offset, long length, Function<MemorySegment, R> reader) {
        Objects.requireNonNull(reader, "reader");
        ArenaChecks.requireLength(length);
        requireOpen();
        requireRange(offset, length);
        if (length == 0) {
            return reader.apply(MemorySegment.ofArray(new byte[0]).asReadOnly());
        }
        try {
            return withRange(offset, length, reader);
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

    /** Calls a typed hook unless there is nothing to move, and keeps the arena alive until the hook has returned. */
    private <M> void moveFloats(FloatMove<M> hook, SlotState slot, DType dtype, M memory, long elements) {
        if (elements > 0) {
            try {
                hook.apply(this, slot.slot, dtype, memory, elements);
            } catch (IllegalStateException e) {
                throw closedOr(e);
            } finally {
                Reference.reachabilityFence(this);
            }
        }
    }

    /** Calls a raw hook unless there is nothing to move, and keeps the arena alive until the hook has returned. */
    private void moveBytes(ByteMove hook, long offset, MemorySegment memory) {
        if (memory.byteSize() > 0) {
            try {
                hook.apply(this, offset, memory);
            } catch (IllegalStateException e) {
                throw closedOr(e);
            } finally {
                Reference.reachabilityFence(this);
            }
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
            cleanable.clean(); // not before: after a release that threw, the next close or the cleaner tries again
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
        return new IllegalStateException("device arena '" + label + "' is closed; open a new one", cause);
    }

    private void requireRange(long offset, long length) {
        ArenaChecks.requireRange(offset, length, geometry.sizeBytes());
    }

    /** One of the four typed hooks; constants that capture nothing, so that a call allocates nothing. */
    @FunctionalInterface
    private interface FloatMove<M> {
        void apply(ArenaHooks arena, BufferSlot slot, DType dtype, M memory, long elements);
    }

    /** One of the two raw hooks. */
    @FunctionalInterface
    private interface ByteMove {
        void apply(ArenaHooks arena, long offset, MemorySegment memory);
    }
}
