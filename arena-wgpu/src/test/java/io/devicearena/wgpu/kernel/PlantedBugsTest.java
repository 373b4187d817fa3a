package io.devicearena.wgpu.kernel;

import static io.devicearena.wgpu.kernel.CheckedKernels.A;
import static io.devicearena.wgpu.kernel.CheckedKernels.B;
import static io.devicearena.wgpu.kernel.CheckedKernels.C;
import static io.devicearena.wgpu.kernel.CheckedKernels.D;
import static io.devicearena.wgpu.kernel.CheckedKernels.E;
import static io.devicearena.wgpu.kernel.CheckedKernels.H;
import static io.devicearena.wgpu.kernel.CheckedKernels.J;
import static io.devicearena.wgpu.kernel.CheckedKernels.K;
import static io.devicearena.wgpu.kernel.CheckedKernels.N;
import static io.devicearena.wgpu.kernel.CheckedKernels.P;
import static io.devicearena.wgpu.kernel.CheckedKernels.Q;
import static io.devicearena.wgpu.kernel.CheckedKernels.S;
import static io.devicearena.wgpu.kernel.CheckedKernels.U;
import static io.devicearena.wgpu.kernel.CheckedKernels.V;
import static io.devicearena.wgpu.kernel.CheckedKernels.W;
import static io.devicearena.wgpu.kernel.CheckedKernels.X;
import static io.devicearena.wgpu.kernel.CheckedKernels.Y;
import static io.devicearena.wgpu.testing.TestArenas.kernels;
import static io.devicearena.wgpu.testing.TestArenas.shadow;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.devicearena.ArenaOptions;
import io.devicearena.Capability;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.ExecutionCheckException;
import io.devicearena.F16ShadowMode;
import io.devicearena.NodeId;
import io.devicearena.kernel.Bindings;
import io.devicearena.kernel.KernelProgram;
import io.devicearena.kernel.Workgroups;
import io.devicearena.wgpu.testing.TestArenas;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The checking mode finds the mistakes of the table in docs/checking.md in programs; without it none is reported. */
class PlantedBugsTest {
    /** A mistake of an engine, and how the finding begins. */
    record Bug(String name, Consumer<CheckedKernels> engine, String message) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static Bug spoiled(String name, Consumer<CheckedKernels> spoil, String message) {
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
                new Bug(
                        "1 two steps are swapped",
                        graph -> {
                            graph.load();
                            graph.program("a", "b", "c", "u", "q", "p", "d", "y")
                                    .run(graph.inputs, graph.outputs);
                        },
                        "step 'p': expected the order of the schedule, got node 10 'p' (position 10 of 15) after node 11"),
                new Bug(
                        "2 a step is forgotten in the second run",
                        graph -> {
                            graph.load();
                            graph.execute();
                            graph.program("a", "b", "c", "u", "p", "d", "y").run(graph.inputs, graph.outputs);
                        },
                        "step 'd': expected node 12 'j'"),
                new Bug(
                        "3 a step is forgotten in the first run",
                        graph -> {
                            graph.load();
                            graph.program("a", "c", "u", "p", "q", "d", "y").run(graph.inputs, graph.outputs);
                        },
                        "step 'c': expected node 6 'b' to be written before it is read, got no write of its bytes 3072"
                                + " to 3328; run its step first, or all steps of its parts"),
                spoiled(
                        "4 an activation is read after a later step took its bytes",
                        graph -> {
                            graph.execute();
                            graph.arena.readOutputF32(A, DType.F32, N);
                        },
                        "read: expected node 5 'a' to hold its bytes 2560 to 3072, got bytes 2560 to 2816 of node 7 'c',"
                                + " written by step 'c'"),
                spoiled(
                        "5 a kernel indexes one row too far",
                        graph -> graph.add("a", A, "out[i] = 1.0;", N + 16, N + 16, X, W),
                        "step 'a': expected to change only node 5 'a' (bytes 2560 to 2816), got a change at byte 2816,"
                                + " 0 bytes behind node 5 'a'; correct offset, size or workgroups, or name the value"
                                + " among those that the step writes"),
                spoiled(
                        "6 a wrong offset inside a window",
                        graph -> graph.steps.put(
                                "b",
                                recorder -> recorder.dispatchWriting(
                                        graph.kernel("b", 0, "7.0", N),
                                        Bindings.of(kernels(graph.arena).window(W, B)),
                                        Workgroups.covering(N, 16),
                                        B)),
                        "step 'b': expected to change only node 6 'b' (bytes 3072 to 3328), got a change at byte 51"),
                spoiled(
                        "7 a dead value is bound instead of another one",
                        graph -> graph.add("y", Y, "x0[i] + x1[i]", D, A),
                        "step 'y': expected node 5 'a' to hold its bytes"),
                new Bug(
                        "8 a deferred read begins before the program ran",
                        graph -> {
                            graph.load();
                            graph.arena.beginRead(graph.outputs).await();
                            graph.execute();
                        },
                        "read: expected node 14 'y' to be written before it is read"),
                new Bug(
                        "9 the weights of a layer are not loaded",
                        CheckedKernels::execute,
                        "step 'a': expected node 1 'w' to be written before it is read, got no write of its bytes 512 to"
                                + " 768; load it before the first run"),
                new Bug(
                        "10 an input is not written",
                        graph -> {
                            graph.load();
                            graph.program().run(graph.outputs);
                        },
                        "step 'a': expected node 0 'x' to be written before it is read, got no write of its bytes 0 to"
                                + " 256; write the input before the run, and all of it or set its actual length"),
                spoiled(
                        "11 a softmax without subtraction of the maximum",
                        graph -> {
                            Arrays.fill(graph.input, 1000);
                            graph.add("b", B, "exp(x0[i]) / sum_exp(0.0)", A);
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
                        graph -> {
                            Arrays.fill(graph.input, 0);
                            graph.add("b", B, "x0[i]", A);
                        },
                        "step 'c': expected finite elements in node 7 'c' of f32, got NaN at element 0"),
                new Bug(
                        "14 another graph runs between two steps",
                        graph -> {
                            graph.load();
                            graph.arena.writeBatch(graph.inputs);
                            graph.program("a").submit();
                            try (DeviceArena view = graph.arena.view(CheckedKernels.other())) {
                                running(view).submit();
                            }
                            graph.program("b").submit();
                        },
                        "step 'b': expected node 5 'a' to hold its bytes 2560 to 3072, got bytes 2560 to 2816 of node 15"
                                + " 'e' of another graph, written by step 'e'"),
                new Bug(
                        "15 a state is updated twice",
                        graph -> {
                            graph.load();
                            graph.program("a", "b", "c", "u", "u", "p", "q", "d", "y")
                                    .run(graph.inputs, graph.outputs);
                        },
                        "step 'u': expected node 3 's' before its update, got the bytes of node 9 'u', written by step"
                                + " 'u' in this run; update a state once in a run, and read the update"),
                spoiled(
                        "16 the input of an in-place op is read after it",
                        graph -> graph.add("y", Y, "x0[i] + x1[i]", J, U),
                        "step 'y': expected node 12 'j' to hold its bytes 3584 to 4352, got bytes 3584 to 4096 of node 13"
                                + " 'd', written by step 'd'"),
                spoiled(
                        "17 too few workgroups",
                        graph -> graph.add("b", B, "out[i] = x0[i];", N, N - 16, A),
                        "step 'c': expected node 6 'b' to be written whole, got no write of its element 48 by step 'b';"
                                + " write all elements, or set its actual length with setActualLength"),
                new Bug(
                        "18 a part of a concatenation is missing",
                        graph -> {
                            graph.load();
                            graph.program("a", "b", "c", "u", "q", "d", "y").run(graph.inputs, graph.outputs);
                        },
                        "step 'd': expected node 12 'j' to be written before it is read, got no write of its bytes 3584"
                                + " to 3840; run its step first, or all steps of its parts"),
                spoiled(
                        "19 a copy is too short",
                        graph -> graph.steps.put(
                                "p",
                                recorder -> recorder.copy(
                                        kernels(graph.arena).window(C),
                                        0,
                                        kernels(graph.arena).window(P),
                                        0,
                                        4 * N - 16)),
                        "step 'd': expected node 12 'j' to be written before it is read, got no write of its bytes 3824"
                                + " to 3840; run its step first, or all steps of its parts"),
                spoiled(
                        "20 a raw write reaches into the neighbour",
                        graph -> graph.arena.writeBytes(0, MemorySegment.ofArray(new long[N + 8])),
                        "step 'a': expected node 1 'w' to hold its bytes 512 to 768, got a raw write of bytes 0 to 576"
                                + " over a part of it; bound writes by the value, with writeValueBytes"),
                new Bug(
                        "21 the update of a state is forgotten",
                        graph -> {
                            graph.load();
                            graph.program("a", "b", "c", "p", "q", "d", "y").run(graph.inputs, graph.outputs);
                        },
                        "step 'y': expected node 9 'u' of this run, got no update of node 3 's' since the run began; run"
                                + " the step that writes it in each run, before its readers"),
                spoiled(
                        "22 a kernel overwrites a parameter",
                        graph -> graph.add("a", W, "x0[i]", X),
                        "step 'a': expected to write no parameter that is loaded, got node 1 'w'; plan what steps change"
                                + " as a state"),
                spoiled(
                        "23 a kernel writes nothing where a dead value began",
                        graph -> graph.add("y", Y, "if (i > 1000u) { out[i] = x0[i] + x1[i]; }", N, N, D, U),
                        "read: expected node 14 'y' to be written whole, got no write of its element 0 by step 'y'; write"
                                + " all elements, or set its actual length with setActualLength"),
                new Bug(
                        "24 the input of an in-place kernel is not written",
                        graph -> {
                            graph.load();
                            inPlace(graph);
                            graph.program("a", "b", "c", "u", "d", "y").run(graph.inputs, graph.outputs);
                        },
                        "step 'd': expected node 12 'j' to be written before it is read, got no write of its bytes 3584"
                                + " to 4096; run its step first, or all steps of its parts"),
                new Bug(
                        "24 the input of an in-place kernel is not written in the second run",
                        graph -> {
                            graph.load();
                            inPlace(graph);
                            graph.execute();
                            graph.program("a", "b", "c", "u", "d", "y").run(graph.inputs, graph.outputs);
                        },
                        "step 'd': expected node 12 'j' to hold its bytes 3584 to 4352, got bytes 3584 to 4096 of node 13"
                                + " 'd', written by step 'd'"),
                spoiled(
                        "24 the input of an in-place kernel is written in part",
                        graph -> {
                            inPlace(graph);
                            graph.add("q", Q, "out[i] = x0[i] + x1[i];", N - 16, N, V, K);
                        },
                        "step 'd': expected node 12 'j' to be written whole, got no write of its element 112 by step"
                                + " 'q'; write all elements, or set its actual length with setActualLength"));
    }

