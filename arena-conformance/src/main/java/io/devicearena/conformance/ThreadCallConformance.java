package io.devicearena.conformance;

import static io.devicearena.conformance.ExamplePlan.NODE_1;

import io.devicearena.Batch;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * Group 9, second part: lengths that other threads set, interrupted and virtual threads, a close amidst long calls.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public interface ThreadCallConformance extends ConformanceTopic {
    /** Catches lengths that are kept for each thread, or in a call's own copy of the table. */
    @Test
    default void required_9_8_lengthsAreSeenByEveryThread() {
        float[] floats = TestData.exact(DType.F32, 8);
        try (DeviceArena arena = openExample()) {
            arena.writeInputF32(NODE_1, DType.F32, floats);
            for (int elements : new int[] {8, 3, 0, 5}) {
                Race.together(() -> arena.setActualLength(NODE_1, 4L * elements));
                String what = "after another thread set the length to " + 4 * elements + ", ";
                Check.same(what + "length", 4L * elements, arena.lengthBytes(NODE_1));
                for (LengthRead read : LengthRead.values()) {
                    Check.same(what + read, Set.of(elements), Set.copyOf(read.elements(arena, floats)));
                }
                Race.together(() -> {
                    for (LengthRead read : LengthRead.values()) {
                        Check.same(
                                what + "on a third, " + read,
                                Set.of(elements),
                                Set.copyOf(read.elements(arena, floats)));
                    }
                });
            }
        }
    }

    /**
     * Catches a read that asks for the length twice: the count that it returns, what it copies and what it promised to
     * the caller must be of one length. It finds one only where a setter runs in between.
     */
    @Test
    default void stochastic_9_9_aCallHasOneLength() {
        float[] floats = TestData.exact(DType.F32, 8);
        try (DeviceArena arena = openExample()) {
            arena.writeInputF32(NODE_1, DType.F32, floats);
            AtomicInteger over = new AtomicInteger(-1);
            Race.rounds(
                    100,
                    round -> {},
                    round -> {},
                    List.of(
                            round -> {
                                for (int i = 0; over.get() < round; i++) {
                                    arena.setActualLength(NODE_1, i % 2 == 0 ? 32 : 4);
                                }
                            },
                            round -> {
                                try {
                                    for (LengthRead read : LengthRead.values()) {
                                        List<Integer> elements = read.elements(arena, floats);
                                        Check.isTrue(
                                                read + ", round " + round + ": expected 1 or 8 elements, got "
                                                        + elements,
                                                Set.of(1, 8).containsAll(elements));
                                    }
                                } finally {
                                    over.set(round);
                                }
                            }));
        }
    }

    /** Task frameworks cancel by interrupts; catches a call that gives up half-way, and a flag that is lost. */
    @Test
    default void required_9_10_interruptedThreadsFinishTheirCalls() {
        byte[] bytes = TestData.bytes(910, 1 << 20);
        byte[] read = new byte[bytes.length];
        Batch batch = Batches.bytes(0, read);
        try (DeviceArena arena = open(ExamplePlan.bytes(bytes.length));
                DeviceArena example = openExample()) {
            Race.together(() -> {
                EveryCall calls = new EveryCall();
                Thread.currentThread().interrupt();
                calls.forEach((name, call) -> {
                    call.accept(example);
                    requireInterrupted(name);
                });
                arena.writeBytes(0, MemorySegment.ofArray(bytes));
                requireInterrupted("writeBytes of 1 MiB");
                for (int way = 0; way < 4; way++) {
                    byte[] got = Batches.readInOneOfFourWays(arena, 0, bytes.length, way);
                    requireInterrupted("a read of 1 MiB");
                    Check.same("1 MiB, moved by an interrupted thread", 0, bytes, got);
                }
            });
            AtomicBoolean over = new AtomicBoolean();
            Thread reader = Thread.currentThread();
            Thread interrupter = Thread.ofPlatform().daemon().start(() -> {
                while (!over.get()) {
                    reader.interrupt();
                    Thread.onSpinWait();
                }
            });
            try {
                for (int round = 0; round < 20; round++) {
                    bytes[round * 50_000]++;
                    while (!reader.isInterrupted()) {
                        Thread.onSpinWait(); // the interrupter may not have started
                    }
                    arena.writeBytes(0, MemorySegment.ofArray(bytes));
                    arena.beginRead(batch).await();
                    Check.same("1 MiB, round " + round + " under interrupts", 0, bytes, read);
                    Arrays.fill(read, (byte) 0);
                }
            } finally {
                over.set(true);
                Uninterrupted.join(interrupter);
            }
        }
    }

    private static void requireInterrupted(String what) {
        Check.isTrue(
                what + " on an interrupted thread: expected the interrupt flag to stay set, got it cleared",
                Thread.currentThread().isInterrupted());
    }

    /** Catches memory that belongs to a carrier thread, and more callers than a pool has places. */
    @Test
    @SuppressWarnings("ThreadPriorityCheck") // the others must come between
    default void stochastic_9_11_virtualThreadsMoveTheirOwnBytes() {
        int threads = 64;
        int size = 777;
        try (DeviceArena arena = open(ExamplePlan.bytes((long) threads * size))) {
            ConcurrentLinkedQueue<Throwable> thrown = new ConcurrentLinkedQueue<>();
            // on a quiet machine a thread would end before the next one starts
            CompletableFuture<Void> allStarted = new CompletableFuture<>();
            List<Thread> running = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                int place = i;
                Thread thread = Thread.ofVirtual().unstarted(() -> {
                    allStarted.join();
                    for (int round = 0; round < 4; round++) {
                        byte[] bytes = TestData.bytes(9_110L + place * 4L + round, size);
                        arena.writeBytes((long) place * size, MemorySegment.ofArray(bytes));
                        Thread.yield();
                        byte[] read = Batches.readInOneOfFourWays(arena, (long) place * size, size, round + place);
                        Check.same("bytes of virtual thread " + place, (long) place * size, bytes, read);
                    }
                });
                thread.setUncaughtExceptionHandler((dead, e) -> thrown.add(e));
                running.add(thread);
            }
            running.forEach(Thread::start);
            allStarted.complete(null);
            running.forEach(Uninterrupted::join);
            Check.same("what virtual threads threw", List.of(), List.copyOf(thrown));
        }
    }

    /**
     * Calls that move megabytes are made over and over when the close comes. Catches memory that is freed under them:
     * the bytes of a read that succeeds are those of the arena, though another arena takes the memory at once, and no
     * write reaches that one.
     */
    @Test
    default void stochastic_9_12_closeMeetsLongCalls() {
        WholeCalls calls = new WholeCalls(
                Math.toIntExact(Math.min(2 << 20, device().limits().maxArenaBytes() / 4)));
        closeDuring(calls, 2, 2, 20_000);
    }

    /**
     * Each call in turn is all that a thread makes, over and over, so the close meets that call. Catches one hook that
     * runs without the guard of the memory. It misses a hook that has ended before the memory is freed, each time.
     */
    @Test
    default void stochastic_9_13_closeMeetsEachCall() {
        WholeCalls calls = new WholeCalls(
                Math.toIntExact(Math.min(16 << 10, device().limits().maxArenaBytes() / 4)));
        closeDuring(calls, 1, 20, 2000);
    }

    /** Closes an arena amidst calls, a number of times for each call, and opens another one that takes its memory. */
    private void closeDuring(WholeCalls calls, int callers, int rounds, int mostSpins) {
        for (int which = 0; which < calls.count(); which++) {
            closeDuring(calls, which, callers, rounds, mostSpins);
        }
    }

    private void closeDuring(WholeCalls calls, int first, int callers, int rounds, int mostSpins) {
        DeviceArena[] open = new DeviceArena[2];
        byte[] others = TestData.filled(Math.toIntExact(calls.plan().arenaSize()), 0x77);
        List<Race.Racer> racers = new ArrayList<>();
        for (int i = 0; i < callers; i++) {
            int caller = i;
            int which = first + caller * (calls.count() / callers);
            racers.add(round -> calls.untilClosed(open[0], caller, which));
        }
        racers.add(round -> calls.closeAmidst(() -> {
            for (int i = (round * calls.count() + first) * 7919 % mostSpins; i > 0; i--) {
                Thread.onSpinWait(); // until a part of the next call
            }
            open[0].close();
            open[1] = open(calls.plan());
            open[1].fillBytes(0, others.length, (byte) 0x77);
        }));
        Race.rounds(
                rounds,
                round -> {
                    open[0] = open(calls.plan());
                    calls.begin(open[0], callers);
                },
                round -> {
                    Check.same("isOpen after round " + round, false, open[0].isOpen());
                    try (DeviceArena next = open[1]) {
                        Check.holds("the arena opened during " + calls.name(first), next, 0, others);
                    }
                },
                racers);
    }
}
