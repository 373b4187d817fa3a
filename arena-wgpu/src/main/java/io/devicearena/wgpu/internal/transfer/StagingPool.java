package io.devicearena.wgpu.internal.transfer;

import io.devicearena.wgpu.internal.builtin.Gather;
import io.devicearena.wgpu.internal.gpu.GpuDevice;
import io.devicearena.wgpu.internal.gpu.StagingBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Staging of any size, each for one transfer: of the reads of a device, or of the inputs of its runs. Sizes are 256
 * bytes or the next larger power of two, so that transfers of similar sizes reuse each other's staging; large ones are
 * not rounded.
 *
 * <p>Released staging is kept for the next transfer, the newest first. The pool closes the oldest when it keeps too
 * much, but not the newest: to create large staging takes ten times as long as to read it.
 *
 * <p>Threads: safe for any thread.
 */
final class StagingPool {
    /** The smallest size of staging, in bytes: for the reads of a few bytes that end each step of an engine. */
    static final long MIN_BYTES = 256;

    /** The largest size that is rounded up, in bytes. */
    static final long ROUNDED_BYTES = 64L << 20;

    /** All kept staging together, in bytes: a few runs at a time with inputs as large as those of a model. */
    static final long KEPT_BYTES = 256L << 20;

    /** The largest staging that is kept at all, in bytes. */
    static final long MAX_KEPT_BYTES = 1L << 30;

    private final GpuDevice device;
    /** Whether the device writes the staging, else the host. */
    private final boolean forReads;
    /** Released staging, the oldest first; the device may still read that of uploads. */
    private final List<StagingBuffer> free = new ArrayList<>();

    private long keptBytes;

    StagingPool(GpuDevice device, boolean forReads) {
        this.device = device;
        this.forReads = forReads;
    }

    /** Acquires staging: not mapped for a read, and mapped for an upload. */
    StagingBuffer acquire(long bytes) {
        long size = roundUp(bytes);
        StagingBuffer kept = poll(size);
        if (kept == null) {
            return forReads
                    ? StagingBuffer.forReadback(device, size, size <= 2 * Gather.MAX_BYTES)
                    : StagingBuffer.forUpload(device, size);
        }
        if (forReads) {
            try {
                kept.unmap();
            } catch (RuntimeException | Error e) {
                kept.close();
                throw e;
            }
        }
        return kept;
    }

    private long roundUp(long bytes) {
        long rounded = Math.max(MIN_BYTES, Long.highestOneBit(Math.max(bytes - 1, 1)) << 1);
        return rounded > device.limits().maxBufferBytes() || rounded > ROUNDED_BYTES ? bytes : rounded;
    }

    /** Takes kept staging that is large enough, and at most about twice as large as needed. */
    private synchronized @Nullable StagingBuffer poll(long size) {
        for (int i = free.size() - 1; i >= 0; i--) {
            StagingBuffer kept = free.get(i);
            long keptSize = kept.buffer().bytes();
            if (keptSize >= size && keptSize / 2 <= size && (forReads || kept.isMapped())) {
                free.remove(i);
                keptBytes -= keptSize;
                return kept;
            }
        }
        return null;
    }

    /**
     * Releases staging: of a read that succeeded, mapped or not, or of an upload that the device reads now. The thread
     * that acquires it for a read next unmaps it, perhaps while the device works.
     */
    void release(StagingBuffer used) {
        long size = used.buffer().bytes();
        if (size > MAX_KEPT_BYTES) {
            used.close();
            return;
        }
        if (!forReads) {
            try {
                used.beginMap(size);
            } catch (RuntimeException | Error e) {
                used.close();
                throw e;
            }
        }
        synchronized (this) {
            free.add(used);
            keptBytes += size;
            while (keptBytes > KEPT_BYTES && free.size() > 1) {
                StagingBuffer oldest = free.removeFirst();
                keptBytes -= oldest.buffer().bytes();
                oldest.close();
            }
        }
    }

    /** Closes unused staging. */
    synchronized void trim() {
        free.forEach(StagingBuffer::close);
        free.clear();
        keptBytes = 0;
    }
}
