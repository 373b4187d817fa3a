package io.devicearena.wgpu;

import static io.devicearena.wgpu.testing.KernelArenas.A;
import static io.devicearena.wgpu.testing.KernelArenas.ADD;
import static io.devicearena.wgpu.testing.KernelArenas.B;
import static io.devicearena.wgpu.testing.KernelArenas.C;
import static io.devicearena.wgpu.testing.KernelArenas.ELEMENTS;
import static io.devicearena.wgpu.testing.TestArenas.kernels;
import static io.devicearena.wgpu.testing.TestArenas.memory;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.devicearena.Batch;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.Transfer;
import io.devicearena.kernel.Bindings;
import io.devicearena.kernel.Kernel;
import io.devicearena.kernel.KernelBuffer;
import io.devicearena.kernel.KernelProgram;
import io.devicearena.kernel.Recorder;
import io.devicearena.kernel.ResultBuffer;
import io.devicearena.kernel.Workgroups;
import io.devicearena.wgpu.internal.arena.WgpuBackend;
import io.devicearena.wgpu.kernel.KernelSource;
import io.devicearena.wgpu.kernel.Kernels;
import io.devicearena.wgpu.testing.KernelArenas;
import io.devicearena.wgpu.testing.ResidentMemory;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;

/** Kernels, buffers and programs are freed singly, and what they share is freed with the last of them. */
class KernelLifetimeTest {
    private static final Workgroups ALL = Workgroups.covering(ELEMENTS, 64);

    private static KernelProgram addition(Kernels kernels, Kernel kernel, int scale) {
        return kernels.recorder()
                .dispatch(kernel, bindings(kernels, scale), ALL)
                .build();
    }

    private static Bindings bindings(Kernels kernels, int scale) {
        return Bindings.of(
                kernels.window(A),
                kernels.window(B),
                kernels.window(C),
                kernels.uniform(ELEMENTS, Float.floatToRawIntBits(scale)));
    }

    private static float[] sum(KernelProgram program) {
        float[] sum = new float[ELEMENTS];
        program.run(Batch.builder().floats(C, DType.F32, sum).build());
        return sum;
    }

    private static void writeInputs(DeviceArena arena) {
        arena.writeInputF32(A, DType.F32, KernelArenas.ramp(ELEMENTS, 1));
        arena.writeInputF32(B, DType.F32, KernelArenas.ramp(ELEMENTS, 10));
    }

    private static String live(DeviceArena arena) {
        WgpuBackend memory = memory(arena);
        return memory.kernels().live() + ", " + memory.batches().prepared() + " prepared, device: "
                + memory.sharedDevice().pipelines().size() + " pipelines, "
                + memory.sharedDevice().uniforms().size() + " uniforms";
    }

    @Test
    void close_kernelOfAProgram_theProgramRunsOn() {
        try (DeviceArena arena = KernelArenas.open()) {
            writeInputs(arena);
            String before = live(arena);
            Kernel kernel = kernels(arena).compile(ADD);
            KernelProgram program = addition(kernels(arena), kernel, 2);
            kernel.close();

            assertThat(sum(program)).isEqualTo(KernelArenas.ramp(ELEMENTS, 21));
            program.close();
            assertThat(live(arena)).isEqualTo(before);
        }
    }

    @Test
    void close_bufferOfAProgram_itsMemoryStaysForTheProgram() {
        try (DeviceArena arena = KernelArenas.open()) {
            writeInputs(arena);
            Kernels kernels = kernels(arena);
            Kernel kernel = kernels.compile(ADD);
            String before = live(arena);
            KernelBuffer sum = kernels.buffer("sum", 4L * ELEMENTS);
            KernelProgram program = kernels.recorder()
                    .dispatch(kernel, bindings(kernels, 1).with(0, 2, sum), ALL)
                    .copy(sum, 0, kernels.window(C), 0, 4L * ELEMENTS)
                    .build();
            sum.close();

            assertThat(sum(program)).isEqualTo(KernelArenas.ramp(ELEMENTS, 11));
            program.close();
            assertThat(live(arena)).isEqualTo(before);
        }
    }

    @Test
    @SuppressWarnings("try") // closed early on purpose
    void use_afterClose_namesWhatIsClosed() {
        try (DeviceArena arena = KernelArenas.open()) {
            Kernels kernels = kernels(arena);
            Kernel kernel = kernels.compile(ADD);
            KernelProgram program = addition(kernels, kernel, 1);
            KernelBuffer buffer = kernels.buffer("table", 64);
            kernel.close();
            program.close();
            buffer.close();
            kernel.close();
            program.close();
            buffer.close();

            String closed = "program of 1 step from 'add' is closed; record it again, or close it later";
            assertRefused(program::submit, closed);
            assertRefused(program::time, closed);
            assertRefused(() -> sum(program), closed);
            assertRefused(
                    () -> kernels.recorder().dispatch(kernel, bindings(kernels, 1), ALL),
                    "kernel 'add' is closed; compile its source again, or close it later");
            String noBuffer = "extra buffer 'table' is closed; make a new one, or close it later";
            MemorySegment words = MemorySegment.ofArray(new int[4]);
            assertRefused(() -> buffer.write(0, words), noBuffer);
            assertRefused(() -> buffer.read(0, words), noBuffer);
            try (Kernel open = kernels.compile(ADD)) {
                assertRefused(
                        () -> kernels.recorder()
                                .dispatch(open, bindings(kernels, 1).with(0, 1, buffer), ALL),
                        noBuffer);
            }
            assertRefused(() -> kernels.recorder().copy(buffer, 0, kernels.window(A), 0, 16), noBuffer);
        }
    }

