package io.devicearena.cuda.internal.transfer;

import io.devicearena.cuda.internal.device.DeviceContext;
import io.devicearena.spi.SystemAllocation;
import io.devicearena.spi.memory.MemoryFigures;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * The page-locked memory of a context that transfers share: to allocate it takes about a third of a microsecond a page.
 * Blocks have a power of two bytes, or a quarter, two or three more.
 *
 * <p>Threads: safe for any thread.
 */
final class PinnedPool {
    /** A smaller block is not worth a size of its own. */
    static final long MIN_BYTES = 128 << 10;

    /** What errors call the memory. */
    static final String PAGE_LOCKED = "page-locked memory";

    private static final int SIZES_OF_POWER = 4;

    /** What the pool keeps for later, at most: a few large reads. */
    private static final long MAX_IDLE_BYTES = 512L << 20;

    private final DeviceContext context;
    /** Blocks that no transfer uses; the one used last is the last. */
    private final List<PinnedBlock> idle = new ArrayList<>();

    private final List<PinnedBlock> all = new ArrayList<>();

    private long idleBytes;
    private long bytes;
    private long peakBytes;

    PinnedPool(DeviceContext context) {
        this.context = context;
    }

    /** What a block of at least so many bytes has. */
    private static long blockBytes(long atLeast) {
        long rest = Math.max(atLeast, MIN_BYTES) - 1;
        long step = Long.highestOneBit(rest) / SIZES_OF_POWER;
        return (rest / step + 1) * step;
    }

    /** Takes a block of at least so many bytes; the context is current afterwards. */
    PinnedBlock acquire(long atLeast) {
        long size = blockBytes(atLeast);
        synchronized (this) {
            context.enter();
            for (int i = idle.size() - 1; i >= 0; i--) {
                if (idle.get(i).bytes == size) {
                    idleBytes -= size;
                    return idle.remove(i);
                }
            }
        }
        SystemAllocation.requireFree(PAGE_LOCKED, size); // the system hands it out at the cost of all other programs
        PinnedBlock made = PinnedBlock.allocate(context, size);
        synchronized (this) {
            boolean _ = all.add(made);
            bytes += size;
            peakBytes = Math.max(peakBytes, bytes);
        }
        return made;
    }

    /** Makes what keeps a block of at least so many bytes; takes the block back if that fails. */
    <T> T acquireFor(long atLeast, Function<PinnedBlock, T> keeper) {
        PinnedBlock block = acquire(atLeast);
        try {
            return keeper.apply(block);
        } catch (RuntimeException | Error e) {
            release(block, false);
            throw e;
        }
    }

    /** The figures of an arena with a shadow of so many bytes. */
    synchronized MemoryFigures figures(long shadowBytes) {
        return new MemoryFigures(shadowBytes, bytes, peakBytes);
    }

    /**
     * Returns a block.
     *
     * @param done whether the device has finished with it; after a failure it may still be at work
     */
    void release(PinnedBlock block, boolean done) {
        block.copies.clear();
        block.view.clear();
        if (done || context.settle()) {
            synchronized (this) {
                idle.add(block);
                idleBytes += block.bytes;
                while (idleBytes > MAX_IDLE_BYTES) { // those that were used longest ago
                    PinnedBlock old = idle.removeFirst();
                    idleBytes -= old.bytes;
                    bytes -= old.bytes;
                    boolean _ = all.remove(old);
                    context.enter();
                    old.free();
                }
            }
        }
    }

    /** Frees all blocks of a context that is alive and idle. */
    synchronized void close() {
        all.forEach(PinnedBlock::free);
    }
}
