package io.devicearena.cli;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Ends a long search early on Ctrl-C. The command continues with the best plan so far, and the process ends when that
 * plan is validated, written and reported, or after a minute.
 */
final class SigintHandler implements AutoCloseable {
    /**
     * A first plan of a million buffers, its validation and its files take seconds, on a busy machine several times as
     * long.
     */
    private static final long MAX_WAIT_SECONDS = 60;

    private final CountDownLatch finished = new CountDownLatch(1);
    private final Thread hook = new Thread(this::awaitCommand, "arena-sigint");
    private final boolean canEndEarly;
    private volatile boolean interrupted;

    /**
     * Watches for an interrupt.
     *
     * @param canEndEarly whether the command has work that can end early with a result; without it the process just
     *     ends
     */
    SigintHandler(boolean canEndEarly) {
        this.canEndEarly = canEndEarly;
        if (canEndEarly) {
            Runtime.getRuntime().addShutdownHook(hook);
        }
    }

    private void awaitCommand() {
        interrupted = true;
        try {
            finished.await(MAX_WAIT_SECONDS, TimeUnit.SECONDS); // the process ends then in any case
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Whether the user has pressed Ctrl-C, or another program has asked this one to end. */
    boolean isInterrupted() {
        return interrupted;
    }

    @Override
    public void close() {
        finished.countDown();
        if (canEndEarly && !interrupted) {
            try {
                Runtime.getRuntime().removeShutdownHook(hook);
            } catch (IllegalStateException e) {
                // the process is ending already, and the hook has stopped waiting
            }
        }
    }
}
