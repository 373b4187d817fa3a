package io.devicearena.cuda.kernel;

import static io.devicearena.cuda.testing.CudaDrivers.OTHER;
import static io.devicearena.cuda.testing.CudaDrivers.VALUE;
import static io.devicearena.kernel.KernelBinding.Access.READ;
import static io.devicearena.kernel.KernelBinding.Access.READ_WRITE;
import static io.devicearena.kernel.KernelBinding.Access.UNIFORM;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.devicearena.Batch;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.F16Shadow;
import io.devicearena.Transfer;
import io.devicearena.cuda.testing.CudaDrivers;
import io.devicearena.cuda.testing.TestKernels;
import io.devicearena.kernel.Bindings;
import io.devicearena.kernel.Kernel;
import io.devicearena.kernel.KernelBuffer;
import io.devicearena.kernel.KernelProgram;
import io.devicearena.kernel.KernelSourceException;
import io.devicearena.kernel.RepeatedRun;
import io.devicearena.kernel.ResultBuffer;
import io.devicearena.kernel.StepTime;
import io.devicearena.kernel.Workgroups;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Kernels and programs, on the driver of this JVM. */
class CudaKernelsTest {
    private static final int FLOATS = 1000;
    private static final int THREADS = 256;

    private final DeviceArena arena = CudaDrivers.open(CudaDrivers.provider(), FLOATS * Float.BYTES);
    private final Kernels kernels = arena.unwrap(Kernels.class).orElseThrow();
    private final Kernel add =
            kernels.compile(KernelSource.ptx("test_add", TestKernels.text(), READ, READ, READ_WRITE, UNIFORM)
                    .withThreads(THREADS, 1, 1));
    private final Kernel scale =
            kernels.compile(KernelSource.ptx("test_scale", TestKernels.text(), READ_WRITE, UNIFORM, UNIFORM)
                    .withThreads(THREADS, 1, 1));

    @AfterEach
    void close() {
        arena.close();
    }

    private static float[] counting() {
        float[] floats = new float[FLOATS];
        for (int i = 0; i < FLOATS; i++) {
            floats[i] = i;
        }
        return floats;
    }

    private static float[] times(float factor) {
        float[] floats = counting();
        for (int i = 0; i < FLOATS; i++) {
            floats[i] *= factor;
        }
        return floats;
    }

    private Bindings scaling(float factor) {
        return Bindings.of(
                kernels.window(VALUE), kernels.uniform(Float.floatToRawIntBits(factor)), kernels.uniform(FLOATS));
    }

    private KernelProgram scaling(float factor, int steps) {
        var recorder = kernels.recorder();
        for (int i = 0; i < steps; i++) {
            recorder.labelled("step " + i).dispatch(scale, scaling(factor), Workgroups.covering(FLOATS, THREADS));
        }
        return recorder.build();
    }

    @Test
    void program_withInputsAndReads_runsInOneLaunch() {
        float[] in = counting();
        float[] out = new float[FLOATS];
        Batch writes = Batch.builder().floats(VALUE, DType.F32, in).build();
        Batch reads = Batch.builder().floats(VALUE, DType.F32, out).build();
        KernelProgram program = scaling(2, 3);
        for (int i = 0; i < 5; i++) {
            assertThat(program.run(writes, reads)).isEqualTo(FLOATS);
            assertThat(out).isEqualTo(times(8));
        }
        assertThat(program.steps()).isEqualTo(3);
        assertThat(program).hasToString("program of 3 steps from 'step 0'");
        program.close();
        assertThatThrownBy(program::submit)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("program of 3 steps from 'step 0' is closed; record it again, or close it later");
    }

    @Test
    void kernelThatStartsEarly_inAProgram_computesTheSame() {
        arena.writeInputF32(VALUE, DType.F32, counting());
        KernelSource source = KernelSource.ptx("test_scale", TestKernels.text(), READ_WRITE, UNIFORM, UNIFORM)
                .withThreads(THREADS, 1, 1)
                .withEarlyStart();
        try (Kernel early = kernels.compile(source);
                KernelProgram program = kernels.recorder()
                        .dispatch(early, scaling(2), Workgroups.covering(FLOATS, THREADS))
                        .build()) {
            program.submit();
            assertThat(arena.readOutputF32(VALUE, DType.F32, FLOATS)).isEqualTo(times(2));
        }
    }

