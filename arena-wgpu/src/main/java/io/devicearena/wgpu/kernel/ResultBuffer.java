package io.devicearena.wgpu.kernel;

/**
 * Memory of the host that kernels write results to: a few bytes that an engine wants after each step, such as the token that
 * was chosen. {@link KernelProgram#run(ResultBuffer, java.lang.foreign.MemorySegment)} reads it without any copy on the
 * device, which is the fastest way from a kernel to the host.
 *
 * <p>It can be bound to {@code var<storage>}. Kernels reach it through the bus, so one that reads from it, or writes much to
 * it, is slow. New memory reads as zero.
 *
 * <p><b>Threads:</b> safe for any thread; programs that are bound to the same one follow each other, reading included.
 *
 * <p><b>Lifetime:</b> until the arena is closed, which frees it.
 */
public interface ResultBuffer extends Binding {}
