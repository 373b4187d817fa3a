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
 * Blocks have a power of two bytes, or a quarter, two or three more.
 *
 * <p>Threads: safe for any thread.
 */
final class PinnedPool {
    /** A smaller block is not worth a size of its own. */
    static final long MIN_BYTES = 128 << 10;

    private static final int CLASSES_OF_POWER = 4;

    /** What the pool keeps for later, at most: a few large reads. */
    private static final long MAX_IDLE_BYTES = 512L << 20;

    private final DeviceContext context;
    private final List<Queue<PinnedBlock>> idle = new ArrayList<>();
    private long idleBytes;
    private long bytes;
    private long peakBytes;

    PinnedPool(DeviceContext context) {
        this.context = context;
        for (int i = 0; i < CLASSES_OF_POWER * Long.SIZE; i++) {
            idle.add(new ArrayDeque<>());
        }
    }

    /** What a block of at least so many bytes has. */
    private static long blockBytes(long atLeast) {
        long rest = Math.max(atLeast, MIN_BYTES) - 1;
        long step = Long.highestOneBit(rest) / CLASSES_OF_POWER;
        return (rest / step + 1) * step;
    }

    private static int sizeClass(long blockBytes) {
        int power = Long.SIZE - Long.numberOfLeadingZeros(blockBytes - 1);
        long step = (1L << power) / (2 * CLASSES_OF_POWER);
        return CLASSES_OF_POWER * power + (int) (blockBytes / step) % CLASSES_OF_POWER;
    }

    /** Takes a block of at least so many bytes; the context is current afterwards. */
    PinnedBlock acquire(long atLeast) {
        long size = blockBytes(atLeast);
        synchronized (this) {
            context.enter();
            PinnedBlock block = idle.get(sizeClass(size)).poll();
            if (block != null) {
                idleBytes -= block.bytes;
                return block;
            }
        }
        requireFree(size);
        PinnedBlock made = PinnedBlock.allocate(context, size);
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
            for (int size = idle.size() - 1; size >= 0 && idleBytes + block.bytes > MAX_IDLE_BYTES; size--) {
                freeIdle(size, MAX_IDLE_BYTES - block.bytes); // what was used last is used again
            }
            if (idleBytes + block.bytes <= MAX_IDLE_BYTES) {
                idle.get(sizeClass(block.bytes)).add(block);
                idleBytes += block.bytes;
                return;
            }
        }
        free(block);
    }

    /** Frees blocks of a size until no more than so many bytes are idle. */
    private void freeIdle(int size, long most) {
        while (idleBytes > most && !idle.get(size).isEmpty()) {
            PinnedBlock block = idle.get(size).remove();
            idleBytes -= block.bytes;
            free(block);
        }
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
        for (int size = 0; size < idle.size(); size++) {
            freeIdle(size, 0);
        }
    }
}
