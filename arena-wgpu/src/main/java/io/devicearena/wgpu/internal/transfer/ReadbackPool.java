package io.devicearena.wgpu.internal.transfer;

import io.devicearena.wgpu.internal.gpu.GpuDevice;
import io.devicearena.wgpu.internal.gpu.StagingBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * Staging for reads, by size: at least 256 bytes, else the next power of two. What is given back is kept for the next
 * read; what is larger than {@link #KEPT_BYTES}, or finds the pool full, is not.
 *
 * <p>The smallest size serves the reads of a few bytes that end each step of an engine. Threads: safe for any thread.
 */
final class ReadbackPool {
    /** The smallest staging. */
    static final long SMALLEST = 256;

    /** The largest staging that is kept, and the most that is kept in all. */
    static final long KEPT_BYTES = 64L << 20;

    private static final int SIZES = Long.numberOfTrailingZeros(KEPT_BYTES) + 1;

    private final GpuDevice device;
    private final List<ArrayDeque<StagingBuffer>> free = new ArrayList<>();
    private long keptBytes;

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
        if (size <= KEPT_BYTES && Long.bitCount(size) == 1) {
            synchronized (this) {
                StagingBuffer kept = free.get(Long.numberOfTrailingZeros(size)).poll();
                if (kept != null) {
                    keptBytes -= size;
                    kept.unmap();
                    return kept;
                }
            }
        }
        return StagingBuffer.forReadback(device, size, size <= Gather.MOST_BYTES);
    }

    /**
     * Takes staging back, mapped or not; never one whose read failed. It is unmapped by the next who takes it, who may have
     * time while the device works.
     */
    void give(StagingBuffer used) {
        long size = used.buffer().bytes();
        synchronized (this) {
            if (size <= KEPT_BYTES && Long.bitCount(size) == 1 && keptBytes + size <= 2 * KEPT_BYTES) {
                free.get(Long.numberOfTrailingZeros(size)).push(used);
                keptBytes += size;
                return;
            }
        }
        used.close();
    }

    synchronized void trim() {
        for (ArrayDeque<StagingBuffer> size : free) {
            size.forEach(StagingBuffer::close);
            size.clear();
        }
        keptBytes = 0;
    }
}
