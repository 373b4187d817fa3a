package io.devicearena.spi;

import io.devicearena.ArenaOptions;
import io.devicearena.Batch;
import io.devicearena.BufferSlot;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.MemoryPlan;
import io.devicearena.Transfer;
import io.devicearena.spi.memory.HostAllocation;
import io.devicearena.spi.memory.Span;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

/**
 * What a backend overrides of {@link AbstractDeviceArena}: {@link #writeRange} and {@link #readRange} always, the typed
 * and the batched hooks where the device can do better than their defaults.
 *
 * <p>A hook gets checked arguments: the range lies within the arena, the memory is alive, accessible to the calling
 * thread and, for reads, writable. Many threads call hooks at once, without a lock.
 *
 * <p><b>Segments of the caller</b> are of any kind:
 *
 * <ul>
 *   <li>native memory ({@link MemorySegment#isNative}), of this process or of a mapped file, of any alignment, perhaps
 *       confined to the calling thread. A native call gets it as it is: passed as the {@link MemorySegment} itself, not
 *       by its address, it stays alive until the call returns, also when another thread closes its arena meanwhile. A
 *       source may be read-only, which a native call does not notice: it must not write there;
 *   <li>arrays of the Java heap, which have no address. Copy them through native memory of your own, in pieces; or pass
 *       them with {@link java.lang.foreign.Linker.Option#critical} to a native call that is short, never waits, and
 *       calls nothing back;
 *   <li>memory of {@link DeviceArena#allocateHost}, which the backend may know by its address and read without a copy.
 * </ul>
 *
 * <p>A hook that returns has finished with the memory, unless it is the destination of {@link #beginReads} or the
 * source of {@link #beginWrites}. Those destinations are accessible to any thread; such a read keeps the segment, and
 * lands through it, since its arena may be closed meanwhile.
 */
abstract class ArenaHooks implements DeviceArena {
    /** The slots of the plan, with the actual lengths of its values. */
    final SlotTable slots;

    final ArenaGeometry geometry;

    ArenaHooks(MemoryPlan plan, ArenaOptions options, ArenaGeometry geometry) {
        this.slots = new SlotTable(plan, geometry.sizeBytes(), options.reinterpretation());
        this.geometry = geometry;
    }

    /** Begins a call of a hook on behalf of this arena; throws if it is closed. {@link #leave} must follow. */
    abstract void enter();

    /** Ends a call of a hook, and keeps the arena reachable until then. */
    abstract void leave();

    /**
     * Begins a use of the memory by a hook that no {@link #enter} surrounds, perhaps on behalf of a view that outlives
     * this arena; throws if the memory is freed. {@link #leaveMemory} must follow.
     */
    abstract void enterMemory();

    /** Ends a use of the memory, and keeps the arena reachable until then. */
    abstract void leaveMemory();

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
     * Makes the reads of a batch and waits for them. By default one after the other, by the other hooks.
     *
     * @param spans what to read
     */
    protected void readSpans(List<Span> spans) {
        for (int i = 0; i < spans.size(); i++) {
            Span span = spans.get(i);
            if (span.floats()) {
                readFloats(span.slot(), span.dtype(), span.memory(), span.elements());
            } else {
                readRange(span.offset(), CastedTransfers.prefix(span.memory(), span.bytes()));
            }
        }
    }

