package io.devicearena.conformance.topics;

import io.devicearena.conformance.calls.Iterations;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
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

    private final int rounds;
    private Racer before = round -> {};
    private Racer after = round -> {};
    private List<Racer> racers = List.of();
    private final AtomicBoolean failed = new AtomicBoolean();

    /** Racers that wait at the gate, which all pass at once, before and after each round. */
    private final AtomicInteger arrived = new AtomicInteger();

    private final AtomicInteger passed = new AtomicInteger();
    private final AtomicInteger running = new AtomicInteger();
    private final AtomicInteger lastMet = new AtomicInteger(-1);
    private final AtomicInteger met = new AtomicInteger();

    Race(int rounds) {
        this.rounds = rounds;
    }

    /** A race of many rounds, scaled by {@link Iterations}. */
    static Race of(int rounds) {
        return new Race(Iterations.of(rounds));
    }

    /** What runs alone, before each round. */
    Race before(Racer alone) {
        before = alone;
        return this;
    }

    /** What runs alone, after each round, when all racers have finished it. */
    Race after(Racer alone) {
        after = alone;
        return this;
    }

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
        together(false, List.of(calls));
    }

    /** Runs calls at once, each in a thread of its own; none begins before all threads have started. */
    static void together(boolean virtual, List<Executable> calls) {
        ConcurrentLinkedQueue<Throwable> thrown = new ConcurrentLinkedQueue<>();
        CountDownLatch started = new CountDownLatch(1);
        Thread.Builder builder = virtual
                ? Thread.ofVirtual()
                : Thread.ofPlatform().daemon().name(calls.size() > 1 ? "racer-" : "alone-", 0);
        List<Thread> threads = calls.stream()
                .map(call -> builder.start(() -> {
                    try {
                        started.await();
                        call.execute();
                    } catch (Throwable e) { // reported below, on the thread of the test
                        thrown.add(e);
                    }
                }))
                .toList();
        started.countDown();
        try {
            for (Thread thread : threads) {
                thread.join();
            }
        } catch (InterruptedException e) { // the time-out of the test
            Thread.currentThread().interrupt();
            throw new AssertionFailedError("race: expected an end, got an interrupt", e);
        }
        switch (thrown.peek()) {
            case null -> {}
            case Error error -> throw error;
            case TestAbortedException skipped -> throw skipped;
            case Throwable e -> throw new AssertionFailedError("a racer threw " + e, e);
        }
    }

    /** Says in the report of a clause how many rounds had two racers in their calls at once. */
    void run(ConformanceTopic topic, List<Racer> all) {
        run(all);
        topic.tried(rounds, met.get());
    }

    void run(List<Racer> all) {
        racers = all;
        IntStream places = IntStream.range(0, all.size());
        together(false, places.<Executable>mapToObj(place -> () -> run(place)).toList());
    }

    private void run(int place) throws Throwable {
        try {
            for (int round = 0; round < rounds; round++) {
                int now = round;
                if (!pass(() -> before.run(now))) {
                    return;
                }
                holdBack(round, place);
                if (running.incrementAndGet() > 1 && lastMet.getAndSet(round) < round) {
                    met.incrementAndGet();
                }
                racers.get((place + round / 2) % racers.size()).run(round);
                running.decrementAndGet();
                if (!pass(() -> after.run(now))) {
                    return;
                }
            }
        } finally {
            failed.set(true); // or all have finished
        }
    }

    private void holdBack(int round, int place) {
        int fromTheFront = round % 2 == 0 ? place : racers.size() - 1 - place;
        for (int i = fromTheFront * (round / 2 % DISTANCES) * SPINS_A_STEP; i > 0; i--) {
            Thread.onSpinWait();
        }
    }

    /** Waits for the others; the last runs the action and lets all through. False when another racer has failed. */
    @SuppressWarnings("ThreadPriorityCheck") // yielding is what keeps a race alive on fewer cores than racers
    private boolean pass(Executable action) throws Throwable {
        int gate = passed.get();
        if (arrived.incrementAndGet() == racers.size()) {
            action.execute();
            arrived.set(0);
            passed.set(gate + 1);
            return true;
        }
        for (int spins = 0; passed.get() == gate; spins++) {
            if (failed.get()) {
                return passed.get() != gate;
            }
            if (spins < SPINS) {
                Thread.onSpinWait();
            } else {
                Thread.yield();
            }
        }
        return true;
    }
}
