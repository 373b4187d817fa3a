package io.devicearena.spi;

import io.devicearena.BufferSlot;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.spi.memory.HostAllocation;
import io.devicearena.spi.memory.MemoryFigures;
import io.devicearena.spi.memory.Span;
import io.devicearena.spi.memory.StagedRead;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;

/**
 * The memory of one arena on a device: what {@link DeviceArenaProvider#open} returns. A backend writes and reads
 * ranges; every other method has a default that works, and is overridden where the device can do better.
 *
 * <p>The arena in front of it finds the slot of a value, cuts data to the slot, checks every argument, keeps lengths,
 * opens views, and closes once. So a method gets checked arguments: the range lies within the arena, the memory is
 * alive, accessible to the calling thread and, for reads, writable. An {@link IllegalStateException} that a method
 * throws while the arena is being closed reaches the caller as the arena's own.
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
 * <p>A method that returns has finished with the memory, unless it is the destination of {@link #beginRead} or the
 * source of {@link #beginWrite}. Those destinations are accessible to any thread; such a read keeps the segment, and
 * lands through it, since its arena may be closed meanwhile.
 *
 * <p><b>Threads:</b> safe for any thread: many call at once, without a lock. No call runs while {@link #close} does,
 * and none after.
 */
public interface ArenaBackend {
    /**
     * Writes bytes.
     *
     * @param offset bytes from the arena's start
     * @param source 1 byte or more
     */
    void write(long offset, MemorySegment source);

    /**
     * Reads bytes.
     *
     * @param offset bytes from the arena's start
     * @param destination 1 byte or more
     */
    void read(long offset, MemorySegment destination);

    /**
     * Writes host floats to the start of a value, cast to a type. By default they are cast in host memory, some
     * thousand at a time, and written by {@link #write(long, MemorySegment)}.
     *
     * @param slot where the value is
     * @param dtype F32, F16 or BF16
     * @param source f32 elements, {@code elements} of them or more
     * @param elements how many to write from the start of {@code source}, 1 to what the slot holds
     */
    default void writeFloats(BufferSlot slot, DType dtype, MemorySegment source, long elements) {
        DefaultTransfers.write(this, slot.offset(), dtype, source, elements);
    }

    /**
     * Writes host floats from an array, as the form for segments does. By default this is that form; a backend
     * overrides it where the segment over the array should not be allocated on each call.
     *
     * @param slot where the value is
     * @param dtype F32, F16 or BF16
     * @param source host floats, {@code elements} of them or more
     * @param elements how many to write from the start of {@code source}, 1 to what the slot holds
     */
    default void writeFloats(BufferSlot slot, DType dtype, float[] source, int elements) {
        writeFloats(slot, dtype, MemorySegment.ofArray(source), elements);
    }

    /**
     * Reads the start of a value as host floats, cast from a type. By default bytes are read by {@link #read(long,
     * MemorySegment)} and cast in host memory, some thousand elements at a time.
     *
     * @param slot where the value is
     * @param dtype F32, F16 or BF16
     * @param destination room for {@code elements} f32 elements or more; those past them keep their values
     * @param elements how many to read, 1 to what the slot holds
     */
    default void readFloats(BufferSlot slot, DType dtype, MemorySegment destination, long elements) {
        DefaultTransfers.read(this, slot.offset(), dtype, destination, elements);
    }

    /**
     * Reads host floats into an array, as the form for segments does. By default this is that form; a backend overrides
     * it where the segment over the array should not be allocated on each call.
     *
     * @param slot where the value is
     * @param dtype F32, F16 or BF16
     * @param destination room for {@code elements} floats or more; those past them keep their values
     * @param elements how many to read, 1 to what the slot holds
     */
    default void readFloats(BufferSlot slot, DType dtype, float[] destination, int elements) {
        readFloats(slot, dtype, MemorySegment.ofArray(destination), elements);
    }

    /**
     * Makes the writes of a batch, in order. By default one after the other, by the methods for floats and bytes.
     *
     * @param spans what to write
     */
    default void write(List<Span> spans) {
        for (int i = 0; i < spans.size(); i++) { // no iterator: moving a batch again allocates nothing
            Span span = spans.get(i);
            if (span.floats()) {
                writeFloats(span.slot(), span.dtype(), span.memory(), span.elements());
            } else {
                write(span.offset(), span.bytesOfMemory());
            }
        }
    }

