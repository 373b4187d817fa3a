package io.devicearena.cuda.internal.transfer;

import io.devicearena.ArenaOutOfMemoryException;
import io.devicearena.cuda.internal.device.DeviceContext;
import io.devicearena.spi.ArenaGeometry;
import io.devicearena.spi.memory.SystemMemory;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;

/**
 * The page-locked memory of a context that transfers share: to allocate it takes about a third of a microsecond a page.
 * Blocks have powers of two bytes.
 *
 * <p>Threads: safe for any thread.
 */
final class PinnedPool {
    /** A smaller block is not worth a size of its own. */
    static final long MIN_BYTES = 128 << 10;

    /** What the pool keeps for later, at most: a few large reads. */
    private static final long MAX_IDLE_BYTES = 256L << 20;

    private final DeviceContext context;
    private final List<Queue<PinnedBlock>> idle = new ArrayList<>();
    private long idleBytes;
    private long bytes;
    private long peakBytes;

    PinnedPool(DeviceContext context) {
        this.context = context;
        for (int i = 0; i < Long.SIZE; i++) {
            idle.add(new ArrayDeque<>());
        }
    }

    private static int sizeClass(long bytes) {
        return Long.SIZE - Long.numberOfLeadingZeros(Math.max(bytes, MIN_BYTES) - 1);
    }

    /** Takes a block of at least so many bytes; the context is current afterwards. */
    PinnedBlock acquire(long atLeast) {
        int size = sizeClass(atLeast);
        synchronized (this) {
            context.enter();
            PinnedBlock block = idle.get(size).poll();
            if (block != null) {
                idleBytes -= block.bytes;
                return block;
            }
        }
        requireFree(atLeast);
        PinnedBlock made = PinnedBlock.allocate(1L << size);
        count(made.bytes);
        return made;
    }

    /** The system hands out page-locked memory at the cost of every other program. */
    static void requireFree(long wanted) {
        long free = SystemMemory.freeBytes().orElse(Long.MAX_VALUE);
        if (wanted > free) {
            throw new ArenaOutOfMemoryException("host memory: expected " + ArenaGeometry.sizeText(wanted)
                    + " of free memory, got " + ArenaGeometry.sizeText(free)
                    + "; allocate less, or close what is not needed");
        }
    }

    /** Counts page-locked memory that is allocated, or freed where it is negative. */
    synchronized void count(long change) {
        bytes += change;
        peakBytes = Math.max(peakBytes, bytes);
    }

    synchronized long bytes() {
        return bytes;
    }

    synchronized long peakBytes() {
        return peakBytes;
    }

    /** Returns a block with which the device has finished. */
    void release(PinnedBlock block) {
        block.view.clear();
        synchronized (this) {
            if (idleBytes + block.bytes <= MAX_IDLE_BYTES) {
                idle.get(sizeClass(block.bytes)).add(block);
                idleBytes += block.bytes;
                return;
            }
        }
        free(block);
    }

    /** Returns a block after a failure: the device may still be at work on it. */
    void releaseFailed(PinnedBlock block) {
        block.copies.clear();
        block.view.clear();
        if (context.settle()) {
            release(block);
        }
    }

    private void free(PinnedBlock block) {
        context.enter();
        count(-block.bytes);
        block.free();
    }

    synchronized void close() {
        for (Queue<PinnedBlock> blocks : idle) {
            for (PinnedBlock block = blocks.poll(); block != null; block = blocks.poll()) {
                free(block);
            }
        }
        idleBytes = 0;
    }
}
