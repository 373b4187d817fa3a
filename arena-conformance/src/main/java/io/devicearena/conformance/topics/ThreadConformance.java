package io.devicearena.conformance.topics;

import static io.devicearena.conformance.oracle.ExamplePlan.NODE_1;
import static io.devicearena.conformance.oracle.ExamplePlan.NODE_2;

import io.devicearena.ArenaOptions;
import io.devicearena.BufferSlot;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.conformance.calls.ArenaCall;
import io.devicearena.conformance.calls.Batches;
import io.devicearena.conformance.calls.HeldProvider;
import io.devicearena.conformance.calls.Iterations;
import io.devicearena.conformance.calls.Polls;
import io.devicearena.conformance.oracle.Casts;
import io.devicearena.conformance.oracle.Check;
import io.devicearena.conformance.oracle.ExamplePlan;
import io.devicearena.conformance.oracle.Interrupts;
import io.devicearena.conformance.oracle.SegmentPlans;
import io.devicearena.conformance.oracle.TestData;
import io.devicearena.conformance.sequence.SequenceProperty;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/**
 * Group 9: several threads on one arena, and a close that meets calls.
 *
 * <p>The tests of races have many short rounds. A spinning gate starts all threads at the same moment and then delays
 * the first or the last for different times, so that both orders and every overlap happen. Such a test may miss a
 * fault; the report says how often its threads met.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public interface ThreadConformance extends ConformanceTopic {
    /** Catches writes that wait in a thread's own buffer, and confined arenas. */
    @Test
    default void required_9_1_writesAreSeenAfterAHandover() {
        boolean[] virtual = {false};
        makeEachCall(call -> {
            virtual[0] = !virtual[0];
            Race.together(virtual[0], List.of(call::run));
        });
    }

    /** Makes the calls of some sequences in a way of their own, but the opening: that is no call on an arena. */
    private void makeEachCall(Executor caller) {
        BiFunction<MemoryPlan, ArenaOptions, DeviceArena> opener =
                (plan, options) -> Interrupts.heldBack(() -> open(plan, options));
        new SequenceProperty(opener, device(), TestData.seed(91), Iterations.percent(), caller).randomSequences(4);
    }

    /** Catches a word that is read, changed and written back while another thread changes its other bytes. */
    @Test
    default void stochastic_9_2_writersOfDifferentBytesLoseNothing() {
        int end = SegmentPlans.segmentBytes(device());
        BufferSlot first = new BufferSlot(end - 16L, 6); // ends within a word
        MemoryPlan plan = ExamplePlan.of(2L * end, first, new BufferSlot(first.end(), 6));
        HeldProvider held = new HeldProvider(subject().provider());
        try (DeviceArena arena = held.openArena(device(), plan, ArenaOptions.defaults())) {
            held.pairWrites();
            for (ArenaCall call : ArenaCall.of(ArenaCall.Use.SOURCE)) {
                race(arena, call, call.takesValue() ? first.offset() : end - 3L);
            }
            MemorySegment ones = MemorySegment.ofArray(TestData.filled(61, 0x11));
            MemorySegment twos = MemorySegment.ofArray(TestData.filled(61, 0x22));
            Race.Racer after = round -> {
                for (byte one : Check.bytes(arena, 1, 61)) {
                    String what = "a byte that two threads wrote: expected 17 or 34, got " + one;
                    Check.isTrue(what + ", round " + round, one == 0x11 || one == 0x22);
                }
            };
            Race.of(60)
                    .after(after)
                    .run(this, List.of(round -> arena.writeBytes(1, ones), round -> arena.writeBytes(1, twos)));
        }
    }

    /** Two threads write six bytes each, beside each other. */
    private void race(DeviceArena arena, ArenaCall call, long first) {
        long second = first + 6;
        Race.Racer one = round -> write(arena, call, NODE_1, first, round);
        Race.Racer other = round -> write(arena, call, NODE_2, second, ~round);
        Race.Racer after = round -> {
            String what = call.name() + ", round " + round;
            Check.holds("bytes of " + what, arena, first, six(call, round));
            Check.holds("bytes behind those of " + what, arena, second, six(call, ~round));
        };
        Race.of(40).after(after).run(this, List.of(one, other));
    }

    private static void write(DeviceArena arena, ArenaCall call, NodeId id, long offset, int round) {
        byte[] bytes = six(call, round);
        MemorySegment data = call.takes() == ArenaCall.Takes.FLOATS
                ? MemorySegment.ofArray(Casts.decoded(DType.F16, bytes))
                : MemorySegment.ofArray(bytes);
        long at = call.takes() == ArenaCall.Takes.PART ? 0 : offset;
        call.on(arena, new ArenaCall.With(id, DType.F16, at, data.byteSize(), data));
    }

    /** Three numbers as F16 that differ from round to round. */
    private static byte[] six(ArenaCall call, int round) {
        return TestData.bytes(920L + round + call.name().length(), 6, 0x3F);
    }

    /** Catches staging memory that two calls share. */
    @Test
    default void stochastic_9_3_concurrentReadsGetTheirOwnBytes() {
        int readers = 4;
        int size = 1024;
        byte[] bytes = TestData.bytes(93, readers * size);
        try (DeviceArena arena = open(ExamplePlan.node1(bytes.length))) {
            arena.writeBytes(0, MemorySegment.ofArray(bytes));
            float[] floats = Casts.decoded(DType.F32, bytes);
            List<Race.Racer> racers = new ArrayList<>();
            for (int i = 0; i < readers; i++) {
                int from = i * size;
                byte[] own = Arrays.copyOfRange(bytes, from, from + size);
                racers.add(round -> {
                    String what = "bytes read by a thread of " + readers + ", round " + round;
                    Check.same(what, from, own, ArenaCall.read(arena, from, size, round));
                    int count = (size / 4 + from) / 4;
                    float[] read = arena.readOutputF32(NODE_1, DType.F32, count);
                    Check.same(what + ", as floats", Arrays.copyOf(floats, count), read);
                });
            }
            Race.of(80).run(this, racers);
        }
    }

    /** Catches more callers than a pool or a table has places, and memory that belongs to a carrier thread. */
    @Test
    default void required_9_4_manyCallersAtOnceMoveTheirOwnBytes() {
        int callers = 130;
        int size = 777;
        try (DeviceArena arena = open(ExamplePlan.bytes((long) callers * size))) {
            for (boolean virtual : new boolean[] {false, true}) {
                CountDownLatch inside = new CountDownLatch(virtual ? 0 : callers);
                List<Executable> calls = new ArrayList<>();
                for (int i = 0; i < callers; i++) {
                    int place = i;
                    calls.add(() -> {
                        try {
                            moveOwnBytes(arena, place, size, inside);
                        } finally {
                            inside.countDown(); // the others must not wait for one that failed before
                        }
                    });
                }
                Race.together(virtual, calls);
            }
        }
    }

    /** Writes and reads the bytes of one caller, and stays inside a call until all others are inside of theirs. */
    private static void moveOwnBytes(DeviceArena arena, int place, int size, CountDownLatch inside) {
        long from = (long) place * size;
        for (int round = 0; round < Math.max(1, Iterations.percent() / 25); round++) {
            byte[] bytes = TestData.bytes(94_000L + place * 4L + round, size);
            arena.writeBytes(from, MemorySegment.ofArray(bytes));
            byte[] read = ArenaCall.read(arena, from, size, round + place);
            Check.same("bytes of caller " + place, from, bytes, read);
            arena.withBytes(from, size, view -> {
                Polls.meet(inside);
                Check.same("view of caller " + place, from, bytes, view.toArray(Batches.BYTE));
                return "";
            });
        }
    }

    /** Catches lengths kept for each thread, and a read that asks for the length twice. */
    @Test
    default void stochastic_9_5_aCallHasOneLength() {
        float[] data = TestData.exact(DType.F32, 8);
        try (DeviceArena arena = openExample()) {
            arena.writeInputF32(NODE_1, DType.F32, data);
            for (int elements : new int[] {8, 3, 0, 5}) {
                Race.together(() -> arena.setActualLength(NODE_1, 4L * elements));
                String what = "after another thread set the length to " + 4 * elements + ", ";
                Check.same(what + "length", 4L * elements, arena.lengthBytes(NODE_1));
                readToTheLength(what, arena, data, Set.of(elements));
                Race.together(() -> readToTheLength(what + "on a third, ", arena, data, Set.of(elements)));
            }
            arena.setActualLength(NODE_1, 32);
            AtomicInteger over = new AtomicInteger(-1);
            Race.Racer setter = round -> {
                for (int i = 0; over.get() < round; i++) {
                    arena.setActualLength(NODE_1, i % 2 == 0 ? 32 : 4);
                }
            };
            Race.Racer reader = round -> {
                try {
                    readToTheLength("round " + round + ", ", arena, data, Set.of(1, 8));
                } finally {
                    over.set(round);
                }
            };
            Race.of(100).run(this, List.of(setter, reader));
        }
    }

    /** What each read of node 1 counts, copies and leaves alone is of one of some lengths. */
    private static void readToTheLength(String what, DeviceArena arena, float[] data, Set<Integer> lengths) {
        for (ArenaCall call : ArenaCall.of(ArenaCall.Takes.FLOATS, ArenaCall.Takes.ELEMENTS)) {
            if (call.memory() == ArenaCall.Use.DESTINATION) {
                float[] read = TestData.floats(9, -1);
                long count = call.on(arena, ArenaCall.With.memory(MemorySegment.ofArray(read)));
                int elements = Math.toIntExact(count);
                Check.isTrue(
                        what + call.name() + ": expected one of " + lengths + " elements, got " + count,
                        lengths.contains(elements));
                float[] expected = TestData.floats(9, -1);
                System.arraycopy(data, 0, expected, 0, elements);
                Check.same(what + call.name() + ", floats for a count of " + count, expected, read);
            }
        }
    }

    /** Native code does not check confinement; the arena has to. */
    @Test
    default void required_9_6_memoryOfAnotherThreadIsRefused() {
        try (Refusals refusals = new Refusals(openExample());
                Arena confined = Arena.ofConfined()) {
            MemorySegment others = confined.allocate(8, 8);
            Race.together(() -> ArenaCall.ALL.stream()
                    .filter(ArenaCall::passesMemory)
                    .forEach(call -> {
                        String what = call.name() + " with another thread's memory";
                        ArenaCall.With with = ArenaCall.With.memory(others);
                        RuntimeException refused =
                                refusals.refused(RuntimeException.class, what, () -> call.on(refusals.arena, with));
                        Check.isTrue( // a deferred read refuses confined memory of any thread
                                what + ": expected WrongThreadException, got " + refused,
                                refused instanceof WrongThreadException
                                        || (call.name().startsWith("beginRead")
                                                && refused instanceof IllegalArgumentException));
                    }));
            Check.same("memory of the other thread", 0, new byte[8], others.toArray(Batches.BYTE));
        }
    }

    /** Task frameworks cancel by interrupts; catches a call that gives up half-way, and a flag that is lost. */
    @Test
    default void required_9_7_interruptedThreadsFinishTheirCalls() {
        int size = Math.toIntExact(Math.min(1 << 20, device().limits().maxSegmentBytes()));
        byte[] bytes = TestData.bytes(910, size);
        try (DeviceArena arena = open(ExamplePlan.node1(size))) {
            Race.together(() -> {
                for (ArenaCall call : ArenaCall.ALL) {
                    boolean isRead = call.memory() == ArenaCall.Use.DESTINATION;
                    byte[] memory = isRead ? new byte[size] : bytes.clone();
                    arena.writeBytes(0, MemorySegment.ofArray(isRead ? bytes : new byte[size]));
                    Thread.currentThread().interrupt();
                    call.on(arena, ArenaCall.With.memory(MemorySegment.ofArray(memory)));
                    requireInterrupted(call.name());
                    Thread.interrupted();
                    if (call.memory() != ArenaCall.Use.NONE) {
                        String what = "1 MiB, moved by an interrupted thread in " + call.name();
                        Check.same(what, 0, bytes, memory);
                        Check.holds(what + ", in the arena", arena, 0, bytes);
                    }
                }
                Thread.currentThread().interrupt();
                arena.beginRead(Batches.bytes(0, new byte[size])).cancel();
                requireInterrupted("cancel");
            });
            Race.together(() -> makeEachCall(call -> {
                Thread.currentThread().interrupt();
                call.run();
                requireInterrupted("a call of a sequence");
            }));
            Race.together(() -> moveUnderInterrupts(arena, bytes));
        }
    }

    private static void moveUnderInterrupts(DeviceArena arena, byte[] bytes) {
        byte[] read = new byte[bytes.length];
        Thread mover = Thread.currentThread();
        AtomicBoolean over = new AtomicBoolean();
        Thread.ofPlatform()
                .daemon()
                .start(() -> Polls.until(() -> {
                    mover.interrupt();
                    return over.get();
                }));
        try {
            for (int round = 0; round < 20; round++) {
                bytes[round * 1000]++;
                while (!mover.isInterrupted()) {
                    Thread.onSpinWait();
                }
                arena.writeBytes(0, MemorySegment.ofArray(bytes));
                arena.beginRead(Batches.bytes(0, read)).await();
                Check.same("1 MiB, round " + round + " under interrupts", 0, bytes, read);
                Arrays.fill(read, (byte) 0);
            }
        } finally {
            over.set(true);
        }
    }

    private static void requireInterrupted(String what) {
        Check.isTrue(
                what + " on an interrupted thread: expected the interrupt flag to stay set, got it cleared",
                Thread.currentThread().isInterrupted());
    }

    /** Catches memory that is freed under a call. The kit holds each call open, where it can stand behind the arena. */
    @Test
    default void required_9_8_closeWaitsForTheCallsInFlight() {
        CloseRace race = new CloseRace(this, 16 << 10);
        for (int which = 0; which < race.count(); which++) {
            race.once(which, 1, false);
        }
        race.once(0, race.count(), false);
    }

    /** Catches a close that gives up its wait, and memory that then leaks or is freed too early. */
    @Test
    default void required_9_9_closeOnAnInterruptedThreadFreesTheMemory() {
        CloseRace race = new CloseRace(this, 16 << 10);
        race.once(0, 1, true);
        race.once(0, race.count(), true);
        Race.together(() -> {
            DeviceArena arena = openExample();
            arena.beginRead(Batches.bytes(0, new byte[93]));
            DeviceArena view = arena.view(arena.plan());
            Thread.currentThread().interrupt();
            arena.close();
            view.close();
            requireInterrupted("a close");
            Check.assertClosed("a call after a close on an interrupted thread", () -> view.fillBytes(0, 1, (byte) 1));
        });
    }

    /** Catches memory that is freed under a call, and a write that reaches the arena which takes the memory at once. */
    @Test
    default void stochastic_9_10_closeMeetsEachCall() {
        CloseRace small = new CloseRace(this, 16 << 10);
        boolean isQuick = Iterations.percent() < 100;
        int callers = isQuick ? 4 : 1; // whose calls are as far from each other as can be
        for (int which = 0; which < small.count() - (callers - 1) * (small.count() / callers); which++) {
            small.rounds(which, callers, 3, 2000);
        }
        CloseRace large = new CloseRace(this, 1 << 20);
        for (int which = 0; which < large.count(); which += isQuick ? 12 : 4) {
            large.rounds(which, 2, 2, 20_000);
        }
    }
}
