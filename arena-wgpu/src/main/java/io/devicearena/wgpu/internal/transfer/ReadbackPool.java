package io.devicearena.wgpu.internal.transfer;

import io.devicearena.wgpu.internal.builtin.Gather;
import io.devicearena.wgpu.internal.gpu.GpuDevice;
import io.devicearena.wgpu.internal.gpu.StagingBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Staging for reads, by size: 256 bytes or the next larger power of two. Released staging is kept for the next read,
 * unless the pool is full. Sizes above {@link #KEPT_BYTES} are not rounded up; the last of them is kept, since to
 * create it takes ten times as long as to read it.
 *
 * <p>The smallest size serves the reads of a few bytes that end each step of an engine.
 *
 * <p>Threads: safe for any thread.
 */
final class ReadbackPool {
    /** The smallest size of staging, in bytes. */
    static final long MIN_BYTES = 256;

    /**
     * The largest size of staging that is kept by size, in bytes. All kept staging together is at most twice as large.
     */
    static final long KEPT_BYTES = 64L << 20;

    /** The largest staging that is kept at all, in bytes. */
    static final long MAX_KEPT_BYTES = 1L << 30;

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

    /** The size of the staging for a number of bytes. */
    static long roundUp(long bytes, long limit) {
        long rounded = Math.max(MIN_BYTES, Long.highestOneBit(Math.max(bytes - 1, 1)) << 1);
        return rounded > limit || rounded > KEPT_BYTES ? bytes : rounded;
    }

    /** Acquires staging, which is not mapped. */
    StagingBuffer acquire(long bytes) {
        long size = roundUp(bytes, device.limits().maxBufferBytes());
        StagingBuffer kept = isKeptBySize(size) ? acquireKept(size) : acquireLarge(size);
        if (kept == null) {
            return StagingBuffer.forReadback(device, size, size <= Gather.MAX_BYTES);
        }
        try {
            kept.unmap();
        } catch (RuntimeException | Error e) {
            kept.close();
            throw e;
        }
        return kept;
    }

    private static boolean isKeptBySize(long size) {
        return size <= KEPT_BYTES && Long.bitCount(size) == 1;
    }

    private synchronized @Nullable StagingBuffer acquireKept(long size) {
        StagingBuffer kept = free.get(Long.numberOfTrailingZeros(size)).poll();
        if (kept != null) {
            keptBytes -= size;
        }
        return kept;
    }

    /** Acquires the large staging if it is large enough, and at most twice as large as needed. */
    private synchronized @Nullable StagingBuffer acquireLarge(long size) {
        StagingBuffer kept = large;
        if (kept == null || kept.buffer().bytes() < size || kept.buffer().bytes() / 2 > size) {
            return null;
        }
        large = null;
        return kept;
    }

    /**
     * Releases staging, mapped or not, whose read succeeded. The thread that acquires it next unmaps it, perhaps while
     * the device works.
     */
    void release(StagingBuffer used) {
        StagingBuffer surplus = keep(used);
        if (surplus != null) {
            surplus.close();
        }
    }

    /** Keeps staging; returns the staging that is not kept, if any. */
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
        if (size > MAX_KEPT_BYTES) {
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
