package io.devicearena.wgpu.internal.transfer;

import io.devicearena.spi.memory.Span;
import io.devicearena.spi.memory.StagedRead;
import io.devicearena.wgpu.internal.builtin.ReadbackLayout;
import io.devicearena.wgpu.internal.gpu.StagingBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A deferred read whose bytes are on their way into staging, or which has ended and may begin again. Threads: as {@link
 * StagedRead} says.
 */
public final class ArrivingRead implements StagedRead {
    private final TransferPools pools;
    private List<Span> spans = List.of();
    private long[] positions = {};
    private @Nullable StagingBuffer staging;

    ArrivingRead(TransferPools pools) {
        this.pools = pools;
    }

    /**
     * Begins: the spans arrive in staging as a layout says.
     *
     * @param to null for spans without bytes
     */
    void begin(List<Span> reads, @Nullable StagingBuffer to, ReadbackLayout layout) {
        spans = reads;
        staging = to;
        if (positions.length < reads.size()) {
            positions = new long[reads.size()];
        }
        for (int i = 0; i < reads.size(); i++) {
            positions[i] = layout.position(i);
        }
    }

    @Override
    public boolean hasArrived() {
        return staging == null || staging.isMapped();
    }

    @Override
    public void land() {
        StagingBuffer from = staging;
        if (from == null) {
            return;
        }
        TransferContext transfer = pools.acquire();
        try {
            for (int i = 0; i < spans.size(); i++) {
                BatchReadback.land(transfer, spans.get(i), from.address() + positions[i]);
            }
        } finally {
            pools.release(transfer);
        }
    }

    @Override
    public void release(boolean landed) {
        StagingBuffer used = staging;
        staging = null;
        if (used != null && landed) {
            pools.readbacks.release(used);
        } else if (used != null) {
            used.close();
        }
    }
}
