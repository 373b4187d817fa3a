package io.devicearena.diagnostics;

import static io.devicearena.diagnostics.CheckedGraph.A;
import static io.devicearena.diagnostics.CheckedGraph.B;
import static io.devicearena.diagnostics.CheckedGraph.C;
import static io.devicearena.diagnostics.CheckedGraph.D;
import static io.devicearena.diagnostics.CheckedGraph.E;
import static io.devicearena.diagnostics.CheckedGraph.H;
import static io.devicearena.diagnostics.CheckedGraph.J;
import static io.devicearena.diagnostics.CheckedGraph.K;
import static io.devicearena.diagnostics.CheckedGraph.N;
import static io.devicearena.diagnostics.CheckedGraph.P;
import static io.devicearena.diagnostics.CheckedGraph.S;
import static io.devicearena.diagnostics.CheckedGraph.U;
import static io.devicearena.diagnostics.CheckedGraph.W;
import static io.devicearena.diagnostics.CheckedGraph.X;
import static io.devicearena.diagnostics.CheckedGraph.Y;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.devicearena.Batch;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.ExecutionCheckException;
import io.devicearena.diagnostics.CheckedGraph.TestStep;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The checking mode finds each mistake of the table in docs/checking.md, and without it none is reported. */
class PlantedBugsTest {
    /** A mistake of an engine, and how the finding begins. */
    record Bug(String name, Consumer<CheckedGraph> engine, String message) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static Bug spoiled(String name, Consumer<CheckedGraph> spoil, String message) {
        return new Bug(
                name,
                graph -> {
                    graph.load();
                    spoil.accept(graph);
                    graph.execute();
                },
                message);
    }

