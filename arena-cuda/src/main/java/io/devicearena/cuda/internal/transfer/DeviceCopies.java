package io.devicearena.cuda.internal.transfer;

import io.devicearena.cuda.internal.driver.Cuda;

/**
 * Copies between the ring and the device that are under way, in their order, each with an event behind it.
 *
 * <p>Threads: one thread at a time; the context is current.
 */
final class DeviceCopies {
    /** They keep the device busy; what waits longer on the host has left the caches of its cores. */
    private static final int MAX = 3;

    private final long[] events = new long[MAX];
    private final long[] ends = new long[MAX];
    private long begun;
    private long over;
    private long done;

    boolean isEmpty() {
        return begun == over;
    }

    boolean isFull() {
        return begun - over == MAX;
    }

    /** Counts a copy, the last work of the stream so far, which ends at a position. */
    void add(long end, long stream) {
        int index = (int) (begun % MAX);
        if (events[index] == 0) {
            events[index] = Cuda.CREATE_EVENT.answer(Cuda.EVENT_DISABLE_TIMING);
        }
        Cuda.RECORD.call(events[index], stream);
        ends[index] = end;
        begun++;
    }

    /** The position up to which the copies are over. */
    long done() {
        while (!isEmpty() && Cuda.isDone(events[(int) (over % MAX)])) {
            next();
        }
        return done;
    }

    /** Waits for the oldest copy. */
    void await() {
        Cuda.AWAIT.call(events[(int) (over % MAX)]);
        next();
    }

    private void next() {
        done = ends[(int) (over++ % MAX)];
    }

    /** Forgets the copies: the device has finished. */
    void clear() {
        while (!isEmpty()) {
            next();
        }
    }

    void close() {
        for (long event : events) {
            if (event != 0) {
                Cuda.DESTROY_EVENT.call(event);
            }
        }
    }
}
