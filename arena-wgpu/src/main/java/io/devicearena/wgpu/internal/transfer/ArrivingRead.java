package io.devicearena.wgpu.internal.transfer;

import io.devicearena.ReadBatch;
import io.devicearena.spi.memory.StagedRead;
import io.devicearena.wgpu.internal.builtin.ReadbackLayout;
import io.devicearena.wgpu.internal.gpu.StagingBuffer;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A deferred read whose bytes are on their way into staging, or which has ended and may begin again. Threads: as {@link
 * StagedRead} says.
 */
public final class ArrivingRead implements StagedRead {
    private final TransferPools pools;
    private final List<ReadBatch.Region> regions;
    private final long[] positions;
    private final long[] counts;
    private @Nullable StagingBuffer staging;
    private boolean isEmpty;

    ArrivingRead(TransferPools pools, List<ReadBatch.Region> regions) {
        this.pools = pools;
        this.regions = regions;
        this.positions = new long[regions.size()];
        this.counts = new long[regions.size()];
    }

    List<ReadBatch.Region> regions() {
        return regions;
    }

    /** Begins: the regions arrive in staging as a layout says. */
    void begin(StagingBuffer to, ReadbackLayout layout, long[] sizes, boolean empty) {
        staging = to;
        isEmpty = empty;
        for (int i = 0; i < counts.length; i++) {
            positions[i] = layout.position(i);
            counts[i] = sizes[i];
        }
    }

    private StagingBuffer staging() {
        return Objects.requireNonNull(staging, "staging");
    }

    @Override
    public boolean hasArrived() {
        return isEmpty || staging().isMapped();
    }

    @Override
    public void land() {
        if (isEmpty) {
            return;
        }
        TransferContext transfer = pools.acquire();
        try {
            for (int i = 0; i < regions.size(); i++) {
                BatchReadback.land(transfer, regions.get(i), staging().address() + positions[i], counts[i]);
            }
        } finally {
            pools.release(transfer);
        }
    }

    @Override
    public void release(boolean landed) {
        StagingBuffer used = staging();
        staging = null;
        if (landed) {
            pools.readbacks().release(used);
        } else {
            used.close();
        }
    }
}