    static Stream<Bug> bugs() {
        return Stream.of(
                spoiled(
                        "1 two steps are swapped",
                        graph -> swap(graph.steps, "p", "q", graph),
                        "step 'p': expected the order of the schedule, got node 10 'p' (position 10 of 15) after node 11"
                                + " 'q' (position 11); run the steps in the order of MemoryPlan.schedule(), and begin"
                                + " each run with node 5 'a'"),
                new Bug(
                        "2 a step is forgotten in the second run",
                        graph -> {
                            graph.load();
                            graph.execute();
                            graph.steps.remove(graph.step("b"));
                            graph.execute();
                        },
                        "step 'c': expected node 6 'b'"),
                spoiled(
                        "3 a step is forgotten in the first run",
                        graph -> graph.steps.remove(graph.step("b")),
                        "step 'c': expected node 6 'b' to be written before it is read, got no write of its bytes 544"
                                + " to 608; run its step first, or all steps of its parts"),
                spoiled(
                        "4 an activation is read after a later step took its bytes",
                        graph -> {
                            graph.execute();
                            graph.arena.readOutputF32(A, DType.F32, N);
                        },
                        "read: expected node 5 'a' to hold its bytes 448 to 544, got bytes 448 to 512 of node 7 'c',"
                                + " written by step 'c'; read the value before, or plan the graph with this read"),
                spoiled(
                        "5 a step writes one element too far",
                        graph -> graph.spoil("a", List.of(X, W), () -> graph.fill(A, N + 1, i -> 1)),
                        "step 'a': expected to change only node 5 'a' (bytes 448 to 512), got a change at byte 512,"
                                + " 0 bytes behind node 5 'a'; correct offset, size or workgroups, or name the value"
                                + " among those that the step writes"),
                spoiled(
                        "6 a step writes at a wrong offset",
                        graph -> graph.spoil("b", List.of(A), () -> graph.fill(W, N, i -> 7)),
                        "step 'b': expected to change only node 6 'b' (bytes 544 to 608), got a change at byte 98,"
                                + " of node 1 'w'; correct offset, size or workgroups, or name the value among those"
                                + " that the step writes"),
                spoiled(
                        "7 a dead value is read instead of another one",
                        graph -> graph.spoil("y", List.of(D, A), () -> graph.fill(Y, N, i -> graph.at(A, i))),
                        "step 'y': expected node 5 'a' to hold its bytes 448 to 544, got bytes 448 to 512 of node 7"
                                + " 'c', written by step 'c'; read the value before, or plan the graph with this read"),
                new Bug(
                        "8 the output is read before the program ran",
                        graph -> {
                            graph.load();
                            graph.writeInput();
                            graph.arena
                                    .beginRead(Batch.builder()
                                            .floats(Y, DType.F32, new float[N])
                                            .build())
                                    .await();
                        },
                        "read: expected node 14 'y' to be written before it is read, got no write of its bytes 544 to"
                                + " 608; run its step first, or all steps of its parts"),
                new Bug(
                        "9 the weights of a layer are not loaded",
                        CheckedGraph::execute,
                        "step 'a': expected node 1 'w' to be written before it is read, got no write of its bytes 96 to"
                                + " 160; load it before the first run"),
                new Bug(
                        "10 an input is not written",
                        graph -> {
                            graph.load();
                            graph.runSteps();
                        },
                        "step 'a': expected node 0 'x' to be written before it is read, got no write of its bytes 0 to"
                                + " 64; write the input before the run, and all of it or set its actual length"),
                new Bug(
                        "10 only a part of an input is written",
                        graph -> {
                            graph.load();
                            graph.arena.writeInputF32(X, DType.F32, new float[N - 1]);
                            graph.runSteps();
                        },
                        "step 'a': expected node 0 'x' to be written before it is read, got no write of its bytes 60 to"
                                + " 64; write the input before the run, and all of it or set its actual length"),
                spoiled(
                        "11 a softmax without subtraction of the maximum",
                        graph -> {
                            Arrays.fill(graph.input, 1000);
                            graph.spoil(
                                    "b",
                                    List.of(A),
                                    () -> graph.fill(
                                            B, N, i -> (float) Math.exp(graph.at(A, i)) / graph.sumOfExp(A, 0)));
                        },
                        "step 'b': expected finite elements in node 6 'b' of f32, got NaN at element 0; look for a"
                                + " division by 0, an overflow, or a range that the step does not own"),
                new Bug(
                        "12 a weight overflows f16",
                        graph -> {
                            graph.weights[3] = 70_000;
                            graph.arena.writeInputF32(H, DType.F16, graph.weights);
                        },
                        "write: expected finite elements in node 4 'h' of f16, got Infinity at element 3; f16 holds up"
                                + " to 65504: scale it, or plan another type"),
                spoiled(
                        "13 a norm divides by zero",
                        graph -> graph.spoil("c", List.of(B), () -> graph.fill(C, N, i -> 1 / (graph.at(B, i) * 0))),
                        "step 'c': expected finite elements in node 7 'c' of f32, got Infinity at element 0; look for a"
                                + " division by 0, an overflow, or a range that the step does not own"),
                new Bug(
                        "14 another graph runs between two steps",
                        graph -> {
                            graph.load();
                            graph.writeInput();
                            graph.run(graph.step("a"));
                            try (DeviceArena view = graph.arena.view(CheckedGraph.other())) {
                                HostSteps.run(view, "e", List.of(W, S), List.of(E), () -> graph.fill(A, N, i -> i));
                            }
                            graph.run(graph.step("b"));
                        },
                        "step 'b': expected node 5 'a' to hold its bytes 448 to 544, got bytes 448 to 512 of node 15 'e'"
                                + " of another graph, written by step 'e'; read the value before, or plan the graph"
                                + " with this read"),
                spoiled(
                        "15 a state is updated twice",
                        graph -> graph.steps.add(graph.steps.indexOf(graph.step("u")), graph.step("u")),
                        "step 'u': expected node 3 's' before its update, got the bytes of node 9 'u', written by step"
                                + " 'u' in this run; update a state once in a run, and read the update"),
                spoiled(
                        "16 the input of an in-place op is read after it",
                        graph -> graph.spoil("y", List.of(J, U), () -> graph.fill(Y, N, i -> graph.at(J, i))),
                        "step 'y': expected node 12 'j' to hold its bytes 640 to 800, got bytes 640 to 768 of node 13"
                                + " 'd', written by step 'd'; read the value before, or plan the graph with this read"),
                spoiled(
                        "17 the tail of a value is not written",
                        graph -> graph.spoil("b", List.of(A), () -> graph.fill(B, N - 4, i -> 1)),
                        "step 'c': expected node 6 'b' to be written whole, got no write of its element 12 by step 'b';"
                                + " write all elements, or set its actual length with setActualLength"),
                new Bug(
                        "17 the tail of a value is not written in the second run",
                        graph -> {
                            graph.load();
                            graph.execute();
                            graph.spoil("q", List.of(C, K), () -> graph.fill(CheckedGraph.Q, N - 4, i -> 1));
                            graph.execute();
                        },
                        "step 'd': expected node 12 'j' to be written whole, got no write of its element 28 by step"),
                spoiled(
                        "18 a part of a concatenation is missing",
                        graph -> graph.steps.remove(graph.step("p")),
                        "step 'd': expected node 12 'j' to be written before it is read, got no write of its bytes 640"
                                + " to 704; run its step first, or all steps of its parts"),
                new Bug(
                        "18 a part of a concatenation is missing in the second run",
                        graph -> {
                            graph.load();
                            graph.execute();
                            graph.steps.remove(graph.step("q"));
                            graph.execute();
                        },
                        "step 'd': expected node 12 'j'"),
                spoiled(
                        "19 a copy is too long",
                        graph -> graph.spoil("p", List.of(C), () -> graph.fill(P, N + 4, i -> 1)),
                        "step 'p': expected to change only node 10 'p' (bytes 640 to 704), got a change at byte 704,"
                                + " of node 11 'q'; correct offset, size or workgroups, or name the value among those"
                                + " that the step writes"),
                spoiled(
                        "20 a raw write reaches into the neighbour",
                        graph -> graph.arena.writeBytes(0, MemorySegment.ofArray(new long[N])),
                        "step 'a': expected node 1 'w' to hold its bytes 96 to 160, got a raw write of bytes 0 to 128"
                                + " over a part of it; bound writes by the value, with writeValueBytes"),
                spoiled(
                        "21 the update of a state is forgotten",
                        graph -> graph.steps.remove(graph.step("u")),
                        "step 'y': expected node 9 'u' of this run, got no update of node 3 's' since the run began; run"
                                + " the step that writes it in each run, before its readers"),
                new Bug(
                        "21 the update of a state is forgotten in the second run",
                        graph -> {
                            graph.load();
                            graph.execute();
                            graph.steps.remove(graph.step("u"));
                            graph.execute();
                        },
                        "step 'y': expected node 9 'u' of this run, got no update"),
                new Bug(
                        "21 the update of a state is forgotten, and no step of that run reads it",
                        graph -> {
                            graph.load();
                            graph.spoil("y", List.of(D), () -> graph.fill(Y, N, i -> graph.at(D, i)));
                            graph.execute();
                            TestStep update = graph.step("u");
                            int at = graph.steps.indexOf(update);
                            graph.steps.remove(update);
                            graph.execute();
                            graph.steps.add(at, update);
                            graph.execute();
                        },
                        "step 'u': expected node 3 's' as the run before updates it, got no write of node 9 'u' in that"
                                + " run; run the step that writes it in each run"),
                spoiled(
                        "22 a step overwrites a parameter",
                        graph -> graph.steps.set(
                                0,
                                new TestStep(
                                        "a",
                                        List.of(X),
                                        List.of(A, W),
                                        graph.step("a").work())),
                        "step 'a': expected to write no parameter that is loaded, got node 1 'w'; plan what steps change"
                                + " as a state"),
                spoiled(
                        "1 the first two steps are swapped",
                        graph -> {
                            graph.spoil("b", List.of(X), () -> graph.fill(B, N, i -> graph.at(X, i)));
                            swap(graph.steps, "a", "b", graph);
                        },
                        "step 'a': expected the order of the schedule, got node 5 'a' (position 5 of 15) after node 6"
                                + " 'b' (position 6); run the steps in the order of MemoryPlan.schedule(), and begin"
                                + " each run with node 5 'a'"),
                new Bug(
                        "1 the first two steps are swapped in the second run",
                        graph -> {
                            graph.load();
                            graph.spoil("b", List.of(X), () -> graph.fill(B, N, i -> graph.at(X, i)));
                            graph.execute();
                            swap(graph.steps, "a", "b", graph);
                            graph.execute();
                        },
                        "step 'a': expected the order of the schedule, got node 5 'a' (position 5 of 15) after node 6"),
                spoiled(
                        "a step writes a constant",
                        graph -> graph.steps.set(
                                0,
                                new TestStep(
                                        "a",
                                        List.of(X),
                                        List.of(A, K),
                                        graph.step("a").work())),
                        "step 'a': expected to write no constant, got node 2 'k'; write it from the host, once"));
    }

