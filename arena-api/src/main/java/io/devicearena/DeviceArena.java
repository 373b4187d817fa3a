package io.devicearena;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.LongConsumer;

/**
 * One range of device memory that holds every value of a {@link MemoryPlan}, with typed and raw reads and writes.
 *
 * <p>Offsets count from the start of the range, also where the device holds it in several {@linkplain #segments
 * segments}: reads and writes that cross the end of a segment work as any other.
 *
 * <p>The range has {@code max(plan + scratch, 1)} bytes and reads as zero when it is new. Host floats are f32 in native
 * byte order; an F16 or BF16 slot is cast on the way (see {@link io.devicearena.cast.TypedCasts} for the rounding).
 * Arguments are checked before anything changes: a call that throws has written nothing, unless it is a
 * {@link DeviceException}.
 *
 * <p><b>Threads:</b> safe for any thread. What a thread wrote before, its later reads, writes and kernels on this arena
 * see; another thread sees it once it knows that the write returned (by a join, a queue, a lock). Calls that
 * touch different bytes never affect each other, at any offset and length. Calls that touch the same bytes at the
 * same time are atomic by the byte and no more. {@link #setActualLength} is atomic as a whole. Memory of the caller is
 * the caller's to synchronize.
 *
 * <p><b>Lifetime:</b> until {@link #close}. After it every method but {@link #close}, {@link #isOpen} and
 * {@code toString} throws {@link IllegalStateException}. An arena that is dropped without close frees its memory some
 * time later and logs a warning to the logger {@code io.devicearena}.
 *
 * <p>Engines call this interface; backends implement it, best by extending
 * {@link io.devicearena.spi.AbstractDeviceArena}. It grows by {@code default} methods only.
 */
public interface DeviceArena extends AutoCloseable {
    /**
     * {@return the device whose memory this is}
     *
     * @throws IllegalStateException if the arena is closed
     */
    ArenaDevice device();

    /**
     * {@return the plan the arena was opened with}
     *
     * @throws IllegalStateException if the arena is closed
     */
    MemoryPlan plan();

    /**
     * {@return the size of the arena, {@code max(plan + scratch, 1)} bytes}
     *
     * @throws IllegalStateException if the arena is closed
     */
    long sizeBytes();

    /**
     * {@return where the segments of the arena end; kernels bind ranges within one segment}
     *
     * @throws IllegalStateException if the arena is closed
     */
    default SegmentLayout segments() {
        ArenaLimits limits = device().limits();
        return SegmentLayout.of(plan().slots(), sizeBytes(), limits.maxSegmentBytes(), limits.alignmentBytes());
    }

    /**
     * {@return where the scratch begins: the plan's size, bytes from the arena's start}
     *
     * @throws IllegalStateException if the arena is closed
     */
    long scratchOffset();

    /**
     * {@return the size of the scratch: bytes, the requested number rounded up to a multiple of 16}
     *
     * @throws IllegalStateException if the arena is closed
     */
    long scratchBytes();

    /**
     * {@return whether a value has bytes in this arena: false if its op was fused away or the plan does not know it}
     *
     * @param id the value
     * @throws IllegalStateException if the arena is closed
     */
    boolean hasBuffer(NodeId id);

    /**
     * {@return where a value begins: bytes from the arena's start, or empty when {@link #hasBuffer} is false}
     *
     * @param id the value
     * @throws IllegalStateException if the arena is closed
     */
    OptionalLong byteOffset(NodeId id);

    /**
     * {@return how many bytes a value has: what {@link #setActualLength} was given, else the bytes of its elements
     * where the plan knows them, else the slot's size; 0 when {@link #hasBuffer} is false}
     *
     * @param id the value
     * @throws IllegalStateException if the arena is closed
     */
    long lengthBytes(NodeId id);

    /**
     * Sets the true length of a value whose slot is padded; reads end there. Writes still reach to the slot's end.
     *
     * @param id the value
     * @param bytes the true length, 0 to the slot's size; elements × the bytes of their type in the plan
     * @throws IllegalArgumentException if the value has no slot, or {@code bytes} is negative or more than the slot
     *     holds
     * @throws IllegalStateException if the arena is closed
     */
    void setActualLength(NodeId id, long bytes);

