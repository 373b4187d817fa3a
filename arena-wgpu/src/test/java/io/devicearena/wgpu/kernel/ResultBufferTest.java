package io.devicearena.wgpu.kernel;

import static io.devicearena.wgpu.testing.KernelArenas.A;
import static io.devicearena.wgpu.testing.KernelArenas.ADD;
import static io.devicearena.wgpu.testing.KernelArenas.B;
import static io.devicearena.wgpu.testing.KernelArenas.C;
import static io.devicearena.wgpu.testing.KernelArenas.ELEMENTS;
import static io.devicearena.wgpu.testing.TestArenas.kernels;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.devicearena.Batch;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.kernel.Binding;
import io.devicearena.kernel.Bindings;
import io.devicearena.kernel.KernelProgram;
import io.devicearena.kernel.Recorder;
import io.devicearena.kernel.ResultBuffer;
import io.devicearena.kernel.Workgroups;
import io.devicearena.wgpu.testing.KernelArenas;
import io.devicearena.wgpu.testing.Needs;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The host reads what kernels wrote to a result buffer, also when other threads use the buffer. */
class ResultBufferTest {
    private static final Workgroups ALL = Workgroups.covering(ELEMENTS, 64);
    private static final KernelSource COUNT = KernelSource.of("count", """
            @group(0) @binding(0) var<storage, read_write> value: array<f32>;

            @compute @workgroup_size(1)
            fn main() {
                value[0] += 1.0;
            }
            """);

    private DeviceArena arena;
    private Kernels kernels;

    @BeforeEach
    void open() {
        arena = KernelArenas.open();
        kernels = kernels(arena);
        if (!kernels.facts().hasResultBuffers()) {
            throw Needs.missing("device whose kernels reach the host's memory");
        }
    }

    @AfterEach
    void close() {
        arena.close();
    }

    private KernelProgram sum(Binding into) {
        return kernels.recorder()
                .dispatch(
                        kernels.compile(ADD),
                        Bindings.of(
                                kernels.window(A),
                                kernels.window(B),
                                into,
                                kernels.uniform(ELEMENTS, Float.floatToRawIntBits(1))),
                        ALL)
                .build();
    }

    private KernelProgram counting(Binding... bindings) {
        Recorder recorder = kernels.recorder();
        for (Binding binding : bindings) {
            recorder.dispatch(kernels.compile(COUNT), Bindings.of(binding), Workgroups.of(1));
        }
        return recorder.build();
    }

    @Test
    void eachRunReadsWhatItsKernelsWrote() {
        ResultBuffer result = kernels.resultBuffer("sum", 4L * ELEMENTS);
        assertThat(result.bytes()).isEqualTo(4000);
        KernelProgram program = sum(result);
        float[] found = new float[ELEMENTS];
        for (int round = 0; round < 50; round++) {
            arena.writeInputF32(A, DType.F32, KernelArenas.ramp(ELEMENTS, round));
            arena.writeInputF32(B, DType.F32, KernelArenas.ramp(ELEMENTS, 1000));

            program.run(result, MemorySegment.ofArray(found));

            assertThat(found).isEqualTo(KernelArenas.ramp(ELEMENTS, 1000 + round));
        }
    }

    @Test
    void run_resultIntoAnyKindOfMemory_copiesItsLength() {
        ResultBuffer result = kernels.resultBuffer("count", 8);
        assertThat(result.bytes()).isEqualTo(16);
        KernelProgram program = counting(result);
        try (Arena confined = Arena.ofConfined()) {
            MemorySegment three = confined.allocate(4).asSlice(0, 3);
            for (int round = 1; round <= 5; round++) {
                program.run(result, three);
                int low = Float.floatToRawIntBits(round);
                assertThat(three.toArray(ValueLayout.JAVA_BYTE))
                        .containsExactly((byte) low, (byte) (low >> 8), (byte) (low >> 16));
            }
        }
    }

