package io.devicearena.wgpu.internal.transfer;

import io.devicearena.ReadBatch;
import io.devicearena.spi.memory.StagedRead;
import io.devicearena.wgpu.internal.gpu.StagingBuffer;
import java.util.List;

/** A deferred read whose bytes are on their way into staging. Threads: as {@link StagedRead} says. */
final class ArrivingRead implements StagedRead {
    private final TransferPools pools;
    private final StagingBuffer staging;
    private final List<ReadBatch.Region> regions;
    private final long[] positions;
    private final long[] counts;
    private final boolean isEmpty;

    ArrivingRead(
            TransferPools pools,
            StagingBuffer staging,
            List<ReadBatch.Region> regions,
            long[] positions,
            long[] counts,
            boolean isEmpty) {
        this.pools = pools;
        this.staging = staging;
        this.regions = regions;
        this.positions = positions;
        this.counts = counts;
        this.isEmpty = isEmpty;
    }

    @Override
    public boolean hasArrived() {
        return isEmpty || staging.isMapped();
    }

    @Override
    public void land() {
        if (isEmpty) {
            return;
        }
        TransferContext transfer = pools.acquire();
        try {
            for (int i = 0; i < regions.size(); i++) {
                BatchReadback.land(transfer, regions.get(i), staging.address() + positions[i], counts[i]);
            }
        } finally {
            pools.release(transfer);
        }
    }

    @Override
    public void release(boolean landed) {
        if (landed) {
            pools.readbacks().release(staging);
        } else {
            staging.close();
        }
    }
}
