package io.devicearena.wgpu.internal.transfer;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Threads that help to copy between the caller's memory and mapped memory: one thread alone does not reach the speed of
 * the bus.
 *
 * <p>One copy at a time has the crew; another that begins meanwhile is done by its own thread alone. A copy is cut into
 * slices, which the caller and the crew take one by one. The caller returns only when every slice is done.
 *
 * <p>Threads: safe for any thread. The crew's threads are daemons, started with the first copy that is large enough.
 */
final class ParallelCopier {
    /** Bytes on the device side from which waking others pays. */
    static final long WORTH_SHARING = 512L << 10;

    private static final long SLICE_BYTES = 512L << 10;

    /** Into how many slices a copy is cut at least. */
    private static final int FEWEST_SLICES = 4;

    /** Slices begin where a cache line may: elements, as the smallest are a byte. */
    private static final long LINE_ELEMENTS = 64;

    /** Eight threads saturate the bus of the machines that we measured; more only take processors from the engine. */
    private static final int MOST_HELPERS = 7;

    /** How long a helper looks for more work before it sleeps: the next piece of a large transfer comes soon. */
    private static final long LINGER_NANOS = 200_000;

    /** Past every slice, with room for each thread to add another. */
    private static final long NO_MORE = Long.MAX_VALUE / 2;

    private static final HostView NOBODYS = new HostView();

    static final ParallelCopier SHARED =
            new ParallelCopier(Math.min(MOST_HELPERS, Runtime.getRuntime().availableProcessors() - 1));

    private final Thread[] helpers;
    private final ReentrantLock inUse = new ReentrantLock();
    private final AtomicLong round = new AtomicLong();
    private final AtomicLong nextSlice = new AtomicLong();
    private final AtomicInteger working = new AtomicInteger();
    private boolean started;

    // the copy of this round; written ahead of the round's number, read after it
    private HostView span = NOBODYS;
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

    /** Copies elements to an address, with help when they are many. */
    void copyTo(HostView source, long to, long from, long elements) {
        if (!share(source, true, to, from, elements)) {
            source.copyTo(to, from, elements);
        }
    }

    /** Copies elements from an address, with help when they are many. */
    void copyFrom(HostView target, long from, long to, long elements) {
        if (!share(target, false, from, to, elements)) {
            target.copyFrom(from, to, elements);
        }
    }

    private boolean share(HostView host, boolean toDevice, long where, long begin, long elements) {
        if (elements * host.deviceBytes() < WORTH_SHARING || helpers.length == 0 || !inUse.tryLock()) {
            return false;
        }
        try {
            start();
            span = host;
            upload = toDevice;
            address = where;
            first = begin;
            count = elements;
            slice = Math.min(elements / FEWEST_SLICES, SLICE_BYTES / host.deviceBytes()) & -LINE_ELEMENTS;
            failure = null;
            nextSlice.set(0);
            open = true;
            round.incrementAndGet();
            long slices = (elements + slice - 1) / slice;
            for (int i = 0; i < helpers.length && i + 1 < slices; i++) {
                LockSupport.unpark(helpers[i]);
            }
            try {
                takeSlices();
            } finally {
                nextSlice.set(NO_MORE); // in case this thread failed
                open = false;
                while (working.get() > 0) {
                    Thread.onSpinWait(); // a slice takes a fraction of a millisecond
                }
                span = NOBODYS; // the caller's memory is no longer ours to keep alive
            }
            rethrow();
            return true;
        } finally {
            inUse.unlock();
        }
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
            long at = address + begin * span.deviceBytes();
            if (upload) {
                span.copyTo(at, first + begin, some);
            } else {
                span.copyFrom(at, first + begin, some);
            }
        }
    }

    private void start() {
        if (!started) {
            started = true;
            for (int i = 0; i < helpers.length; i++) {
                helpers[i] = Thread.ofPlatform()
                        .daemon()
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

    /** Enters first and looks second: once the caller has seen nobody working, nobody can begin any more. */
    private void helpOnce() {
        working.incrementAndGet();
        try {
            if (open) {
                takeSlices();
            }
        } catch (Throwable e) {
            failure = e; // the caller throws it
            nextSlice.set(NO_MORE); // nobody needs to do the rest
        } finally {
            working.decrementAndGet();
        }
    }
}