    private static void assertRefused(org.assertj.core.api.ThrowableAssert.ThrowingCallable call, String message) {
        assertThatThrownBy(call)
                .isExactlyInstanceOf(IllegalStateException.class)
                .hasMessage(message);
    }

    @Test
    void close_afterTheArena_doesNothing() {
        DeviceArena arena = KernelArenas.open();
        Kernel kernel = kernels(arena).compile(ADD);
        KernelProgram program = addition(kernels(arena), kernel, 1);
        KernelBuffer buffer = kernels(arena).buffer("table", 64);
        arena.close();

        kernel.close();
        program.close();
        buffer.close();
        assertRefused(program::submit, KernelArenas.CLOSED);
    }

    @Test
    void close_resultBuffer_itStaysForTheProgramAndRefusesReads() {
        try (DeviceArena arena = KernelArenas.open()) {
            Kernels kernels = kernels(arena);
            if (!kernels.facts().hasResultBuffers()) {
                return;
            }
            Kernel kernel = kernels.compile(ADD);
            String before = live(arena);
            ResultBuffer result = kernels.resultBuffer("sum", 4L * ELEMENTS);
            KernelProgram program = kernels.recorder()
                    .dispatch(kernel, bindings(kernels, 1).with(0, 2, result), ALL)
                    .build();
            MemorySegment read = MemorySegment.ofArray(new float[4]);
            for (int i = 0; i < 3; i++) {
                program.run(result, read);
            }
            result.close();
            assertRefused(
                    () -> program.run(result, read),
                    "result buffer 'sum' is closed; make a new one, or close it later");
            program.submit();
            program.close();
            assertThat(live(arena)).isEqualTo(before);
        }
    }

    @Test
    void record_afterBuild_isRefused() {
        try (DeviceArena arena = KernelArenas.open()) {
            Kernels kernels = kernels(arena);
            Recorder recorder = kernels.recorder().copy(A, C);
            KernelProgram program = recorder.build();

            String built = "recorder: its program is built; ask for another recorder";
            assertRefused(() -> recorder.copy(C, A), built);
            assertRefused(recorder::build, built);
            assertThat(program.steps()).isEqualTo(1);
        }
    }

    @Test
    void aRefusedStepHoldsNothing() {
        try (DeviceArena arena = KernelArenas.open()) {
            Kernels kernels = kernels(arena);
            Kernel kernel = kernels.compile(ADD);
            String before = live(arena);
            assertThatThrownBy(() -> kernels.recorder()
                            .dispatch(kernel, bindings(kernels, 7).with(0, 1, kernels.window(C)), ALL))
                    .isExactlyInstanceOf(IllegalArgumentException.class);
            assertThat(live(arena)).isEqualTo(before);
        }
    }

    @Test
    void compile_equalSourceInTwoArenas_sharesThePipeline() {
        try (DeviceArena one = KernelArenas.open();
                DeviceArena other = KernelArenas.open()) {
            int before = pipelines(one);
            Kernel first = kernels(one).compile(ADD);
            Kernel again = kernels(one).compile(ADD);
            Kernel second = kernels(other).compile(ADD);
            assertThat(pipelines(one)).isEqualTo(before + 1);
            first.close();
            again.close();
            assertThat(pipelines(one)).isEqualTo(before + 1);
            writeInputs(other);
            assertThat(sum(addition(kernels(other), second, 1))).isEqualTo(KernelArenas.ramp(ELEMENTS, 11));
        }
        try (DeviceArena later = KernelArenas.open()) {
            assertThat(pipelines(later)).isZero();
        }
    }

    private static int pipelines(DeviceArena arena) {
        return memory(arena).sharedDevice().pipelines().size();
    }

    @Test
    void compile_byThreadsAtOnce_compilesOnce() throws InterruptedException, ExecutionException {
        int threads = 8;
        try (DeviceArena one = KernelArenas.open();
                DeviceArena other = KernelArenas.open();
                ExecutorService pool = Executors.newFixedThreadPool(threads)) {
            for (int round = 0; round < 20; round++) {
                KernelSource source = KernelSource.of("round " + round, ADD.wgsl());
                int before = pipelines(one);
                List<Callable<Kernel>> calls = new ArrayList<>();
                for (int thread = 0; thread < threads; thread++) {
                    DeviceArena arena = thread % 2 == 0 ? one : other;
                    calls.add(() -> kernels(arena).compile(source));
                }
                List<Kernel> compiled = new ArrayList<>();
                for (Future<Kernel> each : pool.invokeAll(calls)) {
                    compiled.add(each.get());
                }
                assertThat(pipelines(one)).isEqualTo(before + 1);
                compiled.forEach(Kernel::close);
                assertThat(pipelines(one)).isEqualTo(before);
            }
        }
    }