    @Test
    void run_threadsShareResults_countEveryRunOnce() throws InterruptedException, ExecutionException {
        int threads = 4;
        int rounds = 150;
        ResultBuffer first = kernels.resultBuffer("first", 4);
        ResultBuffer second = kernels.resultBuffer("second", 4);
        List<KernelProgram> programs = List.of(counting(first, second), counting(second, first));
        try (ExecutorService executor = Executors.newFixedThreadPool(threads)) {
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                KernelProgram program = programs.get(i % 2);
                ResultBuffer result = i < 2 ? first : second;
                running.add(executor.submit(() -> {
                    float[] found = new float[1];
                    Batch reads =
                            Batch.builder().floats(C, DType.F32, new float[1]).build();
                    for (int round = 0; round < rounds; round++) {
                        float before = found[0];
                        program.run(result, MemorySegment.ofArray(found));
                        assertThat(found[0]).isGreaterThan(before);
                        program.submit();
                        program.run(reads);
                    }
                }));
            }
            for (Future<?> thread : running) {
                thread.get();
            }
        }
        float[] found = new float[1];
        programs.getFirst().run(first, MemorySegment.ofArray(found));
        assertThat(found[0]).isEqualTo(3 * threads * rounds + 1);
        programs.getFirst().run(second, MemorySegment.ofArray(found));
        assertThat(found[0]).isEqualTo(3 * threads * rounds + 2);
    }

    private static void assertRefused(ThrowingCallable call, String message) {
        assertThatThrownBy(call)
                .isExactlyInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    @Test
    void run_invalidResultOrDestination_isRefused() {
        ResultBuffer result = kernels.resultBuffer("count", 16);
        KernelProgram program = counting(result);
        MemorySegment found = MemorySegment.ofArray(new float[1]);
        String other =
                "result: expected a buffer that a dispatch of this program is bound to, got another one; bind it when the"
                        + " program is recorded";
        assertRefused(() -> program.run(kernels.resultBuffer("other", 16), found), other);
        assertRefused(() -> program.run(new OwnResult(), found), other);
        assertRefused(
                () -> program.run(result, MemorySegment.ofArray(new byte[17])),
                "destination: expected 1 to 16 bytes, the result's size, got 17");
        assertRefused(
                () -> program.run(result, MemorySegment.ofArray(new byte[0])),
                "destination: expected 1 to 16 bytes, the result's size, got 0");
        assertRefused(
                () -> program.run(result, found.asReadOnly()),
                "destination: expected writable memory, got a read-only segment of 4 bytes; pass memory of your own");

        program.run(result, found);
        assertThat(found.get(ValueLayout.JAVA_FLOAT, 0)).isEqualTo(1);
    }

    @Test
    void resultBuffer_onlyBindsAsStorage() {
        ResultBuffer result = kernels.resultBuffer("count", 16);
        assertRefused(
                () -> kernels.recorder().copy(result, 0, kernels.window(A), 0, 16),
                "from: expected a window or an extra buffer, got a result buffer");
        assertRefused(
                () -> kernels.recorder()
                        .dispatch(
                                kernels.compile(ADD),
                                Bindings.of(kernels.window(A), kernels.window(B), kernels.window(C), result),
                                ALL),
                "kernel 'add': expected a uniform or an extra buffer for @group(0) @binding(3) 'job', var<uniform>, got a"
                        + " result buffer");
        assertRefused(
                () -> kernels.resultBuffer("x", 0),
                "result buffer 'x': expected 1 to 65536 bytes, got 0; read larger results from the arena");
        assertRefused(
                () -> kernels.resultBuffer("x", 65_537),
                "result buffer 'x': expected 1 to 65536 bytes, got 65537; read larger results from the arena");
    }

    @Test
    void close_preparedProgramsShareAResult_succeeds() {
        ResultBuffer result = kernels.resultBuffer("count", 16);
        float[] found = new float[1];
        for (int i = 0; i < 3; i++) {
            KernelProgram program = counting(result);
            for (int round = 0; round < 3; round++) {
                program.run(result, MemorySegment.ofArray(found));
            }
        }
        assertThat(found[0]).isEqualTo(9);
        arena.close();
        assertThatThrownBy(() -> kernels.resultBuffer("late", 16))
                .isExactlyInstanceOf(IllegalStateException.class)
                .hasMessage(KernelArenas.CLOSED);
    }

    /** A buffer that no arena made. */
    private static final class OwnResult implements ResultBuffer {
        @Override
        public long bytes() {
            return 16;
        }

        @Override
        public void close() {}
    }
}
