package io.devicearena.wgpu.internal.gpu;

import io.devicearena.ArenaOutOfMemoryException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Staging for uploads: a few chunks that go round between host and device, so that uploads of any size need no more
 * memory than they have.
 *
 * <p>Threads: safe for any thread; who takes a chunk has it alone until it is given back.
 */
public final class StagingRing {
    private final GpuDevice device;
    private final long chunkBytes;
    private final int mostChunks;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition given = lock.newCondition();
    /** In the order in which the device will be done with them. */
    private final ArrayDeque<StagingBuffer> chunks = new ArrayDeque<>();

    private int made;

    /**
     * Makes a ring without chunks.
     *
     * @param chunkBytes the size of each
     * @param mostChunks how many there may be
     */
    public StagingRing(GpuDevice device, long chunkBytes, int mostChunks) {
        this.device = device;
        this.chunkBytes = chunkBytes;
        this.mostChunks = mostChunks;
    }

    /** Takes a chunk and waits until the host may write to it. */
    public StagingBuffer take() {
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
                if (oldest != null && (made == mostChunks || oldest.isMapped())) {
                    return chunks.remove();
                }
                if (made < mostChunks) {
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
            return StagingBuffer.forUpload(device, chunkBytes);
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
    public void give(StagingBuffer submitted) {
        try {
            submitted.beginMap(chunkBytes);
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

    /** Takes a chunk back that is as it was taken. */
    void giveUnused(StagingBuffer mapped) {
        lock.lock();
        try {
            chunks.addFirst(mapped);
            given.signal();
        } finally {
            lock.unlock();
        }
    }

    /** Ends a chunk whose upload failed. */
    public void discard(StagingBuffer failed) {
        failed.close();
        lock.lock();
        try {
            made--;
            given.signal();
        } finally {
            lock.unlock();
        }
    }

    /** Ends the chunks that nobody has. */
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
