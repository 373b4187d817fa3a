package io.devicearena.cuda.internal.transfer;

import io.devicearena.cuda.internal.device.DeviceContext;
import io.devicearena.cuda.internal.driver.Cuda;
import io.devicearena.spi.memory.Span;
import io.devicearena.spi.memory.StagedRead;
import java.util.List;

/**
 * Spans on their way into a block, or a write from page-locked memory. The event of the block is behind the copies.
 *
 * <p>Threads: as {@link StagedRead} says.
 */
final class DeferredTransfer implements StagedRead {
    private final DeviceContext context;
    private final PinnedPool pool;
    private final Download download;
    private final PinnedBlock block;
    private final List<Span> spans;
    private final long arena;
    private final boolean isRead;
    private boolean arrived;

    /** Takes a block whose event is set. */
    DeferredTransfer(
            DeviceContext context,
            PinnedPool pool,
            Download download,
            PinnedBlock block,
            List<Span> spans,
            long arena,
            boolean isRead) {
        this.context = context;
        this.pool = pool;
        this.download = download;
        this.block = block;
        this.spans = spans;
        this.arena = arena;
        this.isRead = isRead;
    }

    @Override
    public boolean hasArrived() {
        if (!arrived) {
            context.enter();
            arrived = Cuda.isDone(block.event);
        }
        return arrived;
    }

    @Override
    public void land() {
        if (isRead) {
            download.land(spans, 0, spans.size(), arena, block, 0);
        }
    }

    @Override
    public void release(boolean landed) {
        if (landed || arrived) {
            pool.release(block);
        } else {
            pool.releaseFailed(block); // the device may still write
        }
    }

    @Override
    public boolean isCancellable() {
        return isRead;
    }
}
