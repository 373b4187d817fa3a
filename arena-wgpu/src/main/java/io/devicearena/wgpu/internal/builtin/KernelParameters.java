package io.devicearena.wgpu.internal.builtin;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The parameters of the dispatches of one submission, each where a uniform binding may begin. They are written to the
 * device ahead of the submission that needs them.
 *
 * <p>Threads: one thread at a time.
 */
final class KernelParameters {
    /** The largest alignment that WebGPU lets a device ask for (section 3.6.2, minUniformBufferOffsetAlignment). */
    static final int STRIDE = 256;

    /** What one dispatch is handed: four words. */
    static final int BYTES = 16;

    private static final int MOST = 4;

    /** What the buffer on the device holds. */
    static final long BUFFER_BYTES = (long) MOST * STRIDE;

    private final MemorySegment memory;
    private int count;

    KernelParameters(Arena arena) {
        memory = arena.allocate(BUFFER_BYTES, 8);
    }

    void clear() {
        count = 0;
    }

    /** Adds four words; returns the offset of the binding. */
    int add(int first, int second, int third, int fourth) {
        long at = (long) count * STRIDE;
        memory.set(ValueLayout.JAVA_INT, at, first);
        memory.set(ValueLayout.JAVA_INT, at + 4, second);
        memory.set(ValueLayout.JAVA_INT, at + 8, third);
        memory.set(ValueLayout.JAVA_INT, at + 12, fourth);
        count++;
        return (int) at;
    }

    boolean isEmpty() {
        return count == 0;
    }

    long address() {
        return memory.address();
    }

    long bytes() {
        return (long) (count - 1) * STRIDE + BYTES;
    }
}
