package io.devicearena.wgpu.internal.transfer;

import io.devicearena.wgpu.internal.builtin.Gather;

import io.devicearena.wgpu.internal.gpu.GpuDevice;
import io.devicearena.wgpu.internal.gpu.StagingBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Staging for reads, by size: at least 256 bytes, else the next power of two. What is given back is kept for the next
 * read, unless the pool is full; of what is larger than {@link #KEPT_BYTES}, and not rounded up, the last is kept, since
 * making it takes ten times as long as reading it.
 *
 * <p>The smallest size serves the reads of a few bytes that end each step of an engine. Threads: safe for any thread.
 */
final class ReadbackPool {
    /** The smallest staging. */
    static final long SMALLEST = 256;

    /** The largest staging that is kept by its size, and half of the most that is kept so in all. */
    static final long KEPT_BYTES = 64L << 20;

    /** The largest staging that is kept at all. */
    static final long MOST_KEPT_BYTES = 1L << 30;

    private static final int SIZES = Long.numberOfTrailingZeros(KEPT_BYTES) + 1;

    private final GpuDevice device;
    private final List<ArrayDeque<StagingBuffer>> free = new ArrayList<>();
    private long keptBytes;
    private @Nullable StagingBuffer large;

    ReadbackPool(GpuDevice device) {
        this.device = device;
        for (int i = 0; i < SIZES; i++) {
            free.add(new ArrayDeque<>());
        }
    }

    /** The size of the staging that holds a number of bytes. */
    static long roundUp(long bytes, long limit) {
        long rounded = Math.max(SMALLEST, Long.highestOneBit(Math.max(bytes - 1, 1)) << 1);
        return rounded > limit || rounded > KEPT_BYTES ? bytes : rounded;
    }

    /** Takes staging that is not mapped. */
    StagingBuffer take(long bytes) {
        long size = roundUp(bytes, device.limits().maxBufferBytes());
        StagingBuffer kept = isKeptBySize(size) ? takeKept(size) : takeLarge(size);
        if (kept == null) {
            return StagingBuffer.forReadback(device, size, size <= Gather.MOST_BYTES);
        }
        kept.unmap();
        return kept;
    }

    private static boolean isKeptBySize(long size) {
        return size <= KEPT_BYTES && Long.bitCount(size) == 1;
    }

    private synchronized @Nullable StagingBuffer takeKept(long size) {
        StagingBuffer kept = free.get(Long.numberOfTrailingZeros(size)).poll();
        if (kept != null) {
            keptBytes -= size;
        }
        return kept;
    }

    /** Takes the large staging if it is large enough, and not so much so that another is better made. */
    private synchronized @Nullable StagingBuffer takeLarge(long size) {
        StagingBuffer kept = large;
        if (kept == null || kept.buffer().bytes() < size || kept.buffer().bytes() / 2 > size) {
            return null;
        }
        large = null;
        return kept;
    }

    /**
     * Takes staging back, mapped or not; never one whose read failed. It is unmapped by the next who takes it, who may have
     * time while the device works.
     */
    void give(StagingBuffer used) {
        StagingBuffer unwanted = keep(used);
        if (unwanted != null) {
            unwanted.close();
        }
    }

    /** Keeps staging; returns what is not kept, if anything. */
    private synchronized @Nullable StagingBuffer keep(StagingBuffer used) {
        long size = used.buffer().bytes();
        if (isKeptBySize(size)) {
            if (keptBytes + size > 2 * KEPT_BYTES) {
                return used;
            }
            free.get(Long.numberOfTrailingZeros(size)).push(used);
            keptBytes += size;
            return null;
        }
        if (size > MOST_KEPT_BYTES) {
            return used;
        }
        StagingBuffer before = large;
        large = used;
        return before;
    }

    synchronized void trim() {
        for (ArrayDeque<StagingBuffer> size : free) {
            size.forEach(StagingBuffer::close);
            size.clear();
        }
        keptBytes = 0;
        if (large != null) {
            large.close();
            large = null;
        }
    }
}
