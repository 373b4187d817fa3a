package io.devicearena;

import java.lang.foreign.MemorySegment;
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
 * <p>Engines call this interface. All arenas are of one class of ours, in front of an {@link
 * io.devicearena.spi.ArenaBackend}.
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
    SegmentLayout segments();

    /**
     * {@return where the scratch begins: the plan's size, bytes from the arena's start; it ends at {@link #sizeBytes}}
     *
     * @throws IllegalStateException if the arena is closed
     */
    long scratchOffset();

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
     * know the elements. An array of another length is no error: what is too much is left out, and elements behind a
     * shorter array keep their bytes; the number that is returned says so. {@link Batch.Builder#elements} and {@link
     * #writeValueBytes} refuse more than the value holds.
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
    void writeValueBytes(NodeId id, long firstByte, MemorySegment data);

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
    void readValueBytes(NodeId id, long firstByte, MemorySegment destination);

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
    void writeBatch(Batch batch);

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
    void writeBytes(long offset, MemorySegment source, LongConsumer progress);

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
     * Returns what only one kind of device has, as {@code java.sql.Wrapper} does for drivers: the arena's bytes
     * themselves ({@link MemorySegment}, with {@link Capability#HOST_MEMORY}), its f16 shadow ({@link F16Shadow}, with
     * {@link Capability#F16_SHADOW}), and the types that a backend documents, such as {@code WgpuArena} for kernels and
     * native handles.
     *
     * <p>What is returned belongs to the arena: it lives until {@link #close}, and keeps the arena reachable unless it
     * is a segment.
     *
     * @param type the type
     * @param <T> the type
     * @return the object, the same at each call, or empty where this arena has none
     * @throws IllegalStateException if the arena is closed
     */
    <T> Optional<T> unwrap(Class<T> type);

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
    Transfer beginWrite(Batch batch);

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
    HostMemory allocateHost(long bytes);

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
    void fillBytes(long offset, long length, byte value);

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
    void copyBytes(long from, long to, long length);

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
    DeviceArena view(MemoryPlan plan);

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
     * @throws IllegalStateException if a native call of the caller is still using the segment that {@link #unwrap}
     *     returned, or host memory that was allocated from this arena; the arena is closed, and its memory is freed by
     *     the next close or once the arena is unreachable
     */
    @Override
    void close();
}
