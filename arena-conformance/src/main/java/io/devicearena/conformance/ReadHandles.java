package io.devicearena.conformance;

import io.devicearena.Transfer;
import java.util.function.BooleanSupplier;

/** Polls what goes on in the background. The time-out of a test ends a poll that is in vain. */
final class ReadHandles {
    private ReadHandles() {}

    /** Asks for the state until the transfer is no longer pending; it must be done then. */
    static void pollUntilDone(Transfer transfer) {
        poll(() -> transfer.state() != Transfer.State.PENDING);
        Check.same("state of a transfer that was polled", Transfer.State.DONE, transfer.state());
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