    @Test
    void close_duringRunsOfAnotherThread_endsThem() throws InterruptedException, ExecutionException {
        try (DeviceArena arena = KernelArenas.open();
                ExecutorService pool = Executors.newSingleThreadExecutor()) {
            writeInputs(arena);
            Kernels kernels = kernels(arena);
            try (Kernel kernel = kernels.compile(ADD)) {
                addition(kernels, kernel, 0).close();
                String before = live(arena);
                for (int round = 0; round < 50; round++) {
                    KernelProgram program = addition(kernels, kernel, round);
                    Future<Integer> runs = pool.submit(() -> runUntilClosed(program));
                    sum(program);
                    program.close();
                    assertThat(runs.get()).isNotNegative();
                }
                assertThat(live(arena)).isEqualTo(before);
            }
        }
    }

    private static int runUntilClosed(KernelProgram program) {
        int runs = 0;
        while (true) {
            try {
                sum(program);
                runs++;
            } catch (IllegalStateException e) {
                assertThat(e).hasMessageContaining("is closed; record it again");
                return runs;
            }
        }
    }

    @Test
    void close_afterBegin_theReadEnds() {
        try (DeviceArena arena = KernelArenas.open();
                Arena memory = Arena.ofShared()) {
            writeInputs(arena);
            MemorySegment sum = memory.allocate(4L * ELEMENTS, 4);
            Kernel kernel = kernels(arena).compile(ADD);
            KernelProgram program = addition(kernels(arena), kernel, 1);
            Transfer read =
                    program.begin(Batch.builder().elements(C, DType.F32, sum).build());
            program.close();
            kernel.close();
            read.await();
            assertThat(sum.toArray(java.lang.foreign.ValueLayout.JAVA_FLOAT))
                    .isEqualTo(KernelArenas.ramp(ELEMENTS, 11));
        }
    }

    @Test
    void hotReload_leavesNothingBehind(TestReporter reporter) throws IOException {
        assertNothingStays(100, reporter);
    }

    @Test
    @Tag("exhaustive")
    void hotReload_1000Rounds_leavesNothingBehind(TestReporter reporter) throws IOException {
        assertNothingStays(1000, reporter);
    }

    private static void assertNothingStays(int rounds, TestReporter reporter) throws IOException {
        try (DeviceArena arena = KernelArenas.open()) {
            writeInputs(arena);
            Kernels kernels = kernels(arena);
            reload(kernels, 0);
            String before = live(arena);
            long resident = ResidentMemory.now();
            for (int round = 1; round <= rounds; round++) {
                reload(kernels, round);
                if (round % 50 == 0) {
                    assertThat(live(arena)).as("after %s rounds", round).isEqualTo(before);
                }
            }
            reporter.publishEntry("KiB more", Long.toString((ResidentMemory.now() - resident) >> 10));
            assertThat(arena.readOutputF32(A, DType.F32, 2)).containsExactly(0, 1);
        }
    }

    /** Compiles a new source, runs it in a program of several steps, and closes everything. */
    private static void reload(Kernels kernels, int round) {
        String wgsl = ADD.wgsl().replace("job.scale * b", "(" + round + ".0 + job.scale) * b");
        try (Kernel kernel = kernels.compile(KernelSource.of("add", wgsl));
                KernelBuffer buffer = kernels.buffer("sum", 4L * ELEMENTS);
                KernelProgram program = kernels.recorder()
                        .labelled("round " + round)
                        .dispatch(kernel, bindings(kernels, 1 + round).with(0, 2, buffer), ALL)
                        .copy(buffer, 0, kernels.window(C), 0, 4L * ELEMENTS)
                        .build()) {
            float[] expected = KernelArenas.ramp(ELEMENTS, 1 + 10 * (1 + 2 * round));
            float[] sum = new float[ELEMENTS];
            Batch batch = Batch.builder().floats(C, DType.F32, sum).build();
            for (int run = 0; run < 3; run++) { // from the second on, the next run is prepared
                program.run(batch);
            }
            assertThat(sum).isEqualTo(expected);
        }
    }

    @Test
    @Tag("slow")
    void openAndClose_arenasWithKernels_leaveNothingBehind() {
        try (DeviceArena kept = KernelArenas.open()) {
            String before = live(kept);
            for (int round = 0; round < 50; round++) {
                try (DeviceArena arena = KernelArenas.open()) {
                    KernelProgram program =
                            addition(kernels(arena), kernels(arena).compile(ADD), round);
                    sum(program);
                    sum(program);
                }
                assertThat(live(kept)).isEqualTo(before);
            }
        }
    }
}
