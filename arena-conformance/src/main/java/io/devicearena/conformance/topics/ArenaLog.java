package io.devicearena.conformance.topics;

import io.devicearena.conformance.calls.Polls;
import io.devicearena.conformance.oracle.Check;
import java.lang.ref.Cleaner;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.logging.Filter;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.opentest4j.AssertionFailedError;

/** Records the log of arenas until it is closed. Works where System.Logger logs to java.util.logging. */
final class ArenaLog implements AutoCloseable {
    private static final String NAME = "io.devicearena";

    /** The line is there after one or two collections, when the thread of the arenas' cleaner has had its time. */
    private static final int COLLECTIONS = 20;

    /** Requests for a collection before the virtual machine is said to ignore them. */
    private static final int REQUESTS = 200;

    private static final Cleaner CLEANER = Cleaner.create();
    private static final String CLEANERS = "jdk.internal.ref.CleanerImpl";
    private static final Set<Thread.State> WORKS = EnumSet.of(Thread.State.RUNNABLE, Thread.State.BLOCKED);

    private final ConformanceTopic topic;
    private final Logger logger = Logger.getLogger(NAME);
    private final @Nullable Filter before = logger.getFilter();
    private final List<String> lines = new CopyOnWriteArrayList<>();

    ArenaLog(ConformanceTopic topic) {
        this.topic = topic;
        logger.setFilter(line -> {
            lines.add(String.valueOf(line.getMessage()));
            return false; // the lines are expected and would look like problems in the build's log
        });
        System.getLogger(NAME).log(System.Logger.Level.WARNING, "probe of the conformance kit");
        if (lines.isEmpty()) {
            close();
            throw topic.skip("its log does not go to java.util.logging, where the kit listens");
        }
    }

    /** Requests collections until a line with a text was logged. */
    void awaitLine(String text) {
        for (int i = 0; i < COLLECTIONS && linesWith(text) == 0; i++) {
            if (!collect()) {
                throw topic.skip("the VM ignored the request to collect garbage");
            }
            Polls.until(() -> !isCleaning()); // the first line of a process takes longer than several collections
        }
        Check.isTrue(
                "log of " + NAME + ": expected a line with '" + text + "' after " + COLLECTIONS + " collections, got "
                        + lines,
                linesWith(text) > 0);
    }

    /** Waits for a collection and for a cleaner of the kit, whose thread gets a core no sooner than others. */
    private static boolean collect() {
        CountDownLatch cleaned = new CountDownLatch(1);
        CLEANER.register(new Object(), cleaned::countDown);
        try {
            boolean isCleaned = false;
            for (int i = 0; i < REQUESTS && !isCleaned; i++) {
                System.gc();
                isCleaned = cleaned.await(100, TimeUnit.MILLISECONDS);
            }
            return isCleaned;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionFailedError("log: expected a line, got an interrupt", e);
        }
    }

    /** Whether the thread of a cleaner works, or is to work. */
    private static boolean isCleaning() {
        return Thread.getAllStackTraces().entrySet().stream()
                .filter(one -> WORKS.contains(one.getKey().getState()))
                .flatMap(one -> Arrays.stream(one.getValue()))
                .anyMatch(frame -> frame.getClassName().equals(CLEANERS));
    }

    int linesWith(String text) {
        return Math.toIntExact(
                lines.stream().filter(line -> line.contains(text)).count());
    }

    @Override
    public void close() {
        logger.setFilter(before);
    }
}
