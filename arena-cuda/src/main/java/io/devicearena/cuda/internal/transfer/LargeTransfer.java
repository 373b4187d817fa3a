package io.devicearena.cuda.internal.transfer;

import io.devicearena.DType;
import io.devicearena.cuda.internal.device.DeviceContext;
import io.devicearena.cuda.internal.driver.Cuda;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Moves long memory of the caller through a ring of page-locked memory. The team copies slices between the caller's
 * memory and the ring, in their order; the calling thread alone calls the driver, for whose lock threads would wait. It
 * sends the slices that are ready as one copy of the device, or brings some and lets the team take them.
 *
 * <p>The team casts f16 and bf16 too: half the bytes go over the bus.
 *
 * <p>Threads: safe for any thread; one transfer at a time, which the bus limits anyway.
 */
final class LargeTransfer implements CopyTeam.Job {
    private static final long RING_BYTES = 32L << 20;

    /**
     * How far the copy engine stays behind the team in a write: it reads bytes that lie in a core's second-level cache
     * at less than half the speed of the bus, and those of a while ago have left it. A kernel, which has more reads
     * under way, moves what is newer.
     */
    private static final long LAG_BYTES = 8L << 20;

    private static final long MIN_SLICE_BYTES = 32L << 10;
    private static final long MAX_SLICE_BYTES = 256L << 10;
    private static final long MIN_COPY_BYTES = MAX_SLICE_BYTES;
    private static final long MAX_COPY_BYTES = 4L << 20;
    private static final long MIN_SLICES_OF_WORKER = 4;

    /** More pieces keep the device from waiting for the first, and each takes some us more. */
    private static final int MIN_COPIES_UP = 2;

    private static final int MIN_COPIES_DOWN = 3;

    /** The most slices that are not in order yet. */
    private static final int SLICES = (int) (RING_BYTES / MIN_SLICE_BYTES);

    /** In a smaller team the calling thread copies too, and calls the driver less often. */
    private static final int TEAM_OF_COPIERS = 4;

    /** How often a thread of the team looks for a slice before it sleeps for a moment. */
    private static final int SPINS = 10_000;

    private static final long NAP_NANOS = 50_000;

    private final DeviceContext context;
    private final PinnedPool pool;
    private final CopyTeam team = new CopyTeam();
    private final ReentrantLock lock = new ReentrantLock();
    private final HostView own = new HostView();
    private final DeviceCopies copies = new DeviceCopies();
    private @Nullable PinnedBlock ring;
    /** The position behind the last transfer in the ring, counted on and on. */
    private long position;

    private HostView view = own;
    private boolean upload;
    private long device;

    // the slices of a transfer, which have numbers of their own so that a flag of an earlier transfer is never taken
    // for one of this; the last may be shorter
    private long first;
    private long end;
    private long elements;
    private long elementsOfSlice;
    private long sliceBytes;
    private long address;
    private long begin;
    private long mask;
    /** What the device copies at once. */
    private long copyBytes;
    /** The slices before this one have been copied. */
    private long copied;

    private final AtomicLong next = new AtomicLong();
    /** The slices before this one may be copied. */
    private volatile long limit;

    private final AtomicLongArray flags = new AtomicLongArray(SLICES);

    LargeTransfer(DeviceContext context, PinnedPool pool) {
        this.context = context;
        this.pool = pool;
    }

    /**
     * Moves elements to or from memory of the device. A read is over when this returns; of a write the caller's memory
     * is free.
     */
    void move(boolean up, long at, MemorySegment memory, float @Nullable [] array, DType dtype, long count) {
        lock.lock();
        try {
            context.enter();
            own.set(memory, array, dtype);
            if (ring == null) {
                ring = pool.acquire(RING_BYTES);
            }
            prepare(up, at, ring.host, own, count);
            mask = RING_BYTES - 1;
            begin = position + sliceBytes - 1 & -sliceBytes;
            position = begin + (end - first) * sliceBytes;
            team.run(this, team.size());
        } catch (RuntimeException | Error e) {
            boolean _ = context.settle(); // the device may be at work on the ring
            copies.clear();
            throw e;
        } finally {
            own.clear();
            lock.unlock();
        }
    }

    /** Copies elements between page-locked memory and the memory of a caller; many of them with the team. */
    void copy(boolean up, long at, HostView host, long count) {
        if (count * host.bytes() <= Upload.MAX_BYTES) {
            host.copy(up, at, 0, count);
            return;
        }
        lock.lock();
        try {
            prepare(up, 0, at, host, count);
            mask = -1;
            begin = 0;
            team.run(this, (int) Math.min(team.size(), end - first));
        } finally {
            lock.unlock();
        }
    }

