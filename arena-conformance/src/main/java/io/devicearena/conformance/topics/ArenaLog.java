package io.devicearena.conformance.topics;

import io.devicearena.conformance.calls.Iterations;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.opentest4j.AssertionFailedError;

/** Records the log of arenas until it is closed. Works where System.Logger logs to java.util.logging. */
final class ArenaLog implements AutoCloseable {
    private static final String NAME = "io.devicearena";

    /** For 20 seconds, since a cleaner's thread may wait for a core; the line is there after one or two. */
    private static final int ATTEMPTS = 200;

    private final ConformanceTopic topic;
    private final Logger logger = Logger.getLogger(NAME);
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final Semaphore arrived = new Semaphore(0);
    private final boolean parents = logger.getUseParentHandlers();
    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord line) {
            lines.add(String.valueOf(line.getMessage()));
            arrived.release();
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    ArenaLog(ConformanceTopic topic) {
        this.topic = topic;
        logger.addHandler(handler);
        logger.setUseParentHandlers(false); // the lines are expected and would look like problems in the build's log
        System.getLogger(NAME).log(System.Logger.Level.WARNING, "probe of the conformance kit");
        if (lines.isEmpty()) {
            close();
            throw topic.skip("its log does not go to java.util.logging, where the kit listens");
        }
        arrived.drainPermits();
    }

    /** Requests collections until a line with a text was logged. */
    void awaitLine(String text) {
        boolean collected = false;
        int attempts = Iterations.of(ATTEMPTS);
        for (int attempt = 0; attempt < attempts; attempt++) {
            if (linesWith(text) > 0) {
                return;
            }
            collected |= collect();
            try {
                arrived.tryAcquire(100, TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new AssertionFailedError("log: expected a line, got an interrupt", e);
            }
        }
        if (!collected) {
            throw topic.skip("the VM ignored the request to collect garbage");
        }
        throw new AssertionFailedError("log of " + NAME + ": expected a line with '" + text + "' after " + attempts
                + " collections, got " + lines);
    }

    /** Requests a collection; true when there was one. */
    private static boolean collect() {
        WeakReference<Object> garbage = new WeakReference<>(new Object());
        System.gc();
        return garbage.refersTo(null);
    }

    int linesWith(String text) {
        return Math.toIntExact(
                lines.stream().filter(line -> line.contains(text)).count());
    }

    @Override
    public void close() {
        logger.removeHandler(handler);
        logger.setUseParentHandlers(parents);
    }
}
