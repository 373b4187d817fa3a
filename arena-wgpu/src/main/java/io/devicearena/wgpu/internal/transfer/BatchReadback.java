package io.devicearena.wgpu.internal.transfer;

import io.devicearena.wgpu.internal.builtin.ReadbackLayout;

import io.devicearena.DeviceException;
import io.devicearena.ReadBatch;
import io.devicearena.wgpu.internal.gpu.GpuBuffer;
import io.devicearena.wgpu.internal.gpu.StagingBuffer;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads several ranges of an arena together: one submission and one wait, whatever their number.
 *
 * <p>Threads: safe for any thread.
 */
public final class BatchReadback {
    private final TransferPools pools;
    private final ArenaBuffers buffers;
    private final PreparedSubmissions runs;
    private final RegionSizes sizes;

    /**
     * Makes the reader of an arena's batches.
     *
     * @param runs where the next run of what was just submitted is made ready
     */
    public BatchReadback(TransferPools pools, ArenaBuffers buffers, PreparedSubmissions runs, RegionSizes sizes) {
        this.pools = pools;
        this.buffers = buffers;
        this.runs = runs;
        this.sizes = sizes;
    }

    /**
     * Reads the regions of a batch and waits for them.
     *
     * @return the sum over the regions of what was read, elements or bytes
     */
    public long read(List<ReadBatch.Region> regions) {
        return read(regions, CommandSource.NOTHING);
    }

    /** Submits commands and does not wait for them. */
    public void submit(CommandSource commands) {
        TransferContext transfer = pools.take();
        try {
            submitAlone(transfer, commands);
        } finally {
            pools.give(transfer);
        }
    }

    /**
     * Submits commands, and reads the regions of a batch in the same submission.
     *
     * @return the sum over the regions of what was read, elements or bytes
     */
    public long read(List<ReadBatch.Region> regions, CommandSource ahead) {
        TransferContext transfer = pools.take();
        try {
            long total = layOut(transfer, regions);
            if (transfer.layout.copies() == 0) {
                submitAlone(transfer, ahead);
            } else {
                PreparedSubmission next = runs.take(ahead, transfer.layout);
                try {
                    readOut(transfer, regions, ahead, next);
                } finally {
                    if (next != null) {
                        runs.give(next);
                    }
                }
            }
            return total;
        } finally {
            pools.give(transfer);
        }
    }

    private void readOut(TransferContext transfer, List<ReadBatch.Region> regions, CommandSource ahead, @Nullable PreparedSubmission next) {
        StagingBuffer staging =
                next != null && next.isReady() ? next.take() : pools.readbacks().take(transfer.layout.bytes());
        try {
            submit(transfer, ahead, next, staging);
            staging.beginMap(transfer.layout.bytes());
            if (next != null) {
                makeReady(transfer, ahead, next, null);
            }
            staging.awaitMapped();
            for (int i = 0; i < regions.size(); i++) {
                land(transfer, regions.get(i), staging.address() + transfer.layout.position(i), transfer.counts[i]);
            }
        } catch (RuntimeException | Error e) {
            staging.close();
            throw e;
        }
        pools.readbacks().give(staging);
    }

    /**
     * Submits commands, waits for them, and copies the first bytes of staging that they write to by themselves. Nobody else
     * may use this staging meanwhile.
     */
    public void submitAndCopy(CommandSource commands, StagingBuffer written, MemorySegment destination) {
        TransferContext transfer = pools.take();
        try {
            transfer.layout.clear(); // nothing is copied on the device
            PreparedSubmission next = runs.take(commands, transfer.layout);
            try {
                if (next != null && next.isReady()) {
                    next.take();
                    next.submit();
                } else {
                    submitAlone(transfer, commands);
                }
                copyOut(transfer, commands, next, written, destination);
            } finally {
                if (next != null) {
                    runs.give(next);
                }
            }
        } finally {
            pools.give(transfer);
        }
    }

    private void copyOut(
            TransferContext transfer,
            CommandSource commands,
            @Nullable PreparedSubmission next,
            StagingBuffer written,
            MemorySegment destination) {
        try {
            written.beginMap(Readback.roundUp(destination.byteSize()));
            if (next != null) {
                makeReady(transfer, commands, next, written);
            }
            written.awaitMapped();
            transfer.host.setBytes(destination);
            transfer.host.copyFrom(written.address(), 0, destination.byteSize());
        } catch (RuntimeException | Error e) {
            written.reset();
            throw e;
        }
        written.unmap();
    }

    /**
     * Records and finishes the next run, while the device works on this one.
     *
     * @param written what the commands write to by themselves, or null when they copy to staging of the pool
     */
    private void makeReady(TransferContext transfer, CommandSource ahead, PreparedSubmission next, @Nullable StagingBuffer written) {
        StagingBuffer staging = written;
        try {
            if (staging == null) {
                staging = pools.readbacks().take(transfer.layout.bytes());
            }
            int window = window(transfer, ahead);
            int jobs = prepare(transfer, staging, window);
            transfer.commands.beginAhead();
            try {
                record(transfer, ahead, staging, window, jobs);
                transfer.commands.finishAhead(next.commands());
            } catch (RuntimeException | Error e) {
                transfer.commands.discard();
                throw e;
            }
            next.ready(staging);
        } catch (DeviceException e) {
            // this run goes on; the next one will record itself, and tell what is wrong
            if (written == null && staging != null) {
                staging.close();
            }
        }
    }

