package io.devicearena.wgpu.internal.transfer;

import io.devicearena.wgpu.internal.builtin.Gather;
import io.devicearena.wgpu.internal.builtin.KernelParameters;
import io.devicearena.wgpu.internal.builtin.ReadbackLayout;

import io.devicearena.wgpu.internal.gpu.Commands;
import io.devicearena.wgpu.internal.gpu.GpuDevice;
import io.devicearena.wgpu.internal.gpu.StagingBuffer;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What one transfer needs besides staging: a recorder, native memory for small data, and notes. Taken from the pools for
 * the length of a transfer.
 *
 * <p>Threads: one thread at a time.
 */
final class TransferContext {
    /** Data up to this many bytes on the device waits for the next submission; a mirror comes on top. */
    static final int SMALL_BYTES = 64 << 10;

    /** Pieces of a large read that are under way at a time. */
    static final int PIECES = 4;

    final HostView host = new HostView();
    /** The same memory, cast to f16. */
    final HostView hostF16 = new HostView();

    final Commands commands;
    /** Room for small data with up to 3 bytes before and after, and behind it for its mirror. */
    final long data;

    final long mirror;
    final KernelParameters parameters;
    /** The jobs of a {@link Gather}. */
    final MemorySegment jobs;

    /** The pieces of a large read, in order. */
    final @Nullable StagingBuffer[] pieces = new StagingBuffer[PIECES];

    final ReadbackLayout layout = new ReadbackLayout();

    /** How much of each region of a batch is read. */
    long[] counts = new long[16];

    TransferContext(GpuDevice device, Arena memory) {
        commands = new Commands(device);
        data = memory.allocate(SMALL_BYTES + 8, 8).address();
        mirror = memory.allocate(SMALL_BYTES / 2 + 8, 8).address();
        parameters = new KernelParameters(memory);
        jobs = memory.allocate(Gather.JOBS_BYTES, 8);
    }

    void ensureCounts(int regions) {
        if (counts.length < regions) {
            counts = Arrays.copyOf(counts, Math.max(regions, 2 * counts.length));
        }
    }
}
