package io.devicearena.spi.memory;

import io.devicearena.Transfer;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The handle of a deferred read. The first thread that asks for its state after the bytes have arrived copies them to
 * the caller's memory.
 *
 * <p>Threads: safe for any thread.
 */
final class PendingRead implements Transfer {
    private final StagedRead staged;
    private final GuardedMemory memory;
    private final Entry entry;

    private long total;
    private State state = State.PENDING;
    /** What futures of callers follow; null until one is asked for. */
    private @Nullable CompletableFuture<Long> future;

    /** Why the read ended without its bytes; null while it is pending, and if it is done. */
    private @Nullable RuntimeException failure;
    /** Kept reachable while the read is pending: an arena that is dropped is closed. */
    @SuppressWarnings("UnusedVariable") // held, not used
    private @Nullable Object arena;

    /**
     * What the memory has of a read that is pending. It refers to the handle weakly: a handle keeps its arena
     * reachable, and an arena that only its own handles keep must remain collectable.
     *
     * <p>Threads: safe for any thread.
     */
    static final class Entry extends WeakReference<PendingRead> {
        private final StagedRead staged;

        private Entry(PendingRead read) {
            super(read);
            this.staged = read.staged;
        }

        /** Releases what the read uses if its handle was dropped; returns whether it was. */
        boolean releaseIfDropped() {
            boolean isDropped = refersTo(null);
            if (isDropped) {
                staged.release(false);
            }
            return isDropped;
        }
    }

    PendingRead(StagedRead staged, long total, Object arena, GuardedMemory memory) {
        this.staged = staged;
        this.total = total;
        this.arena = arena;
        this.memory = memory;
        this.entry = new Entry(this);
    }

    Entry entry() {
        return entry;
    }

    /** Whether it is a read of this memory. */
    boolean isOf(GuardedMemory other) {
        return memory == other;
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
        memory.remove(entry);
        staged.release(reached == State.DONE);
    }

    /** Completes the future if the read has ended. Outside the lock, since that runs the actions of its dependents. */
    private void settle() {
        CompletableFuture<Long> followed;
        long count;
        RuntimeException why;
        synchronized (this) {
            followed = state == State.PENDING ? null : future;
            count = total;
            why = failure;
        }
        if (followed != null) {
            complete(followed, count, why);
        }
    }

    private static void complete(CompletableFuture<Long> followed, @Nullable Long count, @Nullable Throwable thrown) {
        if (thrown == null) {
            followed.complete(count);
        } else {
            followed.completeExceptionally(thrown);
        }
    }

    @Override
    public long await() {
        boolean _ = awaitNanos(Long.MAX_VALUE);
        return result();
    }

    @Override
    public boolean await(Duration timeout) {
        if (Objects.requireNonNull(timeout, "timeout").isNegative()) {
            throw new IllegalArgumentException("timeout: expected 0 or more, got " + timeout);
        }
        boolean hasEnded = awaitNanos(TimeUnit.NANOSECONDS.convert(timeout));
        if (hasEnded) {
            long _ = result();
        }
        return hasEnded;
    }

    private boolean awaitNanos(long timeout) {
        long begin = System.nanoTime();
        while (state() == State.PENDING) {
            long waited = System.nanoTime() - begin;
            if (waited >= timeout) {
                return false;
            }
            staged.pause(waited);
        }
        return true;
    }

    /** What a read that has ended returns, or throws. */
    private synchronized long result() {
        if (failure != null) {
            throw failure;
        }
        return total;
    }

    @Override
    public boolean cancel() {
        return staged.isCancellable()
                && abort(State.CANCELLED, new CancellationException("deferred read was cancelled"));
    }

    /** Ends the read because its arena was closed. */
    void fail() {
        boolean _ = abort(
                State.FAILED,
                new IllegalStateException(
                        "deferred read ended because its arena was closed; await reads before closing"));
    }

    private boolean abort(State reached, RuntimeException why) {
        boolean isPending;
        synchronized (this) {
            isPending = state == State.PENDING;
            if (isPending) {
                end(reached, why);
            }
        }
        settle();
        return isPending;
    }

    @Override
    public CompletableFuture<Long> toCompletableFuture() {
        State _ = state(); // the future of a read that has arrived is complete
        // a future for this caller: to complete or to cancel it has no effect on the read
        CompletableFuture<Long> own = new CompletableFuture<>();
        CompletableFuture<Long> _ = future().whenComplete((count, thrown) -> complete(own, count, thrown));
        return own;
    }

    private synchronized CompletableFuture<Long> future() {
        CompletableFuture<Long> followed = future;
        if (followed == null) {
            followed = new CompletableFuture<>();
            future = followed;
            if (state == State.PENDING) {
                CompletableFuture<Long> waiting = followed;
                Thread.startVirtualThread(() -> poll(waiting));
            } else {
                complete(followed, total, failure);
            }
        }
        return followed;
    }

    /** Polls for a future: no other thread may ask the device for the read. */
    private void poll(CompletableFuture<Long> followed) {
        while (!followed.isDone()) {
            State _ = state(); // a failure reaches the caller through the future
            LockSupport.parkNanos(this, StagedRead.PAUSE_NANOS);
        }
    }
}
