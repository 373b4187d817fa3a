package io.devicearena.wgpu.internal.transfer;

import io.devicearena.wgpu.internal.builtin.Gather;
import io.devicearena.wgpu.internal.builtin.ReadbackLayout;
import io.devicearena.wgpu.internal.gpu.Commands;
import io.devicearena.wgpu.internal.gpu.StagingBuffer;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;

/**
 * The reusable objects of one transfer: a recorder, native memory for small data, and the layout of a batch. A transfer
 * acquires one from {@link TransferPools} and releases it at its end.
 *
 * <p>Threads: one thread at a time.
 */
final class TransferContext {
    /**
     * The most bytes of data, without its mirror, that wait for the next submission; larger data is submitted at once.
     */
    static final int SMALL_BYTES = 64 << 10;

    /** The pieces of a large read that are under way at a time. */
    static final int PIECES = 4;

    final HostView host = new HostView();
    /** The same memory, cast to f16. */
    final HostView hostF16 = new HostView();

    /** Brings that memory to the device. */
    final MirroredWrite write = new MirroredWrite(host, hostF16);

    /** What the run of a program writes first. */
    final RunInputs inputs;

    final Commands commands;
    /** The address of memory for small data, with up to 3 bytes before and after it, and for its mirror. */
    final long small;

    /** The jobs of a {@link Gather}. */
    final MemorySegment jobs;

    /** The pieces of a large read, in order. */
    final ArrayDeque<StagingBuffer> pieces = new ArrayDeque<>(PIECES);

    final ReadbackLayout layout = new ReadbackLayout();

    TransferContext(TransferPools pools, Arena memory) {
        inputs = new RunInputs(pools, host, write);
        commands = new Commands(pools.device());
        small = memory.allocate(SMALL_BYTES + SMALL_BYTES / 2 + 16, 8).address();
        jobs = memory.allocate(Gather.JOBS_BYTES, 8);
    }
}