    /**
     * Makes the reads of a batch and waits for them. By default one after the other, by the methods for floats and
     * bytes.
     *
     * @param spans what to read
     */
    default void read(List<Span> spans) {
        for (int i = 0; i < spans.size(); i++) {
            Span span = spans.get(i);
            if (span.floats()) {
                readFloats(span.slot(), span.dtype(), span.memory(), span.elements());
            } else {
                read(span.offset(), span.bytesOfMemory());
            }
        }
    }

    /**
     * Makes the writes of a batch, in order, and returns before the device has read their memory. By default it is free
     * when this returns.
     *
     * @param spans what to write
     * @return the write that is under way, or empty if the device has read the memory
     */
    default Optional<StagedRead> beginWrite(List<Span> spans) {
        write(spans);
        return Optional.empty();
    }

    /**
     * Begins to read the current bytes of the spans of a batch. By default they are read at once.
     *
     * @param spans what to read; their memory is accessible to any thread
     * @return the read that is under way, or empty if it is done
     */
    default Optional<StagedRead> beginRead(List<Span> spans) {
        read(spans);
        return Optional.empty();
    }

    /**
     * Makes bytes readable for the host: a copy, or the memory itself. By default they are copied into memory of the
     * system.
     *
     * @param offset bytes from the arena's start
     * @param length 1 byte or more
     * @return the bytes, freed when the caller has seen them
     */
    default HostAllocation map(long offset, long length) {
        HostAllocation copy = SystemAllocation.allocate("withBytes", length);
        try {
            read(offset, copy.segment());
        } catch (RuntimeException | Error e) {
            copy.free();
            throw e;
        }
        return copy;
    }

    /**
     * Fills a range with a byte. By default the bytes are written by {@link #write(long, MemorySegment)}, some thousand
     * at a time.
     *
     * @param offset bytes from the arena's start
     * @param length 1 byte or more
     * @param value the byte
     */
    default void fill(long offset, long length, byte value) {
        DefaultTransfers.fill(this, offset, length, value);
    }

    /**
     * Copies a range to another one. By default through host memory.
     *
     * @param from bytes from the arena's start
     * @param to bytes from the arena's start, not {@code from}; the ranges may overlap
     * @param length 1 byte or more
     */
    default void copy(long from, long to, long length) {
        DefaultTransfers.copy(this, from, to, length);
    }

    /** Waits until what the calling thread wrote has reached the device's memory. By default it has. */
    default void flush() {}

    /**
     * Allocates host memory from which the device copies fastest. By default it is memory of the system.
     *
     * @param bytes 1 or more
     * @return the memory, zeroed; it must not refer to an arena
     * @throws IllegalArgumentException if the device cannot have so many bytes in one piece
     */
    default HostAllocation allocateHost(long bytes) {
        return SystemAllocation.allocate("host memory", bytes);
    }

    /**
     * Returns what only this kind of device has, such as its memory as a {@link MemorySegment}, an f16 shadow, which
     * {@link ArenaF16Shadow#of} makes, or kernels. By default there is nothing. An arena asks once for each type, and
     * keeps the answer. Such a segment must not be accessible after {@link #close}, so a Java array is none.
     *
     * @param type the type that the caller asks {@link DeviceArena#unwrap} for
     * @param arena the arena or view that is asked: its plan, its values and its lifetime
     * @param <T> the type
     * @return the object, or empty where there is none
     */
    default <T> Optional<T> unwrap(Class<T> type, OpenArena arena) {
        return Optional.empty();
    }

    /**
     * Returns what the memory takes beside the arena now, for reports. By default nothing. It may be called until the
     * memory is freed, and while it is.
     *
     * @return the figures of this moment
     */
    default MemoryFigures figures() {
        return MemoryFigures.NONE;
    }

    /**
     * Frees the memory. The last close of the arena and its views calls it, when no call is in flight; it is not called
     * again once it has returned. A backend whose memory the garbage collector frees drops its reference, since a
     * closed arena may stay referenced. By default nothing happens.
     *
     * @throws IllegalStateException if a native call is using the memory; nothing is freed then, and the next close
     *     calls it again
     */
    default void close() {}
}
