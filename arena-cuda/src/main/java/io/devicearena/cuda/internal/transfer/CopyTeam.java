package io.devicearena.cuda.internal.transfer;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Threads that work on one job together with the thread that brings it, since one thread does not reach the speed of
 * the bus. A job gives out its pieces itself.
 *
 * <p>Threads: one job at a time; the owner locks. The helpers are daemon threads, started with the first job.
 */
final class CopyTeam {
    /** Twelve threads beside the one that calls the driver saturate the bus of the measured machines, both ways. */
    private static final int MAX_HELPERS = 12;

    /** How long a helper polls before it sleeps: the next transfer often comes soon, and to wake all takes 0.2 ms. */
    private static final long LINGER_NANOS = 1_000_000;

    /** Work that several threads do at once. */
    interface Job {
        /** Takes pieces until there are none. */
        void work(int worker);

        /** Lets {@link #work} find no more pieces. */
        void stop();
    }

    private final Thread[] helpers =
            new Thread[Math.min(MAX_HELPERS, Runtime.getRuntime().availableProcessors() - 1)];
    private final AtomicLong round = new AtomicLong();
    private final AtomicInteger working = new AtomicInteger();
    private boolean started;

    // written before the number of the round, read after it
    private volatile @Nullable Job job;
    private int wanted;
    private volatile @Nullable Throwable failure;
    private volatile boolean closed;

    /** The most workers of a job: the helpers and the caller. */
    int size() {
        return helpers.length + 1;
    }

    /** Does a job with so many workers at most; throws what one of them threw. */
    void run(Job work, int workers) {
        start();
        failure = null;
        wanted = workers - 1;
        job = work;
        round.incrementAndGet();
        for (int i = 0; i < helpers.length && i < wanted; i++) {
            LockSupport.unpark(helpers[i]);
        }
        try {
            work.work(0);
        } finally {
            work.stop(); // in case this thread failed
            job = null;
            while (working.get() > 0) {
                Thread.onSpinWait(); // a piece takes a fraction of a millisecond
            }
        }
        switch (failure) {
            case null -> {}
            case RuntimeException exception -> throw exception;
            case Error error -> throw error;
            default -> throw new AssertionError("a copy threw a checked exception", failure);
        }
    }

    private void start() {
        if (!started) {
            started = true;
            for (int i = 0; i < helpers.length; i++) {
                int worker = i + 1;
                helpers[i] = Thread.ofPlatform()
                        .daemon()
                        .inheritInheritableThreadLocals(false) // nor the context loader of the first caller
                        .name("device-arena-cuda-" + worker)
                        .start(() -> help(worker));
            }
        }
    }

    private void help(int worker) {
        long seen = 0;
        long idleSince = System.nanoTime();
        while (!closed) {
            long now = round.get();
            if (now != seen) {
                seen = now;
                helpOnce(worker);
                idleSince = System.nanoTime();
            } else if (System.nanoTime() - idleSince < LINGER_NANOS) {
                Thread.onSpinWait();
            } else {
                LockSupport.park(this);
            }
        }
    }

    /** Counts itself in before it reads the job: once the caller sees no helper working, none can begin any more. */
    private void helpOnce(int worker) {
        working.incrementAndGet();
        Job current = job;
        try {
            if (current != null && worker <= wanted) {
                current.work(worker);
            }
        } catch (Throwable e) {
            failure = e; // the caller throws it
            if (current != null) {
                current.stop(); // the rest is not needed
            }
        } finally {
            working.decrementAndGet();
        }
    }

    /** Ends the helpers. */
    void close() {
        closed = true;
        for (Thread helper : helpers) {
            LockSupport.unpark(helper); // null before the first job
        }
    }
}
