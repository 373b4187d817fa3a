package io.devicearena.kernels;

import io.devicearena.NodeId;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.IntConsumer;
import java.util.function.Supplier;

/**
 * The values of an arena in host memory, and the threads that compute them.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public interface HostValues {
    /**
     * Returns the bytes of a value.
     *
     * @param id the value
     * @return its bytes, those of its slot; the same object at every call
     * @throws IllegalArgumentException if the value has no slot
     */
    MemorySegment bytes(NodeId id);

    /**
     * Copies floats out of a value. A slot may be longer than its value: the caller knows the number of elements.
     *
     * @param id an F32 value
     * @param count the number of floats, from the first
     * @return the floats
     * @throws IllegalArgumentException if the value has no slot
     * @throws IndexOutOfBoundsException if its slot has fewer
     */
    default float[] floats(NodeId id, int count) {
        return bytes(id).asSlice(0, (long) count * Float.BYTES).toArray(ValueLayout.JAVA_FLOAT_UNALIGNED);
    }

    /**
     * Copies floats into a value.
     *
     * @param id an F32 value
     * @param floats the first elements of the value
     * @throws IllegalArgumentException if the value has no slot
     * @throws IndexOutOfBoundsException if its slot has fewer
     */
    default void setFloats(NodeId id, float... floats) {
        MemorySegment.copy(floats, 0, bytes(id), ValueLayout.JAVA_FLOAT_UNALIGNED, 0, floats.length);
    }

    /**
     * Copies integers out of a value.
     *
     * @param id an I32 or U32 value
     * @param count the number of integers, from the first
     * @return the integers
     * @throws IllegalArgumentException if the value has no slot
     * @throws IndexOutOfBoundsException if its slot has fewer
     */
    default int[] ints(NodeId id, int count) {
        return bytes(id).asSlice(0, (long) count * Integer.BYTES).toArray(ValueLayout.JAVA_INT_UNALIGNED);
    }

    /**
     * Copies integers into a value.
     *
     * @param id an I32 or U32 value
     * @param ints the first elements of the value
     * @throws IllegalArgumentException if the value has no slot
     * @throws IndexOutOfBoundsException if its slot has fewer
     */
    default void setInts(NodeId id, int... ints) {
        MemorySegment.copy(ints, 0, bytes(id), ValueLayout.JAVA_INT_UNALIGNED, 0, ints.length);
    }

    /**
     * Calls a function for 0 to {@code tasks - 1}, on several threads, and returns when all calls are done.
     *
     * @param tasks the number of calls, 0 or more
     * @param body is called with the number of the task; calls run at the same time
     * @throws RuntimeException the first that a call throws
     */
    void parallel(int tasks, IntConsumer body);

    /**
     * Returns an object that steps keep here from run to run, such as memory to compute in. Steps run one after the
     * other, so all of them can use it.
     *
     * @param <T> its type
     * @param type of the object
     * @param make makes it, at the first call for its type
     * @return the object, the same at every call for its type
     */
    <T> T kept(Class<T> type, Supplier<T> make);

    /** {@return the number of threads that {@link #parallel} uses, 1 or more, the same at every call} */
    int threads();
}
