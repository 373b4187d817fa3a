package io.devicearena.conformance.calls;

import io.devicearena.Transfer;
import io.devicearena.conformance.oracle.Check;
import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;

/** Waits for what goes on in the background. The time-out of a test ends a wait that is in vain. */
public final class Polls {
    private Polls() {}

    /** Asks for the state until the transfer is no longer pending; it must be done then. */
    public static void untilDone(Transfer transfer) {
        until(() -> transfer.state() != Transfer.State.PENDING);
        Check.same("state of a transfer that was polled", Transfer.State.DONE, transfer.state());
    }

    @SuppressWarnings("ThreadPriorityCheck") // the device may need the core
    public static void until(BooleanSupplier done) {
        while (!done.getAsBoolean()) {
            if (Thread.interrupted()) { // the time-out of the test
                throw new IllegalStateException("poll: expected an end, got an interrupt");
            }
            Thread.yield();
        }
    }

    /** Counts the caller, and waits until all are counted. */
    public static void meet(CountDownLatch all) {
        all.countDown();
        try {
            all.await();
        } catch (InterruptedException e) { // the time-out of the test
            throw new IllegalStateException("other callers: expected them inside a call, got an interrupt", e);
        }
    }
}
