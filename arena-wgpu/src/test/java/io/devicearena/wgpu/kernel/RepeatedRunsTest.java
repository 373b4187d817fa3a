package io.devicearena.wgpu.kernel;

import static io.devicearena.wgpu.testing.KernelArenas.A;
import static io.devicearena.wgpu.testing.KernelArenas.B;
import static io.devicearena.wgpu.testing.KernelArenas.C;
import static io.devicearena.wgpu.testing.KernelArenas.ELEMENTS;
import static io.devicearena.wgpu.testing.TestArenas.kernels;
import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.Batch;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.NodeId;
import io.devicearena.kernel.Bindings;
import io.devicearena.kernel.KernelProgram;
import io.devicearena.kernel.Recorder;
import io.devicearena.kernel.Workgroups;
import io.devicearena.wgpu.testing.KernelArenas;
import io.devicearena.wgpu.testing.TestArenas;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A program that runs repeatedly runs each time, with the data of that time. */
class RepeatedRunsTest {
    /** A kernel whose runs can be counted. */
    private static final KernelSource COUNT = KernelSource.of("count", """
            @group(0) @binding(0) var<storage, read_write> value: array<f32>;

            @compute @workgroup_size(64)
            fn main(@builtin(global_invocation_id) id: vec3<u32>) {
                if (id.x < arrayLength(&value)) {
                    value[id.x] += 1.0;
                }
            }
            """);

    /** Larger than a small write. */
    private static final int MANY = 20_000;

    private static final int MOST_ELEMENTS = MANY + 64;

    private static KernelProgram counting(DeviceArena arena, NodeId... nodes) {
        Kernels kernels = kernels(arena);
        Recorder recorder = kernels.recorder();
        for (NodeId node : nodes) {
            recorder.dispatch(
                    kernels.compile(COUNT), Bindings.of(kernels.window(node)), Workgroups.covering(MOST_ELEMENTS, 64));
        }
        return recorder.build();
    }

    private static Batch into(NodeId id, float[] floats) {
        return Batch.builder().floats(id, DType.F32, floats).build();
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void randomProgramsBatchesAndWrites_matchTheHost(long seed) {
        Assumptions.assumeTrue(
                TestArenas.device().limits().maxSegmentBytes() >= 4 * MOST_ELEMENTS,
                "the segments are smaller than the values, which the kernel binds as a whole");
        SplittableRandom random = new SplittableRandom(Long.getLong("devicearena.seed", seed));
        int values = 3;
        try (DeviceArena arena = KernelArenas.open(TestArenas.plan(0, 80_128, 80_128, 80_128, 160_256, 80_128))) {
            List<NodeId> nodes = List.of(A, B, C);
            float[][] expected = new float[values][MANY];
            for (int i = 0; i < values; i++) {
                arena.writeInputF32(nodes.get(i), DType.F32, expected[i]);
            }
            List<KernelProgram> programs = List.of(counting(arena, A), counting(arena, B, C));
            float[][] found = new float[values][MANY];
            List<Batch> batches = List.of(
                    into(A, found[0]),
                    into(C, found[2]),
                    Batch.builder()
                            .floats(B, DType.F32, found[1])
                            .bytes(0, MemorySegment.ofArray(found[0]))
                            .build());
            int program = 0;
            int batch = 0;
            for (int step = 0; step < 300; step++) {
                switch (random.nextInt(12)) {
                    case 0 -> program = random.nextInt(programs.size());
                    case 1 -> batch = random.nextInt(batches.size());
                    case 2 -> {
                        int value = random.nextInt(values);
                        int length = random.nextBoolean() ? MANY : random.nextInt(1, 100);
                        float[] written = new float[length];
                        Arrays.fill(written, step);
                        Arrays.fill(expected[value], 0, length, step);
                        arena.writeInputF32(nodes.get(value), DType.F32, written);
                    }
                    case 3 -> arena.setActualLength(A, 4L * random.nextInt(1, MANY + 1));
                    case 4 -> {
                        programs.get(program).submit();
                        count(expected, program);
                    }
                    default -> {
                        long read = programs.get(program).run(batches.get(batch));
                        count(expected, program);
                        assertFound(batch, (int) read, found, expected);
                    }
                }
            }
        }
    }

    private static void count(float[][] expected, int program) {
        for (int value = 0; value < expected.length; value++) {
            if ((value == 0) == (program == 0)) {
                for (int i = 0; i < expected[value].length; i++) {
                    expected[value][i]++;
                }
            }
        }
    }

    private static void assertFound(int batch, int read, float[][] found, float[][] expected) {
        switch (batch) {
            case 0 -> assertThat(found[0]).startsWith(Arrays.copyOf(expected[0], read));
            case 1 -> assertThat(found[2]).isEqualTo(expected[2]);
            default -> {
                assertThat(found[1]).isEqualTo(expected[1]);
                assertThat(found[0]).isEqualTo(expected[0]);
            }
        }
    }

    @Test
    void run_threadsShareAProgram_countEveryRunOnce() throws InterruptedException, ExecutionException {
        int threads = 4;
        int rounds = 200;
        try (DeviceArena arena = KernelArenas.open();
                ExecutorService executor = Executors.newFixedThreadPool(threads)) {
            KernelProgram program = counting(arena, A);
            float[] shared = new float[1];
            Batch sharedBatch = into(A, shared);
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                boolean own = i % 2 == 0;
                running.add(executor.submit(() -> {
                    Batch batch = own ? into(A, new float[1]) : sharedBatch;
                    for (int round = 0; round < rounds; round++) {
                        program.run(batch);
                    }
                }));
            }
            for (Future<?> thread : running) {
                thread.get();
            }
            assertThat(arena.readOutputF32(A, DType.F32, 1)).containsExactly(threads * rounds);
        }
    }

    @Test
    void run_moreProgramsThanPrepared_eachRunsOnce() {
        int programs = 50;
        int rounds = 6;
        try (DeviceArena arena = KernelArenas.open()) {
            List<KernelProgram> all = new ArrayList<>();
            for (int i = 0; i < programs; i++) {
                all.add(counting(arena, A));
            }
            float[] found = new float[1];
            Batch batch = into(A, found);
            int runs = 0;
            for (int round = 0; round < rounds; round++) {
                for (KernelProgram program : all) {
                    program.run(batch);
                    runs++;
                    assertThat(found[0]).isEqualTo(runs);
                }
            }
        }
    }

    @Test
    void close_withPreparedSubmission_changesNothingElse() {
        try (DeviceArena other = KernelArenas.open()) {
            other.writeInputF32(A, DType.F32, KernelArenas.ramp(ELEMENTS, 3));
            try (DeviceArena arena = KernelArenas.open()) {
                KernelProgram program = counting(arena, A);
                float[] found = new float[1];
                Batch batch = into(A, found);
                for (int round = 1; round <= 5; round++) {
                    program.run(batch);
                    assertThat(found[0]).isEqualTo(round);
                }
            }
            assertThat(other.readOutputF32(A, DType.F32, ELEMENTS)).isEqualTo(KernelArenas.ramp(ELEMENTS, 3));
        }
    }
}
