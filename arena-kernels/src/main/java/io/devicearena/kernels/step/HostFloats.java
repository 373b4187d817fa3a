package io.devicearena.kernels.step;

import io.devicearena.NodeId;
import io.devicearena.kernels.HostValues;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Reads and writes floats and words of values in host memory, by arrays that are long enough.
 *
 * <p><b>Threads:</b> safe for any thread.
 */
public final class HostFloats {
    private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;

    private HostFloats() {}

    /**
     * Returns the bytes of a value, and checks that there are enough.
     *
     * @param host the values
     * @param id the value
     * @param bytes the bytes that the step uses
     * @return the bytes of its slot
     * @throws IllegalArgumentException if the value has no slot, or one that is too small
     */
    public static MemorySegment bytes(HostValues host, NodeId id, long bytes) {
        MemorySegment segment = host.bytes(id);
        if (segment.byteSize() < bytes) {
            throw StepKernel.tooSmall(id, bytes, segment.byteSize());
        }
        return segment;
    }

    /**
     * Returns the bytes of a value of floats or words, and checks that there are enough.
     *
     * @param host the values
     * @param id the value
     * @param elements the elements of 4 bytes that the step uses
     * @return the bytes of its slot
     * @throws IllegalArgumentException if the value has no slot, or one that is too small
     */
    public static MemorySegment words(HostValues host, NodeId id, long elements) {
        return bytes(host, id, elements * Float.BYTES);
    }

    /**
     * Copies floats out of a value.
     *
     * @param from the bytes of the value
     * @param first the number of the first float
     * @param count the number of floats
     * @return the floats
     */
    public static float[] read(MemorySegment from, long first, int count) {
        float[] floats = new float[count];
        read(from, first, floats);
        return floats;
    }

    /**
     * Copies floats out of a value into an array.
     *
     * @param from the bytes of the value
     * @param first the number of the first float
     * @param to receives as many floats as it has elements
     */
    public static void read(MemorySegment from, long first, float[] to) {
        read(from, first, to, 0, to.length);
    }

    /**
     * Copies floats out of a value into a part of an array.
     *
     * @param from the bytes of the value
     * @param first the number of the first float
     * @param to receives the floats
     * @param at the index of the first in the array
     * @param count the number of floats
     */
    public static void read(MemorySegment from, long first, float[] to, int at, int count) {
        MemorySegment.copy(from, FLOAT, first * Float.BYTES, to, at, count);
    }

    /**
     * Copies floats into a value.
     *
     * @param floats the floats, all of them
     * @param to the bytes of the value
     * @param first the number of the first float that is written
     */
    public static void write(float[] floats, MemorySegment to, long first) {
        write(floats, 0, floats.length, to, first);
    }

    /**
     * Copies a part of an array into a value.
     *
     * @param floats the array
     * @param at the index of the first float that is copied
     * @param count the number of floats
     * @param to the bytes of the value
     * @param first the number of the first float that is written
     */
    public static void write(float[] floats, int at, int count, MemorySegment to, long first) {
        MemorySegment.copy(floats, at, to, FLOAT, first * Float.BYTES, count);
    }

    /**
     * Reads a float of a value.
     *
     * @param from the bytes of the value
     * @param index the number of the float
     * @return the float
     */
    public static float get(MemorySegment from, long index) {
        return from.get(FLOAT, index * Float.BYTES);
    }

    /**
     * Writes a float of a value.
     *
     * @param to the bytes of the value
     * @param index the number of the float
     * @param value the float
     */
    public static void set(MemorySegment to, long index, float value) {
        to.set(FLOAT, index * Float.BYTES, value);
    }

    /**
     * Reads a word of a value.
     *
     * @param from the bytes of the value
     * @param index the number of the word
     * @return its 32 bits
     */
    public static int word(MemorySegment from, long index) {
        return from.get(ValueLayout.JAVA_INT_UNALIGNED, index * Integer.BYTES);
    }

    /**
     * Writes a word of a value.
     *
     * @param to the bytes of the value
     * @param index the number of the word
     * @param word its 32 bits
     */
    public static void setWord(MemorySegment to, long index, int word) {
        to.set(ValueLayout.JAVA_INT_UNALIGNED, index * Integer.BYTES, word);
    }

    /**
     * Returns an array that is long enough.
     *
     * @param had an array
     * @param floats the fewest elements
     * @return the same array, or a longer one of zeros
     */
    public static float[] grown(float[] had, int floats) {
        return had.length >= floats ? had : new float[floats];
    }
}
