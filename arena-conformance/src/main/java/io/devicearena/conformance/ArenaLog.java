package io.devicearena.conformance;

import java.lang.ref.WeakReference;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.opentest4j.AssertionFailedError;

/** Listens to the log of arenas for as long as it is open. Works where System.Logger ends in java.util.logging. */
final class ArenaLog implements AutoCloseable {
    private static final String NAME = "io.devicearena";
    private static final int ATTEMPTS = 100;

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
        logger.setUseParentHandlers(false); // the lines are expected, and would frighten whoever reads the build's log
        System.getLogger(NAME).log(System.Logger.Level.WARNING, "is anybody there");
        if (lines.isEmpty()) {
            close();
            throw topic.leaveOut("its log does not end in java.util.logging, where the kit listens");
        }
    }

    /** Asks for collections until a line with a text has come. */
    void awaitLine(String text) {
        boolean collected = false;
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            if (linesWith(text) > 0) {
                return;
            }
            collected |= collect();
            try {
                arrived.tryAcquire(20, TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new AssertionFailedError("log: expected a line, got an interrupt", e);
            }
        }
        if (!collected) {
            throw topic.leaveOut("the VM did not collect any garbage when it was asked to");
        }
        throw new AssertionFailedError("log of " + NAME + ": expected a line with '" + text + "' after " + ATTEMPTS
                + " collections, got " + lines);
    }

    /** Asks for a collection; true when there was one. */
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
