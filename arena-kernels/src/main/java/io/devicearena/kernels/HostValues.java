package io.devicearena.kernels;

import io.devicearena.NodeId;
import java.lang.foreign.MemorySegment;
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

    /** {@return the number of threads that {@link #parallel} uses, 1 or more} */
    int threads();
}