    /**
     * Begins to read the regions of a batch as they are now.
     *
     * @param arena kept reachable for as long as the read is pending
     * @param pending where the read is noted until it has ended
     */
    public PendingRead begin(List<ReadBatch.Region> regions, Object arena, PendingReads pending) {
        return begin(regions, arena, pending, CommandSource.NOTHING);
    }

    /**
     * Submits commands, and begins to read the regions of a batch as they are behind them.
     *
     * @param arena kept reachable for as long as the read is pending
     * @param pending where the read is noted until it has ended
     */
    public PendingRead begin(List<ReadBatch.Region> regions, Object arena, PendingReads pending, CommandSource ahead) {
        TransferContext transfer = pools.take();
        try {
            long total = layOut(transfer, regions);
            StagingBuffer staging;
            if (transfer.layout.copies() == 0) {
                submitAlone(transfer, ahead);
                staging = pools.readbacks().take(ReadbackPool.SMALLEST);
            } else {
                staging = pools.readbacks().take(transfer.layout.bytes());
                try {
                    submit(transfer, ahead, null, staging);
                    staging.beginMap(transfer.layout.bytes());
                } catch (RuntimeException | Error e) {
                    staging.close();
                    throw e;
                }
            }
            return pending.add(new PendingRead(
                    pools,
                    staging,
                    regions,
                    transfer.layout.positions(),
                    Arrays.copyOf(transfer.counts, regions.size()),
                    total,
                    arena,
                    pending));
        } finally {
            pools.give(transfer);
        }
    }

    private long layOut(TransferContext transfer, List<ReadBatch.Region> regions) {
        transfer.ensureCounts(regions.size());
        transfer.layout.clear();
        long total = 0;
        for (int i = 0; i < regions.size(); i++) {
            ReadBatch.Region region = regions.get(i);
            long count = sizes.elements(region);
            transfer.counts[i] = count;
            transfer.layout.add(sizes.offset(region), count * unit(region));
            total += count;
        }
        return total;
    }

    private static void submitAlone(TransferContext transfer, CommandSource recording) {
        if (!recording.isNothing()) {
            transfer.commands.begin();
            try {
                recording.record(transfer.commands);
                transfer.commands.submit();
            } catch (RuntimeException | Error e) {
                transfer.commands.discard();
                throw e;
            }
        }
    }

    /** Submits commands and the copies behind them, to staging that is to be mapped. */
    private void submit(TransferContext transfer, CommandSource ahead, @Nullable PreparedSubmission next, StagingBuffer staging) {
        if (next != null && !next.commands().isEmpty()) {
            next.submit();
        } else {
            int window = window(transfer, ahead);
            int jobs = prepare(transfer, staging, window);
            transfer.commands.begin();
            try {
                record(transfer, ahead, staging, window, jobs);
                transfer.commands.submit();
            } catch (RuntimeException | Error e) {
                transfer.commands.discard();
                throw e;
            }
        }
    }

    /** The window of the arena that a kernel copies from, or -1 when the device is to copy. */
    private int window(TransferContext transfer, CommandSource ahead) {
        return pools.gathersOnDevice() ? pools.gather().windowOf(transfer.layout, !ahead.isNothing()) : -1;
    }

    /** Prepares for {@link #record}; returns the jobs of the kernel that copies. */
    private int prepare(TransferContext transfer, StagingBuffer staging, int window) {
        return window < 0 ? 0 : pools.gather().prepare(staging, transfer.layout, window, transfer.jobs);
    }

    private void record(TransferContext transfer, CommandSource ahead, StagingBuffer staging, int window, int jobs) {
        ahead.record(transfer.commands);
        if (window >= 0) {
            pools.gather().record(transfer.commands, buffers.gatherGroup(window), staging, jobs);
        } else {
            ReadbackLayout layout = transfer.layout;
            GpuBuffer to = staging.buffer();
            for (int i = 0; i < layout.copies(); i++) {
                transfer.commands.copy(buffers.arena(), layout.from(i), to, layout.target(i), layout.length(i));
            }
        }
    }

    private static int unit(ReadBatch.Region region) {
        return region instanceof ReadBatch.Output output ? output.dtype().bytes() : 1;
    }

    /** Copies or casts what is mapped at an address into a region's destination. */
    static void land(TransferContext transfer, ReadBatch.Region region, long address, long count) {
        if (count > 0) {
            switch (region) {
                case ReadBatch.Output output -> transfer.host.setFloats(output.destination(), output.dtype());
                case ReadBatch.Bytes bytes -> transfer.host.setBytes(bytes.destination());
            }
            ParallelCopier.SHARED.copyFrom(transfer.host, address, 0, count);
        }
    }
}
