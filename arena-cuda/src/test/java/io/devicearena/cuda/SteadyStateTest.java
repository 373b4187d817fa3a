package io.devicearena.cuda;

import static io.devicearena.cuda.testing.CudaDrivers.OTHER;
import static io.devicearena.cuda.testing.CudaDrivers.VALUE;
import static io.devicearena.kernel.KernelBinding.Access.READ_WRITE;
import static io.devicearena.kernel.KernelBinding.Access.UNIFORM;
import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.ArenaOptions;
import io.devicearena.Batch;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.F16ShadowMode;
import io.devicearena.HostMemory;
import io.devicearena.Transfer;
import io.devicearena.conformance.topics.HeapUse;
import io.devicearena.cuda.kernel.KernelSource;
import io.devicearena.cuda.kernel.Kernels;
import io.devicearena.cuda.testing.CudaDrivers;
import io.devicearena.cuda.testing.TestKernels;
import io.devicearena.kernel.Bindings;
import io.devicearena.kernel.KernelProgram;
import io.devicearena.kernel.RepeatedRun;
import io.devicearena.kernel.ResultBuffer;
import io.devicearena.kernel.Workgroups;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Repeated transfers and runs allocate nothing on the heap. */
@Tag("slow")
class SteadyStateTest {
    private static final int ATTEMPTS = 60;

    private static final int BYTES = 8 << 20;
    private static final int MOST_CALLS = 300;

    private static void assertAllocatesNothing(int bytesACall, Runnable call) {
        int calls = Math.clamp(BYTES / bytesACall, 2, MOST_CALLS);
        assertThat(HeapUse.least(ATTEMPTS, calls, call))
                .as("bytes allocated in %s calls", calls)
                .isZero();
    }

    private static DeviceArena open(long bytes) {
        CudaDeviceArenaProvider provider = CudaDrivers.provider();
        return provider.openArena(
                CudaDrivers.device(provider),
                CudaDrivers.plan(bytes),
                ArenaOptions.defaults().withF16Shadow(F16ShadowMode.ON_WRITE));
    }

    @ParameterizedTest(name = "{0} bytes")
    @ValueSource(ints = {16, 4100, 300_004})
    void typedWritesAndReads(int bytes) {
        float[] floats = new float[bytes / Float.BYTES];
        try (DeviceArena arena = open(bytes);
                Arena memory = Arena.ofConfined()) {
            MemorySegment segment = memory.allocate(bytes, Float.BYTES);
            for (DType dtype : new DType[] {DType.F32, DType.F16}) {
                assertAllocatesNothing(bytes, () -> {
                    arena.writeInputF32(VALUE, dtype, floats);
                    arena.readOutputF32(VALUE, dtype, floats);
                    arena.writeInputF32(VALUE, dtype, segment);
                    arena.readOutputF32(VALUE, dtype, segment);
                });
            }
        }
    }

    @ParameterizedTest(name = "{0} bytes")
    @ValueSource(ints = {1, 70_001, 300_003})
    void rawRangesAtOddOffsets(int bytes) {
        try (DeviceArena arena = open(bytes + 8);
                HostMemory host = arena.allocateHost(bytes)) {
            MemorySegment array = MemorySegment.ofArray(new byte[bytes]);
            assertAllocatesNothing(bytes, () -> {
                arena.writeBytes(5, array);
                arena.readBytes(3, array);
                arena.writeBytes(4, host.segment());
                arena.readBytes(4, host.segment());
                arena.flush();
            });
        }
    }

    @Test
    void batches() {
        try (DeviceArena arena = open(300_000)) {
            Batch.Builder builder =
                    Batch.builder().floats(VALUE, DType.F32, new float[75_000]).floats(OTHER, DType.BF16, new float[5]);
            for (int i = 0; i < 40; i++) { // more than a launch copies
                builder.bytes(4003L * i + 1, MemorySegment.ofArray(new byte[5 + i]));
            }
            Batch batch = builder.build();
            assertAllocatesNothing(300_000, () -> {
                arena.writeBatch(batch);
                arena.readBatch(batch);
            });
        }
    }

    @Test
    void runs() {
        int count = 1000;
        float[] floats = new float[count];
        try (DeviceArena arena = open(4L * count)) {
            Kernels kernels = arena.unwrap(Kernels.class).orElseThrow();
            ResultBuffer result = kernels.resultBuffer("result", 4L * count);
            KernelSource scale = KernelSource.ptx("test_scale", TestKernels.text(), READ_WRITE, UNIFORM, UNIFORM)
                    .withThreads(256, 1, 1);
            KernelProgram program = kernels.recorder()
                    .dispatch(
                            kernels.compile(scale),
                            Bindings.of(kernels.window(VALUE), kernels.uniform(1), kernels.uniform(count)),
                            Workgroups.covering(count, 256))
                    .dispatch(
                            kernels.compile(scale),
                            Bindings.of(result, kernels.uniform(1), kernels.uniform(count)),
                            Workgroups.covering(count, 256))
                    .refresh(VALUE)
                    .build();
            Batch batch = Batch.builder().floats(VALUE, DType.F32, floats).build();
            MemorySegment destination = MemorySegment.ofArray(new float[4]);
            RepeatedRun first = program.repeated(batch);
            RepeatedRun second = program.repeated(batch);
            assertAllocatesNothing(BYTES / MOST_CALLS, () -> {
                program.run(batch, batch);
                program.run(batch);
                program.submit(batch);
                program.submit();
                program.run(result, destination);
                Transfer early = first.begin();
                Transfer late = second.begin();
                early.await();
                late.await();
            });
        }
    }
}
