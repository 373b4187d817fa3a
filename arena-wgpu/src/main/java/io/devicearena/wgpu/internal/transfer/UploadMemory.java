package io.devicearena.wgpu.internal.transfer;

import io.devicearena.spi.memory.HostAllocation;
import io.devicearena.wgpu.internal.gpu.GpuDevice;
import io.devicearena.wgpu.internal.gpu.StagingBuffer;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Host memory that the caller fills and the device copies from: a mapped buffer. For a copy it is unmapped, and mapped
 * again when the device has done that.
 *
 * <p>Threads: safe for any thread; between {@link #tryAcquire} and {@link #release} one thread has it alone.
 */
final class UploadMemory implements HostAllocation {
    /** What the library maps, in multiples of this. */
    private static final long UNIT = 8;

    /** What the caller sees, and what ends its access. Threads: immutable. */
    private record Mapping(Arena owner, MemorySegment segment) {}

    private final GpuDevice device;
    private final UploadMemories all;
    final StagingBuffer staging;
    private final long bytes;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile Mapping mapping;
    /** Whether the device has the memory, which is mapped again when the device has finished with it. */
    private boolean pending;

    private boolean freed;

    UploadMemory(GpuDevice device, UploadMemories all, long bytes) {
        this.device = device;
        this.all = all;
        this.bytes = bytes;
        staging = StagingBuffer.forLargeUpload(device, capacity(bytes));
        mapping = map();
    }

    static long capacity(long bytes) {
        return bytes + (UNIT - 1) & -UNIT;
    }

    @SuppressWarnings("restricted") // the buffer is mapped as long as the scope is open
    private Mapping map() {
        Arena owner = Arena.ofShared();
        return new Mapping(owner, MemorySegment.ofAddress(staging.address()).reinterpret(bytes, owner, null));
    }

    /** Whether a range of host memory lies within. */
    boolean covers(long begin, long length) {
        long first = mapping.segment().address();
        return begin >= first && length <= bytes && begin - first <= bytes - length;
    }

    /** Where an address lies, in bytes from the start. */
    long position(long within) {
        return within - mapping.segment().address();
    }

    @Override
    public MemorySegment segment() {
        lock.lock();
        try {
            settle();
            device.checkAlive(); // a lost device destroys its buffers
            return mapping.segment();
        } finally {
            lock.unlock();
        }
    }

    /** Acquires the mapped staging for a copy; returns false if it is freed. {@link #release} must follow. */
    boolean tryAcquire() {
        lock.lock();
        try {
            if (!freed) {
                settle();
            }
        } catch (RuntimeException | Error e) {
            lock.unlock();
            throw e;
        }
        if (freed) {
            lock.unlock();
        }
        return !freed;
    }

    /**
     * Ends the use of the staging: requests its next mapping if it was unmapped.
     *
     * @param wait whether to wait until the device has finished with it
     */
    void release(boolean unmapped, boolean wait) {
        try {
            if (unmapped) {
                staging.beginMap(capacity(bytes));
                pending = true;
                if (wait) {
                    settle();
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /** Whether the host has the memory; polls the device once. */
    boolean isSettled() {
        lock.lock();
        try {
            if (pending && !freed && staging.isMapped()) {
                mapped();
            }
            return !pending || freed;
        } finally {
            lock.unlock();
        }
    }

    private void settle() {
        if (pending) {
            staging.awaitMapped();
            mapped();
        }
    }

    private void mapped() {
        pending = false;
        Mapping before = mapping;
        if (staging.address() != before.segment().address()) {
            mapping = map();
            before.owner().close();
        }
    }

    /** Ends the caller's access: the device is lost, and has destroyed the buffer. */
    void invalidate() {
        try {
            mapping.owner().close();
        } catch (IllegalStateException e) {
            // it is closed, or a native call of the caller is using it
        }
    }

    @Override
    public void free() {
        lock.lock();
        try {
            Arena owner = mapping.owner();
            if (owner.scope().isAlive()) {
                owner.close(); // throws while a native call of the caller uses it
            }
            freed = true;
            all.remove(this);
            staging.close();
        } finally {
            lock.unlock();
        }
    }
}
