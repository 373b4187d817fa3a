package io.devicearena;

import java.lang.foreign.MemorySegment;
import java.util.OptionalLong;

/**
 * The f16 form of an arena's f32 bytes, kept in a second buffer on the device for kernels that read weights at half the
 * traffic.
 *
 * <p>A value at byte {@code o} of the arena with {@code n} bytes has its mirror at byte {@code o/2} of the shadow; it
 * holds {@code n/4} f16 elements and ends at {@code o/2 + align4((n/4)*2)}, where {@code align4} rounds up to a
 * multiple of 4. The shadow is as long as the largest such end. That
 * of an arena of one segment is never longer than one kernel binding of the device.
 * A value whose mirror does not lie within it, or that begins at no multiple of 8 bytes, has none, and
 * {@link #fits} is false.
 *
 * <p>What mirrors hold is always the {@link DType#F16} cast of the arena's bytes as they were at the last write as F32,
 * {@link #write} or {@link #refresh}; the rounding is that of {@link io.devicearena.cast.TypedCasts}. Raw writes,
 * kernel writes and typed writes of another type leave the mirrors of the bytes they touch stale.
 *
 * <p><b>Threads:</b> safe for any thread, with the guarantees of the arena it belongs to.
 *
 * <p><b>Lifetime:</b> that of the arena; afterwards every method throws {@link IllegalStateException}.
 */
public interface F16Shadow {
    /**
     * The size of the shadow.
     *
     * @return bytes, 1 or more
     * @throws IllegalStateException if the arena is closed
     */
    long sizeBytes();

    /**
     * Returns whether a value has a mirror.
     *
     * @param id the value
     * @return false when it has no slot, its slot begins at no multiple of 8 bytes, or its mirror would end past the
     *     shadow
     * @throws IllegalStateException if the arena is closed
     */
    boolean fits(NodeId id);

    /**
     * Where a value's mirror begins.
     *
     * @param id the value
     * @return bytes from the shadow's start, half of the value's offset in the arena; empty when {@link #fits} is false
     * @throws IllegalStateException if the arena is closed
     */
    OptionalLong byteOffset(NodeId id);

    /**
     * Returns whether a value's mirror is out of date.
     *
     * @param id the value
     * @return true when some byte of the value was written without its mirror and not refreshed since; false when
     *     {@link #fits} is false
     * @throws IllegalStateException if the arena is closed
     */
    boolean isStale(NodeId id);

    /**
     * Writes the mirror of a value and no byte of the arena; the mirror counts as fresh.
     *
     * @param id the value
     * @param data host floats; they are rounded to f16 and cut to the slot, and an odd slot is padded with a zero
     * @return elements written: the array's length, or what the mirror holds when that is less
     * @throws IllegalArgumentException if {@link #fits} is false for the value
     * @throws DeviceException if the device fails
     * @throws IllegalStateException if the arena is closed
     */
    long write(NodeId id, float[] data);

    /**
     * Writes the mirror of a value and no byte of the arena; the mirror counts as fresh.
     *
     * @param id the value
     * @param data f32 elements in native byte order, a multiple of 4 bytes long; they are rounded to f16 and cut to the
     *     slot, and an odd slot is padded with a zero
     * @return elements written: those of {@code data}, or what the mirror holds when that is less
     * @throws IllegalArgumentException if {@link #fits} is false for the value, or the length of {@code data} is no
     *     multiple of 4
     * @throws WrongThreadException if {@code data} is confined to another thread
     * @throws DeviceException if the device fails
     * @throws IllegalStateException if the arena or the memory of {@code data} is closed
     */
    long write(NodeId id, MemorySegment data);

    /**
     * Casts a value's current bytes into its mirror, on the device.
     *
     * @param id the value
     * @throws IllegalArgumentException if {@link #fits} is false for the value
     * @throws DeviceException if the device fails
     * @throws IllegalStateException if the arena is closed
     */
    void refresh(NodeId id);

    /**
     * Reads the shadow's own bytes, to inspect what kernels see.
     *
     * @param offset bytes from the shadow's start, 0 to {@link #sizeBytes}
     * @param destination where they land; its length says how many
     * @throws IllegalArgumentException if the range does not lie within the shadow, or {@code destination} is read-only
     * @throws WrongThreadException if {@code destination} is confined to another thread
     * @throws DeviceException if the device fails
     * @throws IllegalStateException if the arena or the memory of {@code destination} is closed
     */
    void readBytes(long offset, MemorySegment destination);
}
