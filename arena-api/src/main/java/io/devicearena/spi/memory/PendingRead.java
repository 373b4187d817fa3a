package io.devicearena.spi.memory;

import io.devicearena.Transfer;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The handle of a deferred read. The first thread that asks for its state after the bytes have arrived copies them to
 * the caller's memory.
 *
 * <p>Threads: safe for any thread.
 */
final class PendingRead implements Transfer {
    private final StagedRead staged;
    private final PendingReads pending;
    private final PendingReads.Entry entry;

    private long total;
    private State state = State.PENDING;
    /** What futures of callers follow; null until one is asked for. */
    private @Nullable CompletableFuture<Long> future;

    private @Nullable RuntimeException failure;
    /** Kept reachable while the read is pending: an arena that is dropped is closed. */
    @SuppressWarnings("UnusedVariable") // held, not used
    private @Nullable Object arena;

    PendingRead(StagedRead staged, long total, Object arena, PendingReads pending) {
        this.staged = staged;
        this.total = total;
        this.arena = arena;
        this.pending = pending;
        this.entry = new PendingReads.Entry(new WeakReference<>(this), staged);
    }

    /** What the list of pending reads has of this one. */
    PendingReads.Entry entry() {
        return entry;
    }

    /** Whether it is a read of this list. */
    boolean isOf(PendingReads reads) {
        return pending == reads;
    }

    /** Is pending again. Futures of the read before have what it ended with. */
    void again(long nextTotal, Object nextArena) {
        settle();
        synchronized (this) {
            if (state == State.PENDING) {
                throw new IllegalStateException(
                        "deferred read: expected one that has ended, got a pending one; await or cancel it first");
            }
            state = State.PENDING;
            total = nextTotal;
            arena = nextArena;
            failure = null;
            future = null;
        }
    }

    @Override
    public State state() {
        State now;
        synchronized (this) {
            if (state == State.PENDING) {
                advance();
            }
            now = state;
        }
        settle();
        return now;
    }

    /** Completes the future if the read has ended. Outside the lock, since that runs the actions of its dependents. */
    private void settle() {
        State reached;
        CompletableFuture<Long> followed;
        RuntimeException why;
        long count;
        synchronized (this) {
            reached = state;
            followed = future;
            why = failure;
            count = total;
        }
        if (followed != null) {
            switch (reached) {
                case PENDING -> {}
                case DONE -> followed.complete(count);
                case CANCELLED -> followed.cancel(false);
                case FAILED -> followed.completeExceptionally(Objects.requireNonNull(why));
            }
        }
    }

    private synchronized @Nullable RuntimeException failure() {
        return failure;
    }

    private synchronized long total() {
        return total;
    }

    private synchronized CompletableFuture<Long> future() {
        CompletableFuture<Long> followed = future;
        if (followed == null) {
            followed = new CompletableFuture<>();
            future = followed;
        }
        return followed;
    }

    /** Copies the bytes to the caller if they have arrived. */
    private void advance() {
        try {
            if (!staged.hasArrived()) {
                return;
            }
            staged.land();
        } catch (RuntimeException e) {
            end(State.FAILED, e);
            return;
        }
        end(State.DONE, null);
    }

    private void end(State reached, @Nullable RuntimeException why) {
        state = reached;
        failure = why;
        arena = null;
        pending.remove(this);
        staged.release(reached == State.DONE);
    }

    @Override
    public long await() {
        awaitUntil(null);
        return total();
    }

    @Override
    public boolean await(Duration timeout) {
        if (Objects.requireNonNull(timeout, "timeout").isNegative()) {
            throw new IllegalArgumentException("timeout: expected 0 or more, got " + timeout);
        }
        return awaitUntil(timeout);
    }

    private boolean awaitUntil(@Nullable Duration timeout) {
        long begin = System.nanoTime();
        while (true) {
            State now = state();
            if (now != State.PENDING) {
                throwUnlessDone(now);
                return true;
            }
            long waited = System.nanoTime() - begin;
            if (timeout != null && timeout.compareTo(Duration.ofNanos(waited)) <= 0) {
                return false;
            }
            staged.pause(waited);
        }
    }

    private void throwUnlessDone(State now) {
        if (now == State.CANCELLED) {
            throw new CancellationException("deferred read was cancelled");
        }
        RuntimeException why = failure();
        if (why != null) {
            throw why;
        }
    }

    @Override
    public boolean cancel() {
        boolean cancelled = staged.isCancellable() && abort(State.CANCELLED, null);
        settle();
        return cancelled;
    }

    /** Ends the read because its arena was closed. */
    void fail(String reason) {
        abort(State.FAILED, new IllegalStateException(reason));
        settle();
    }

    private synchronized boolean abort(State reached, @Nullable RuntimeException why) {
        if (state != State.PENDING) {
            return false;
        }
        end(reached, why);
        return true;
    }

    @Override
    public CompletableFuture<Long> toCompletableFuture() {
        CompletableFuture<Long> followed = future();
        if (state() == State.PENDING) {
            ReadWatcher.PROCESS.watch(this);
        }
        // a future for this caller: to complete or to cancel it has no effect on the read
        CompletableFuture<Long> own = new CompletableFuture<>();
        CompletableFuture<Long> _ = followed.whenComplete((count, thrown) -> {
            if (thrown == null) {
                own.complete(count);
            } else if (thrown instanceof CancellationException) {
                own.cancel(false);
            } else {
                own.completeExceptionally(thrown);
            }
        });
        return own;
    }
}