    /** Makes the in-place op of the graph as the engine guide has it. */
    private static void inPlace(CheckedKernels graph) {
        graph.steps.put(
                "d",
                recorder -> recorder.copy(J, D)
                        .dispatch(
                                graph.kernel("d", 0, "max(out[i], 0.0)", 2 * N),
                                graph.bind(D),
                                Workgroups.covering(2 * N, 16)));
    }

    /** The program of the other graph. */
    private static KernelProgram running(DeviceArena view) {
        Kernels kernels = kernels(view);
        return kernels.recorder()
                .labelled("e")
                .dispatch(
                        CheckedKernels.kernel(view, "e", 1, "out[i] = x0[i];", N),
                        Bindings.of(kernels.window(W), kernels.window(E)),
                        Workgroups.covering(N, 16))
                .build();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("bugs")
    void withChecks_theMistakeIsFound_andTheArenaRemainsUsable(Bug bug) {
        try (CheckedKernels graph = new CheckedKernels(true)) {
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
        try (CheckedKernels graph = new CheckedKernels(false)) {
            bug.engine.accept(graph);
        }
    }

    @Test
    void theCorrectEnginePasses_withTheSameResults() {
        try (CheckedKernels checked = new CheckedKernels(true);
                CheckedKernels plain = new CheckedKernels(false)) {
            checked.load();
            plain.load();
            KernelProgram with = checked.program();
            KernelProgram without = plain.program();
            for (int run = 0; run < 3; run++) {
                with.run(checked.inputs, checked.outputs);
                without.run(plain.inputs, plain.outputs);
                assertThat(checked.result).isEqualTo(plain.result);
                with.submit();
                without.submit();
                assertThat(checked.arena.readOutputF32(S, DType.F32, N))
                        .isEqualTo(plain.arena.readOutputF32(S, DType.F32, N));
            }
            with.begin(checked.inputs, checked.outputs).await();
            with.begin(checked.outputs).await();
            with.run(checked.outputs);
        }
    }

    @Test
    void inPlaceKernelsPass_andKeepWhatTheyDoNotWrite() {
        try (CheckedKernels graph = new CheckedKernels(true);
                CheckedKernels plain = new CheckedKernels(false)) {
            graph.load();
            plain.load();
            plain.execute();
            inPlace(graph);
            graph.execute();
            assertThat(graph.result).isEqualTo(plain.result);
            // without the copy, which copies nothing
            graph.add("d", D, "out[i] = max(out[i], 0.0);", 2 * N, 2 * N);
            graph.execute();
            graph.add("d", D, "if (i < 0u) { out[i] = 0.0; }", 2 * N, 2 * N);
            graph.execute();
        }
    }

    @Test
    void aStateIsUpdatedByStepsOfSeveralGraphs() {
        try (CheckedKernels graph = new CheckedKernels(true);
                DeviceArena view = graph.arena.view(CheckedKernels.other())) {
            graph.load();
            graph.execute();
            Kernels kernels = kernels(view);
            kernels.recorder()
                    .labelled("set")
                    .dispatch(
                            CheckedKernels.kernel(view, "set", 0, "out[i] = 2.0;", 1),
                            Bindings.of(kernels.window(S)),
                            Workgroups.of(1))
                    .build()
                    .submit();
            assertThat(graph.arena.readOutputF32(S, DType.F32, N))
                    .startsWith(2f)
                    .doesNotContain(Float.NaN);
            graph.execute();
        }
    }

    @Test
    void graphsOfOneMemoryPass_whenEachRunsWhole() {
        try (CheckedKernels graph = new CheckedKernels(true);
                DeviceArena view = graph.arena.view(CheckedKernels.other())) {
            graph.load();
            KernelProgram first = graph.program();
            KernelProgram second = running(view);
            for (int run = 0; run < 3; run++) {
                first.run(graph.inputs, graph.outputs);
                second.submit();
                view.readOutputF32(E, DType.F32, N);
            }
        }
    }

    @Test
    void aKernelThatBindsTheWholeArenaNamesNothing() {
        try (CheckedKernels graph = new CheckedKernels(true)) {
            graph.load();
            KernelProgram whole = kernels(graph.arena)
                    .recorder()
                    .dispatch(
                            graph.kernel("whole", 0, "f32(i)", N),
                            Bindings.of(kernels(graph.arena).arena()),
                            Workgroups.covering(N, 16))
                    .build();
            for (int run = 0; run < 3; run++) {
                whole.submit();
                graph.program().run(graph.outputs);
            }
        }
    }

    @Test
    void mirrorsAreFreshAfterARun_asWithoutChecks() {
        Assumptions.assumeTrue(TestArenas.device().capabilities().contains(Capability.F16_SHADOW), "no f16 shadow");
        for (F16ShadowMode mode : new F16ShadowMode[] {F16ShadowMode.ON_WRITE, F16ShadowMode.ON_REQUEST}) {
            try (CheckedKernels graph =
                    new CheckedKernels(true, ArenaOptions.defaults().withF16Shadow(mode))) {
                graph.load();
                graph.steps.put("refresh", recorder -> recorder.refresh(Y, W));
                for (int run = 0; run < 3; run++) {
                    graph.execute();
                    assertThat(shadow(graph.arena).isStale(Y)).isFalse();
                    assertThat(shadow(graph.arena).isStale(W)).isFalse();
                    assertThat(shadow(graph.arena).isStale(C)).isTrue();
                }
            }
        }
    }

    @Test
    void weightsOfAnotherArenaAreCheckedThere() {
        try (CheckedKernels weights = new CheckedKernels(true);
                DeviceArena arena = TestArenas.open(
                        TestArenas.plan(0, 256),
                        ArenaOptions.defaults().withChecks().withWeights(weights.arena))) {
            Kernels kernels = kernels(arena);
            KernelProgram program = kernels.recorder()
                    .labelled("use")
                    .dispatch(
                            CheckedKernels.kernel(arena, "use", 1, "out[i] = x0[i];", N),
                            Bindings.of(kernels.window(node(1)), kernels.window(node(0))),
                            Workgroups.covering(N, 16))
                    .build();
            assertThatThrownBy(program::submit)
                    .isInstanceOf(ExecutionCheckException.class)
                    .hasMessageStartingWith("step 'use': expected node 1 'w' to be written before it is read");
            weights.load();
            program.submit();
        }
    }

    private static NodeId node(long id) {
        return NodeId.of(id);
    }

    @Test
    void timesNeedAnArenaWithoutChecks() {
        try (CheckedKernels graph = new CheckedKernels(true)) {
            assertThatThrownBy(() -> graph.program().time())
                    .isExactlyInstanceOf(UnsupportedOperationException.class)
                    .hasMessage("times: not of an arena with checks, which runs each step alone; open it without"
                            + " withChecks");
        }
    }
}
