package io.devicearena.conformance.topics;

import static io.devicearena.conformance.calls.CheckedRun.A_OFFSET;
import static io.devicearena.conformance.calls.CheckedRun.N;
import static io.devicearena.conformance.calls.CheckedRun.SLOT;
import static io.devicearena.conformance.calls.CheckedRun.W_OFFSET;

import io.devicearena.ArenaOptions;
import io.devicearena.Capability;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.ExecutionCheckException;
import io.devicearena.NodeId;
import io.devicearena.conformance.calls.ArenaCall;
import io.devicearena.conformance.calls.CheckedRun;
import io.devicearena.conformance.oracle.Check;
import io.devicearena.spi.observation.ExecutionChecks;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/**
 * Group 13: steps, and arenas that check the execution of their graph.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public interface CheckingConformance extends ConformanceTopic {
    private static boolean isChecked(DeviceArena arena) {
        return arena.unwrap(ExecutionChecks.class).isPresent();
    }

    private DeviceArena openChecked() {
        return open(CheckedRun.plan(), ArenaOptions.defaults().withChecks());
    }

    private void onChecked(BiConsumer<DeviceArena, CheckedRun> clause) {
        try (DeviceArena arena = openChecked()) {
            CheckedRun graph = new CheckedRun(arena);
            graph.load();
            clause.accept(arena, graph);
        }
    }

    /** A finding names the step, or no step, and the value; its message names the value, and what else matters. */
    private static void assertFound(String what, String step, String value, Executable call, Object... more) {
        ExecutionCheckException found = Check.assertRefused(ExecutionCheckException.class, what, call);
        Check.same(what + ", the step of the finding", step, found.step().orElse(""));
        Check.same(what + ", the value of the finding", Optional.of(CheckedRun.id(value)), found.value());
        Check.contains(what, found, "'" + value + "'");
        Check.contains(what, found, more);
    }

    /** Checks each call of some that reads or writes a value by its name or, if it has a range, the first bytes. */
    private static void each(
            Stream<ArenaCall> calls,
            DeviceArena arena,
            String name,
            float[] memory,
            BiConsumer<String, Executable> check) {
        ArenaCall.With with =
                ArenaCall.With.memory(MemorySegment.ofArray(memory)).of(CheckedRun.id(name));
        calls.forEach(call -> check.accept(call.name(), () -> call.on(arena, with)));
    }

    private static void eachRead(DeviceArena arena, String name, BiConsumer<String, Executable> check) {
        Stream<ArenaCall> reads = ArenaCall.of(ArenaCall.Use.DESTINATION).stream();
        each(reads.filter(ArenaCall::takesValue), arena, name, new float[N], check);
    }

    /** An engine that names its steps runs the same without checks; catches work that is repeated or lost. */
    @Test
    default void required_13_1_withoutChecksAStepRunsItsWork() {
        int[] runs = {0};
        DeviceArena arena = open(CheckedRun.plan());
        CheckedRun graph = new CheckedRun(arena);
        try (arena) {
            Check.same("checks of an arena that was opened without", false, isChecked(arena));
            Thread caller = Thread.currentThread();
            graph.step("y", "?c", () -> {
                Check.same("thread of the work", caller, Thread.currentThread());
                runs[0]++;
            });
            Check.same("runs of the work", 1, runs[0]);
            whatTheWorkThrows(graph);
        }
        Check.assertClosed("step of a closed arena", () -> graph.step("a", "xw", () -> runs[0]++));
        Check.same("runs of the work after the close", 1, runs[0]);
    }

    private static void whatTheWorkThrows(CheckedRun graph) {
        IllegalArgumentException own = new IllegalArgumentException("own");
        Executable step = () -> graph.step("a", "xw", () -> {
            throw own;
        });
        Check.same(
                "what the work threw",
                own,
                Check.assertRefused(IllegalArgumentException.class, "a step whose work throws", step));
    }

    /** A correct engine is never stopped; catches checks that change bytes, and states that are not zero. */
    @Test
    default void required_13_2_correctRunsPassUnchanged() {
        onChecked((arena, graph) -> {
            float[] state = new float[N];
            for (int run = 0; run < 4; run++) {
                Check.same("output of run " + run, CheckedRun.output(run, state), graph.execute(run));
                Check.same("state after run " + run, state, read(arena, "u"));
                Check.same("weights after run " + run, CheckedRun.initialWeights(), read(arena, "w"));
            }
        });
    }

    private static float[] read(DeviceArena arena, String name) {
        return arena.readOutputF32(CheckedRun.id(name), DType.F32, N);
    }

    /** The arena works after a finding. */
    private static void runs(CheckedRun graph) {
        Check.same("output after that", CheckedRun.output(1, new float[N]), graph.execute(1));
    }

    /** Catches orders of execution that the plan did not foresee: their values lie over each other. */
    @Test
    default void required_13_3_stepsFollowThePlan() {
        try (DeviceArena arena = openChecked()) {
            CheckedRun unloaded = new CheckedRun(arena);
            assertFound("a step whose weights are not loaded", "a", "w", () -> unloaded.execute(0), "'a'");
        }
        onChecked((arena, graph) -> {
            graph.execute(0, "xa");
            assertFound("a step that reads what no step has made", "c", "b", () -> graph.step("c"));
            runs(graph);
            assertFound("a step out of order", "c", "c", () -> graph.step("c"), "'y'");
            graph.execute(2, "xa");
            assertFound("a step that reads a value of the run before", "c", "b", () -> graph.step("c"));
            graph.execute(2, "xabc");
            String taken = "a step that reads a value whose bytes another one took";
            assertFound(taken, "y", "a", () -> graph.step("y", "ca"), "'c'");
            assertFound("a step that writes a constant", "k", "k", () -> graph.step("k", "xw"));
            assertFound("a step that overwrites a parameter", "w", "w", () -> graph.step("w", "xk"));
            graph.execute(2);
            graph.execute(3, "xabc");
            String old = "a step that reads a state which this run did not update";
            assertFound(old, "y", "u", () -> graph.step("y"), "'s'");
        });
    }

    /** Catches a read that has no check: the most used mistake is to read an activation too late. */
    @Test
    default void required_13_4_everyReadOfTheHostIsChecked() {
        onChecked((arena, graph) -> {
            eachRead(arena, "y", (what, read) -> assertFound(what + " of a value that was not made", "", "y", read));
            graph.execute(0);
            String taken = " of a value whose bytes another one took";
            eachRead(arena, "a", (what, read) -> assertFound(what + taken, "", "a", read, "'c'"));
            arena.readBytes(A_OFFSET, MemorySegment.ofArray(new byte[SLOT]));
            arena.withBytes(A_OFFSET, SLOT, MemorySegment::byteSize);
            for (String name : List.of("x", "w", "k", "u", "c", "y")) {
                eachRead(arena, name, (what, read) -> Assertions.assertDoesNotThrow(read, what + " of " + name));
            }
        });
    }

    /** Catches tails that no workgroup computes, and inputs of which only the beginning is new. */
    @Test
    default void required_13_5_valuesWrittenInPartAreFound() {
        onChecked((arena, graph) -> {
            List<NodeId> lengths = CheckedRun.ids("xa");
            graph.write("x", new float[N - 2]);
            assertFound("a step that reads an input written in part", "a", "x", () -> graph.step("a"));
            arena.writeValueBytes(CheckedRun.id("x"), 4 * (N - 2), MemorySegment.ofArray(new float[1]));
            assertFound("a step that reads an input without its last element", "a", "x", () -> graph.step("a"));
            lengths.forEach(id -> arena.setActualLength(id, 4 * (N - 2)));
            graph.step("a");
            lengths.forEach(id -> arena.setActualLength(id, 4 * N));
            for (int written : new int[] {N - 3, N - 1}) {
                graph.execute(0);
                graph.execute(0, "x");
                graph.step("a", "xw", () -> graph.overwrite("a", new float[written]));
                String left = "a step that reads elements which were left out";
                assertFound(left, "b", "a", () -> graph.step("b"), "element " + written);
            }
            graph.execute(1);
            graph.execute(2, "x");
            arena.writeBytes(W_OFFSET - 8, MemorySegment.ofArray(new float[4]));
            assertFound("a step that reads a weight which a raw write cut", "a", "w", () -> graph.step("a"));
        });
    }

    /** Catches overflow where it begins and not at the output. */
    @Test
    default void required_13_6_numbersThatAreNotFiniteAreFound() {
        onChecked((arena, graph) -> {
            for (int element : new int[] {3, 0, N - 1}) {
                float wrong = element == 0 ? Float.POSITIVE_INFINITY : Float.NaN;
                float[] floats = new float[N];
                floats[element] = wrong;
                String at = "element " + element;
                each(
                        ArenaCall.of(ArenaCall.Use.SOURCE).stream(),
                        arena,
                        "x",
                        floats,
                        (what, write) -> assertFound(what + " of " + wrong, "", "x", write, wrong, at));
                graph.execute(0, "x");
                Executable step = () -> graph.step("a", "xw", () -> graph.overwrite("a", floats));
                assertFound("a step that makes " + wrong, "a", "a", step, wrong, at);
            }
            runs(graph);
        });
    }

    /** Graphs on one memory take each other's bytes; weights of another arena take part. */
    @Test
    default void required_13_7_viewsAndWeightsAreCheckedTogether() {
        onChecked((arena, graph) -> {
            try (DeviceArena view = arena.view(CheckedRun.other())) {
                Check.same("checks of a view", true, isChecked(view));
                graph.execute(0, "xa");
                new CheckedRun(view).step("e");
                read(view, "e");
                String taken = "a step after another graph took the bytes of its input";
                assertFound(taken, "b", "a", () -> graph.step("b"), "'e'");
                runs(graph);
                assertFound("a read after the first graph took the bytes", "", "e", () -> read(view, "e"), "'c'");
            }
        });
        try (DeviceArena weights = openChecked();
                DeviceArena arena = open(
                        CheckedRun.other(), ArenaOptions.defaults().withChecks().withWeights(weights))) {
            CheckedRun graph = new CheckedRun(arena, weights);
            graph.write("w", CheckedRun.initialWeights());
            assertFound("a step that reads weights which were not loaded", "e", "k", () -> graph.step("e", "wk"));
            new CheckedRun(weights).load();
            graph.step("e", "wk");
            read(arena, "e");
        }
    }

    /** Catches findings that leave a step open, or that run the work of a step which was refused. */
    @Test
    default void required_13_8_arenaRemainsUsableAfterAFinding() {
        onChecked((arena, graph) -> {
            int[] runs = {0};
            Executable early = () -> graph.step("b", "ak", () -> runs[0]++);
            assertFound("a step that reads what no step has made", "b", "a", early);
            Check.assertInvalid(
                    "a step with a value that the plan does not know",
                    () -> graph.step("a", "x?", () -> runs[0]++),
                    CheckedRun.id("?").value());
            graph.execute(0, "x");
            whatTheWorkThrows(graph);
            Executable inside = () -> graph.step("a", "xw", () -> graph.step("b", "", () -> runs[0]++));
            Check.assertRefused(IllegalStateException.class, "a step inside a step", inside, "'a'", "'b'");
            Check.same("runs of work that was refused", 0, runs[0]);
            runs(graph);
        });
    }

    /** Catches an index that is one row too far: guards show it before a neighbour's numbers do. */
    @Test
    default void optional_13_9_stepsChangeOnlyTheirValues() {
        assumeCapability(Capability.HOST_MEMORY);
        onChecked((arena, graph) -> {
            MemorySegment memory = arena.unwrap(MemorySegment.class).orElseThrow();
            graph.execute(0, "x");
            for (int at : new int[] {A_OFFSET + 32, A_OFFSET + 44, A_OFFSET + SLOT + 4, W_OFFSET + 28}) {
                boolean isGuard = at >= A_OFFSET;
                assertFound(
                        "a step that writes beside its value, at " + at,
                        "a",
                        isGuard ? "a" : "w",
                        () -> graph.step("a", "xw", () -> {
                            graph.overwrite("a", new float[N]);
                            memory.set(ValueLayout.JAVA_FLOAT, at, 7);
                        }),
                        isGuard ? "byte " + at : "'w'");
            }
            graph.load();
            runs(graph);
            Check.same("state after that", read(arena, "u"), read(arena, "s"));
        });
    }
}