    /**
     * Begins to read the current bytes of the spans of a batch. By default they are read at once.
     *
     * @param spans what to read; their memory is accessible to any thread
     * @param elements what the handle returns when it is done
     * @return the handle
     */
    protected Transfer beginReads(List<Span> spans, long elements) {
        readSpans(spans);
        return new CompletedTransfer(elements);
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

    /**
     * Makes the writes of a batch, in order. By default one after the other, by the other hooks.
     *
     * @param spans what to write
     */
    protected void writeSpans(List<Span> spans) {
        for (int i = 0; i < spans.size(); i++) {
            Span span = spans.get(i);
            if (span.floats()) {
                writeFloats(span.slot(), span.dtype(), span.memory(), span.elements());
            } else {
                writeRange(span.offset(), CastedTransfers.prefix(span.memory(), span.bytes()));
            }
        }
    }

    /**
     * Makes the writes of a batch, in order, and returns before the device has read their memory. By default it is free
     * when this returns.
     *
     * @param spans what to write
     * @param elements what the handle returns when it is done
     * @return the handle, which is done when the memory may be changed
     */
    protected Transfer beginWrites(List<Span> spans, long elements) {
        writeSpans(spans);
        return new CompletedTransfer(elements);
    }

    /**
     * Allocates host memory from which the device copies fastest. By default it is memory of the system.
     *
     * @param bytes 1 or more
     * @return the memory, zeroed; it must not refer to this arena
     * @throws IllegalArgumentException if the device cannot have so many bytes in one piece
     */
    protected HostAllocation allocateHostMemory(long bytes) {
        return new NativeAllocation(bytes);
    }

    /**
     * Fills a range with a word. By default the bytes are written by {@link #writeRange}, some thousand at a time.
     *
     * @param offset bytes from the arena's start
     * @param length 1 byte or more; only a fill with 4 equal bytes has a length that is no multiple of 4
     * @param word 4 bytes in native byte order, the first at {@code offset}
     */
    protected void fillRange(long offset, long length, int word) {
        RangeTransfers.fill(this, offset, length, word);
    }

    /**
     * Copies a range to another one. By default through host memory, by {@link #readRange} and {@link #writeRange}.
     *
     * @param from bytes from the arena's start
     * @param to bytes from the arena's start, not {@code from}; the ranges may overlap
     * @param length 1 byte or more
     */
    protected void copyRange(long from, long to, long length) {
        RangeTransfers.copy(this, from, to, length);
    }

    /**
     * Opens another plan on the memory of this arena. By default the view calls the hooks of this arena; a backend
     * overrides it where its arenas can do more than move bytes.
     *
     * @param plan where the values of the view live, no larger than the plan of this arena
     * @param options those of this arena
     * @param view the sizes of the view: those of this arena
     * @param memory to be passed to the constructor of {@link AbstractDeviceArena} as it is: ends this use of the
     *     memory
     * @return the view
     */
    protected DeviceArena openView(MemoryPlan plan, ArenaOptions options, ArenaGeometry view, Runnable memory) {
        return new ArenaView(this, plan, options, view, memory);
    }

    /** Waits until what the calling thread wrote has reached the device's memory. By default it has. */
    protected void flushWrites() {}

    /**
     * Checks a batch of reads, for backends that read it with work of their own. Nothing has been read when it throws.
     *
     * @param batch the reads
     * @param byAnyThread whether another thread may write the destinations
     * @return what to read
     * @throws IllegalArgumentException if a value has no slot, a type is not that of the plan, a range lies outside the
     *     arena, or a destination is read-only, or confined although any thread may write it
     * @throws WrongThreadException if a destination is confined to another thread
     * @throws IllegalStateException if the memory of a destination is closed
     */
    protected final List<Span> checkedReads(Batch batch, boolean byAnyThread) {
        return slots.read(Objects.requireNonNull(batch, "batch"), byAnyThread).list();
    }

    /**
     * Checks a batch of writes, for backends that make it with work of their own. Nothing has been written when it
     * throws.
     *
     * @param batch the writes
     * @return what to write
     * @throws IllegalArgumentException if a value has no slot, a type is not that of the plan, or a range lies outside
     *     the arena or its value
     * @throws WrongThreadException if a source is confined to another thread
     * @throws IllegalStateException if the memory of a source is closed
     */
    protected final List<Span> checkedWrites(Batch batch) {
        return slots.written(Objects.requireNonNull(batch, "batch")).list();
    }
}
