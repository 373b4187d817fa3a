package io.devicearena.wgpu.internal.transfer;

import io.devicearena.ReadBatch;
import io.devicearena.wgpu.internal.gpu.GpuBuffer;
import io.devicearena.wgpu.internal.gpu.StagingBuffer;
import java.util.Arrays;
import java.util.List;

/**
 * Reads several ranges of an arena together: one submission and one wait, whatever their number.
 *
 * <p>Threads: safe for any thread.
 */
public final class BatchReadback {
    private final TransferPools pools;
    private final ArenaBuffers buffers;
    private final RegionSizes sizes;

    /** Makes the reader of an arena's batches. */
    public BatchReadback(TransferPools pools, ArenaBuffers buffers, RegionSizes sizes) {
        this.pools = pools;
        this.buffers = buffers;
        this.sizes = sizes;
    }

    /**
     * Reads the regions of a batch and waits for them.
     *
     * @return the sum over the regions of what was read, elements or bytes
     */
    public long read(List<ReadBatch.Region> regions) {
        return read(regions, Recording.NOTHING);
    }

    /**
     * Submits commands, and reads the regions of a batch in the same submission.
     *
     * @return the sum over the regions of what was read, elements or bytes
     */
    public long read(List<ReadBatch.Region> regions, Recording ahead) {
        Transfer transfer = pools.take();
        try {
            long total = layOut(transfer, regions);
            if (transfer.layout.copies() == 0) {
                submitAlone(transfer, ahead);
            } else {
                StagingBuffer staging = copyOut(transfer, ahead);
                try {
                    transfer.commands.prepare();
                    staging.awaitMapped();
                    for (int i = 0; i < regions.size(); i++) {
                        land(
                                transfer,
                                regions.get(i),
                                staging.address() + transfer.layout.position(i),
                                transfer.counts[i]);
                    }
                } catch (RuntimeException | Error e) {
                    staging.close();
                    throw e;
                }
                pools.readbacks().give(staging);
            }
            return total;
        } finally {
            pools.give(transfer);
        }
    }

    /**
     * Begins to read the regions of a batch as they are now.
     *
     * @param arena kept reachable for as long as the read is pending
     * @param pending where the read is noted until it has ended
     */
    public PendingRead begin(List<ReadBatch.Region> regions, Object arena, PendingReads pending) {
        return begin(regions, arena, pending, Recording.NOTHING);
    }

    /**
     * Submits commands, and begins to read the regions of a batch as they are behind them.
     *
     * @param arena kept reachable for as long as the read is pending
     * @param pending where the read is noted until it has ended
     */
    public PendingRead begin(List<ReadBatch.Region> regions, Object arena, PendingReads pending, Recording ahead) {
        Transfer transfer = pools.take();
        try {
            long total = layOut(transfer, regions);
            StagingBuffer staging;
            if (transfer.layout.copies() == 0) {
                submitAlone(transfer, ahead);
                staging = pools.readbacks().take(ReadbackPool.SMALLEST);
            } else {
                staging = copyOut(transfer, ahead);
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

    private long layOut(Transfer transfer, List<ReadBatch.Region> regions) {
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

    private static void submitAlone(Transfer transfer, Recording recording) {
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

    private StagingBuffer copyOut(Transfer transfer, Recording ahead) {
        ReadbackLayout layout = transfer.layout;
        Gather gather = pools.gather();
        int window = pools.gathersOnDevice() ? gather.windowOf(layout) : -1;
        StagingBuffer staging = pools.readbacks().take(layout.bytes());
        try {
            if (window >= 0) {
                gather.submit(
                        transfer.commands,
                        ahead,
                        buffers.gatherGroup(window),
                        window,
                        layout,
                        staging.buffer(),
                        transfer.jobs);
            } else {
                submitCopies(transfer, staging.buffer(), ahead);
            }
            staging.beginMap(layout.bytes());
        } catch (RuntimeException | Error e) {
            staging.close();
            throw e;
        }
        return staging;
    }

    private void submitCopies(Transfer transfer, GpuBuffer to, Recording ahead) {
        ReadbackLayout layout = transfer.layout;
        transfer.commands.begin();
        try {
            ahead.record(transfer.commands);
            for (int i = 0; i < layout.copies(); i++) {
                transfer.commands.copy(buffers.arena(), layout.from(i), to, layout.target(i), layout.length(i));
            }
            transfer.commands.submit();
        } catch (RuntimeException | Error e) {
            transfer.commands.discard();
            throw e;
        }
    }

    private static int unit(ReadBatch.Region region) {
        return region instanceof ReadBatch.Output output ? output.dtype().bytes() : 1;
    }

    /** Copies or casts what is mapped at an address into a region's destination. */
    static void land(Transfer transfer, ReadBatch.Region region, long address, long count) {
        if (count > 0) {
            switch (region) {
                case ReadBatch.Output output -> transfer.host.setFloats(output.destination(), output.dtype());
                case ReadBatch.Bytes bytes -> transfer.host.setBytes(bytes.destination());
            }
            CopyCrew.SHARED.copyFrom(transfer.host, address, 0, count);
        }
    }
}
