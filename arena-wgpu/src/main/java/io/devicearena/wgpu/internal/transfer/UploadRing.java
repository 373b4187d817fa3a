package io.devicearena.wgpu.internal.transfer;

import io.devicearena.ArenaOutOfMemoryException;
import io.devicearena.wgpu.internal.gpu.GpuDevice;
import io.devicearena.wgpu.internal.gpu.StagingBuffer;
import java.util.ArrayDeque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Staging for uploads: a few chunks that go round between host and device, so that an upload of any size needs no more
 * memory than they have.
 *
 * <p>Threads: safe for any thread; who takes a chunk has it alone until it is given back.
 */
final class UploadRing {
    /** Data and mirror of a chunk together. */
    static final long CHUNK_BYTES = 8L << 20;

    private static final int MOST_CHUNKS = 8;

    private final GpuDevice device;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition given = lock.newCondition();
    /** In the order in which the device will be done with them. */
    private final ArrayDeque<StagingBuffer> chunks = new ArrayDeque<>();

    private int made;

    UploadRing(GpuDevice device) {
        this.device = device;
    }

    /** Takes a chunk and waits until the host may write to it. */
    StagingBuffer take() {
        StagingBuffer chunk = next();
        try {
            chunk.awaitMapped();
        } catch (RuntimeException e) {
            discard(chunk);
            throw e;
        }
        return chunk;
    }

    private StagingBuffer next() {
        lock.lock();
        try {
            while (true) {
                StagingBuffer oldest = chunks.peek();
                if (oldest != null && (made == MOST_CHUNKS || oldest.isMapped())) {
                    return chunks.remove();
                }
                if (made < MOST_CHUNKS) {
                    made++;
                    break;
                }
                given.awaitUninterruptibly();
            }
        } finally {
            lock.unlock();
        }
        return make();
    }

    private StagingBuffer make() {
        try {
            return StagingBuffer.forUpload(device, CHUNK_BYTES);
        } catch (RuntimeException e) {
            lock.lock();
            try {
                made--;
                StagingBuffer other = e instanceof ArenaOutOfMemoryException ? chunks.poll() : null;
                if (other != null) {
                    return other; // memory is short: go on with the chunks that there are
                }
                given.signal();
            } finally {
                lock.unlock();
            }
            throw e;
        }
    }

    /** Takes a chunk back that the device has been handed, and asks for it to be mapped again. */
    void give(StagingBuffer submitted) {
        try {
            submitted.beginMap(CHUNK_BYTES);
        } catch (RuntimeException e) {
            discard(submitted);
            throw e;
        }
        lock.lock();
        try {
            chunks.add(submitted);
            given.signal();
        } finally {
            lock.unlock();
        }
    }

    /** Ends a chunk whose upload failed. */
    void discard(StagingBuffer failed) {
        failed.close();
        lock.lock();
        try {
            made--;
            given.signal();
        } finally {
            lock.unlock();
        }
    }

    void trim() {
        lock.lock();
        try {
            made -= chunks.size();
            chunks.forEach(StagingBuffer::close);
            chunks.clear();
        } finally {
            lock.unlock();
        }
    }
}
