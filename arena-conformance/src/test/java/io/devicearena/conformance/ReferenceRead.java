package io.devicearena.conformance;

import io.devicearena.Batch;
import io.devicearena.Transfer;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;

/** A read that is really deferred: bytes are taken when it begins, and handed out when somebody waits. */
class ReferenceRead implements Transfer {
    final ReferenceArena arena;
    private final List<Batch.Region> regions;
    private final List<MemorySegment> taken = new ArrayList<>();
    private State state = State.PENDING;
    private long count;
    private int asked;
    private RuntimeException failure = new IllegalStateException("read: expected an open arena, got it closed");

    ReferenceRead(ReferenceArena arena, List<Batch.Region> regions) {
        this.arena = arena;
        this.regions = regions;
        if (takesAtOnce()) {
            take();
        }
    }

    boolean takesAtOnce() {
        return true;
    }

    private void take() {
        for (Batch.Region region : regions) {
            long elements = countOf(region);
            MemorySegment copy = staging(elements * unit(region));
            arena.readRegion(region, copy, elements);
            count += elements;
            taken.add(copy);
        }
    }

    /** How much of a region is read; asked once for each region. */
    long countOf(Batch.Region region) {
        return arena.countOf(region);
    }

    private static int unit(Batch.Region region) {
        return switch (region) {
            case Batch.Floats output -> 4;
            case Batch.Elements elements -> elements.dtype().bytes();
            case Batch.Bytes bytes -> 1;
        };
    }

    MemorySegment staging(long bytes) {
        return MemorySegment.ofArray(new byte[Math.toIntExact(bytes)]);
    }

    /** Copies what was taken into the destinations. */
    void deliver() {
        if (!takesAtOnce()) {
            take();
        }
        for (int i = 0; i < regions.size(); i++) {
            MemorySegment copy = taken.get(i);
            MemorySegment.copy(copy, 0, regions.get(i).memory(), 0, copy.byteSize());
        }
    }

    /** A device ends a read by itself: this one does when it was asked for the second time. */
    @Override
    public synchronized State state() {
        if (state == State.PENDING && asked++ > 0) {
            try {
                deliver();
                state = State.DONE;
            } catch (RuntimeException e) { // a destination that was closed
                failure = e;
                state = State.FAILED;
            }
        }
        return state;
    }

    synchronized boolean isPending() {
        return state == State.PENDING;
    }

    synchronized void end(State how) {
        if (state == State.PENDING) {
            state = how;
        }
    }

    void arenaClosed() {
        end(State.FAILED);
    }

    @Override
    public synchronized long await() {
        switch (state) {
            case PENDING -> {
                try {
                    deliver();
                } catch (RuntimeException e) { // a destination that was closed
                    failure = e;
                    state = State.FAILED;
                    throw e;
                }
                state = State.DONE;
            }
            case CANCELLED -> throw new CancellationException("read: expected it to go on, got a cancel");
            case FAILED -> throw failure;
            case DONE -> {
                return count;
            }
        }
        return count;
    }

    @Override
    public boolean await(Duration timeout) {
        if (timeout.isNegative()) {
            throw new IllegalArgumentException("timeout: expected 0 or more, got " + timeout);
        }
        await();
        return true;
    }

    @Override
    public synchronized boolean cancel() {
        if (state != State.PENDING) {
            return false;
        }
        state = State.CANCELLED;
        return true;
    }

    @Override
    public CompletableFuture<Long> toCompletableFuture() {
        CompletableFuture<Long> future = new CompletableFuture<>();
        try {
            future.complete(await());
        } catch (RuntimeException e) {
            future.completeExceptionally(e);
        }
        return future;
    }
}