    /** Takes elements of a caller, on their way between page-locked memory and the device, if any, as slices. */
    private void prepare(boolean up, long there, long here, HostView host, long count) {
        upload = up;
        device = there;
        address = here;
        view = host;
        long bytes = count * host.bytes();
        sliceBytes = Math.clamp(
                Long.highestOneBit(bytes / (MIN_SLICES_OF_WORKER * team.size())), MIN_SLICE_BYTES, MAX_SLICE_BYTES);
        elements = count;
        elementsOfSlice = sliceBytes / view.bytes();
        first = end;
        end = first + (count + elementsOfSlice - 1) / elementsOfSlice;
        copyBytes = Math.clamp(
                (end - first) / (up ? MIN_COPIES_UP : MIN_COPIES_DOWN) * sliceBytes, MIN_COPY_BYTES, MAX_COPY_BYTES);
        copied = first;
        limit = first;
        next.set(first);
    }

    @Override
    public void work(int worker) {
        if (worker > 0) {
            help();
        } else if (device == 0) {
            while (isUnfinished(copied)) {
                limit = Math.min(end, copied + SLICES);
                if (!copyNext()) {
                    Thread.onSpinWait();
                }
                countCopied();
            }
        } else if (upload) {
            up();
        } else {
            down();
        }
    }

    private void help() {
        for (int spins = 0; next.get() < end; spins++) {
            if (copyNext()) {
                spins = 0;
            } else if (spins < SPINS) {
                Thread.onSpinWait();
            } else {
                LockSupport.parkNanos(NAP_NANOS); // behind a long kernel
            }
        }
    }

    @Override
    public void stop() {
        next.set(Long.MAX_VALUE);
    }

    private boolean isUnfinished(long reached) {
        return reached < end && next.get() != Long.MAX_VALUE;
    }

    /** Copies a slice if there is one that may be copied. */
    private boolean copyNext() {
        long slice = next.get();
        if (slice >= limit || !next.compareAndSet(slice, slice + 1)) {
            return false;
        }
        long from = elementsBefore(slice);
        long count = Math.min(elementsOfSlice, elements - from);
        long at = address + (placeOf(slice) & mask);
        view.copy(upload, at, from, count);
        flags.setRelease((int) (slice % SLICES), slice + 1);
        return true;
    }

    /** The position of a slice. */
    private long placeOf(long slice) {
        return begin + (slice - first) * sliceBytes;
    }

    private long elementsBefore(long slice) {
        return Math.min((slice - first) * elementsOfSlice, elements);
    }

    /** The first slice that does not lie before a position. */
    private long sliceAt(long place) {
        return Math.clamp(first + Math.floorDiv(place - begin, sliceBytes), first, end);
    }

    private void countCopied() {
        while (copied < limit && flags.getAcquire((int) (copied % SLICES)) == copied + 1) {
            copied++;
        }
    }

    /** Waits for the device if all slices that may be copied are; copies one in a small team. */
    private void copyOrWait() {
        if (copied == limit && !copies.isEmpty()) {
            copies.await();
        } else if (team.size() > TEAM_OF_COPIERS || !copyNext()) {
            Thread.onSpinWait();
        }
    }

    private void up() {
        long sent = first;
        while (isUnfinished(sent)) {
            limit = sliceAt(copies.done() + RING_BYTES);
            countCopied();
            long ready = (copied - sent) * sliceBytes;
            if (ready > 0 && (ready >= copyBytes || copied == limit) && !copies.isFull()) {
                sent = move(sent, copied, ready >= LAG_BYTES + copyBytes);
            } else {
                copyOrWait();
            }
        }
    }

    private void down() {
        long asked = first;
        while (isUnfinished(copied)) {
            long room = sliceAt(placeOf(copied) + RING_BYTES);
            if (asked < room && !copies.isFull()) {
                asked = move(asked, room, true);
            }
            limit = sliceAt(copies.done());
            copyOrWait();
            countCopied();
        }
    }

    /** Begins the copy of some slices by the device, its engine or a kernel; returns the one behind them. */
    private long move(long from, long to, boolean byEngine) {
        long place = placeOf(from) & mask;
        long behind = Math.min(to, from + Math.min(RING_BYTES - place, copyBytes) / sliceBytes);
        long before = elementsBefore(from);
        long bytes = (elementsBefore(behind) - before) * view.bytes();
        long here = address + place;
        long there = device + before * view.bytes();
        long stream = context.stream();
        if (byEngine || ring == null) {
            Cuda.COPY.call(upload ? there : here, upload ? here : there, bytes, stream);
        } else {
            ring.copies.add(here, there, 0, bytes);
            ring.copies.launch(stream, false);
        }
        copies.add(placeOf(behind), stream);
        return behind;
    }

    /** Ends the team, and frees the events of a context that is alive and idle. */
    void close(boolean alive) {
        team.close();
        if (alive) {
            copies.close();
        }
    }
}