    @Test
    void time_ofAProgram_runsItOnceAndHasEachDispatch() {
        arena.writeInputF32(VALUE, DType.F32, counting());
        KernelProgram program = kernels.recorder()
                .labelled("first")
                .dispatch(scale, scaling(2), Workgroups.covering(FLOATS, THREADS))
                .copy(kernels.window(VALUE), 0, kernels.window(OTHER), 0, Float.BYTES)
                .labelled("second")
                .dispatch(scale, scaling(2), Workgroups.covering(FLOATS, THREADS))
                .build();
        List<StepTime> times = program.time();
        assertThat(times).extracting(StepTime::label).containsExactly("first", "second");
        assertThat(times).allSatisfy(time -> {
            assertThat(time.kernel()).isEqualTo(scale.label());
            assertThat(time.written()).containsExactly(VALUE);
            assertThat(time.nanos()).isNotNegative();
        });
        assertThat(arena.readOutputF32(VALUE, DType.F32, FLOATS)).isEqualTo(times(4));
    }

    @Test
    void time_withoutADispatch_isRefused() {
        KernelProgram program = kernels.recorder()
                .copy(kernels.window(VALUE), 0, kernels.window(OTHER), 0, Float.BYTES)
                .build();
        assertThatThrownBy(program::time)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("program: expected 1 to 2048 dispatches to time, got 0");
    }

    @Test
    void program_withoutBatches_isOrderedWithTransfers() {
        arena.writeInputF32(VALUE, DType.F32, counting());
        KernelProgram program = scaling(2, 1);
        for (int i = 0; i < 40; i++) {
            program.submit();
            arena.writeInputF32(VALUE, DType.F32, counting());
        }
        program.submit();
        assertThat(arena.readOutputF32(VALUE, DType.F32, FLOATS)).isEqualTo(times(2));
    }

    @Test
    void program_submittedWithInputs_usesEachOfThem() {
        KernelProgram program = scaling(2, 1);
        MemorySegment in = MemorySegment.ofArray(counting());
        Batch writes = Batch.builder().floats(VALUE, DType.F32, in).build();
        for (int i = 1; i < 50; i++) {
            in.copyFrom(MemorySegment.ofArray(times(i)));
            program.submit(writes);
        }
        assertThat(arena.readOutputF32(VALUE, DType.F32, FLOATS)).isEqualTo(times(98));
    }

