package io.devicearena.conformance.topics;

import static io.devicearena.conformance.calls.CheckedRun.A;
import static io.devicearena.conformance.calls.CheckedRun.A_OFFSET;
import static io.devicearena.conformance.calls.CheckedRun.B;
import static io.devicearena.conformance.calls.CheckedRun.C;
import static io.devicearena.conformance.calls.CheckedRun.E;
import static io.devicearena.conformance.calls.CheckedRun.K;
import static io.devicearena.conformance.calls.CheckedRun.MISSING;
import static io.devicearena.conformance.calls.CheckedRun.N;
import static io.devicearena.conformance.calls.CheckedRun.S;
import static io.devicearena.conformance.calls.CheckedRun.SLOT;
import static io.devicearena.conformance.calls.CheckedRun.U;
import static io.devicearena.conformance.calls.CheckedRun.W;
import static io.devicearena.conformance.calls.CheckedRun.W_OFFSET;
import static io.devicearena.conformance.calls.CheckedRun.X;
import static io.devicearena.conformance.calls.CheckedRun.Y;

import io.devicearena.Capability;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.ExecutionCheckException;
import io.devicearena.NodeId;
import io.devicearena.conformance.calls.ArenaCall;
import io.devicearena.conformance.calls.CheckedRun;
import io.devicearena.conformance.oracle.Check;
import io.devicearena.diagnostics.HostSteps;
import io.devicearena.spi.observation.ExecutionChecks;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
        return open(CheckedRun.plan(), CheckedRun.checks());
    }

    private static void assertFound(String what, String step, NodeId value, Executable call, Object... texts) {
        ExecutionCheckException found = Check.assertRefused(ExecutionCheckException.class, what, call);
        Check.same(
                what + ", the step of the finding",
                step.isEmpty() ? Optional.empty() : Optional.of(step),
                found.step());
        Check.same(what + ", the value of the finding", Optional.of(value), found.value());
        Check.contains(what, found, texts);
    }

    /** Every call of a kind that names a value. */
    private static Map<String, Executable> calls(
            DeviceArena arena, NodeId id, ArenaCall.Use use, float[] memory, ArenaCall.Takes... takes) {
        ArenaCall.With with = ArenaCall.With.memory(DType.F32, 0, MemorySegment.ofArray(memory))
                .of(id);
        Map<String, Executable> calls = new LinkedHashMap<>();
        ArenaCall.of(takes).stream()
                .filter(call -> call.memory() == use)
                .forEach(call -> calls.put(call.name(), () -> call.on(arena, with)));
        return calls;
    }

    private static Map<String, Executable> reads(DeviceArena arena, NodeId id) {
        return calls(
                arena,
                id,
                ArenaCall.Use.DESTINATION,
                new float[N],
                ArenaCall.Takes.FLOATS,
                ArenaCall.Takes.PART,
                ArenaCall.Takes.ELEMENTS);
    }

    /** An engine that names its steps runs the same without checks; catches work that is repeated or lost. */
    @Test
    default void required_13_1_withoutChecksAStepRunsItsWork() {
        int[] runs = {0};
        DeviceArena closed;
        try (DeviceArena arena = open(CheckedRun.plan())) {
            closed = arena;
            Check.same("checks of an arena that was opened without", false, isChecked(arena));
            Thread caller = Thread.currentThread();
            HostSteps.run(arena, "y", List.of(MISSING, C), List.of(Y, K), () -> {
                Check.same("thread of the work", caller, Thread.currentThread());
                runs[0]++;
            });
            Check.same("runs of the work", 1, runs[0]);
            IllegalArgumentException own = new IllegalArgumentException("own");
            Check.same(
                    "what the work threw",
                    own,
                    Check.assertRefused(
                            IllegalArgumentException.class,
                            "a step whose work throws",
                            () -> HostSteps.run(arena, "a", List.of(), List.of(), () -> {
                                throw own;
                            })));
        }
        Check.assertClosed(
                "step of a closed arena", () -> HostSteps.run(closed, "a", List.of(), List.of(), () -> runs[0]++));
        Check.same("runs of the work after the close", 1, runs[0]);
    }

    /** A correct engine is never stopped; catches checks that change bytes, and states that are not zero. */
    @Test
    default void required_13_2_correctRunsPassUnchanged() {
        try (DeviceArena arena = openChecked()) {
            CheckedRun graph = new CheckedRun(arena);
            graph.load();
            float[] state = new float[N];
            for (int run = 0; run < 4; run++) {
                Check.same("output of run " + run, CheckedRun.output(run, state), graph.execute(run));
                Check.same("state after run " + run, state, arena.readOutputF32(U, DType.F32, N));
                Check.same("weights after run " + run, CheckedRun.weights(), arena.readOutputF32(W, DType.F32, N));
            }
        }
    }

    /** Catches orders of execution that the plan did not foresee: their values lie over each other. */
    @Test
    default void required_13_3_stepsFollowThePlan() {
        try (DeviceArena arena = openChecked()) {
            CheckedRun graph = new CheckedRun(arena);
            assertFound("a step whose weights are not loaded", "a", W, () -> graph.execute(0), "'w'", "a");
            graph.load();
            graph.writeInput(0);
            graph.a();
            assertFound("a step that reads what no step has made", "c", B, graph::c, "'b'");
            float[] state = new float[N];
            Check.same("output after that", CheckedRun.output(1, state), graph.execute(1));
            assertFound("a step out of order", "c", C, graph::c, "'c'", "'y'");
            graph.writeInput(2);
            graph.a();
            assertFound("a step that reads a value of the run before", "c", B, graph::c, "'b'");
            graph.a();
            graph.b();
            graph.c();
            assertFound(
                    "a step that reads a value whose bytes another one took",
                    "y",
                    A,
                    () -> graph.step("y", List.of(C, A), Y, Float::sum),
                    "'a'",
                    "'c'");
            assertFound(
                    "a step that writes a constant",
                    "k",
                    K,
                    () -> graph.step("k", List.of(X, W), K, Float::sum),
                    "'k'");
            assertFound(
                    "a step that overwrites a parameter",
                    "w",
                    W,
                    () -> graph.step("w", List.of(X, K), W, Float::sum),
                    "'w'");
            graph.execute(2);
            graph.writeInput(3);
            graph.a();
            graph.b();
            graph.c();
            assertFound("a step that reads a state which this run did not update", "y", U, graph::y, "'u'", "'s'");
        }
    }

    /** Catches a read that has no check: the most used mistake is to read an activation too late. */
    @Test
    default void required_13_4_everyReadOfTheHostIsChecked() {
        try (DeviceArena arena = openChecked()) {
            CheckedRun graph = new CheckedRun(arena);
            graph.load();
            reads(arena, Y)
                    .forEach((what, read) -> assertFound(what + " of a value that was not made", "", Y, read, "'y'"));
            graph.execute(0);
            reads(arena, A)
                    .forEach((what, read) ->
                            assertFound(what + " of a value whose bytes another one took", "", A, read, "'a'", "'c'"));
            arena.readBytes(A_OFFSET, MemorySegment.ofArray(new byte[SLOT]));
            arena.withBytes(A_OFFSET, SLOT, MemorySegment::byteSize);
            for (NodeId id : List.of(X, W, K, U, C, Y)) {
                reads(arena, id).forEach((what, read) -> Assertions.assertDoesNotThrow(read, what + " of " + id));
            }
        }
    }

    /** Catches tails that no workgroup computes, and inputs of which only the beginning is new. */
    @Test
    default void required_13_5_valuesWrittenInPartAreFound() {
        try (DeviceArena arena = openChecked()) {
            CheckedRun graph = new CheckedRun(arena);
            graph.load();
            arena.writeInputF32(X, DType.F32, new float[N - 2]);
            assertFound("a step that reads an input written in part", "a", X, graph::a, "'x'");
            arena.writeValueBytes(X, 4 * (N - 2), MemorySegment.ofArray(new float[1]));
            assertFound("a step that reads an input without its last element", "a", X, graph::a, "'x'");
            arena.setActualLength(X, 4 * (N - 2));
            arena.setActualLength(A, 4 * (N - 2));
            graph.a();
            arena.setActualLength(X, 4 * N);
            arena.setActualLength(A, 4 * N);
            graph.execute(0);
            graph.writeInput(0);
            HostSteps.run(arena, "a", List.of(X, W), List.of(A), () -> graph.write(A, new float[N - 3]));
            assertFound("a step that reads elements which the last one left out", "b", A, graph::b, "'a'", "element 5");
            graph.execute(0);
            graph.writeInput(0);
            HostSteps.run(arena, "a", List.of(X, W), List.of(A), () -> graph.write(A, new float[N - 1]));
            assertFound("a step that reads the one element which was left out", "b", A, graph::b, "'a'", "element 7");
            graph.execute(1);
            graph.writeInput(2);
            arena.writeBytes(W_OFFSET - 8, MemorySegment.ofArray(new float[4]));
            assertFound("a step that reads a weight which a raw write cut", "a", W, graph::a, "'w'");
        }
    }

    /** Catches overflow where it begins and not at the output. */
    @Test
    default void required_13_6_numbersThatAreNotFiniteAreFound() {
        try (DeviceArena arena = openChecked()) {
            CheckedRun graph = new CheckedRun(arena);
            graph.load();
            for (int element : new int[] {3, 0, N - 1}) {
                float[] wrong = new float[N];
                wrong[element] = element == 0 ? Float.POSITIVE_INFINITY : Float.NaN;
                Map<String, Executable> writes = calls(
                        arena,
                        X,
                        ArenaCall.Use.SOURCE,
                        wrong,
                        ArenaCall.Takes.FLOATS,
                        ArenaCall.Takes.ELEMENTS,
                        ArenaCall.Takes.PART);
                writes.putAll(calls(arena, X, ArenaCall.Use.SOURCE, wrong, ArenaCall.Takes.RANGE));
                writes.forEach((what, write) -> assertFound(
                        what + " of " + wrong[element], "", X, write, "'x'", wrong[element], "element " + element));
                graph.writeInput(0);
                assertFound(
                        "a step that makes " + wrong[element],
                        "a",
                        A,
                        () -> HostSteps.run(arena, "a", List.of(X, W), List.of(A), () -> graph.write(A, wrong)),
                        "'a'",
                        wrong[element],
                        "element " + element);
            }
            Check.same("output after that", CheckedRun.output(1, new float[N]), graph.execute(1));
        }
    }

    /** Graphs on one memory take each other's bytes; weights of another arena take part. */
    @Test
    default void required_13_7_viewsAndWeightsAreCheckedTogether() {
        try (DeviceArena arena = openChecked();
                DeviceArena view = arena.view(CheckedRun.other())) {
            Check.same("checks of a view", true, isChecked(view));
            CheckedRun graph = new CheckedRun(arena);
            CheckedRun other = new CheckedRun(view);
            graph.load();
            graph.writeInput(0);
            graph.a();
            other.step("e", List.of(W, W), E, Float::sum);
            view.readOutputF32(E, DType.F32, N);
            assertFound("a step after another graph took the bytes of its input", "b", A, graph::b, "'a'", "'e'");
            Check.same("output of a run without the other graph", CheckedRun.output(1, new float[N]), graph.execute(1));
            assertFound(
                    "a read after the first graph took the bytes",
                    "",
                    E,
                    () -> view.readOutputF32(E, DType.F32, N),
                    "'e'",
                    "'c'");
        }
        try (DeviceArena weights = openChecked();
                DeviceArena arena = open(CheckedRun.other(), CheckedRun.checks().withWeights(weights))) {
            CheckedRun graph = new CheckedRun(arena, weights);
            arena.writeInputF32(W, DType.F32, CheckedRun.weights());
            assertFound(
                    "a step that reads weights which were not loaded",
                    "e",
                    K,
                    () -> graph.step("e", List.of(W, K), E, Float::sum),
                    "'k'");
            new CheckedRun(weights).load();
            graph.step("e", List.of(W, K), E, Float::sum);
            arena.readOutputF32(E, DType.F32, N);
        }
    }

    /** Catches findings that leave a step open, or that run the work of a step which was refused. */
    @Test
    default void required_13_8_arenaRemainsUsableAfterAFinding() {
        try (DeviceArena arena = openChecked()) {
            CheckedRun graph = new CheckedRun(arena);
            graph.load();
            int[] runs = {0};
            assertFound(
                    "a step that reads what no step has made",
                    "b",
                    A,
                    () -> HostSteps.run(arena, "b", List.of(A, K), List.of(B), () -> runs[0]++),
                    "'a'");
            Check.assertInvalid(
                    "a step with a value that the plan does not know",
                    () -> HostSteps.run(arena, "a", List.of(X, MISSING), List.of(A), () -> runs[0]++),
                    MISSING.value());
            graph.writeInput(0);
            IllegalArgumentException own = new IllegalArgumentException("own");
            Check.same(
                    "what the work threw",
                    own,
                    Check.assertRefused(
                            IllegalArgumentException.class,
                            "a step whose work throws",
                            () -> HostSteps.run(arena, "a", List.of(X, W), List.of(A), () -> {
                                throw own;
                            })));
            Check.assertRefusedWith(
                    IllegalStateException.class,
                    "a step inside a step",
                    () -> HostSteps.run(
                            arena,
                            "a",
                            List.of(X, W),
                            List.of(A),
                            () -> HostSteps.run(arena, "b", List.of(), List.of(), () -> runs[0]++)),
                    "'a'",
                    "'b'");
            Check.same("runs of work that was refused", 0, runs[0]);
            Check.same("output after that", CheckedRun.output(1, new float[N]), graph.execute(1));
        }
    }

    /** Catches an index that is one row too far: guards show it before a neighbour's numbers do. */
    @Test
    default void optional_13_9_stepsChangeOnlyTheirValues() {
        assumeCapability(Capability.HOST_MEMORY);
        try (DeviceArena arena = openChecked()) {
            CheckedRun graph = new CheckedRun(arena);
            MemorySegment memory = arena.unwrap(MemorySegment.class).orElseThrow();
            graph.load();
            graph.writeInput(0);
            for (int behind : new int[] {0, 12, SLOT - 32 + 4}) {
                long at = A_OFFSET + 32L + behind;
                assertFound(
                        "a step that writes " + behind + " bytes behind its value",
                        "a",
                        A,
                        () -> HostSteps.run(arena, "a", List.of(X, W), List.of(A), () -> {
                            graph.write(A, new float[N]);
                            memory.set(ValueLayout.JAVA_FLOAT, at, 1);
                        }),
                        "byte " + at);
            }
            assertFound(
                    "a step that writes into a weight",
                    "a",
                    W,
                    () -> HostSteps.run(arena, "a", List.of(X, W), List.of(A), () -> {
                        graph.write(A, new float[N]);
                        memory.set(ValueLayout.JAVA_FLOAT, W_OFFSET + 28L, 7);
                    }),
                    "'w'");
            graph.load();
            Check.same("output after that", CheckedRun.output(1, new float[N]), graph.execute(1));
            Check.same("state after that", arena.readOutputF32(U, DType.F32, N), arena.readOutputF32(S, DType.F32, N));
        }
    }
}
