package io.devicearena.conformance;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaOptions;
import io.devicearena.MemoryPlan;
import io.devicearena.spi.ArenaGeometry;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * An arena with a faulty call that a close always meets: the close of a race waits until the call is under way, and the
 * call goes on when the close is over. Callers of the kit repeat a call until the arena is closed, so a call that came
 * some times before comes again.
 */
class MetByClose extends ReferenceArena {
    private final int before;
    private final AtomicInteger calls = new AtomicInteger();
    private final CompletableFuture<Boolean> under = new CompletableFuture<>();
    private volatile boolean isNext;

    /** Lets some of the faulty calls by; a close that comes before them meets none. */
    MetByClose(int before, ArenaDevice device, MemoryPlan plan, ArenaOptions options, ArenaGeometry geometry) {
        super(device, plan, options, geometry);
        this.before = before;
    }

    /** What the faulty call does in its middle. */
    final void awaitClose() {
        if (Meeting.isRacer() && !isNext && calls.getAndIncrement() >= before) {
            under.complete(true);
            closed.join();
        }
    }

    /** The kit fills all of the arena that takes the memory of a closed one; that one it closes amidst no call. */
    @Override
    public void fillBytes(long offset, long length, byte value) {
        isNext = isNext || length == geometry.sizeBytes();
        super.fillBytes(offset, length, value);
    }

    @Override
    public void close() {
        if (Meeting.isRacer() && !isNext && calls.get() >= before) {
            under.join();
        }
        try {
            super.close();
        } finally {
            closed.complete(true); // also where the close throws
            under.complete(true); // a second close, which came while the first met no call
        }
    }
}
