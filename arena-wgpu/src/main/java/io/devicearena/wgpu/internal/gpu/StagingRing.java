package io.devicearena.wgpu.internal.gpu;

import io.devicearena.ArenaOutOfMemoryException;
import io.devicearena.wgpu.internal.events.StagingWaitEvent;
import io.devicearena.wgpu.internal.events.WgpuRecorder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Staging for uploads: a few chunks that host and device use in turn. An upload of any size needs no more staging.
 *
 * <p>Threads: safe for any thread. A thread that acquired a chunk uses it alone until it releases it.
 */
public final class StagingRing {
    private final GpuDevice device;
    private final long chunkBytes;
    private final int maxChunks;
    private final boolean large;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition released = lock.newCondition();
    /** Free chunks, in the order in which the device finishes with them. */
    private final ArrayDeque<StagingBuffer> chunks = new ArrayDeque<>();

    private int made;

    /**
     * Makes a ring, which is empty at first.
     *
     * @param chunkBytes the size of a chunk, in bytes
     * @param maxChunks the most chunks at a time
     * @param large whether an upload takes several chunks, see {@link StagingBuffer#forLargeUpload}
     */
    public StagingRing(GpuDevice device, long chunkBytes, int maxChunks, boolean large) {
        this.device = device;
        this.chunkBytes = chunkBytes;
        this.maxChunks = maxChunks;
        this.large = large;
    }

    /** Acquires a mapped chunk; waits until one is free. */
    public StagingBuffer acquire() {
        StagingBuffer chunk = tryAcquire();
        if (chunk == null) {
            StagingWaitEvent event = WgpuRecorder.beginStagingWait();
            chunk = mapped(Objects.requireNonNull(poll(true)));
            if (event != null) {
                WgpuRecorder.endStagingWait(event, device.adapter().name(), chunkBytes);
            }
        }
        return chunk;
    }

    /** Acquires a chunk without waiting: a mapped one or a new one; null if there is neither. */
    public @Nullable StagingBuffer tryAcquire() {
        StagingBuffer chunk = poll(false);
        return chunk == null ? null : mapped(chunk);
    }

    private StagingBuffer mapped(StagingBuffer chunk) {
        try {
            chunk.awaitMapped();
        } catch (RuntimeException | Error e) {
            discard(chunk);
            throw e;
        }
        return chunk;
    }

    /**
     * Takes a mapped chunk, or makes one.
     *
     * @param wait whether to take the oldest chunk if none is mapped, and to wait for one; else the answer is null
     */
    private @Nullable StagingBuffer poll(boolean wait) {
        lock.lock();
        try {
            while (true) {
                StagingBuffer oldest = chunks.peek();
                if (oldest != null && (oldest.isMapped() || (wait && made == maxChunks))) {
                    return chunks.remove();
                }
                if (made < maxChunks) {
                    made++;
                    break;
                }
                if (!wait) {
                    return null;
                }
                released.awaitUninterruptibly();
            }
        } finally {
            lock.unlock();
        }
        return make();
    }

    private StagingBuffer make() {
        try {
            return large
                    ? StagingBuffer.forLargeUpload(device, chunkBytes)
                    : StagingBuffer.forUpload(device, chunkBytes);
        } catch (RuntimeException | Error e) {
            lock.lock();
            try {
                made--;
                StagingBuffer other = e instanceof ArenaOutOfMemoryException ? chunks.poll() : null;
                if (other != null) {
                    return other; // out of memory: continue with the existing chunks
                }
                released.signal();
            } finally {
                lock.unlock();
            }
            throw e;
        }
    }

    /** Releases a chunk that the device reads now, and requests its next mapping. */
    public void release(StagingBuffer submitted) {
        try {
            submitted.beginMap(chunkBytes);
        } catch (RuntimeException | Error e) {
            discard(submitted);
            throw e;
        }
        lock.lock();
        try {
            chunks.add(submitted);
            released.signal();
        } finally {
            lock.unlock();
        }
    }

    /** Closes a chunk whose upload failed. */
    public void discard(StagingBuffer failed) {
        failed.close();
        lock.lock();
        try {
            made--;
            released.signal();
        } finally {
            lock.unlock();
        }
    }

    /** Closes the free chunks. */
    public void trim() {
        List<StagingBuffer> unused;
        lock.lock();
        try {
            unused = new ArrayList<>(chunks);
            chunks.clear();
            made -= unused.size();
        } finally {
            lock.unlock();
        }
        unused.forEach(StagingBuffer::close);
    }
}
