package io.devicearena.wgpu.kernel;

import static io.devicearena.wgpu.testing.KernelArenas.A;
import static io.devicearena.wgpu.testing.KernelArenas.ADD;
import static io.devicearena.wgpu.testing.KernelArenas.B;
import static io.devicearena.wgpu.testing.KernelArenas.C;
import static io.devicearena.wgpu.testing.KernelArenas.ELEMENTS;
import static io.devicearena.wgpu.testing.TestArenas.kernels;
import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.Batch;
import io.devicearena.Capability;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.NodeId;
import io.devicearena.Transfer;
import io.devicearena.conformance.topics.HeapUse;
import io.devicearena.kernel.Bindings;
import io.devicearena.kernel.KernelProgram;
import io.devicearena.kernel.Recorder;
import io.devicearena.kernel.RepeatedRun;
import io.devicearena.kernel.ResultBuffer;
import io.devicearena.kernel.Workgroups;
import io.devicearena.wgpu.testing.KernelArenas;
import io.devicearena.wgpu.testing.TestArenas;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Repeated runs allocate nothing and see the writes of other threads. */
class KernelSteadyStateTest {
    private static final Workgroups ALL = Workgroups.covering(ELEMENTS, 64);
    private static final int CALLS = 500;
    private static final int ATTEMPTS = 60;

    private static void assertAllocatesNothing(Runnable call) {
        assertAllocatesNothing(CALLS, call);
    }

    private static void assertAllocatesNothing(int calls, Runnable call) {
        assertThat(HeapUse.least(ATTEMPTS, calls, call))
                .as("bytes allocated in %s calls", calls)
                .isZero();
    }

    @Test
    @Tag("slow")
    void aRunWithInputsAllocatesNothing() {
        try (DeviceArena arena = KernelArenas.open()) {
            KernelProgram program = KernelArenas.sum(arena).build();
            Batch writes = Batch.builder()
                    .floats(A, DType.F32, KernelArenas.ramp(ELEMENTS, 1))
                    .elements(B, DType.F32, MemorySegment.ofArray(KernelArenas.ramp(ELEMENTS, 2)))
                    .build();
            Batch reads =
                    Batch.builder().floats(C, DType.F32, new float[ELEMENTS]).build();

            assertAllocatesNothing(() -> program.run(writes, reads));
        }
    }

    @Test
    @Tag("slow")
    void aRunWithLargeOrOddInputsAllocatesNothing() {
        try (DeviceArena arena = KernelArenas.open(TestArenas.plan(0, 4000, 4096, 4000, 8192, 4000, 12_288, 1 << 20))) {
            KernelProgram program = KernelArenas.sum(arena).build();
            Batch large = Batch.builder()
                    .elements(NodeId.of(3), DType.F32, MemorySegment.ofArray(new float[1 << 18]))
                    .build();
            Batch odd = Batch.builder()
                    .bytes(3, MemorySegment.ofArray(new byte[6]))
                    .floats(A, DType.F32, KernelArenas.ramp(ELEMENTS - 1, 1))
                    .build();
            Batch reads =
                    Batch.builder().floats(C, DType.F32, new float[ELEMENTS]).build();

            assertAllocatesNothing(200, () -> {
                program.submit(odd);
                program.run(large, reads);
            });
        }
    }

    @Test
    @Tag("slow")
    void aForwardPassWithItsReadAllocatesNothing() {
        try (DeviceArena arena = KernelArenas.open()) {
            Recorder recorder = KernelArenas.sum(arena)
                    .copy(C, A)
                    .dispatch(
                            kernels(arena).compile(ADD),
                            Bindings.of(
                                    kernels(arena).window(A),
                                    kernels(arena).window(C),
                                    kernels(arena).window(B),
                                    kernels(arena).uniform(ELEMENTS, 0)),
                            ALL);
            if (TestArenas.device().capabilities().contains(Capability.F16_SHADOW)) {
                recorder.refresh(B);
            }
            KernelProgram program = recorder.build();
            float[] input = new float[ELEMENTS];
            Batch batch =
                    Batch.builder().floats(B, DType.F32, new float[ELEMENTS]).build();
            assertAllocatesNothing(() -> {
                arena.writeInputF32(A, DType.F32, input);
                program.run(batch);
            });
        }
    }

    @Test
    @Tag("slow")
    void run_withoutWait_allocatesNothing() {
        try (DeviceArena arena = KernelArenas.open()) {
            KernelProgram program = KernelArenas.sum(arena).build();
            Batch batch = Batch.builder().floats(C, DType.F32, new float[1]).build();
            assertAllocatesNothing(() -> {
                program.submit();
                program.submit();
                arena.readBatch(batch);
            });
        }
    }

    @Test
    @Tag("slow")
    void repeatedRuns_aheadOfTheirReads_allocateNothing() {
        try (Arena memory = Arena.ofShared();
                DeviceArena arena = KernelArenas.open()) {
            KernelProgram program = KernelArenas.sum(arena).build();
            Batch batch = Batch.builder()
                    .elements(C, DType.F32, memory.allocate(4L * ELEMENTS))
                    .build();
            RepeatedRun first = program.repeated(batch);
            RepeatedRun second = program.repeated(batch);
            assertAllocatesNothing(() -> {
                Transfer early = first.begin();
                Transfer late = second.begin();
                early.await();
                late.await();
            });
        }
    }

    @Test
    @Tag("slow")
    void aRunToAResultAllocatesNothing() {
        try (DeviceArena arena = KernelArenas.open()) {
            Kernels kernels = kernels(arena);
            ResultBuffer result = kernels.resultBuffer("result", 4L * ELEMENTS);
            KernelProgram program = kernels.recorder()
                    .dispatch(
                            kernels.compile(ADD),
                            Bindings.of(
                                    kernels.window(A),
                                    kernels.window(B),
                                    result,
                                    kernels.uniform(ELEMENTS, Float.floatToRawIntBits(1))),
                            ALL)
                    .build();
            MemorySegment destination = MemorySegment.ofArray(new float[4]);
            assertAllocatesNothing(() -> program.run(result, destination));
        }
    }

    @Test
    void aKernelSeesWhatAnotherThreadWrote() throws InterruptedException {
        int rounds = 100;
        try (DeviceArena arena = KernelArenas.open()) {
            KernelProgram program = KernelArenas.sum(arena).build();
            CountDownLatch[] written = latches(rounds);
            CountDownLatch[] seen = latches(rounds);
            AtomicReference<Throwable> failure = new AtomicReference<>();
            Thread writer = Thread.ofPlatform().start(() -> {
                try {
                    for (int round = 0; round < rounds; round++) {
                        arena.writeInputF32(A, DType.F32, KernelArenas.ramp(ELEMENTS, round));
                        written[round].countDown();
                        seen[round].await();
                    }
                } catch (RuntimeException | InterruptedException e) {
                    failure.set(e);
                    for (CountDownLatch latch : written) {
                        latch.countDown();
                    }
                }
            });
            float[] sum = new float[ELEMENTS];
            Batch batch = Batch.builder().floats(C, DType.F32, sum).build();
            for (int round = 0; round < rounds; round++) {
                written[round].await();
                program.run(batch);
                seen[round].countDown();
                assertThat(sum).isEqualTo(KernelArenas.ramp(ELEMENTS, round));
            }
            writer.join();
            assertThat(failure.get()).isNull();
        }
    }

    private static CountDownLatch[] latches(int count) {
        CountDownLatch[] latches = new CountDownLatch[count];
        for (int i = 0; i < count; i++) {
            latches[i] = new CountDownLatch(1);
        }
        return latches;
    }
}
