package io.devicearena.kernel;

/**
 * Host memory that kernels write results to: a few bytes that an engine needs after each step, such as the chosen
 * token. {@link KernelProgram#run(ResultBuffer, java.lang.foreign.MemorySegment)} reads it without a copy on the
 * device, which is the fastest way from a kernel to the host.
 *
 * <p>It can be bound to {@code var<storage>}. Kernels access it through the bus, so a kernel that reads from it, or
 * writes much to it, is slow. New memory reads as zero.
 *
 * <p><b>Threads:</b> safe for any thread; programs that are bound to the same buffer run and read one after the other.
 *
 * <p><b>Lifetime:</b> until it is closed, or the arena is. Programs that were recorded with it keep its memory.
 */
public interface ResultBuffer extends Binding, AutoCloseable {
    /**
     * Ends the use of the buffer. Its memory is freed when no program that was recorded with it is open. To read or
     * bind it throws {@link IllegalStateException}.
     *
     * <p>Any thread may close it at any time, and does not wait. A second call does nothing.
     */
    @Override
    void close();
}
