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
        Transfer transfer = pools.take();
        try {
            long total = layOut(transfer, regions);
            if (transfer.layout.copies() > 0) {
                StagingBuffer staging = copyOut(transfer);
                try {
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
        Transfer transfer = pools.take();
        try {
            long total = layOut(transfer, regions);
            StagingBuffer staging = transfer.layout.copies() > 0
                    ? copyOut(transfer)
                    : pools.readbacks().take(ReadbackPool.SMALLEST);
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

    private StagingBuffer copyOut(Transfer transfer) {
        ReadbackLayout layout = transfer.layout;
        StagingBuffer staging = pools.readbacks().take(layout.bytes());
        try {
            transfer.commands.begin();
            try {
                record(transfer, staging.buffer());
            } catch (RuntimeException | Error e) {
                transfer.commands.discard();
                throw e;
            }
            staging.beginMap(layout.bytes());
        } catch (RuntimeException | Error e) {
            staging.close();
            throw e;
        }
        return staging;
    }

    private void record(Transfer transfer, GpuBuffer to) {
        ReadbackLayout layout = transfer.layout;
        Gather gather = pools.gather();
        int window = pools.gathersOnDevice() ? gather.windowOf(layout) : -1;
        if (window >= 0) {
            long jobs =
                    gather.record(transfer.commands, buffers.gatherGroup(window), window, layout, to, transfer.jobs);
            transfer.commands.submit(gather.jobs(), transfer.jobs.address(), jobs);
        } else {
            for (int i = 0; i < layout.copies(); i++) {
                transfer.commands.copy(buffers.arena(), layout.from(i), to, layout.target(i), layout.length(i));
            }
            transfer.commands.submit();
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
