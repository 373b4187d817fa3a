package io.devicearena.conformance;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.function.Executable;
import org.opentest4j.AssertionFailedError;
import org.opentest4j.TestAbortedException;

/**
 * Makes calls run at the same time. A race has many short rounds. In each round a spinning gate starts all racers at
 * the same moment, without a wake-up by the scheduler, and then delays one of them: by turns the first and the last,
 * for different times. So both orders happen, with different distances. Every two rounds the racers change threads,
 * because with fewer cores than threads one thread may always be the first.
 */
final class Race {
    /** Spins before a waiting racer yields its core. */
    private static final int SPINS = 2000;

    /** How many different distances there are between the first racer and the last. */
    private static final int DISTANCES = 16;

    private static final int SPINS_A_STEP = 25;

    private Race() {}

    /** What one racer does in one round. */
    interface Racer {
        /**
         * Runs.
         *
         * @throws Throwable what ends the race and fails the test
         */
        void run(int round) throws Throwable;
    }

    /** Runs calls at once, each in a thread of its own, and throws what the first of them threw. */
    static void together(Executable... calls) {
        List<Racer> racers = new ArrayList<>();
        for (Executable call : calls) {
            racers.add(round -> call.execute());
        }
        exactly(1, round -> {}, round -> {}, racers);
    }

    /**
     * Runs many rounds.
     *
     * @param rounds how many, before scaling by {@link Iterations}
     * @param before runs alone, before each round
     * @param after runs alone, after each round, when all racers have finished it
     * @param racers run at once
     */
    static void rounds(int rounds, Racer before, Racer after, List<Racer> racers) {
        exactly(Iterations.of(rounds), before, after, racers);
    }

    private static void exactly(int rounds, Racer before, Racer after, List<Racer> racers) {
        AtomicBoolean failed = new AtomicBoolean();
        Gate start = new Gate(racers.size(), failed);
        Gate finish = new Gate(racers.size(), failed);
        List<Future<?>> running = new ArrayList<>();
        for (int i = 0; i < racers.size(); i++) {
            int place = i;
            FutureTask<Boolean> task = new FutureTask<>(() -> {
                try {
                    for (int round = 0; round < rounds; round++) {
                        int now = round;
                        if (!start.pass(() -> before.run(now))) {
                            return false;
                        }
                        holdBack(round, place, racers.size());
                        racers.get((place + round / 2) % racers.size()).run(round);
                        if (!finish.pass(() -> after.run(now))) {
                            return false;
                        }
                    }
                    return true;
                } catch (Exception | Error e) {
                    failed.set(true);
                    throw e;
                } catch (Throwable e) {
                    failed.set(true);
                    throw new AssertionFailedError("a racer threw " + e, e);
                }
            });
            Thread.ofPlatform().daemon().name("racer-" + place).start(task);
            running.add(task);
        }
        Throwable first = null;
        for (Future<?> task : running) {
            try {
                task.get();
            } catch (ExecutionException e) {
                first = first == null ? e.getCause() : first;
            } catch (InterruptedException e) {
                failed.set(true);
                Thread.currentThread().interrupt();
                throw new AssertionFailedError("race: expected an end, got an interrupt", e);
            }
        }
        if (first instanceof Error error) {
            throw error;
        }
        if (first instanceof TestAbortedException skipped) {
            throw skipped;
        }
        if (first != null) {
            throw new AssertionFailedError("a racer threw " + first, first);
        }
    }

    private static void holdBack(int round, int place, int racers) {
        int fromTheFront = round % 2 == 0 ? place : racers - 1 - place;
        for (int i = fromTheFront * (round / 2 % DISTANCES) * SPINS_A_STEP; i > 0; i--) {
            Thread.onSpinWait();
        }
    }

    /** Lets all racers through at once, again and again. */
    private static final class Gate {
        private final int racers;
        private final AtomicBoolean failed;
        private final AtomicInteger arrived = new AtomicInteger();
        private final AtomicInteger opened = new AtomicInteger();

        Gate(int racers, AtomicBoolean failed) {
            this.racers = racers;
            this.failed = failed;
        }

        /** Waits for the others; the last runs the action and opens. False when another racer has failed. */
        @SuppressWarnings("ThreadPriorityCheck") // yielding is what keeps a race alive on fewer cores than racers
        boolean pass(Executable action) throws Throwable {
            int phase = opened.get();
            if (arrived.incrementAndGet() == racers) {
                action.execute();
                arrived.set(0);
                opened.set(phase + 1);
                return !failed.get();
            }
            for (int spins = 0; opened.get() == phase; spins++) {
                if (failed.get()) {
                    return false;
                }
                if (spins < SPINS) {
                    Thread.onSpinWait();
                } else {
                    Thread.yield();
                }
            }
            return !failed.get();
        }
    }
}
