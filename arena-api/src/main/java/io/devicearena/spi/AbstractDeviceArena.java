package io.devicearena.spi;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaOptions;
import io.devicearena.Batch;
import io.devicearena.BufferSlot;
import io.devicearena.DType;
import io.devicearena.HostMemory;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.Transfer;
import io.devicearena.internal.recording.ArenaRecorder;
import io.devicearena.internal.recording.BatchEvent;
import io.devicearena.internal.recording.TransferEvent;
import io.devicearena.spi.memory.GuardedMemory;
import io.devicearena.spi.memory.Span;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.LongConsumer;

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
 * <p><b>Threads:</b> safe for any thread; hooks are called by many threads at once, without a lock. With {@link
 * GuardedMemory} no hook of this arena runs while {@link #close} frees its memory, or the host memory that was
 * allocated from it. Without it one may: it must then return, or throw {@link IllegalStateException}, and never touch
 * freed memory.
 *
 * <p><b>Lifetime:</b> the memory is freed exactly once, by {@link #close} or, when the arena was dropped, by a cleaner
 * thread that writes a line to the log. When the backend cannot free it yet, for example while a native call uses the
 * segment of {@link #hostMemory}, {@link #close} throws what the backend throws. The arena then refuses every call, and
 * its memory is freed by the next {@link #close} or once the arena is dropped.
 */
public abstract class AbstractDeviceArena extends ArenaLifetime {
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

    /**
     * Makes an arena over memory that the backend has allocated.
     *
     * @param device where the memory is
     * @param plan where the values live
     * @param options whose label names the arena
     * @param geometry the sizes, as {@link ArenaGeometry#of} gives them for the same plan and options
     * @param memory frees the memory; a {@link GuardedMemory} does it when no hook runs. Any thread may call it; it is
     *     not called again once it has returned. When it throws it must have freed nothing: {@link #close} throws the
     *     same, and the next close calls it again. It must not refer to this arena, or the cleaner never finds the
     *     arena dropped
     */
    protected AbstractDeviceArena(
            ArenaDevice device, MemoryPlan plan, ArenaOptions options, ArenaGeometry geometry, Runnable memory) {
        super(device, plan, options, geometry, memory);
    }

    @Override
    public final long writeInputF32(NodeId id, DType dtype, float[] data) {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(data, "data");
        ArenaChecks.requireHostFloat(dtype);
        requireOpen();
        SlotState slot = slots.require(id, dtype);
        long count = Math.min(data.length, slot.valueBytes / dtype.bytes());
        if (checks == null) {
            uploadFloats(WRITE_ARRAY, slot, dtype, data, count);
        } else {
            checks.write(
                    id,
                    dtype,
                    slot.offset,
                    count * dtype.bytes(),
                    () -> uploadFloats(WRITE_ARRAY, slot, dtype, data, count));
        }
        return count;
    }

    @Override
    public final long writeInputF32(NodeId id, DType dtype, MemorySegment data) {
        Objects.requireNonNull(id, "id");
        ArenaChecks.requireHostFloat(dtype);
        ArenaChecks.requireFloats("data", data);
        requireOpen();
        SlotState slot = slots.require(id, dtype);
        CallerMemory.requireAccess("data", data);
        long count = Math.min(data.byteSize() / Float.BYTES, slot.valueBytes / dtype.bytes());
        if (checks == null) {
            uploadFloats(WRITE_SEGMENT, slot, dtype, data, count);
        } else {
            checks.write(
                    id,
                    dtype,
                    slot.offset,
                    count * dtype.bytes(),
                    () -> uploadFloats(WRITE_SEGMENT, slot, dtype, data, count));
        }
        return count;
    }

    @Override
    public final float[] readOutputF32(NodeId id, DType dtype, long elements) {
        Objects.requireNonNull(id, "id");
        ArenaChecks.requireHostFloat(dtype);
        requireOpen();
        SlotState slot = slots.require(id, dtype);
        ArenaChecks.requireNotNegative(elements);
        int count = ArenaChecks.arrayLength(Math.min(elements, slot.length / dtype.bytes()));
        requireReadable(id, slot.offset, count * (long) dtype.bytes());
        float[] result = new float[count];
        readFloatsBack(READ_ARRAY, slot, dtype, result, count);
        return result;
    }

    @Override
    public final long readOutputF32(NodeId id, DType dtype, float[] destination) {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(destination, "destination");
        ArenaChecks.requireHostFloat(dtype);
        requireOpen();
        SlotState slot = slots.require(id, dtype);
        long count = Math.min(destination.length, slot.length / dtype.bytes());
        requireReadable(id, slot.offset, count * (long) dtype.bytes());
        readFloatsBack(READ_ARRAY, slot, dtype, destination, count);
        return count;
    }

    @Override
    public final long readOutputF32(NodeId id, DType dtype, MemorySegment destination) {
        Objects.requireNonNull(id, "id");
        ArenaChecks.requireHostFloat(dtype);
        ArenaChecks.requireFloats("destination", destination);
        CallerMemory.requireWritable("destination", destination);
        requireOpen();
        SlotState slot = slots.require(id, dtype);
        CallerMemory.requireAccess("destination", destination);
        long count = Math.min(destination.byteSize() / Float.BYTES, slot.length / dtype.bytes());
        requireReadable(id, slot.offset, count * (long) dtype.bytes());
        readFloatsBack(READ_SEGMENT, slot, dtype, destination, count);
        return count;
    }

    @Override
    public final long readBatch(Batch batch) {
        requireOpen();
        Spans spans = slots.read(Objects.requireNonNull(batch, "batch"), false);
        requireReadable(spans);
        BatchEvent event = ArenaRecorder.beginBatch();
        enter();
        try {
            readSpans(spans.list());
        } catch (IllegalStateException e) {
            throw closedOr(e);
        } finally {
            leave();
        }
        ArenaRecorder.end(event, identity, "readBatch", spans.list().size(), spans.bytes());
        return spans.elements();
    }

    @Override
    public final Transfer beginRead(Batch batch) {
        requireOpen();
        Spans spans = slots.read(Objects.requireNonNull(batch, "batch"), true);
        requireReadable(spans);
        BatchEvent event = ArenaRecorder.beginBatch();
        enter();
        try {
            Transfer read = beginReads(spans.list(), spans.elements());
            ArenaRecorder.end(event, identity, "beginRead", spans.list().size(), spans.bytes());
            return read;
        } catch (IllegalStateException e) {
            throw closedOr(e);
        } finally {
            leave();
        }
    }

    @Override
    public final void writeBatch(Batch batch) {
        requireOpen();
        Spans spans = slots.written(Objects.requireNonNull(batch, "batch"));
        if (checks == null) {
            writeAll(spans);
        } else {
            checks.writeBatch(spans.list(), () -> writeAll(spans));
        }
    }

    @Override
    public final Transfer beginWrite(Batch batch) {
        requireOpen();
        Spans spans = slots.written(Objects.requireNonNull(batch, "batch"));
        if (checks == null) {
            return beginAll(spans);
        }
        Transfer[] write = new Transfer[1];
        checks.writeBatch(spans.list(), () -> write[0] = beginAll(spans));
        return write[0];
    }

    private Transfer beginAll(Spans spans) {
        BatchEvent event = ArenaRecorder.beginBatch();
        enter();
        try {
            Transfer write = beginWrites(spans.list(), spans.elements());
            ArenaRecorder.end(event, identity, "beginWrite", spans.list().size(), spans.bytes());
            return write;
        } catch (IllegalStateException e) {
            throw closedOr(e);
        } finally {
            leave();
        }
    }

    @Override
    public final HostMemory allocateHost(long bytes) {
        if (bytes < 1) {
            throw new IllegalArgumentException("bytes: expected 1 or more, got " + bytes);
        }
        requireOpen();
        enter();
        try {
            return hostMemories.add(allocateHostMemory(bytes), bytes, this);
        } catch (IllegalStateException e) {
            throw closedOr(e);
        } finally {
            leave();
        }
    }

    @Override
    public final void fillBytes(long offset, long length, byte value) {
        ArenaChecks.requireLength(length);
        fill(offset, length, (value & 0xFF) * 0x01010101);
    }

    @Override
    public final void fillWords(long offset, long length, int word) {
        ArenaChecks.requireLength(length);
        if (length % Integer.BYTES != 0) {
            throw new IllegalArgumentException(
                    "length: expected a multiple of 4 bytes, got " + length + "; fill the rest with fillBytes");
        }
        fill(offset, length, word);
    }

    private void fill(long offset, long length, int word) {
        requireOpen();
        requireRange(offset, length);
        change(offset, length, () -> fillRange(offset, length, word));
    }

    @Override
    public final void copyBytes(long from, long to, long length) {
        ArenaChecks.requireLength(length);
        requireOpen();
        requireRange(from, length);
        requireRange(to, length);
        change(to, from == to ? 0 : length, () -> copyRange(from, to, length));
    }

    /** Changes a range by a hook of the device, unless it is empty. */
    private void change(long offset, long length, Runnable hook) {
        if (length > 0) {
            Runnable guarded = () -> {
                enter();
                try {
                    hook.run();
                } catch (IllegalStateException e) {
                    throw closedOr(e);
                } finally {
                    leave();
                }
            };
            if (checks == null) {
                guarded.run();
            } else {
                checks.writeRaw(offset, length, guarded);
            }
        }
    }

    private void writeAll(Spans spans) {
        BatchEvent event = ArenaRecorder.beginBatch();
        enter();
        try {
            writeSpans(spans.list());
        } catch (IllegalStateException e) {
            throw closedOr(e);
        } finally {
            leave();
        }
        ArenaRecorder.end(event, identity, "writeBatch", spans.list().size(), spans.bytes());
    }

    @Override
    public final void writeValue(NodeId id, DType dtype, MemorySegment data) {
        Objects.requireNonNull(id, "id");
        ArenaChecks.requireWhole("data", data, Objects.requireNonNull(dtype, "dtype"));
        requireOpen();
        SlotState slot = slots.require(id, dtype);
        ArenaChecks.requirePart(slots, id, 0, data.byteSize(), slot.valueBytes);
        CallerMemory.requireAccess("data", data);
        if (checks == null) {
            uploadBytes(slot.offset, data);
        } else {
            checks.write(id, dtype, slot.offset, data.byteSize(), () -> uploadBytes(slot.offset, data));
        }
    }

    @Override
    public final long readValue(NodeId id, DType dtype, MemorySegment destination) {
        Objects.requireNonNull(id, "id");
        ArenaChecks.requireWhole("destination", destination, Objects.requireNonNull(dtype, "dtype"));
        CallerMemory.requireWritable("destination", destination);
        requireOpen();
        SlotState slot = slots.require(id, dtype);
        CallerMemory.requireAccess("destination", destination);
        long count = Math.min(destination.byteSize(), slot.length) / dtype.bytes();
        requireReadable(id, slot.offset, count * dtype.bytes());
        readBytesBack(slot.offset, destination.asSlice(0, count * dtype.bytes()));
        return count;
    }

    @Override
    public final void writeValueBytes(NodeId id, long firstByte, MemorySegment data, LongConsumer progress) {
        long length = Objects.requireNonNull(data, "data").byteSize();
        long offset = offsetOfPart(id, firstByte, length);
        if (checks == null) {
            writeBytes(offset, data, progress);
        } else {
            Objects.requireNonNull(progress, "progress");
            CallerMemory.requireAccess("source", data);
            writeParts(data, progress, (done, part) -> writeChecked(id, offset + done, part));
        }
    }

    @Override
    public final void writeValueBytes(NodeId id, long firstByte, MemorySegment data) {
        long offset =
                offsetOfPart(id, firstByte, Objects.requireNonNull(data, "data").byteSize());
        if (checks == null) {
            writeBytes(offset, data);
        } else {
            CallerMemory.requireAccess("source", data);
            writeChecked(id, offset, data);
        }
    }

    private void writeChecked(NodeId id, long offset, MemorySegment data) {
        Objects.requireNonNull(checks).write(id, offset, data.byteSize(), () -> uploadBytes(offset, data));
    }

    @Override
    public final void readValueBytes(NodeId id, long firstByte, MemorySegment destination) {
        Objects.requireNonNull(destination, "destination");
        long offset = offsetOfPart(id, firstByte, destination.byteSize());
        requireReadable(id, offset, destination.byteSize());
        readBytes(offset, destination);
    }

    private long offsetOfPart(NodeId id, long firstByte, long bytes) {
        Objects.requireNonNull(id, "id");
        requireOpen();
        SlotState slot = slots.require(id);
        ArenaChecks.requirePart(slots, id, firstByte, bytes, slot.capacity);
        return slot.offset + firstByte;
    }

    @Override
    public final void writeBytes(long offset, MemorySegment source) {
        Objects.requireNonNull(source, "source");
        requireOpen();
        requireRange(offset, source.byteSize());
        CallerMemory.requireAccess("source", source);
        if (checks == null) {
            uploadBytes(offset, source);
        } else {
            checks.writeRaw(offset, source.byteSize(), () -> uploadBytes(offset, source));
        }
    }

    @Override
    public final void readBytes(long offset, MemorySegment destination) {
        Objects.requireNonNull(destination, "destination");
        CallerMemory.requireWritable("destination", destination);
        requireOpen();
        requireRange(offset, destination.byteSize());
        CallerMemory.requireAccess("destination", destination);
        readBytesBack(offset, destination);
    }

    @Override
    public final void writeBytes(long offset, MemorySegment source, LongConsumer progress) {
        Objects.requireNonNull(source, "source");
        Objects.requireNonNull(progress, "progress");
        long length = source.byteSize();
        requireOpen();
        requireRange(offset, length);
        writeParts(source, progress, (done, part) -> writeBytes(offset + done, part));
    }

    private static void writeParts(MemorySegment source, LongConsumer progress, PartWrite write) {
        long length = source.byteSize();
        for (long done = 0; done < length; ) {
            long chunk = Math.min(length - done, PROGRESS_BYTES);
            write.accept(done, source.asSlice(done, chunk));
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
        TransferEvent event = ArenaRecorder.beginReadback();
        try {
            R result = withRange(offset, length, reader);
            ArenaRecorder.end(event, identity, offset, length, "");
            return result;
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    @Override
    public final void step(String label, List<NodeId> reads, List<NodeId> writes, Runnable work) {
        Objects.requireNonNull(label, "label");
        Objects.requireNonNull(reads, "reads");
        Objects.requireNonNull(writes, "writes");
        Objects.requireNonNull(work, "work");
        requireOpen();
        if (checks == null) {
            work.run();
        } else {
            checks.step(label, reads, writes, work);
        }
    }

    @Override
    public final void flush() {
        requireOpen();
        enter();
        try {
            flushWrites();
        } catch (IllegalStateException e) {
            throw closedOr(e);
        } finally {
            leave();
        }
    }

    private void requireReadable(NodeId id, long offset, long bytes) {
        if (checks != null && bytes > 0) {
            checks.requireReadable(id, offset, bytes);
        }
    }

    private void requireReadable(Spans spans) {
        if (checks != null) {
            for (Span span : spans.list()) {
                span.node().ifPresent(node -> requireReadable(node, span.offset(), span.bytes()));
            }
        }
    }

    private <M> void uploadFloats(FloatMove<M> hook, SlotState slot, DType dtype, M memory, long elements) {
        TransferEvent event = ArenaRecorder.beginUpload();
        moveFloats(hook, slot, dtype, memory, elements);
        ArenaRecorder.end(event, identity, slot.offset, elements * dtype.bytes(), dtype.label());
    }

    private <M> void readFloatsBack(FloatMove<M> hook, SlotState slot, DType dtype, M memory, long elements) {
        TransferEvent event = ArenaRecorder.beginReadback();
        moveFloats(hook, slot, dtype, memory, elements);
        ArenaRecorder.end(event, identity, slot.offset, elements * dtype.bytes(), dtype.label());
    }

    private void uploadBytes(long offset, MemorySegment source) {
        TransferEvent event = ArenaRecorder.beginUpload();
        moveBytes(WRITE_BYTES, offset, source);
        ArenaRecorder.end(event, identity, offset, source.byteSize(), "");
    }

    private void readBytesBack(long offset, MemorySegment destination) {
        TransferEvent event = ArenaRecorder.beginReadback();
        moveBytes(READ_BYTES, offset, destination);
        ArenaRecorder.end(event, identity, offset, destination.byteSize(), "");
    }

    /** Calls a typed hook unless there is nothing to move, and keeps the arena alive until the hook has returned. */
    private <M> void moveFloats(FloatMove<M> hook, SlotState slot, DType dtype, M memory, long elements) {
        if (elements > 0) {
            enter();
            try {
                hook.apply(this, slot.slot, dtype, memory, elements);
            } catch (IllegalStateException e) {
                throw closedOr(e);
            } finally {
                leave();
            }
        }
    }

    /** Calls a raw hook unless there is nothing to move, and keeps the arena alive until the hook has returned. */
    private void moveBytes(ByteMove hook, long offset, MemorySegment memory) {
        if (memory.byteSize() > 0) {
            enter();
            try {
                hook.apply(this, offset, memory);
            } catch (IllegalStateException e) {
                throw closedOr(e);
            } finally {
                leave();
            }
        }
    }

    private void requireRange(long offset, long length) {
        ArenaChecks.requireRange(offset, length, geometry.sizeBytes());
    }

    /** One of the four typed hooks; constants that capture nothing, so that a call allocates nothing. */
    @FunctionalInterface
    private interface FloatMove<M> {
        void apply(ArenaHooks arena, BufferSlot slot, DType dtype, M memory, long elements);
    }

    /** Writes a part of a large write. */
    @FunctionalInterface
    private interface PartWrite {
        void accept(long done, MemorySegment part);
    }

    /** One of the two raw hooks. */
    @FunctionalInterface
    private interface ByteMove {
        void apply(ArenaHooks arena, long offset, MemorySegment memory);
    }
}
