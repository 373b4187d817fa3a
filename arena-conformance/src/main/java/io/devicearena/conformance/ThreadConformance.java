package io.devicearena.conformance;

import static io.devicearena.conformance.ExamplePlan.NODE_1;
import static io.devicearena.conformance.ExamplePlan.NODE_2;

import io.devicearena.BufferSlot;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.MemoryPlan;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/**
 * Group 9: several threads on one arena.
 *
 * <p>The tests of races have many short rounds. A spinning gate starts all threads at the same moment and then delays
 * the first or the last for different times, so that both orders and every overlap happen. Such a test may miss a
 * fault; its javadoc says which ones it finds.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public interface ThreadConformance extends ConformanceTopic {
    /**
     * Catches writes that wait in a thread's own buffer, and confined arenas. It cannot find a missing memory barrier
     * of the backend: the handover to the other thread is a barrier already.
     *
     * @throws InterruptedException if the test is interrupted
     */
    @Test
    default void required_9_1_writesAreSeenAfterAHandover() throws InterruptedException {
        AtomicReference<DeviceArena> opened = new AtomicReference<>();
        Thread opener = Thread.ofPlatform().start(() -> opened.set(openExample()));
        opener.join();
        DeviceArena arena = opened.get();
        if (arena == null) {
            openExample().close(); // throws here what it threw there
            throw new IllegalStateException("open failed on another thread and works on this one");
        }
        float[] floats = {1, 2, 3};
        byte[] bytes = TestData.bytes(91, 7);
        List<Throwable> thrown = new ArrayList<>();
        Thread writer = Thread.ofVirtual().unstarted(() -> {
            arena.writeInputF32(NODE_1, DType.F32, floats);
            arena.writeBytes(33, MemorySegment.ofArray(bytes));
        });
        writer.setUncaughtExceptionHandler((thread, e) -> thrown.add(e));
        writer.start();
        writer.join();
        Check.same("what writes of a virtual thread threw", List.of(), thrown);
        Check.same("floats that a virtual thread wrote", floats, arena.readOutputF32(NODE_1, DType.F32, 3));
        Check.holds("bytes that a virtual thread wrote", arena, 33, bytes);
        Race.together(arena::close);
        Check.same("isOpen after a close on another thread", false, arena.isOpen());
    }

    /**
     * Catches a word that is read, changed and written back while another thread changes its other bytes, where these
     * steps take some tens of nanoseconds. It misses a window that the machine's scheduling never hits.
     */
    @Test
    default void stochastic_9_2_writersOfDifferentBytesLoseNothing() {
        int periods = 16;
        int period = 8;
        byte[] model = new byte[periods * period];
        try (DeviceArena arena = open(ExamplePlan.bytes(model.length))) {
            Race.rounds(
                    120,
                    round -> {},
                    round -> Check.holds("arena after round " + round, arena, 0, model),
                    List.of(
                            round -> Stripes.write(arena, model, period, 0, 3, round + 1),
                            round -> Stripes.write(arena, model, period, 3, 8, ~round)));
        }
        // two values of three F16 each: their border lies inside a word
        MemoryPlan plan = new MemoryPlan(
                12, Map.of(NODE_1, new BufferSlot(0, 6), NODE_2, new BufferSlot(6, 6)), List.of(NODE_1, NODE_2));
        try (DeviceArena arena = open(plan)) {
            Race.rounds(
                    200,
                    round -> {},
                    round -> {
                        float[] expected = exactInF16(round);
                        Check.same("node 1, round " + round, expected, arena.readOutputF32(NODE_1, DType.F16, 3));
                        Check.same("node 2, round " + round, expected, arena.readOutputF32(NODE_2, DType.F16, 3));
                    },
                    List.of(
                            round -> arena.writeInputF32(NODE_1, DType.F16, exactInF16(round)),
                            round -> arena.writeInputF32(NODE_2, DType.F16, exactInF16(round))));
        }
    }

    /** Three numbers that differ from round to round, of any number of rounds: F16 has every integer up to 2,048. */
    private static float[] exactInF16(int round) {
        int first = round % 2000;
        return new float[] {first, first + 1, first + 2};
    }

    /**
     * Catches staging memory that two calls share. It misses a pool that fails with more than four readers, or only
     * when it grows under load.
     */
    @Test
    default void stochastic_9_3_concurrentReadsGetTheirOwnBytes() {
        int readers = 4;
        int size = 1024;
        byte[] bytes = TestData.bytes(93, readers * size);
        try (DeviceArena arena = open(ExamplePlan.bytes(bytes.length))) {
            arena.writeBytes(0, MemorySegment.ofArray(bytes));
            List<Race.Racer> racers = new ArrayList<>();
            for (int i = 0; i < readers; i++) {
                int from = i * size;
                byte[] own = Arrays.copyOfRange(bytes, from, from + size);
                racers.add(round -> {
                    String what = "bytes read by a thread of " + readers + ", round " + round;
                    Check.same(what, from, own, Batches.readInOneOfFourWays(arena, from, size, round));
                });
            }
            Race.rounds(120, round -> {}, round -> {}, racers);
        }
        MemoryPlan plan = new MemoryPlan(
                64, Map.of(NODE_1, new BufferSlot(0, 32), NODE_2, new BufferSlot(32, 32)), List.of(NODE_1, NODE_2));
        try (DeviceArena arena = open(plan)) {
            float[] first = {1, 2, 3, 4, 5, 6, 7, 8};
            float[] second = {-1, -2, -3, -4, -5, -6, -7, -8};
            arena.writeInputF32(NODE_1, DType.F32, first);
            arena.writeInputF32(NODE_2, DType.F32, second);
            Race.rounds(
                    120,
                    round -> {},
                    round -> {},
                    List.of(
                            round -> Check.same(
                                    "node 1, round " + round, first, arena.readOutputF32(NODE_1, DType.F32, 8)),
                            round -> {
                                float[] into = new float[8];
                                arena.readOutputF32(NODE_2, DType.F32, into);
                                Check.same("node 2, round " + round, second, into);
                            }));
        }
    }

    /**
     * Catches bytes that neither of two writers wrote. It does not check which of the two wins.
     */
    @Test
    default void stochastic_9_4_writersOfTheSameBytesMixByByteAtMost() {
        int size = 61;
        MemorySegment ones = MemorySegment.ofArray(TestData.filled(size, 0x11));
        MemorySegment twos = MemorySegment.ofArray(TestData.filled(size, 0x22));
        try (DeviceArena arena = open(ExamplePlan.bytes(64))) {
            Race.rounds(
                    300,
                    round -> {},
                    round -> {
                        byte[] mixed = Check.bytes(arena, 1, size);
                        for (int i = 0; i < size; i++) {
                            Check.isTrue(
                                    "byte at offset " + (1 + i) + ", round " + round
                                            + ": expected 11 or 22, what two threads wrote, got "
                                            + Integer.toHexString(mixed[i] & 0xFF),
                                    mixed[i] == 0x11 || mixed[i] == 0x22);
                        }
                    },
                    List.of(round -> arena.writeBytes(1, ones), round -> arena.writeBytes(1, twos)));
        }
    }

    /**
     * Catches a length that is set in two steps. It finds a read that uses the length twice only when a setter runs in
     * between.
     */
    @Test
    default void stochastic_9_5_actualLengthIsAtomic() {
        try (DeviceArena arena = openExample()) {
            arena.setActualLength(NODE_1, 4);
            AtomicInteger set = new AtomicInteger(-1);
            Race.rounds(
                    300,
                    round -> {},
                    round -> {},
                    List.of(
                            round -> {
                                try {
                                    for (int i = 0; i < 10; i++) {
                                        arena.setActualLength(NODE_1, i % 2 == 0 ? 32 : 4);
                                    }
                                } finally {
                                    set.set(round);
                                }
                            },
                            round -> {
                                boolean over = false;
                                while (!over) {
                                    over = set.get() == round;
                                    long length = arena.lengthBytes(NODE_1);
                                    Check.isTrue(
                                            "length of node 1, round " + round + ": expected 4 or 32, got " + length,
                                            length == 4 || length == 32);
                                    long read = arena.readOutputF32(NODE_1, DType.F32, new float[9]);
                                    Check.isTrue(
                                            "elements of node 1, round " + round + ": expected 1 or 8, got " + read,
                                            read == 1 || read == 8);
                                }
                            }));
        }
    }

    /**
     * Catches every other exception, and a process that ends. Over the rounds the close meets each call. It misses
     * reads of freed memory that do no harm.
     */
    @Test
    default void stochastic_9_6_closeDuringCallsIsSafe() {
        AtomicReference<DeviceArena> current = new AtomicReference<>();
        EveryCall oneThreads = new EveryCall();
        EveryCall anothers = new EveryCall();
        AtomicInteger made = new AtomicInteger();
        Race.rounds(
                60,
                round -> {
                    current.set(openExample());
                    made.set(0);
                },
                round -> Check.same(
                        "isOpen after round " + round, false, current.get().isOpen()),
                List.of(
                        round -> Stripes.untilClosed(oneThreads, current.get(), made),
                        round -> Stripes.untilClosed(anothers, current.get(), made),
                        round -> Stripes.closeAmidst(current.get(), made, round),
                        round -> Stripes.closeAmidst(current.get(), made, round)));
    }

    /** Native code does not check confinement; the arena has to. */
    @Test
    default void required_9_7_memoryOfAnotherThreadIsRefused() {
        try (DeviceArena arena = openExample();
                Arena confined = Arena.ofConfined()) {
            MemorySegment others = confined.allocate(8, 4);
            Race.together(() -> {
                Check.assertRefused(
                        WrongThreadException.class,
                        "writeInputF32 of another thread's memory",
                        () -> arena.writeInputF32(NODE_1, DType.F32, others));
                Check.assertRefused(
                        WrongThreadException.class,
                        "readOutputF32 into another thread's memory",
                        () -> arena.readOutputF32(NODE_1, DType.F32, others));
                Check.assertRefused(
                        WrongThreadException.class,
                        "readBatch into another thread's memory",
                        () -> arena.readBatch(Batches.bytes(0, others)));
                Check.assertRefused(
                        WrongThreadException.class,
                        "writeBytes of another thread's memory",
                        () -> arena.writeBytes(0, others));
                Check.assertRefused(
                        WrongThreadException.class,
                        "readBytes into another thread's memory",
                        () -> arena.readBytes(0, others));
            });
            Check.holds("arena after refused calls", arena, 0, ExamplePlan.filled());
            Check.same("memory of the other thread", 0, new byte[8], others.toArray(Batches.BYTE));
        }
    }
}
