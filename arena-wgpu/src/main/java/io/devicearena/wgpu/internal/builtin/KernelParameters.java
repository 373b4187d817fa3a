package io.devicearena.wgpu.internal.builtin;

import io.devicearena.wgpu.internal.gpu.GpuLimits;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The parameters of the dispatches of one submission. Each begins where a uniform binding may begin. They are written
 * to the device before the submission that needs them.
 *
 * <p>Threads: one thread at a time.
 */
public final class KernelParameters implements DispatchParameters {
    private static final int STRIDE = (int) GpuLimits.MAX_BINDING_ALIGNMENT;

    /** The parameters of one dispatch: four words. */
    public static final int BYTES = 16;

    private static final int MAX_DISPATCHES = 4;

    /** The size of the buffer on the device. */
    public static final long BUFFER_BYTES = (long) MAX_DISPATCHES * STRIDE;

    private final MemorySegment memory;
    private int count;

    /** Allocates the parameters in native memory. */
    public KernelParameters(Arena arena) {
        memory = arena.allocate(BUFFER_BYTES, 8);
    }

    /** Removes all parameters. */
    public void clear() {
        count = 0;
    }

    @Override
    public int add(int first, int second, int third, int fourth) {
        long at = (long) count * STRIDE;
        memory.set(ValueLayout.JAVA_INT, at, first);
        memory.set(ValueLayout.JAVA_INT, at + 4, second);
        memory.set(ValueLayout.JAVA_INT, at + 8, third);
        memory.set(ValueLayout.JAVA_INT, at + 12, fourth);
        count++;
        return (int) at;
    }

    @Override
    public boolean hasRoom() {
        return count < MAX_DISPATCHES;
    }

    /** Whether there are no parameters. */
    public boolean isEmpty() {
        return count == 0;
    }

    /** The address of the first word. */
    public long address() {
        return memory.address();
    }

    /** The bytes from the first word to the last. */
    public long bytes() {
        return (long) (count - 1) * STRIDE + BYTES;
    }
}