    /**
     * Writes host floats into a value, cast to its type and cut to its elements, or to its slot where the plan does not
     * know the elements.
     *
     * <p>Two threads that write the inputs of one program and run it can each run with inputs of the other. To run with
     * one's own inputs, write them together with the run ({@code KernelProgram.run(writes, reads)} of arena-wgpu), or
     * hold a lock from the first write to the last read.
     *
     * @param id the value
     * @param dtype what the arena is to hold: F32, F16 or BF16
     * @param data host floats
     * @return elements written: the array's length, or what the value holds when that is less
     * @throws IllegalArgumentException if the value has no slot, {@code dtype} is another type, or not that of the plan
     *     ({@link ArenaOptions#withReinterpretation} allows it)
     * @throws DeviceException if the device fails
     * @throws IllegalStateException if the arena is closed
     */
    long writeInputF32(NodeId id, DType dtype, float[] data);

    /**
     * Writes host floats into a value, as {@link #writeInputF32(NodeId, DType, float[])} does.
     *
     * @param id the value
     * @param dtype what the arena is to hold: F32, F16 or BF16
     * @param data f32 elements in native byte order, a multiple of 4 bytes long
     * @return elements written: those of {@code data}, or what the value holds when that is less
     * @throws IllegalArgumentException if the value has no slot, {@code dtype} is another type or not that of the plan,
     *     or the length of {@code data} is no multiple of 4
     * @throws WrongThreadException if {@code data} is confined to another thread
     * @throws DeviceException if the device fails
     * @throws IllegalStateException if the arena or the memory of {@code data} is closed
     */
    long writeInputF32(NodeId id, DType dtype, MemorySegment data);

    /**
     * Reads a value as host floats into a new array.
     *
     * @param id the value
     * @param dtype what the arena holds: F32, F16 or BF16
     * @param elements how many are wanted, 0 or more
     * @return that many, or all that {@link #lengthBytes} holds when that is less
     * @throws IllegalArgumentException if the value has no slot, {@code dtype} is another type or not that of the plan,
     *     {@code elements} is negative, or the value has as many and no array holds them
     * @throws DeviceException if the device fails
     * @throws IllegalStateException if the arena is closed
     */
    float[] readOutputF32(NodeId id, DType dtype, long elements);

    /**
     * Reads a value as host floats into an array of the caller.
     *
     * @param id the value
     * @param dtype what the arena holds: F32, F16 or BF16
     * @param destination host floats; elements past those read keep their values
     * @return elements read: the array's length, or what {@link #lengthBytes} holds when that is less
     * @throws IllegalArgumentException if the value has no slot, or {@code dtype} is another type or not that of the
     *     plan
     * @throws DeviceException if the device fails
     * @throws IllegalStateException if the arena is closed
     */
    long readOutputF32(NodeId id, DType dtype, float[] destination);

    /**
     * Reads a value as host floats into memory of the caller.
     *
     * @param id the value
     * @param dtype what the arena holds: F32, F16 or BF16
     * @param destination f32 elements in native byte order, a multiple of 4 bytes long; bytes past those read keep
     *     their values
     * @return elements read: those {@code destination} holds, or what {@link #lengthBytes} holds when that is less
     * @throws IllegalArgumentException if the value has no slot, {@code dtype} is another type or not that of the plan,
     *     or {@code destination} is read-only or no multiple of 4 bytes long
     * @throws WrongThreadException if {@code destination} is confined to another thread
     * @throws DeviceException if the device fails
     * @throws IllegalStateException if the arena or the memory of {@code destination} is closed
     */
    long readOutputF32(NodeId id, DType dtype, MemorySegment destination);

