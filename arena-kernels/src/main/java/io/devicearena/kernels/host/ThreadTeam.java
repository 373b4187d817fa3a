package io.devicearena.kernels.host;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A fixed number of threads that start a small piece of work within microseconds.
 *
 * <p>A thread without work spins for a short time, then parks. The caller computes too, so a team of one has no thread
 * of its own. The threads are daemons.
 *
 * <p><b>Threads:</b> one thread at a time; {@link #close} by any thread.
 *
 * <p><b>Lifetime:</b> until {@link #close}.
 */
public final class ThreadTeam implements AutoCloseable {
    /** About 20 µs: the time between two steps of an engine. Longer spinning takes the processor from others. */
    private static final int SPINS = 2000;

    private final Thread[] helpers;
    private final AtomicReference<@Nullable Work> current = new AtomicReference<>();
    private volatile boolean closed;

    /**
     * Starts the threads.
     *
     * @param threads how many compute, the caller included, 1 or more
     * @throws IllegalArgumentException if {@code threads} is less than 1
     */
    public ThreadTeam(int threads) {
        if (threads < 1) {
            throw new IllegalArgumentException("threads: expected 1 or more, got " + threads);
        }
        helpers = new Thread[threads - 1];
        for (int i = 0; i < helpers.length; i++) {
            helpers[i] = Thread.ofPlatform()
                    .daemon()
                    .name("device-arena-team-" + (i + 1))
                    .start(this::help);
        }
    }

    /** {@return the number of threads that compute, the caller included, 1 or more} */
    public int threads() {
        return helpers.length + 1;
    }

    /**
     * Calls a function for 0 to {@code tasks - 1}, on all threads, and returns when all calls are done. After a call
     * throws, calls that have not begun are left out.
     *
     * @param tasks the number of calls, 0 or more
     * @param body is called with the number of the task; it must not call this team
     * @throws IllegalArgumentException if {@code tasks} is negative
     * @throws IllegalStateException if the team is closed
     * @throws RuntimeException the first that a call throws
     */
    public void parallel(int tasks, IntConsumer body) {
        if (tasks < 0) {
            throw new IllegalArgumentException("tasks: expected 0 or more, got " + tasks);
        }
        if (closed) {
            throw new IllegalStateException("thread team: closed");
        }
        if (tasks <= 1 || helpers.length == 0) {
            for (int i = 0; i < tasks; i++) {
                body.accept(i);
            }
            return;
        }
        Work work = new Work(tasks, body);
        current.set(work);
        for (Thread helper : helpers) {
            LockSupport.unpark(helper);
        }
        work.take();
        while (work.finished.get() < tasks) {
            Thread.onSpinWait();
        }
        work.rethrow();
    }

    private void help() {
        Work last = null;
        while (!closed) {
            Work work = current.get();
            for (int i = 0; work == last && i < SPINS && !closed; i++) {
                Thread.onSpinWait();
                work = current.get();
            }
            if (work == null || work == last) {
                LockSupport.park(this);
            } else {
                last = work;
                work.take();
            }
        }
    }

    /** Ends the threads, those that are computing at the end of their work. A second call does nothing. */
    @Override
    public void close() {
        closed = true;
        for (Thread helper : helpers) {
            LockSupport.unpark(helper);
        }
    }

    /** The tasks of one call. */
    private static final class Work {
        private final int tasks;
        private final IntConsumer body;
        private final AtomicInteger next = new AtomicInteger();
        private final AtomicInteger finished = new AtomicInteger();
        private final AtomicReference<@Nullable Throwable> fault = new AtomicReference<>();

        Work(int tasks, IntConsumer body) {
            this.tasks = tasks;
            this.body = body;
        }

        void take() {
            for (int i = next.getAndIncrement(); i < tasks; i = next.getAndIncrement()) {
                try {
                    if (fault.get() == null) {
                        body.accept(i);
                    }
                } catch (RuntimeException | Error thrown) {
                    // the caller throws it
                    fault.compareAndSet(null, thrown);
                } finally {
                    finished.incrementAndGet();
                }
            }
        }

        void rethrow() {
            Throwable thrown = fault.get();
            if (thrown instanceof RuntimeException exception) {
                throw exception;
            }
            if (thrown instanceof Error error) {
                throw error;
            }
        }
    }
}
