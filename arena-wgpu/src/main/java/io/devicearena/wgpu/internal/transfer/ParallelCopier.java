package io.devicearena.wgpu.internal.transfer;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Copies between the caller's memory and mapped memory with several threads, since one thread does not reach the speed
 * of the bus.
 *
 * <p>A copy is cut into slices, which the caller and the helper threads take one by one. The caller returns when every
 * slice is done. One copy at a time uses the helpers; a copy that begins meanwhile runs on its own thread only.
 *
 * <p>Threads: safe for any thread. The helpers are daemon threads, started with the first copy that is large enough.
 */
final class ParallelCopier {
    /** The fewest bytes on the device side for which the copier wakes the helpers. */
    static final long MIN_SHARED_BYTES = 512L << 10;

    private static final long SLICE_BYTES = 256L << 10;

    /** The fewest slices of a copy. */
    private static final int MIN_SLICES = 4;

    /** The unit of slices in elements, so that slices begin at cache lines: the smallest element is a byte. */
    private static final long LINE_ELEMENTS = 64;

    /** Eight threads saturate the bus of the measured machines; more would only take processors from the engine. */
    private static final int MAX_HELPERS = 7;

    /** How long a helper polls before it sleeps: the next piece of a large transfer comes soon. */
    private static final long LINGER_NANOS = 200_000;

    /** An index past every slice, small enough that each thread can add a slice to it. */
    private static final long END = Long.MAX_VALUE / 2;

    /** Stands in between copies, so that no memory of a caller is kept alive. */
    private static final HostView NONE = new HostView();

    static final ParallelCopier SHARED =
            new ParallelCopier(Math.min(MAX_HELPERS, Runtime.getRuntime().availableProcessors() - 1));

    private final Thread[] helpers;
    private final ReentrantLock inUse = new ReentrantLock();
    private final AtomicLong round = new AtomicLong();
    private final AtomicLong nextSlice = new AtomicLong();
    private final AtomicInteger working = new AtomicInteger();
    private boolean started;

    // the current copy; written before the number of the round, read after it
    private HostView view = NONE;
    private boolean upload;
    private long address;
    private long first;
    private long count;
    private long slice;
    private volatile boolean open;
    private volatile @Nullable Throwable failure;

    ParallelCopier(int helpers) {
        this.helpers = new Thread[helpers];
    }

    /** Copies elements to an address, with help if there are many. */
    void copyTo(HostView source, long to, long from, long elements) {
        if (begin(source, true, to, from, elements)) {
            finish();
        } else {
            source.copyTo(to, from, elements);
        }
    }

    /** Copies elements from an address, with help if there are many. */
    void copyFrom(HostView target, long from, long to, long elements) {
        if (begin(target, false, from, to, elements)) {
            finish();
        } else {
            target.copyFrom(from, to, elements);
        }
    }

    /**
     * Lets the helpers begin to copy elements to an address, while the caller does something else.
     *
     * @return whether they do; {@link #finish} or {@link #cancel} must follow on this thread
     */
    boolean beginTo(HostView source, long to, long from, long elements) {
        return begin(source, true, to, from, elements);
    }

    private boolean begin(HostView host, boolean toDevice, long where, long begin, long elements) {
        boolean worthwhile = elements * host.deviceBytes() >= MIN_SHARED_BYTES && helpers.length > 0;
        if (!worthwhile || inUse.isHeldByCurrentThread() || !inUse.tryLock()) {
            return false;
        }
        try {
            start();
        } catch (RuntimeException | Error e) {
            inUse.unlock();
            throw e;
        }
        view = host;
        upload = toDevice;
        address = where;
        first = begin;
        count = elements;
        slice = Math.min(elements / MIN_SLICES, SLICE_BYTES / host.deviceBytes()) & -LINE_ELEMENTS;
        failure = null;
        nextSlice.set(0);
        open = true;
        round.incrementAndGet();
        long slices = (elements + slice - 1) / slice;
        for (int i = 0; i < helpers.length && i + 1 < slices; i++) {
            LockSupport.unpark(helpers[i]);
        }
        return true;
    }

    /** Takes part in the copy that this thread began, and waits for its end. Throws what a helper threw. */
    void finish() {
        try {
            try {
                takeSlices();
            } finally {
                end();
            }
            rethrow();
        } finally {
            inUse.unlock();
        }
    }

    /** Ends the copy that this thread began, wherever it is. */
    void cancel() {
        end();
        failure = null;
        inUse.unlock();
    }

    private void end() {
        nextSlice.set(END); // in case this thread failed
        open = false;
        while (working.get() > 0) {
            Thread.onSpinWait(); // a slice takes a fraction of a millisecond
        }
        view = NONE; // the copier must not keep the caller's memory alive
    }

    private void rethrow() {
        Throwable thrown = failure;
        failure = null;
        switch (thrown) {
            case null -> {}
            case RuntimeException exception -> throw exception;
            case Error error -> throw error;
            default -> throw new AssertionError("a copy threw a checked exception", thrown);
        }
    }

    private void takeSlices() {
        long each = slice;
        for (long begin = nextSlice.getAndAdd(each); begin < count; begin = nextSlice.getAndAdd(each)) {
            long some = Math.min(each, count - begin);
            long at = address + begin * view.deviceBytes();
            if (upload) {
                view.copyTo(at, first + begin, some);
            } else {
                view.copyFrom(at, first + begin, some);
            }
        }
    }

    private void start() {
        if (!started) {
            started = true;
            for (int i = 0; i < helpers.length; i++) {
                helpers[i] = Thread.ofPlatform()
                        .daemon()
                        .inheritInheritableThreadLocals(false) // nor the context loader of the first caller
                        .name("device-arena-copy-" + (i + 1))
                        .unstarted(this::help);
                helpers[i].start();
            }
        }
    }

    private void help() {
        long seen = 0;
        long idleSince = System.nanoTime();
        while (true) {
            long now = round.get();
            if (now != seen) {
                seen = now;
                helpOnce();
                idleSince = System.nanoTime();
            } else if (System.nanoTime() - idleSince < LINGER_NANOS) {
                Thread.onSpinWait();
            } else {
                LockSupport.park(this);
            }
        }
    }

    /**
     * Counts itself in before it reads {@link #open}: once the caller sees no helper working, none can begin any more.
     */
    private void helpOnce() {
        working.incrementAndGet();
        try {
            if (open) {
                takeSlices();
            }
        } catch (Throwable e) {
            failure = e; // the caller throws it
            nextSlice.set(END); // the rest is not needed
        } finally {
            working.decrementAndGet();
        }
    }
}