    /**
     * Writes elements into a value as they are, from its start: integers, or floats that have the value's type already.
     *
     * @param id the value
     * @param dtype the type of the elements, that of the plan
     * @param data elements in native byte order, no more than the value has
     * @throws IllegalArgumentException if the value has no slot, {@code dtype} is not that of the plan ({@link
     *     ArenaOptions#withReinterpretation} allows it), or {@code data} is not a whole number of elements or longer
     *     than the value
     * @throws WrongThreadException if {@code data} is confined to another thread
     * @throws DeviceException if the device fails
     * @throws IllegalStateException if the arena or the memory of {@code data} is closed
     */
    default void writeValue(NodeId id, DType dtype, MemorySegment data) {
        throw unsupported("writeValue", "call writeBytes");
    }

    /**
     * Reads elements of a value as they are, from its start.
     *
     * @param id the value
     * @param dtype the type of the elements, that of the plan
     * @param destination elements in native byte order; bytes past those read keep their values
     * @return elements read: those {@code destination} holds, or what {@link #lengthBytes} holds when that is less
     * @throws IllegalArgumentException if the value has no slot, {@code dtype} is not that of the plan ({@link
     *     ArenaOptions#withReinterpretation} allows it), or {@code destination} is read-only or not a whole number of
     *     elements
     * @throws WrongThreadException if {@code destination} is confined to another thread
     * @throws DeviceException if the device fails
     * @throws IllegalStateException if the arena or the memory of {@code destination} is closed
     */
    default long readValue(NodeId id, DType dtype, MemorySegment destination) {
        throw unsupported("readValue", "call readBytes");
    }

    /**
     * Writes bytes into a part of a value, whatever its type: block-quantised weights, or some rows of a matrix. Never
     * past the value's slot.
     *
     * @param id the value
     * @param firstByte where the part begins: bytes from the value's start
     * @param data the bytes
     * @throws IllegalArgumentException if the value has no slot, or the part does not lie within it
     * @throws WrongThreadException if {@code data} is confined to another thread
     * @throws DeviceException if the device fails
     * @throws IllegalStateException if the arena or the memory of {@code data} is closed
     */
    default void writeValueBytes(NodeId id, long firstByte, MemorySegment data) {
        writeValueBytes(id, firstByte, data, written -> {});
    }

    /**
     * Writes bytes into a part of a value, as {@link #writeValueBytes(NodeId, long, MemorySegment)} does, and reports
     * progress.
     *
     * @param id the value
     * @param firstByte where the part begins: bytes from the value's start
     * @param data the bytes
     * @param progress as in {@link #writeBytes(long, MemorySegment, LongConsumer)}
     * @throws IllegalArgumentException if the value has no slot, or the part does not lie within it
     * @throws WrongThreadException if {@code data} is confined to another thread
     * @throws DeviceException if the device fails
     * @throws IllegalStateException if the arena or the memory of {@code data} is closed
     */
    default void writeValueBytes(NodeId id, long firstByte, MemorySegment data, LongConsumer progress) {
        throw unsupported("writeValueBytes", "call writeBytes");
    }

    /**
     * Reads bytes of a part of a value, whatever its type. Never past the value's slot.
     *
     * @param id the value
     * @param firstByte where the part begins: bytes from the value's start
     * @param destination where they land; its length says how many
     * @throws IllegalArgumentException if the value has no slot, the part does not lie within it, or {@code
     *     destination} is read-only
     * @throws WrongThreadException if {@code destination} is confined to another thread
     * @throws DeviceException if the device fails
     * @throws IllegalStateException if the arena or the memory of {@code destination} is closed
     */
    default void readValueBytes(NodeId id, long firstByte, MemorySegment destination) {
        throw unsupported("readValueBytes", "call readBytes");
    }

    /**
     * Makes several writes, in their order. All are checked before the first byte is written.
     *
     * @param batch what to write and where
     * @throws IllegalArgumentException if a value has no slot, a type is not that of the plan, or a range lies outside
     *     the arena or its value; nothing was written
     * @throws WrongThreadException if a source is confined to another thread
     * @throws DeviceException if the device fails
     * @throws IllegalStateException if the arena or the memory of a source is closed
     */
    default void writeBatch(Batch batch) {
        throw unsupported("writeBatch", "write one by one");
    }

