package io.devicearena.conformance.topics;

import io.devicearena.ArenaOptions;
import io.devicearena.Batch;
import io.devicearena.DeviceArena;
import io.devicearena.MemoryPlan;
import io.devicearena.conformance.calls.ArenaCall;
import io.devicearena.conformance.calls.Batches;
import io.devicearena.conformance.calls.Footprint;
import io.devicearena.conformance.calls.HeldProvider;
import io.devicearena.conformance.calls.Iterations;
import io.devicearena.conformance.oracle.Check;
import io.devicearena.conformance.oracle.ExamplePlan;
import io.devicearena.conformance.oracle.TestData;
import io.devicearena.diagnostics.MemoryReport;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/**
 * Group 8: lifetime.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public interface LifetimeConformance extends ConformanceTopic {
    /** Catches use after close, when the memory may belong to another program, or lives on with an arena. */
    @Test
    default void required_8_1_everyCallAfterCloseThrows() {
        try (DeviceArena arena = openExample()) {
            ArenaCall.With with = ArenaCall.With.memory(MemorySegment.ofArray(new byte[8]));
            for (String what : List.of("a closed arena", "a closed view")) {
                DeviceArena closed = what.equals("a closed view") ? arena.view(arena.plan()) : openExample();
                ArenaCall.ALL.forEach(call -> call.on(closed, with));
                closed.close();
                everyCallThrows(what, closed);
            }
            Check.same("isOpen of the arena of a closed view", true, arena.isOpen());
        }
    }

    /** Every call is refused, also of no byte, and no destination changes. */
    private static void everyCallThrows(String what, DeviceArena closed) {
        for (int bytes : new int[] {8, 0}) {
            byte[] memory = TestData.filled(bytes, 0x3C);
            ArenaCall.With with = ArenaCall.With.memory(MemorySegment.ofArray(memory));
            String on = (bytes == 0 ? " of no byte on " : " on ") + what;
            ArenaCall.ALL.forEach(call -> Check.assertClosed(call.name() + on, () -> call.on(closed, with)));
            Check.same("memory after calls on " + what, 0, TestData.filled(bytes, 0x3C), memory);
        }
        Batch empty = Batch.builder().build();
        Check.assertClosed("readBatch of an empty batch on " + what, () -> closed.readBatch(empty));
        Check.assertClosed("writeBatch of an empty batch on " + what, () -> closed.writeBatch(empty));
        Check.assertClosed("beginRead of an empty batch on " + what, () -> closed.beginRead(empty));
    }

    /** Try-with-resources and an engine's own shutdown meet; the JDK's {@code Arena.close} throws here. */
    @Test
    default void required_8_2_closeTwiceIsHarmless() {
        DeviceArena arena = openExample();
        for (boolean open : new boolean[] {true, false}) {
            Check.same("isOpen", open, arena.isOpen());
            Check.same("whether toString is blank", false, arena.toString().isBlank());
            arena.close();
        }
        Race.together(arena::close);
        try (DeviceArena another = openExample()) {
            arena.close();
            Check.holds("another arena after further closes of the first", another, 0, ExamplePlan.filled());
        }
    }

    /** Catches memory that is freed early, late, twice or never, and a report that keeps closed arenas. */
    @Test
    default void required_8_3_memoryIsFreedWithTheLast() {
        HeldProvider held = new HeldProvider(subject().provider());
        boolean counts = held.isBehindTheArena();
        ArenaOptions labelled = ArenaOptions.defaults().withLabel("of the conformance kit, clause 8.3");
        int size = Math.toIntExact(Math.clamp(device().limits().maxArenaBytes() / 100, 1L, 4L << 20));
        MemoryPlan plan = ExamplePlan.bytes(size);
        byte[] bytes = TestData.bytes(83, Math.min(size, 1 << 10));
        int rounds = Math.max(150, Iterations.of(150));
        for (int round = 0; round < rounds; round++) {
            try (DeviceArena arena = held.openArena(device(), plan, labelled);
                    DeviceArena view = arena.view(plan);
                    DeviceArena more = view.view(plan);
                    DeviceArena user =
                            open(ExamplePlan.bytes(16), ArenaOptions.defaults().withWeights(view))) {
                List<DeviceArena> left = new ArrayList<>(List.of(arena, view, more));
                view.writeBytes(0, MemorySegment.ofArray(bytes));
                while (!left.isEmpty()) {
                    Check.isTrue("frees before the last close of round " + round, !counts || held.frees() == round);
                    DeviceArena closed = left.remove((round / left.size()) % left.size());
                    closed.close();
                    closed.close();
                    for (DeviceArena one : left) {
                        Check.same("isOpen of what is left", true, one.isOpen());
                        Check.holds("what is left", one, 0, bytes);
                        try (DeviceArena late = one.view(plan)) {
                            Check.holds("a view of what is left", late, 0, bytes);
                        }
                    }
                }
                Check.same("isOpen of a user of closed weights", true, user.isOpen());
            }
            Check.isTrue(
                    "frees after the last close: expected " + (round + 1) + ", got " + held.frees(),
                    !counts || held.frees() == round + 1);
        }
        String report = MemoryReport.now().toString();
        Check.same("whether a closed arena is in the report", false, report.contains(labelled.label()));
    }

    /** Catches memory that one call leaks, and staging that grows with each call. */
    @Test
    default void required_8_4_callsKeepNoMemory() {
        int size = Math.toIntExact(Math.min(33 << 20, device().limits().maxArenaBytes() / 4 * 3));
        Map<String, Runnable> calls = new LinkedHashMap<>();
        try (DeviceArena arena = open(ExamplePlan.node1(size));
                Arena memory = Arena.ofShared()) {
            MemorySegment outside = memory.allocate(size, 4);
            for (MemorySegment kind : List.of(MemorySegment.ofArray(new byte[size]), outside)) {
                ArenaCall.With with = ArenaCall.With.memory(kind);
                ArenaCall.ALL.stream()
                        .filter(call -> call.passesMemory() || kind.isNative())
                        .forEach(call -> calls.put(
                                call.name() + (kind.isNative() ? "" : " of heap memory"), () -> call.on(arena, with)));
            }
            Batch some = Batches.bytes(0, outside);
            Batch bad = Batch.builder()
                    .bytes(0, outside)
                    .bytes(size, TestData.memory((byte) 1))
                    .build();
            calls.put("a cancelled beginRead", () -> arena.beginRead(some).cancel());
            calls.put("a refused writeBatch", refused(() -> arena.writeBatch(bad)));
            calls.put("a refused beginWrite", refused(() -> arena.beginWrite(bad)));
            calls.put("a refused readBatch", refused(() -> arena.readBatch(bad)));
            calls.put("a refused beginRead", refused(() -> arena.beginRead(bad)));
            calls.put(
                    "withBytes with a reader that throws",
                    refused(() -> arena.withBytes(0, size, view -> {
                        throw new IllegalArgumentException("of the reader");
                    })));
            new Footprint(size).check(calls);
        }
    }

    /** What the call leaves behind counts. */
    private static Runnable refused(Executable call) {
        return () -> Check.assertInvalid("a refused call", call);
    }

    /**
     * A leak must be visible, and not fatal. The test is skipped when the VM ignores the request to collect garbage.
     */
    @Test
    default void stochastic_8_5_droppedArenasAndViewsAreFreedAndLogged() {
        try (ArenaLog log = new ArenaLog(this)) {
            String dropped = "dropped by the conformance kit";
            String closed = "closed by the conformance kit";
            String viewed = "view dropped by the kit";
            open(ExamplePlan.plan(), ArenaOptions.defaults().withLabel(closed)).close();
            try (DeviceArena arena =
                    open(ExamplePlan.plan(), ArenaOptions.defaults().withLabel(viewed))) {
                arena.view(ExamplePlan.plan()).close();
                drop(() -> open(ExamplePlan.plan(), ArenaOptions.defaults().withLabel(dropped)));
                drop(() -> arena.view(ExamplePlan.plan()));
                log.awaitLine(dropped);
                log.awaitLine(viewed);
                Check.holds("arena after a view was dropped", arena, 0, TestData.filled(1, 0x77));
            }
            Check.same("lines in the log about the dropped arena", 1, log.linesWith(dropped));
            Check.same("lines in the log about the dropped view", 1, log.linesWith(viewed));
            Check.same("lines in the log about an arena that was closed", 0, log.linesWith(closed));
            tried(2, 2);
        }
    }

    /** Opens an arena in a frame of its own, so that nothing reaches it afterwards. */
    private static void drop(Supplier<DeviceArena> open) {
        open.get().writeBytes(0, TestData.memory((byte) 0x77));
    }
}
