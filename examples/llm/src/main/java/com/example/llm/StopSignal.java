package com.example.llm;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Lets Ctrl-C end a text: the text ends behind the token under way and what is open is closed, while the process waits
 * for it, then the process ends.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
final class StopSignal implements AutoCloseable {
    private static final int SECONDS = 5;

    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread hook = new Thread(this::stop, "llm-stop");
    private volatile boolean requested;

    StopSignal() {
        Runtime.getRuntime().addShutdownHook(hook);
    }

    private void stop() {
        requested = true;
        try {
            boolean inTime = closed.await(SECONDS, TimeUnit.SECONDS);
            if (!inTime) {
                System.err.println("llm: ended while a step was running");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    boolean isRequested() {
        return requested;
    }

    @Override
    public void close() {
        closed.countDown();
        if (!requested) {
            Runtime.getRuntime().removeShutdownHook(hook);
        }
    }
}
