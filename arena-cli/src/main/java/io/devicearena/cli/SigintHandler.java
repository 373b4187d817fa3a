package io.devicearena.cli;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Turns the interrupt of a long search (Ctrl-C) into its end: the command goes on with the best plan so far, and the process
 * ends when that is proved, written and told. A command that has not come to its end after a minute is not waited for.
 */
final class SigintHandler implements AutoCloseable {
    /** A first plan of a million buffers, its proof and its files take seconds; on a busy machine some times as many. */
    private static final long PATIENCE_SECONDS = 60;

    private final CountDownLatch told = new CountDownLatch(1);
    private final Thread hook = new Thread(this::waitForTheCommand, "arena-interruption");
    private final boolean awaited;
    private volatile boolean asked;

    /**
     * Watches for an interrupt.
     *
     * @param awaited whether there is work that can end early and tell what it has; without it the process just ends
     */
    SigintHandler(boolean awaited) {
        this.awaited = awaited;
        if (awaited) {
            Runtime.getRuntime().addShutdownHook(hook);
        }
    }

    private void waitForTheCommand() {
        asked = true;
        try {
            told.await(PATIENCE_SECONDS, TimeUnit.SECONDS); // told or not, the process ends then
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Whether the user wants the command to end. */
    boolean isAsked() {
        return asked;
    }

    @Override
    public void close() {
        told.countDown();
        if (awaited && !asked) {
            try {
                Runtime.getRuntime().removeShutdownHook(hook);
            } catch (IllegalStateException e) {
                // the process is ending already; the hook has nothing to wait for any more
            }
        }
    }
}