    /**
     * Reads several values and ranges together: one submission and one wait for any number of them.
     *
     * @param batch what to read and where it lands
     * @return elements read into typed regions plus bytes read into raw ones
     * @throws IllegalArgumentException if a value has no slot or a range lies outside the arena; nothing was read
     * @throws WrongThreadException if a destination is confined to another thread
     * @throws DeviceException if the device fails
     * @throws IllegalStateException if the arena or the memory of a destination is closed
     */
    long readBatch(Batch batch);

    /**
     * Begins to read several values and ranges together; the bytes are those the arena holds now.
     *
     * @param batch what to read and where it lands; the destinations belong to the read until it is done, and must be
     *     accessible to any thread
     * @return the handle to await
     * @throws IllegalArgumentException if a value has no slot, a range lies outside the arena, or a destination is
     *     confined to one thread; nothing was begun
     * @throws WrongThreadException if a destination is confined to another thread
     * @throws DeviceException if the device fails
     * @throws IllegalStateException if the arena or the memory of a destination is closed
     */
    Transfer beginRead(Batch batch);

    /**
     * Writes raw bytes anywhere in the arena, scratch included. Any offset and length works, and neighbouring bytes
     * stay as they are. A length of 0 does nothing.
     *
     * @param offset bytes from the arena's start, 0 to {@link #sizeBytes}
     * @param source the bytes
     * @throws IllegalArgumentException if the range does not lie within the arena
     * @throws WrongThreadException if {@code source} is confined to another thread
     * @throws DeviceException if the device fails
     * @throws IllegalStateException if the arena or the memory of {@code source} is closed
     */
    void writeBytes(long offset, MemorySegment source);

    /**
     * Writes raw bytes anywhere in the arena, as {@link #writeBytes(long, MemorySegment)} does, and reports
     * progress.
     *
     * @param offset bytes from the arena's start, 0 to {@link #sizeBytes}
     * @param source the bytes
     * @param progress called on the calling thread with the number of bytes written so far, in ascending order, at last
     *     with all of them; never called for a length of 0. Providers choose the steps. What it throws ends the upload;
     *     the bytes reported by then are written
     * @throws IllegalArgumentException if the range does not lie within the arena
     * @throws WrongThreadException if {@code source} is confined to another thread
     * @throws DeviceException if the device fails
     * @throws IllegalStateException if the arena or the memory of {@code source} is closed
     */
    default void writeBytes(long offset, MemorySegment source, LongConsumer progress) {
        Objects.requireNonNull(progress, "progress");
        writeBytes(offset, source);
        if (source.byteSize() > 0) {
            progress.accept(source.byteSize());
        }
    }

    /**
     * Reads raw bytes from anywhere in the arena, scratch included; the destination's length says how many. A length of
     * 0 does nothing.
     *
     * @param offset bytes from the arena's start, 0 to {@link #sizeBytes}
     * @param destination where they land
     * @throws IllegalArgumentException if the range does not lie within the arena, or {@code destination} is read-only
     * @throws WrongThreadException if {@code destination} is confined to another thread
     * @throws DeviceException if the device fails
     * @throws IllegalStateException if the arena or the memory of {@code destination} is closed
     */
    void readBytes(long offset, MemorySegment destination);

    /**
     * Passes raw bytes to a function, without a copy into memory of the caller on devices that can.
     *
     * @param offset bytes from the arena's start, 0 to {@link #sizeBytes}
     * @param length how many bytes, 0 or more
     * @param reader gets a read-only segment of {@code length} bytes, for the calling thread, until it returns. Access
     *     to native memory afterwards throws {@link IllegalStateException}; only the memory of a device with {@link
     *     Capability#HOST_MEMORY} may stay open until the arena is closed. It must not call this arena
     * @param <R> what the function makes of the bytes
     * @return what {@code reader} returned; what it throws reaches the caller
     * @throws IllegalArgumentException if the range does not lie within the arena
     * @throws ArenaOutOfMemoryException if there is no memory for the bytes while {@code reader} runs
     * @throws DeviceException if the device fails
     * @throws IllegalStateException if the arena is closed
     */
    <R> R withBytes(long offset, long length, Function<MemorySegment, R> reader);

