package io.devicearena.cuda.internal.transfer;

import io.devicearena.spi.memory.HostAllocation;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Bytes of the device as a caller reads them, in a block of the pool.
 *
 * <p>Threads: confined to the thread that made it.
 */
final class MappedBlock implements HostAllocation {
    private final PinnedPool pool;
    private final PinnedBlock block;
    private final Runnable freed;
    private final Arena owner = Arena.ofConfined();
    private final MemorySegment segment;

    @SuppressWarnings("restricted") // the block goes back after the scope is closed
    MappedBlock(PinnedPool pool, PinnedBlock block, long bytes, Runnable freed) {
        this.pool = pool;
        this.block = block;
        this.freed = freed;
        segment = MemorySegment.ofAddress(block.host).reinterpret(bytes, owner, null);
    }

    @Override
    public MemorySegment segment() {
        return segment;
    }

    @Override
    public void free() {
        owner.close();
        pool.release(block);
        freed.run();
    }
}
