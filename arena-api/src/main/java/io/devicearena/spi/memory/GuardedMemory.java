package io.devicearena.spi.memory;

import io.devicearena.Transfer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Memory of a device that is freed only when no call uses it, and the deferred reads of it.
 *
 * <p>The arena in front of a backend makes it and counts its calls; objects of the backend that work by themselves,
 * such as programs of kernels, enter before they use the memory and leave after it. The last close waits for the calls
 * in flight and frees the device memory. After that no call begins.
 *
 * <p>Entering and leaving change one counter; they neither wait nor allocate.
 *
 * <p><b>Threads:</b> safe for any thread.
 *
 * <p><b>Lifetime:</b> until {@link #run}.
 */
public final class GuardedMemory implements Runnable {
    private static final int CLOSED = Integer.MIN_VALUE;

    /** The pause of a close between two looks: a call takes microseconds, or as long as its transfer. */
    private static final long PAUSE_NANOS = 20_000;

    private final Runnable memory;
    /** The reads that have not ended; also the lock of these two fields. */
    private final List<PendingRead.Entry> reads = new ArrayList<>();

    private boolean areReadsClosed;

    /** The number of calls in flight; with the sign bit once the memory is to be freed. */
    private final AtomicInteger calls = new AtomicInteger();

    /**
     * Takes memory that has been allocated.
     *
     * @param memory frees the memory; when it throws it must have freed nothing, and is called again by the next close.
     *     It must not refer to an arena
     */
    public GuardedMemory(Runnable memory) {
        this.memory = Objects.requireNonNull(memory, "memory");
    }

    /**
     * Begins a call; {@link #leave} must follow.
     *
     * @throws IllegalStateException if the memory is freed, or about to be
     */
    public void enter() {
        if (!tryEnter()) {
            throw new IllegalStateException("the arena is closed");
        }
    }

    /**
     * Begins a call, after which {@link #leave} must follow if the answer is true.
     *
     * @return false if the memory is freed, or about to be
     */
    public boolean tryEnter() {
        if (calls.incrementAndGet() < 0) {
            calls.decrementAndGet();
            return false;
        }
        return true;
    }

    /** Ends a call. */
    public void leave() {
        calls.decrementAndGet();
    }

    /**
     * Makes the handle of a deferred read that the backend has begun. The caller of the handle ends the read, or the
     * close of the memory does, or, if the handle is dropped, the next read that begins.
     *
     * @param read the read; it must not refer to the arena
     * @param total elements read into typed regions plus bytes read into raw ones: what the handle returns
     * @param arena the arena, kept reachable while the read is pending
     * @return the handle
     */
    public Transfer begin(StagedRead read, long total, Object arena) {
        PendingRead begun = new PendingRead(read, total, arena, this);
        add(begun);
        return begun;
    }

    /**
     * Begins a read again, with the handle and the {@link StagedRead} of one that has ended, so that nothing is
     * allocated. The backend has begun it before, and knows that the handle is not pending. Futures of the handle keep
     * what the read before ended with.
     *
     * @param ended a handle that {@link #begin} returned and that has ended; it is pending again
     * @param total elements read into typed regions plus bytes read into raw ones: what the handle returns
     * @param arena the arena, kept reachable while the read is pending
     * @throws IllegalArgumentException if the handle is not of this memory
     * @throws IllegalStateException if the handle is pending
     */
    public void beginAgain(Transfer ended, long total, Object arena) {
        if (!(ended instanceof PendingRead read) || !read.isOf(this)) {
            throw new IllegalArgumentException("read: expected a handle of this memory, got " + ended);
        }
        read.again(total, arena);
        add(read);
    }

    /** Adds a read that has begun, for the first time or again. Steps of engines do so, so nothing is allocated. */
    private void add(PendingRead read) {
        boolean isLate;
        synchronized (reads) {
            reads.removeIf(PendingRead.Entry::releaseIfDropped);
            isLate = areReadsClosed;
            if (!isLate) {
                reads.add(read.entry());
            }
        }
        if (isLate) {
            read.fail();
        }
    }

    /** Removes a read that has ended; it releases what it uses. */
    void remove(PendingRead.Entry read) {
        synchronized (reads) {
            reads.remove(read);
        }
    }

    /** Ends every read, and each read that begins from now on. */
    private void closeReads() {
        List<PendingRead> live;
        synchronized (reads) {
            areReadsClosed = true;
            reads.removeIf(PendingRead.Entry::releaseIfDropped);
            live = reads.stream()
                    .map(PendingRead.Entry::get)
                    .filter(Objects::nonNull)
                    .toList();
        }
        live.forEach(PendingRead::fail);
    }

    /**
     * Rejects all later calls, waits for those in flight, ends the pending reads, and frees the memory. Called again
     * after it threw, it frees the memory then.
     */
    @Override
    public void run() {
        calls.getAndUpdate(now -> now | CLOSED);
        while (calls.get() != CLOSED) {
            LockSupport.parkNanos(this, PAUSE_NANOS);
        }
        closeReads();
        memory.run();
    }
}
