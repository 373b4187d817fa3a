package io.devicearena.conformance;

import static io.devicearena.conformance.ExamplePlan.NODE_1;
import static io.devicearena.conformance.FamilyPlans.ACTIVATIONS;
import static io.devicearena.conformance.FamilyPlans.HIDDEN;
import static io.devicearena.conformance.FamilyPlans.OUTPUT;
import static io.devicearena.conformance.FamilyPlans.STATE;
import static io.devicearena.conformance.FamilyPlans.STATE_OFFSET;
import static io.devicearena.conformance.FamilyPlans.WEIGHT;

import io.devicearena.ArenaOptions;
import io.devicearena.Batch;
import io.devicearena.BufferSlot;
import io.devicearena.Capability;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.Transfer;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/**
 * Group 19, first part: several graphs on the memory of one arena.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public interface ViewConformance extends ConformanceTopic {
    /** How often a reader yields to a close on another thread before it reads anyway. */
    private static int mostYields() {
        return 10_000;
    }

    /** Catches a view with memory of its own, and a state that is cleared between two graphs. */
    @Test
    default void required_19_1_viewsHaveTheBytesOfTheArena() {
        ArenaOptions options = ArenaOptions.defaults().withScratchBytes(16);
        float[] weights = TestData.exact(DType.F32, 16);
        byte[] state = ValuePlan.elements(DType.I64, 4);
        try (DeviceArena arena = open(FamilyPlans.arena(), options)) {
            arena.writeInputF32(WEIGHT, DType.F32, weights);
            try (DeviceArena first = arena.view(FamilyPlans.first());
                    DeviceArena second = arena.view(FamilyPlans.second())) {
                for (DeviceArena view : List.of(first, second)) {
                    Check.same("size of a view", arena.sizeBytes(), view.sizeBytes());
                    Check.same("offset of the scratch of a view", arena.scratchOffset(), view.scratchOffset());
                    Check.same("segments of a view", arena.segments(), view.segments());
                    Check.same("device of a view", arena.device(), view.device());
                    Check.same("weights in a view", weights, view.readOutputF32(WEIGHT, DType.F32, 16));
                }
                Batches.write(first, STATE, DType.I64, MemorySegment.ofArray(state));
                float[] output = TestData.exact(DType.F32, 8);
                first.writeInputF32(OUTPUT, DType.F32, output);
                Check.holds("state that the first graph wrote, in the second", second, STATE_OFFSET, state);
                Check.holds(
                        "bytes of an activation of the first graph, in the second",
                        second,
                        ACTIVATIONS,
                        TestData.encoded(DType.F32, output));
                byte[] hidden = TestData.bytes(191, 61);
                second.writeValueBytes(HIDDEN, 0, MemorySegment.ofArray(hidden));
                Check.holds("activations that the second graph overlaid", first, ACTIVATIONS, hidden);
                Check.holds("state after that", first, STATE_OFFSET, state);
                Check.same("weights after that", weights, first.readOutputF32(WEIGHT, DType.F32, 16));
                byte[] scratch = TestData.bytes(192, 16);
                second.writeBytes(second.scratchOffset(), MemorySegment.ofArray(scratch));
                Check.holds("scratch that a view wrote", arena, FamilyPlans.BYTES, scratch);
            }
            Check.holds("state after both views were closed", arena, STATE_OFFSET, state);
        }
    }

    /** One id can be another value in another graph; catches lengths and types that are kept per arena. */
    @Test
    default void required_19_2_valuesTypesAndLengthsAreTheViewsOwn() {
        try (DeviceArena arena = open(FamilyPlans.arena());
                DeviceArena first = arena.view(FamilyPlans.first());
                DeviceArena second = arena.view(FamilyPlans.second())) {
            Check.same("plan of the first view", FamilyPlans.first(), first.plan());
            Check.same("plan of the second view", FamilyPlans.second(), second.plan());
            Check.same("plan of the arena", FamilyPlans.arena(), arena.plan());
            Check.same("hasBuffer in the arena", false, arena.hasBuffer(OUTPUT));
            Check.same("hasBuffer in another graph", false, first.hasBuffer(HIDDEN));
            Check.same("hasBuffer in the graph", true, second.hasBuffer(HIDDEN));
            Check.same("offset in the first graph", OptionalLong.of(ACTIVATIONS), first.byteOffset(OUTPUT));
            Check.same("offset in the second graph", OptionalLong.of(160), second.byteOffset(OUTPUT));
            Check.same("length in the first graph", 32L, first.lengthBytes(OUTPUT));
            Check.same("length in the second graph", 10L, second.lengthBytes(OUTPUT));
            first.setActualLength(OUTPUT, 8);
            first.setActualLength(WEIGHT, 4);
            Check.same("elements read after a shorter length", 2, first.readOutputF32(OUTPUT, DType.F32, 8).length);
            Check.same("length in the second graph after that", 10L, second.lengthBytes(OUTPUT));
            Check.same("length of a shared value in the second graph", 64L, second.lengthBytes(WEIGHT));
            Check.same("length of a shared value in the arena", 64L, arena.lengthBytes(WEIGHT));
            try (DeviceArena again = arena.view(FamilyPlans.first())) {
                Check.same("length in another view of the plan", 32L, again.lengthBytes(OUTPUT));
            }
            Check.assertInvalid(
                    "the type of the other graph",
                    () -> second.writeInputF32(OUTPUT, DType.F32, new float[1]),
                    OUTPUT,
                    "f16");
            Check.assertInvalid("a value of the other graph", () -> first.readOutputF32(HIDDEN, DType.F32, 1), HIDDEN);
        }
    }

    /** Each call has a path of its own through a backend; catches a write that waits in the view that made it. */
    @Test
    default void required_19_3_writesAreSeenThroughEveryView() {
        byte[] read = new byte[32];
        Batch batch = Batches.bytes(0, read);
        try (DeviceArena arena = openExample();
                DeviceArena view = arena.view(ExamplePlan.plan());
                DeviceArena nested = view.view(ExamplePlan.plan())) {
            List<DeviceArena> all = List.of(arena, view, nested);
            for (int round = 0; round < 36; round++) {
                DeviceArena writer = all.get(round % 3);
                byte[] bytes = TestData.encoded(DType.F32, TestData.exact(DType.F32, 8 + round));
                bytes = Arrays.copyOfRange(bytes, 4 * round, 4 * round + 32);
                MemorySegment data = MemorySegment.ofArray(bytes);
                switch (round / 3 % 6) {
                    case 0 -> writer.writeBytes(0, data);
                    case 1 -> writer.writeInputF32(NODE_1, DType.F32, data);
                    case 2 -> Batches.write(writer, NODE_1, DType.I16, data);
                    case 3 -> writer.writeValueBytes(NODE_1, 0, data);
                    case 4 -> writer.writeBytes(0, data, done -> {});
                    default -> writer.writeBatch(Batches.bytes(0, data));
                }
                for (DeviceArena reader : all) {
                    String what = "bytes that " + name(all, writer) + " wrote, in " + name(all, reader);
                    Check.same(what, 0, bytes, Batches.readInOneOfFourWays(reader, 0, 32, round));
                    Batches.read(reader, NODE_1, DType.I64, MemorySegment.ofArray(read));
                    Check.same(what + " as elements", 0, bytes, read);
                    Check.same(
                            what + " as floats",
                            Float.floatToRawIntBits(reader.readOutputF32(NODE_1, DType.F32, 1)[0]),
                            data.get(ValueLayout.JAVA_INT_UNALIGNED, 0));
                }
                Transfer deferred = all.get((round + 1) % 3).beginRead(batch);
                writer.writeBytes(0, MemorySegment.ofArray(new byte[32]));
                deferred.await();
                Check.same("read that was begun before a write of another view", 0, bytes, read);
            }
        }
    }

    private static String name(List<DeviceArena> all, DeviceArena one) {
        return List.of("the arena", "the view", "the view of the view").get(all.indexOf(one));
    }

    /** Catches memory that is freed with the arena, and views that are closed with it. */
    @Test
    default void required_19_4_memoryLivesUntilTheLastIsClosed() {
        byte[] bytes = TestData.bytes(194, 93);
        for (int last = 0; last < 3; last++) {
            DeviceArena arena = openExample();
            DeviceArena view = arena.view(ExamplePlan.plan());
            DeviceArena nested = view.view(ExamplePlan.plan());
            List<DeviceArena> all = List.of(arena, view, nested);
            DeviceArena kept = all.get(last);
            kept.writeBytes(0, MemorySegment.ofArray(bytes));
            for (int i = 1; i < 3; i++) {
                DeviceArena closed = all.get((last + i) % 3);
                closed.close();
                closed.close();
                Check.same("isOpen of what was closed", false, closed.isOpen());
                Check.same("isOpen of " + name(all, kept), true, kept.isOpen());
                try (DeviceArena another = openExample()) {
                    Check.holds("another arena", another, 0, ExamplePlan.filled());
                }
                Check.holds(name(all, kept) + " after a close of another", kept, 0, bytes);
            }
            try (DeviceArena late = kept.view(ExamplePlan.plan())) {
                Check.holds("a view that is opened after that", late, 0, bytes);
            }
            kept.writeInputF32(NODE_1, DType.F32, new float[] {1, 2});
            Check.same("a value of " + name(all, kept), new float[] {1, 2}, kept.readOutputF32(NODE_1, DType.F32, 2));
            kept.close();
            Check.same("isOpen after the last close", false, kept.isOpen());
        }
    }

    /** Catches calls of a closed view that still reach the memory, which lives on. */
    @Test
    default void required_19_5_closedViewRefusesEveryCall() {
        try (DeviceArena arena = openExample()) {
            DeviceArena view = arena.view(ExamplePlan.plan());
            EveryCall calls = new EveryCall();
            calls.forEach((name, call) -> call.accept(view));
            view.close();
            calls.clearDestinations();
            arena.writeBytes(0, MemorySegment.ofArray(ExamplePlan.filled()));
            calls.forEach((name, call) -> Check.assertClosed(name + " on a closed view", () -> call.accept(view)));
            calls.checkDestinations();
            Check.holds("arena after refused calls of a view", arena, 0, ExamplePlan.filled());
        }
    }

    /** A graph that is planned later needs the room; catches one that reaches into the scratch. */
    @Test
    @SuppressWarnings("NullAway") // null is what is tested
    default void required_19_6_largerPlansAreRefused() {
        try (DeviceArena arena =
                open(ExamplePlan.bytes(64), ArenaOptions.defaults().withScratchBytes(32))) {
            byte[] bytes = TestData.bytes(196, 96);
            arena.writeBytes(0, MemorySegment.ofArray(bytes));
            for (long size : new long[] {65, 96, 97, Long.MAX_VALUE}) {
                Check.assertInvalid(
                        "a view with a plan of " + size + " bytes",
                        () -> arena.view(ExamplePlan.bytes(size)).close(),
                        64,
                        size);
            }
            arena.view(ExamplePlan.node1(64)).close();
            try (DeviceArena small = arena.view(ExamplePlan.node1(5))) {
                Check.assertInvalid(
                        "a view of a view with a larger plan than the arena's",
                        () -> small.view(ExamplePlan.bytes(65)).close(),
                        64,
                        65);
                small.view(ExamplePlan.node1(64)).close(); // the memory is the arena's
            }
            Check.assertRefused(NullPointerException.class, "a view of no plan", () -> arena.view(null));
            Check.holds("arena after that", arena, 0, bytes);
        }
    }

    /** The segments are those of the arena; catches a value that no kernel can bind. */
    @Test
    default void required_19_7_valuesOfAViewFitTheSegments() {
        int segment = SegmentPlans.segmentBytes(device());
        MemoryPlan across = plan(3L * segment, new BufferSlot(segment - 4L, 8));
        MemoryPlan large = plan(3L * segment, new BufferSlot(4, 2L * segment));
        try (DeviceArena arena = open(ExamplePlan.bytes(3L * segment))) {
            boolean several = arena.segments().count() > 1;
            for (MemoryPlan plan : List.of(across, large)) {
                if (several) {
                    Check.assertInvalid(
                            "a view with a value across " + segment,
                            () -> arena.view(plan).close(),
                            NODE_1,
                            segment);
                } else {
                    arena.view(plan).close();
                }
            }
            byte[] bytes = SegmentPlans.words(197, 2 * segment);
            try (DeviceArena view = arena.view(plan(3L * segment, new BufferSlot(segment, 2L * segment)))) {
                Batches.write(view, NODE_1, DType.U8, MemorySegment.ofArray(bytes));
                Check.same("segments of the view", arena.segments(), view.segments());
            }
            Check.holds("a value over two segments", arena, segment, bytes);
        }
    }

    private static MemoryPlan plan(long size, BufferSlot slot) {
        return new MemoryPlan(size, Map.of(NODE_1, slot), List.of(NODE_1));
    }

    /** Catches memory that a view keeps; on a device with much memory a leak may go unseen. */
    @Test
    default void stochastic_19_8_memoryIsFreedWithTheLast() {
        int size = Math.toIntExact(Math.clamp(device().limits().maxArenaBytes() / 100, 1L, 4L << 20));
        MemoryPlan plan = ExamplePlan.bytes(size);
        byte[] some = TestData.filled(Math.min(size, 1 << 16), 0xFF);
        for (int round = 0; round < 120; round++) {
            DeviceArena arena = open(plan);
            DeviceArena view = arena.view(plan);
            DeviceArena user =
                    open(ExamplePlan.bytes(16), ArenaOptions.defaults().withWeights(view));
            List<DeviceArena> all = List.of(arena, view, user);
            view.writeBytes(0, MemorySegment.ofArray(some));
            for (int i = 0; i < 3; i++) {
                all.get((round + (round % 2 == 0 ? i : 3 - i)) % 3).close();
            }
        }
    }

    /** Catches memory that is freed twice, or under a reader; as 9.6, it misses reads of freed memory without harm. */
    @Test
    default void stochastic_19_9_threadsMayOpenAndCloseViews() {
        byte[] bytes = TestData.bytes(199, 93);
        DeviceArena[] open = new DeviceArena[3];
        Race.rounds(
                60,
                round -> {
                    open[0] = openExample();
                    open[1] = open[0].view(ExamplePlan.plan());
                    open[2] = open[1].view(ExamplePlan.plan());
                    open[2].writeBytes(0, MemorySegment.ofArray(bytes));
                },
                round -> {
                    for (DeviceArena one : open) {
                        Check.same("isOpen after round " + round, false, one.isOpen());
                    }
                },
                List.of(
                        round -> open[0].close(),
                        round -> {
                            try (DeviceArena view = open[1];
                                    DeviceArena more = view.view(ExamplePlan.plan())) {
                                Check.holds("view, round " + round, more, 0, bytes);
                                Check.holds("view, round " + round, view, 0, bytes);
                            }
                        },
                        round -> {
                            try (DeviceArena view = open[2]) {
                                Check.holds("view of a view, round " + round, view, 0, bytes);
                            }
                        }));
    }

    /** Catches a view on memory that was freed while the view was opened; as 9.6, it may miss one. */
    @Test
    @SuppressWarnings("ThreadPriorityCheck") // the closer needs the core, and there may be two
    default void stochastic_19_15_viewOpenedDuringACloseWorksOrIsRefused() {
        DeviceArena[] open = new DeviceArena[1];
        Race.rounds(
                300,
                round -> open[0] = openExample(),
                round -> Check.same("isOpen after round " + round, false, open[0].isOpen()),
                List.of(round -> open[0].close(), round -> {
                    DeviceArena view;
                    try {
                        view = open[0].view(ExamplePlan.plan());
                    } catch (IllegalStateException e) {
                        return; // closed before
                    }
                    try (view) {
                        for (int i = 0; i < mostYields() && open[0].isOpen(); i++) {
                            Thread.yield();
                        }
                        Check.holds("view, round " + round, view, 0, ExamplePlan.filled());
                    }
                }));
    }

    /** Catches a view that hands out other memory, or none. */
    @Test
    default void optional_19_10_hostMemoryOfAViewIsTheArenas() {
        assumeCapability(Capability.HOST_MEMORY);
        try (DeviceArena arena = openExample()) {
            DeviceArena view = arena.view(ExamplePlan.plan());
            MemorySegment memory = view.unwrap(MemorySegment.class).orElseThrow();
            Check.same("size of the host memory of a view", 93L, memory.byteSize());
            Check.same(
                    "its address",
                    arena.unwrap(MemorySegment.class).orElseThrow().address(),
                    memory.address());
            memory.set(Batches.BYTE, 40, (byte) 7);
            Check.holds("arena after a write to it", arena, 40, new byte[] {7, 0x55});
            view.close();
            Check.assertClosed("unwrap of a closed view", () -> view.unwrap(MemorySegment.class));
        }
    }

    /** Catches a mirror that is old in the view of another graph and looks fresh there. */
    @Test
    default void optional_19_11_mirrorsAreSharedByViews() {
        assumeCapability(Capability.F16_SHADOW);
        int[] bits = TestData.random(1911).ints(16).toArray();
        MemorySegment floats = MemorySegment.ofArray(bits);
        try (DeviceArena arena = open(FamilyPlans.arena());
                DeviceArena first = arena.view(FamilyPlans.first());
                DeviceArena second = arena.view(FamilyPlans.second())) {
            first.writeInputF32(WEIGHT, DType.F32, floats);
            for (DeviceArena one : List.of(arena, first, second)) {
                Check.same("isStale after a typed write", false, Shadows.of(one).isStale(WEIGHT));
                Shadows.holds("mirror after a typed write", Shadows.of(one), mirror(one, WEIGHT), Shadows.mirror(bits));
            }
            bits[3] = 0x4000_0000;
            second.writeBytes(0, floats);
            for (DeviceArena one : List.of(arena, first, second)) {
                Check.same("isStale after a raw write", true, Shadows.of(one).isStale(WEIGHT));
            }
            Shadows.of(arena).refresh(WEIGHT);
            for (DeviceArena one : List.of(arena, first, second)) {
                Check.same("isStale after a refresh", false, Shadows.of(one).isStale(WEIGHT));
                Shadows.holds("mirror after a refresh", Shadows.of(one), mirror(one, WEIGHT), Shadows.mirror(bits));
            }
        }
    }

    /** Catches a view that keeps the memory for ever, without a line that says so. */
    @Test
    default void stochastic_19_20_droppedViewIsReleasedAndLogged() {
        try (ArenaLog log = new ArenaLog(this)) {
            String label = "view dropped by the conformance kit";
            try (DeviceArena arena =
                    open(ExamplePlan.plan(), ArenaOptions.defaults().withLabel(label))) {
                arena.view(ExamplePlan.plan()).close();
                drop(arena);
                log.awaitLine(label);
                Check.holds("arena after a view was dropped", arena, 0, TestData.filled(1, 0x77));
            }
            Check.same("lines in the log about the dropped view", 1, log.linesWith(label));
        }
    }

    private static void drop(DeviceArena arena) {
        DeviceArena view = arena.view(ExamplePlan.plan());
        view.writeBytes(0, MemorySegment.ofArray(TestData.filled(1, 0x77)));
    }

    private static long mirror(DeviceArena arena, NodeId id) {
        return Shadows.of(arena).byteOffset(id).orElseThrow();
    }
}
