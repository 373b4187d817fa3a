package io.devicearena.wgpu.internal.transfer;

import io.devicearena.wgpu.internal.gpu.GpuDevice;
import io.devicearena.wgpu.internal.gpu.StagingBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Staging for the inputs of runs. Each is as large as the inputs of one run, so that one submission writes them all.
 * Sizes are rounded as in {@link ReadbackPool}, so that runs of similar sizes reuse each other's staging.
 *
 * <p>Threads: safe for any thread.
 */
final class UploadPool {
    /** All kept staging together, in bytes: a few runs at a time with inputs as large as those of a model. */
    static final long KEPT_BYTES = 256L << 20;

    private final GpuDevice device;
    /** Released staging, the oldest first; the device may still read it. */
    private final List<StagingBuffer> free = new ArrayList<>();

    private long keptBytes;

    UploadPool(GpuDevice device) {
        this.device = device;
    }

    /** Acquires mapped staging. */
    StagingBuffer acquire(long bytes) {
        long size = ReadbackPool.roundUp(bytes, device.limits().maxBufferBytes());
        synchronized (this) {
            for (int i = 0; i < free.size(); i++) {
                StagingBuffer kept = free.get(i);
                long keptSize = kept.buffer().bytes();
                if (keptSize >= size && keptSize / 2 <= size && kept.isMapped()) {
                    free.remove(i);
                    keptBytes -= keptSize;
                    return kept;
                }
            }
        }
        return StagingBuffer.forUpload(device, size);
    }

    /** Releases staging that the device reads now. */
    void release(StagingBuffer submitted) {
        long size = submitted.buffer().bytes();
        if (size > KEPT_BYTES) {
            submitted.close();
            return;
        }
        try {
            submitted.beginMap(size);
        } catch (RuntimeException e) {
            submitted.close();
            throw e;
        }
        synchronized (this) {
            free.add(submitted);
            keptBytes += size;
            while (keptBytes > KEPT_BYTES) {
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