    /**
     * Waits until what this thread wrote before has reached the device's memory. Reads and kernels need no flush: they
     * see earlier writes anyway. Use it to bound the work that a device has queued, and before stopping a timer.
     *
     * @throws DeviceException if the device fails
     * @throws IllegalStateException if the arena is closed
     */
    void flush();

    /**
     * The f16 form of the arena's f32 bytes, on the device; needs {@link Capability#F16_SHADOW}.
     *
     * @return the shadow
     * @throws UnsupportedOperationException if the device keeps none, or the arena was opened with
     *     {@link F16ShadowMode#OFF}
     * @throws IllegalStateException if the arena is closed
     */
    default F16Shadow f16Shadow() {
        ArenaDevice device = device();
        throw new UnsupportedOperationException(Capability.F16_SHADOW + ": not a capability of provider '"
                + device.provider() + "' on '" + device.name() + "'");
    }

    /**
     * The arena's bytes themselves, without a copy; needs {@link Capability#HOST_MEMORY}. A write to the segment
     * changes the arena, and a write to the arena shows in the segment.
     *
     * @return {@link #sizeBytes} bytes, for any thread, until the arena is closed; access after that throws
     *     {@link IllegalStateException}. Keep the arena reachable for as long as the segment is used.
     * @throws UnsupportedOperationException if the arena's memory is not host memory
     * @throws IllegalStateException if the arena is closed
     */
    default MemorySegment hostMemory() {
        ArenaDevice device = device();
        throw new UnsupportedOperationException(Capability.HOST_MEMORY + ": not a capability of provider '"
                + device.provider() + "' on '" + device.name() + "'");
    }

    /**
     * Makes several writes, in their order, and returns before the device has read their sources, where it can read
     * them itself: those in memory of {@link #allocateHost}. Other sources are free when this returns.
     *
     * <p>Later reads, writes and kernels see the writes as if {@link #writeBatch} had made them. A write of one range
     * is a batch of one.
     *
     * @param batch what to write and where; its sources must not change until the fence is done
     * @return the fence
     * @throws IllegalArgumentException if a value has no slot, a type is not that of the plan, or a range lies outside
     *     the arena or its value; nothing was written
     * @throws WrongThreadException if a source is confined to another thread
     * @throws DeviceException if the device fails
     * @throws IllegalStateException if the arena or the memory of a source is closed
     */
    default Transfer beginWrite(Batch batch) {
        throw unsupported("beginWrite", "call writeBatch");
    }

    /**
     * Allocates host memory from which the device copies fastest, such as page-locked memory. The caller fills and
     * reads it directly and passes it to writes and reads. It counts as memory of the host, not of the arena.
     *
     * @param bytes its size, 1 or more
     * @return the memory, zeroed
     * @throws IllegalArgumentException if {@code bytes} is not positive, or more than the device can have in one piece
     * @throws ArenaOutOfMemoryException if there is no memory for it
     * @throws DeviceException if the device fails
     * @throws IllegalStateException if the arena is closed
     */
    default HostMemory allocateHost(long bytes) {
        throw unsupported("allocateHost", "allocate native memory");
    }

    /**
     * Fills a range of the arena with one byte, on the device where it can. A length of 0 does nothing.
     *
     * @param offset bytes from the arena's start, 0 to {@link #sizeBytes}
     * @param length how many bytes, 0 or more
     * @param value the byte
     * @throws IllegalArgumentException if the range does not lie within the arena
     * @throws DeviceException if the device fails
     * @throws IllegalStateException if the arena is closed
     */
    default void fillBytes(long offset, long length, byte value) {
        throw unsupported("fillBytes", "call writeBytes");
    }

    /**
     * Fills a range of the arena with one word, on the device where it can: the bits of a float, or an integer. Any
     * offset works; the first word begins there. A length of 0 does nothing.
     *
     * @param offset bytes from the arena's start, 0 to {@link #sizeBytes}
     * @param length how many bytes, a multiple of 4, 0 or more
     * @param word the 4 bytes, in native byte order
     * @throws IllegalArgumentException if the range does not lie within the arena, or its length is no multiple of 4
     * @throws DeviceException if the device fails
     * @throws IllegalStateException if the arena is closed
     */
    default void fillWords(long offset, long length, int word) {
        throw unsupported("fillWords", "call writeBytes");
    }