    private static void swap(List<TestStep> steps, String one, String other, CheckedGraph graph) {
        int i = steps.indexOf(graph.step(one));
        int j = steps.indexOf(graph.step(other));
        TestStep moved = steps.set(i, steps.get(j));
        steps.set(j, moved);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("bugs")
    void withChecks_theMistakeIsFound_andTheArenaRemainsUsable(Bug bug) {
        try (CheckedGraph graph = new CheckedGraph(true)) {
            Throwable found = catchThrowable(() -> bug.engine.accept(graph));
            assertThat(found).isInstanceOf(ExecutionCheckException.class);
            assertThat(found).hasMessageStartingWith(bug.message);
            assertThat(((ExecutionCheckException) found).value()).isPresent();
            graph.arena.writeInputF32(X, DType.F32, graph.input);
            assertThat(graph.arena.readOutputF32(X, DType.F32, N)).isEqualTo(graph.input);
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("bugs")
    void withoutChecks_nothingIsReported(Bug bug) {
        try (CheckedGraph graph = new CheckedGraph(false)) {
            bug.engine.accept(graph);
        }
    }

    @Test
    void theCorrectEnginePasses_withTheSameResults() {
        try (CheckedGraph checked = new CheckedGraph(true);
                CheckedGraph plain = new CheckedGraph(false)) {
            checked.load();
            plain.load();
            for (int run = 0; run < 3; run++) {
                assertThat(checked.execute()).isEqualTo(plain.execute());
                assertThat(checked.arena.readOutputF32(S, DType.F32, N))
                        .isEqualTo(plain.arena.readOutputF32(S, DType.F32, N));
            }
        }
    }

    @Test
    void graphsOfOneMemoryPass_whenEachRunsWhole() {
        try (CheckedGraph graph = new CheckedGraph(true);
                DeviceArena view = graph.arena.view(CheckedGraph.other())) {
            graph.load();
            for (int run = 0; run < 3; run++) {
                graph.execute();
                HostSteps.run(view, "e", List.of(W, S), List.of(E), () -> graph.fill(A, N, i -> i));
                view.readOutputF32(E, DType.F32, N);
            }
        }
    }

    @Test
    void anOpThatNothingReadsMayBeLeftOut() {
        try (CheckedGraph graph = new CheckedGraph(true)) {
            graph.load();
            graph.spoil("b", List.of(X), () -> graph.fill(B, N, i -> graph.at(X, i) + 1));
            TestStep dead = graph.step("a");
            for (int run = 0; run < 6; run++) {
                if (run % 3 == 1) {
                    graph.steps.addFirst(dead);
                }
                graph.execute();
                graph.steps.remove(dead);
            }
        }
    }

    @Test
    void anEngineThatWritesTheMemoryItselfPasses() {
        try (CheckedGraph graph = new CheckedGraph(true)) {
            for (int run = 0; run < 3; run++) {
                int by = run;
                graph.fill(W, N, i -> 1 + by);
                graph.fill(K, N, i -> by);
                graph.fill(X, N, i -> i);
                graph.runSteps();
                graph.arena.readOutputF32(Y, DType.F32, N);
            }
        }
    }

    @Test
    void aStepThatThrowsEnds_andCanBeRepeated() {
        try (CheckedGraph graph = new CheckedGraph(true)) {
            graph.load();
            graph.writeInput();
            assertThatThrownBy(() -> HostSteps.run(graph.arena, "a", List.of(X, W), List.of(A), () -> {
                        throw new IllegalArgumentException("own");
                    }))
                    .isExactlyInstanceOf(IllegalArgumentException.class)
                    .hasMessage("own");
            graph.runSteps();
        }
    }

    @Test
    void anActualLengthEndsWhatIsRead() {
        try (CheckedGraph graph = new CheckedGraph(true)) {
            graph.load();
            graph.arena.setActualLength(X, 12 * 4);
            graph.arena.setActualLength(A, 12 * 4);
            graph.arena.writeInputF32(X, DType.F32, new float[12]);
            graph.spoil("a", List.of(X, W), () -> graph.fill(A, 12, i -> graph.at(X, i)));
            graph.run(graph.step("a"));
            graph.run(graph.step("b"));
        }
    }

    @Test
    void wrongCallsAreRefused() {
        try (CheckedGraph graph = new CheckedGraph(true)) {
            assertThatThrownBy(() -> HostSteps.run(graph.arena, "a", List.of(E), List.of(A), () -> {}))
                    .isExactlyInstanceOf(IllegalArgumentException.class)
                    .hasMessage("step 'a': expected values of the plan, got node 15, which it does not know; name the"
                            + " values of this arena");
            graph.load();
            assertThatThrownBy(() -> HostSteps.run(
                            graph.arena,
                            "q",
                            List.of(K),
                            List.of(),
                            () -> HostSteps.run(graph.arena, "p", List.of(), List.of(), () -> {})))
                    .isExactlyInstanceOf(IllegalStateException.class)
                    .hasMessage("step 'p': expected no step inside another one, got step 'q' under way; run them one"
                            + " after the other");
        }
    }
}