    @Test
    void run_ofSeveralAhead_endsEachWithItsOwnBytes() {
        KernelProgram program = scaling(2, 1);
        arena.writeInputF32(VALUE, DType.F32, counting());
        List<float[]> results = new ArrayList<>();
        List<Transfer> handles = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            float[] out = new float[FLOATS];
            results.add(out);
            handles.add(
                    program.begin(Batch.builder().floats(VALUE, DType.F32, out).build()));
        }
        for (int i = 0; i < 6; i++) {
            assertThat(handles.get(i).await()).isEqualTo(FLOATS);
            assertThat(results.get(i)).isEqualTo(times(2 << i));
        }
        float[] out = new float[FLOATS];
        RepeatedRun again =
                program.repeated(Batch.builder().floats(VALUE, DType.F32, out).build());
        for (int i = 6; i < 9; i++) {
            again.begin().await();
            assertThat(out).isEqualTo(times(2 << i));
        }
    }

    @Test
    void kernel_boundToBuffersAndWindows_addsThem() {
        arena.writeInputF32(VALUE, DType.F32, counting());
        KernelBuffer extra = kernels.buffer("extra", FLOATS * Float.BYTES);
        extra.write(0, MemorySegment.ofArray(times(3)));
        KernelProgram program = kernels.recorder()
                .dispatch(
                        add,
                        Bindings.of(kernels.window(VALUE), extra, kernels.window(OTHER), kernels.uniform(FLOATS)),
                        Workgroups.covering(FLOATS, THREADS))
                .copy(OTHER, VALUE)
                .copy(kernels.window(VALUE), 0, extra, 0, FLOATS * Float.BYTES)
                .refresh(VALUE)
                .build();
        program.submit();
        MemorySegment read = MemorySegment.ofArray(new float[FLOATS]);
        extra.read(0, read);
        assertThat(read.toArray(ValueLayout.JAVA_FLOAT)).isEqualTo(times(4));
        assertThat(arena.readOutputF32(OTHER, DType.F32, FLOATS)).isEqualTo(times(4));
        F16Shadow shadow = arena.unwrap(F16Shadow.class).orElseThrow();
        assertThat(shadow.isStale(VALUE)).isFalse();
        assertThat(shadow.isStale(OTHER)).isTrue();
        extra.close();
        program.submit(); // keeps its memory
        assertThatThrownBy(() -> extra.read(0, read))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("extra buffer 'extra' is closed; allocate another one, or close it later");
    }

    @Test
    void resultBuffer_isReadWithoutACopy() {
        arena.writeInputF32(VALUE, DType.F32, counting());
        ResultBuffer result = kernels.resultBuffer("result", 16);
        KernelProgram program = kernels.recorder()
                .dispatch(
                        add,
                        Bindings.of(kernels.window(VALUE), kernels.window(OTHER), result, kernels.uniform(4)),
                        Workgroups.of(1))
                .build();
        float[] out = new float[4];
        program.run(result, MemorySegment.ofArray(out));
        assertThat(out).containsExactly(0, 1, 2, 3);
    }

    @Test
    void dispatch_whoseBindingsShareBytes_isRefused() {
        assertThatThrownBy(() -> kernels.recorder()
                        .labelled("sum")
                        .dispatch(
                                add,
                                Bindings.of(
                                        kernels.window(VALUE),
                                        kernels.window(OTHER),
                                        kernels.window(VALUE, 16, 32),
                                        kernels.uniform(FLOATS)),
                                Workgroups.of(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "step 'sum', kernel 'test_add': expected bindings that share no bytes if one of them writes,"
                                + " got node 1 at parameter 0, and node 1 at parameter 2, which writes; bind these bytes"
                                + " once, as READ_WRITE");
    }

    @Test
    void dispatch_withWrongBindings_isRefused() {
        var recorder = kernels.recorder();
        assertThatThrownBy(() -> recorder.dispatch(scale, Bindings.of(kernels.window(VALUE)), Workgroups.of(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("kernel 'test_scale': expected a binding for each parameter, got none for 1");
        assertThatThrownBy(() -> recorder.dispatch(
                        scale,
                        Bindings.of(kernels.window(VALUE), kernels.uniform(1, 2), kernels.uniform(1)),
                        Workgroups.of(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("kernel 'test_scale': expected 4 bytes for parameter 1, as its text has, got 8");
        assertThatThrownBy(() -> recorder.dispatch(scale, scaling(1), new Workgroups(1, 65_536, 1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "kernel 'test_scale': expected 1 to 65535 workgroups along y, got 65536; use more axes, or let"
                                + " each thread do more");
    }

    @Test
    void staleMirror_stopsTheRun() {
        KernelProgram program = kernels.recorder()
                .dispatch(
                        add,
                        Bindings.of(
                                kernels.shadowWindow(VALUE),
                                kernels.shadowWindow(VALUE),
                                kernels.window(OTHER),
                                kernels.uniform(0)),
                        Workgroups.of(1))
                .build();
        arena.writeBytes(0, MemorySegment.ofArray(new byte[8]));
        assertThatThrownBy(program::submit)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the f16 mirror of node 1 is stale; refresh it first");
        program.submit(Batch.builder().floats(VALUE, DType.F32, counting()).build());
        program.submit();
    }

    @Test
    void source_thatDoesNotCompile_isRefusedWithItsLine() {
        String wrong =
                TestKernels.text().replaceFirst("\\.entry test_add", ".entry test_add // TESTDRIVER_ERROR\n bad");
        assertThatThrownBy(() -> kernels.compile(KernelSource.ptx("test_scale", wrong, READ_WRITE, UNIFORM, UNIFORM)))
                .isInstanceOfSatisfying(KernelSourceException.class, e -> {
                    assertThat(e.line()).isGreaterThan(1);
                    assertThat(e).hasMessageStartingWith("kernel 'test_scale', line " + e.line() + ", '");
                    assertThat(e).hasMessageContaining("CUDA_ERROR_INVALID_PTX (218)");
                    assertThat(e).hasMessageContaining("ptxas application ptx input, line " + e.line());
                });
        assertThatThrownBy(() -> kernels.compile(KernelSource.ptx("nothing", TestKernels.text())))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("kernel 'nothing': expected a kernel 'nothing' in its source, got none; declare it extern"
                        + " \"C\"");
        assertThatThrownBy(() -> kernels.compile(KernelSource.ptx("test_scale", TestKernels.text(), READ_WRITE)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("kernel 'test_scale': expected 3 parameters, as its text has, got a declaration of 1");
        assertThatThrownBy(() ->
                        kernels.compile(KernelSource.ptx("test_scale", TestKernels.text(), READ_WRITE, UNIFORM, UNIFORM)
                                .withThreads(64, 64, 1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("kernel 'test_scale': expected at most 1024 threads of a block, got 4096");
    }
}
