package io.devicearena.kernels.host;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A fixed number of threads that start a small piece of work within microseconds.
 *
 * <p>A call allocates nothing. A thread without work spins for a short time, then parks. The caller computes too, so a
 * team of one has no thread of its own. The threads are daemons.
 *
 * <p><b>Threads:</b> one thread at a time; {@link #close} by any thread.
 *
 * <p><b>Lifetime:</b> until {@link #close}.
 */
public final class ThreadTeam implements AutoCloseable {
    /** About 20 µs: the time between two steps of an engine. Longer spinning takes the processor from others. */
    private static final int SPINS = 2000;

    private static final int INDEX_BITS = 32;

    private final Thread[] helpers;

    /** The number of the call in the upper half, and the next of its tasks in the lower. */
    private final AtomicLong state = new AtomicLong();

    private final AtomicInteger finished = new AtomicInteger();
    private final AtomicReference<@Nullable Throwable> fault = new AtomicReference<>();
    private volatile int tasks; // of the call
    private volatile IntConsumer body = task -> {}; // of the call
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
     * Calls a function for 0 to {@code count - 1}, on all threads, and returns when all calls are done. The thread that
     * calls this method does number 0. After a call throws, calls that have not begun are left out.
     *
     * @param count the number of calls, 0 or more
     * @param function is called with the number of the task; it must not call this team
     * @throws IllegalArgumentException if {@code count} is negative
     * @throws IllegalStateException if the team is closed
     * @throws RuntimeException the first that a call throws
     */
    public void parallel(int count, IntConsumer function) {
        if (count < 0) {
            throw new IllegalArgumentException("tasks: expected 0 or more, got " + count);
        }
        if (closed) {
            throw new IllegalStateException("thread team: closed");
        }
        if (count <= 1 || helpers.length == 0) {
            for (int i = 0; i < count; i++) {
                function.accept(i);
            }
            return;
        }
        long call = (state.get() >>> INDEX_BITS) + 1;
        state.set(call << INDEX_BITS | Integer.MAX_VALUE); // no task is left while the call changes
        body = function;
        tasks = count;
        finished.set(0);
        fault.set(null);
        state.set((call + 1) << INDEX_BITS | 1);
        for (Thread helper : helpers) {
            LockSupport.unpark(helper);
        }
        run(function, 0);
        work();
        while (finished.get() < count) {
            Thread.onSpinWait();
        }
        rethrow();
    }

    private void help() {
        long last = 0;
        while (!closed) {
            long call = state.get() >>> INDEX_BITS;
            for (int i = 0; call == last && i < SPINS && !closed; i++) {
                Thread.onSpinWait();
                call = state.get() >>> INDEX_BITS;
            }
            if (call == last) {
                LockSupport.park(this);
            } else {
                last = call;
                work();
            }
        }
    }

    /**
     * Runs tasks of the call until none is left. A task is taken by a change of the state, which fails if another call
     * has begun since the state was read: so what was read of the call in between belongs to it.
     */
    private void work() {
        while (true) {
            long seen = state.get();
            int count = tasks;
            IntConsumer function = body;
            int task = (int) seen;
            if (task >= count) {
                return;
            }
            if (state.compareAndSet(seen, seen + 1)) {
                run(function, task);
            }
        }
    }

    private void run(IntConsumer function, int task) {
        try {
            if (fault.get() == null) {
                function.accept(task);
            }
        } catch (RuntimeException | Error thrown) {
            // the caller throws it
            fault.compareAndSet(null, thrown);
        } finally {
            finished.incrementAndGet();
        }
    }

    private void rethrow() {
        Throwable thrown = fault.get();
        if (thrown instanceof RuntimeException exception) {
            throw exception;
        }
        if (thrown instanceof Error error) {
            throw error;
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
}