    /**
     * Copies a range of the arena to another, on the device where it can. They may overlap: the target then holds what
     * the source held before. A length of 0 does nothing.
     *
     * @param from bytes from the arena's start, where the source begins
     * @param to bytes from the arena's start, where the target begins
     * @param length how many bytes, 0 or more
     * @throws IllegalArgumentException if a range does not lie within the arena
     * @throws DeviceException if the device fails
     * @throws IllegalStateException if the arena is closed
     */
    default void copyBytes(long from, long to, long length) {
        throw unsupported("copyBytes", "call readBytes and writeBytes");
    }

    /**
     * Opens another graph on the memory of this arena: the same bytes, with slots, values and actual lengths of another
     * plan. Graphs that run one at a time share one arena so, also with graphs that are planned later.
     *
     * <p>The view is an arena of its own, of the same kind, and as large; its scratch is that of this arena. The
     * memory is freed when this arena and all its views are closed; each refuses calls from its own close on.
     *
     * @param plan where the values of the other graph live; no larger than the plan of this arena
     * @return the view
     * @throws IllegalArgumentException if {@code plan} is larger than the plan of this arena, or a value crosses the
     *     end of a segment that could hold it
     * @throws IllegalStateException if the arena is closed
     */
    default DeviceArena view(MemoryPlan plan) {
        throw unsupported("view", "open a second arena");
    }

    /**
     * {@return the weights that this arena was opened with, see {@link ArenaOptions#withWeights}; empty for none} They
     * stay open as long as this arena, also after the arena that was passed is closed.
     *
     * @throws IllegalStateException if the arena is closed
     */
    default Optional<DeviceArena> weights() {
        device(); // throws when the arena is closed
        return Optional.empty();
    }

    /**
     * Runs one step of a graph: the op that makes a value, computed on the host. An engine that computes in {@link
     * #hostMemory} runs each of its ops so. With checks, the arena compares what the step reads and writes with the
     * plan; without, this calls {@code work} and no more.
     *
     * <p>A step is a whole op: it writes all of its values. It may use several threads, which must not run steps of
     * this arena. A plan that fused a value away has no bytes for it, and no check.
     *
     * @param label the name of the step in messages
     * @param reads the values that the step reads, of this arena or of its {@link #weights}
     * @param writes the values that the step writes
     * @param work computes the values; what it throws reaches the caller
     * @throws ExecutionCheckException if the arena has checks and finds a mistake; {@code work} has run if the mistake
     *     is in what it wrote
     * @throws IllegalArgumentException if the arena has checks and its plan does not know a value
     * @throws IllegalStateException if the arena is closed, or has checks and runs a step already on this thread
     */
    default void step(String label, List<NodeId> reads, List<NodeId> writes, Runnable work) {
        device(); // throws when the arena is closed
        work.run();
    }

    /**
     * {@return whether the arena checks the execution of its graph, see {@link ArenaOptions#withChecks}}
     *
     * @throws IllegalStateException if the arena is closed
     */
    default boolean isChecked() {
        device(); // throws when the arena is closed
        return false;
    }

    /**
     * Returns whether the arena can be used.
     *
     * @return false once {@link #close} was called
     */
    boolean isOpen();

    /**
     * Frees the memory. A second call, from any thread, does nothing; when it returns the memory is free. Calls in
     * progress on other threads complete, or throw {@link IllegalStateException}.
     *
     * @throws IllegalStateException if a native call of the caller is still using the segment of {@link #hostMemory},
     *     or host memory that was allocated from this arena; the arena is closed, and its memory is freed by the next
     *     close or once the arena is unreachable
     */
    @Override
    void close();

    private UnsupportedOperationException unsupported(String method, String remedy) {
        ArenaDevice device = device(); // throws when the arena is closed
        return new UnsupportedOperationException(
                method + ": not a method of the arenas of provider '" + device.provider() + "'; " + remedy);
    }
}
