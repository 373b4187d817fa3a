package io.devicearena.conformance;

import io.devicearena.DeferredRead;
import io.devicearena.WriteFence;
import java.util.function.BooleanSupplier;

/** Polls what goes on in the background. The time-out of a test ends a poll that is in vain. */
final class ReadHandles {
    private ReadHandles() {}

    /** Asks for the state until the read is no longer pending; it must be done then. */
    static void pollUntilDone(DeferredRead read) {
        poll(() -> read.state() != DeferredRead.State.PENDING);
        Check.same("state of a read that was polled", DeferredRead.State.DONE, read.state());
    }

    /** Asks until the write is done. */
    static void pollUntilDone(WriteFence fence) {
        poll(fence::isDone);
    }

    @SuppressWarnings("ThreadPriorityCheck") // the device may need the core
    static void poll(BooleanSupplier done) {
        while (!done.getAsBoolean()) {
            if (Thread.interrupted()) { // the time-out of the test
                throw new IllegalStateException("poll: expected an end, got an interrupt");
            }
            Thread.yield();
        }
    }
}
