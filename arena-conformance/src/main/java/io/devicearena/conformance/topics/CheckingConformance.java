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

import io.devicearena.ArenaOptions;
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
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
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
    private static void assertFound(String what, @Nullable NodeId step, NodeId value, Executable call, Object... more) {
        ExecutionCheckException found = Check.assertRefused(ExecutionCheckException.class, what, call);
        Check.same(what + ", the step of the finding", Optional.ofNullable(step).map(CheckedRun::name), found.step());
        Check.same(what + ", the value of the finding", Optional.of(value), found.value());
        Check.contains(what, found, quoted(value));
        Check.contains(what, found, more);
    }

    private static String quoted(NodeId value) {
        return "'" + CheckedRun.name(value) + "'";
    }

    /** Every call that reads or writes a value by its name. */
    private static Map<String, Executable> calls(DeviceArena arena, NodeId id, ArenaCall.Use use, float[] memory) {
        ArenaCall.With with = ArenaCall.With.memory(DType.F32, 0, MemorySegment.ofArray(memory))
                .of(id);
        Map<String, Executable> calls = new LinkedHashMap<>();
        ArenaCall.of(use).stream()
                .filter(call -> call.takes() != ArenaCall.Takes.RANGE)
                .forEach(call -> calls.put(call.name(), () -> call.on(arena, with)));
        return calls;
    }

    private static Map<String, Executable> reads(DeviceArena arena, NodeId id) {
        return calls(arena, id, ArenaCall.Use.DESTINATION, new float[N]);
    }

    /** An engine that names its steps runs the same without checks; catches work that is repeated or lost. */
    @Test
    default void required_13_1_withoutChecksAStepRunsItsWork() {
        int[] runs = {0};
        DeviceArena arena = open(CheckedRun.plan());
        try (arena) {
            Check.same("checks of an arena that was opened without", false, isChecked(arena));
            Thread caller = Thread.currentThread();
            HostSteps.run(arena, "y", List.of(MISSING, C), List.of(Y, K), () -> {
                Check.same("thread of the work", caller, Thread.currentThread());
                runs[0]++;
            });
            Check.same("runs of the work", 1, runs[0]);
            whatTheWorkThrows(new CheckedRun(arena));
        }
        Check.assertClosed("step of a closed arena", () -> new CheckedRun(arena).a(() -> runs[0]++));
        Check.same("runs of the work after the close", 1, runs[0]);
    }

    private static void whatTheWorkThrows(CheckedRun graph) {
        IllegalArgumentException own = new IllegalArgumentException("own");
        Executable step = () -> graph.a(() -> {
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
                Check.same("state after run " + run, state, arena.readOutputF32(U, DType.F32, N));
                Check.same("weights after run " + run, CheckedRun.weights(), arena.readOutputF32(W, DType.F32, N));
            }
        });
    }

    /** Catches orders of execution that the plan did not foresee: their values lie over each other. */
    @Test
    default void required_13_3_stepsFollowThePlan() {
        try (DeviceArena arena = openChecked()) {
            CheckedRun unloaded = new CheckedRun(arena);
            assertFound("a step whose weights are not loaded", A, W, () -> unloaded.execute(0), quoted(A));
        }
        onChecked((arena, graph) -> {
            graph.writeInput(0);
            graph.a();
            assertFound("a step that reads what no step has made", C, B, graph::c);
            Check.same("output after that", CheckedRun.output(1, new float[N]), graph.execute(1));
            assertFound("a step out of order", C, C, graph::c, quoted(Y));
            graph.writeInput(2);
            graph.a();
            assertFound("a step that reads a value of the run before", C, B, graph::c);
            graph.runToC(2);
            assertFound(
                    "a step that reads a value whose bytes another one took",
                    Y,
                    A,
                    () -> graph.sum(Y, C, A),
                    quoted(C));
            assertFound("a step that writes a constant", K, K, () -> graph.sum(K, X, W));
            assertFound("a step that overwrites a parameter", W, W, () -> graph.sum(W, X, K));
            graph.execute(2);
            graph.runToC(3);
            assertFound("a step that reads a state which this run did not update", Y, U, graph::y, quoted(S));
        });
    }

    /** Catches a read that has no check: the most used mistake is to read an activation too late. */
    @Test
    default void required_13_4_everyReadOfTheHostIsChecked() {
        onChecked((arena, graph) -> {
            reads(arena, Y).forEach((what, read) -> assertFound(what + " of a value that was not made", null, Y, read));
            graph.execute(0);
            String taken = " of a value whose bytes another one took";
            reads(arena, A).forEach((what, read) -> assertFound(what + taken, null, A, read, quoted(C)));
            arena.readBytes(A_OFFSET, MemorySegment.ofArray(new byte[SLOT]));
            arena.withBytes(A_OFFSET, SLOT, MemorySegment::byteSize);
            for (NodeId id : List.of(X, W, K, U, C, Y)) {
                reads(arena, id).forEach((what, read) -> Assertions.assertDoesNotThrow(read, what + " of " + id));
            }
        });
    }

    /** Catches tails that no workgroup computes, and inputs of which only the beginning is new. */
    @Test
    default void required_13_5_valuesWrittenInPartAreFound() {
        onChecked((arena, graph) -> {
            arena.writeInputF32(X, DType.F32, new float[N - 2]);
            assertFound("a step that reads an input written in part", A, X, graph::a);
            arena.writeValueBytes(X, 4 * (N - 2), MemorySegment.ofArray(new float[1]));
            assertFound("a step that reads an input without its last element", A, X, graph::a);
            List.of(X, A).forEach(id -> arena.setActualLength(id, 4 * (N - 2)));
            graph.a();
            List.of(X, A).forEach(id -> arena.setActualLength(id, 4 * N));
            for (int written : new int[] {N - 3, N - 1}) {
                graph.execute(0);
                graph.writeInput(0);
                graph.a(() -> graph.write(A, new float[written]));
                assertFound("a step that reads elements which were left out", B, A, graph::b, "element " + written);
            }
            graph.execute(1);
            graph.writeInput(2);
            arena.writeBytes(W_OFFSET - 8, MemorySegment.ofArray(new float[4]));
            assertFound("a step that reads a weight which a raw write cut", A, W, graph::a);
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
                Map<String, Executable> writes = calls(arena, X, ArenaCall.Use.SOURCE, floats);
                ArenaCall.With range = ArenaCall.With.memory(DType.F32, 0, MemorySegment.ofArray(floats));
                ArenaCall.of(ArenaCall.Takes.RANGE).stream()
                        .filter(call -> call.memory() == ArenaCall.Use.SOURCE)
                        .forEach(call -> writes.put(call.name(), () -> call.on(arena, range)));
                writes.forEach((what, write) ->
                        assertFound(what + " of " + wrong, null, X, write, wrong, "element " + element));
                graph.writeInput(0);
                Executable step = () -> graph.a(() -> graph.write(A, floats));
                assertFound("a step that makes " + wrong, A, A, step, wrong, "element " + element);
            }
            Check.same("output after that", CheckedRun.output(1, new float[N]), graph.execute(1));
        });
    }

    /** Graphs on one memory take each other's bytes; weights of another arena take part. */
    @Test
    default void required_13_7_viewsAndWeightsAreCheckedTogether() {
        onChecked((arena, graph) -> {
            try (DeviceArena view = arena.view(CheckedRun.other())) {
                Check.same("checks of a view", true, isChecked(view));
                graph.writeInput(0);
                graph.a();
                new CheckedRun(view).sum(E, W, W);
                view.readOutputF32(E, DType.F32, N);
                assertFound("a step after another graph took the bytes of its input", B, A, graph::b, quoted(E));
                float[] output = CheckedRun.output(1, new float[N]);
                Check.same("output of a run without the other graph", output, graph.execute(1));
                Executable read = () -> view.readOutputF32(E, DType.F32, N);
                assertFound("a read after the first graph took the bytes", null, E, read, quoted(C));
            }
        });
        try (DeviceArena weights = openChecked();
                DeviceArena arena = open(
                        CheckedRun.other(), ArenaOptions.defaults().withChecks().withWeights(weights))) {
            CheckedRun graph = new CheckedRun(arena, weights);
            arena.writeInputF32(W, DType.F32, CheckedRun.weights());
            assertFound("a step that reads weights which were not loaded", E, K, () -> graph.sum(E, W, K));
            new CheckedRun(weights).load();
            graph.sum(E, W, K);
            arena.readOutputF32(E, DType.F32, N);
        }
    }

    /** Catches findings that leave a step open, or that run the work of a step which was refused. */
    @Test
    default void required_13_8_arenaRemainsUsableAfterAFinding() {
        onChecked((arena, graph) -> {
            int[] runs = {0};
            Executable early = () -> HostSteps.run(arena, "b", List.of(A, K), List.of(B), () -> runs[0]++);
            assertFound("a step that reads what no step has made", B, A, early);
            Check.assertInvalid(
                    "a step with a value that the plan does not know",
                    () -> HostSteps.run(arena, "a", List.of(X, MISSING), List.of(A), () -> runs[0]++),
                    MISSING.value());
            graph.writeInput(0);
            whatTheWorkThrows(graph);
            Executable inside = () -> graph.a(() -> HostSteps.run(arena, "b", List.of(), List.of(), () -> runs[0]++));
            Check.assertRefusedWith(IllegalStateException.class, "a step inside a step", inside, "'a'", "'b'");
            Check.same("runs of work that was refused", 0, runs[0]);
            Check.same("output after that", CheckedRun.output(1, new float[N]), graph.execute(1));
        });
    }

    /** Catches an index that is one row too far: guards show it before a neighbour's numbers do. */
    @Test
    default void optional_13_9_stepsChangeOnlyTheirValues() {
        assumeCapability(Capability.HOST_MEMORY);
        onChecked((arena, graph) -> {
            MemorySegment memory = arena.unwrap(MemorySegment.class).orElseThrow();
            graph.writeInput(0);
            Map<Integer, NodeId> places = new LinkedHashMap<>();
            for (int behind : new int[] {0, 12, SLOT - 32 + 4}) {
                places.put(A_OFFSET + 32 + behind, A);
            }
            places.put(W_OFFSET + 28, W);
            places.forEach((at, value) -> assertFound(
                    "a step that writes beside its value, at " + at,
                    A,
                    value,
                    () -> graph.a(() -> {
                        graph.write(A, new float[N]);
                        memory.set(ValueLayout.JAVA_FLOAT, at, 7);
                    }),
                    value.equals(A) ? "byte " + at : "'w'"));
            graph.load();
            Check.same("output after that", CheckedRun.output(1, new float[N]), graph.execute(1));
            Check.same("state after that", arena.readOutputF32(U, DType.F32, N), arena.readOutputF32(S, DType.F32, N));
        });
    }
}
