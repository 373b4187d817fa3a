package io.devicearena.wgpu.kernel;

import static io.devicearena.wgpu.testing.KernelArenas.A;
import static io.devicearena.wgpu.testing.KernelArenas.ADD;
import static io.devicearena.wgpu.testing.KernelArenas.B;
import static io.devicearena.wgpu.testing.KernelArenas.C;
import static io.devicearena.wgpu.testing.KernelArenas.ELEMENTS;
import static io.devicearena.wgpu.testing.KernelArenas.ramp;
import static io.devicearena.wgpu.testing.TestArenas.kernels;
import static io.devicearena.wgpu.testing.TestArenas.shadow;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.devicearena.ArenaOptions;
import io.devicearena.Batch;
import io.devicearena.Capability;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.F16ShadowMode;
import io.devicearena.NodeId;
import io.devicearena.kernel.Bindings;
import io.devicearena.kernel.KernelProgram;
import io.devicearena.kernel.Workgroups;
import io.devicearena.wgpu.testing.KernelArenas;
import io.devicearena.wgpu.testing.TestArenas;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A run that writes its inputs is one with them, whatever other threads do. */
class RunWithInputsTest {
    private static KernelProgram adding(DeviceArena arena, int elements) {
        Kernels kernels = kernels(arena);
        return kernels.recorder()
                .dispatch(
                        kernels.compile(ADD),
                        Bindings.of(
                                kernels.window(A),
                                kernels.window(B),
                                kernels.window(C),
                                kernels.uniform(elements, Float.floatToRawIntBits(1))),
                        Workgroups.covering(elements, 64))
                .build();
    }

    @Test
    void inputsStepsAndReadbackAreOneCall() {
        try (DeviceArena arena = KernelArenas.open()) {
            float[] a = ramp(ELEMENTS, 1);
            float[] result = new float[ELEMENTS];
            Batch writes = Batch.builder()
                    .floats(A, DType.F32, a)
                    .elements(B, DType.F32, MemorySegment.ofArray(ramp(ELEMENTS, 2)))
                    .build();
            Batch reads = Batch.builder().floats(C, DType.F32, result).build();
            KernelProgram program = adding(arena, ELEMENTS);

            for (int run = 0; run < 5; run++) {
                a[7] = 100 * run;
                assertThat(program.run(writes, reads)).isEqualTo(ELEMENTS);
                assertThat(result[7]).isEqualTo(100 * run + 14);
                assertThat(result[8]).isEqualTo(24);
            }
            a[7] = 1;
            assertThat(program.begin(writes, reads).await()).isEqualTo(ELEMENTS);
            assertThat(result[7]).isEqualTo(15);
            arena.writeInputF32(A, DType.F32, new float[ELEMENTS]);
            program.run(Batch.builder().build(), reads);
            assertThat(result[7]).isEqualTo(14);
        }
    }

    @Test
    void nothingIsWritten_whenTheBatchIsWrong() {
        try (DeviceArena arena = KernelArenas.open()) {
            Batch writes = Batch.builder()
                    .floats(A, DType.F32, ramp(ELEMENTS, 1))
                    .floats(NodeId.of(99), DType.F32, new float[1])
                    .build();

            assertThatThrownBy(() ->
                            adding(arena, ELEMENTS).run(writes, Batch.builder().build()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("node 99: expected one of the 3 values of the plan");
            assertThat(arena.readOutputF32(A, DType.F32, ELEMENTS)).containsOnly(0);
        }
    }

    @Test
    void bytesThatAreNoWholeWordsAreWrittenToo() {
        try (DeviceArena arena = KernelArenas.open()) {
            arena.writeInputF32(B, DType.F32, ramp(ELEMENTS, 1));
            float[] result = new float[2];
            Batch writes = Batch.builder()
                    .bytes(3, MemorySegment.ofArray(new byte[] {0x3f, 0, 0, (byte) 0x80, 0x3f}))
                    .build();
            adding(arena, ELEMENTS)
                    .run(writes, Batch.builder().floats(C, DType.F32, result).build());

            assertThat(result).containsExactly(0.5f, 2);
        }
    }

    @Test
    void moreInputsWithinWordsThanARunTakes_areRefused() {
        try (DeviceArena arena = KernelArenas.open()) {
            Batch.Builder writes = Batch.builder();
            for (int i = 0; i <= 32_768; i++) {
                writes.bytes(1, MemorySegment.ofArray(new byte[] {1}));
            }
            KernelProgram program = adding(arena, ELEMENTS);

            assertThatThrownBy(() -> program.submit(writes.build()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("writes: expected at most 32768 inputs in one run that are not whole words, or whose"
                            + " mirrors the device casts, got 32769; write some of them before the run");
            assertThat(arena.readOutputF32(A, DType.F32, ELEMENTS)).containsOnly(0);
        }
    }

    @Test
    void submit_inputs_areWrittenBeforeTheSteps() {
        try (DeviceArena arena = KernelArenas.open()) {
            KernelProgram program = adding(arena, ELEMENTS);
            for (float step : new float[] {1, 2, 3}) {
                program.submit(Batch.builder()
                        .floats(A, DType.F32, ramp(ELEMENTS, step))
                        .build());
            }
            assertThat(arena.readOutputF32(C, DType.F32, ELEMENTS)).isEqualTo(ramp(ELEMENTS, 3));
            program.submit(Batch.builder()
                    .bytes(arena.byteOffset(B).orElseThrow() + 1, MemorySegment.ofArray(new byte[] {0, (byte) 0x80, 0x3f
                    }))
                    .build());
            assertThat(arena.readOutputF32(C, DType.F32, 1)).containsExactly(1);
            program.submit(Batch.builder().build());
            assertThatThrownBy(() -> program.submit(Batch.builder()
                            .floats(A, DType.F32, ramp(ELEMENTS, 9))
                            .bytes(arena.sizeBytes(), MemorySegment.ofArray(new byte[1]))
                            .build()))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThat(arena.readOutputF32(A, DType.F32, ELEMENTS)).isEqualTo(ramp(ELEMENTS, 3));
        }
    }

    /** Random batches of overlapping ranges of every size: the last one of each byte counts. */
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4})
    void inputsOfAnyOffsetAndLength_areWrittenInOrder(long seed) {
        SplittableRandom random = new SplittableRandom(Long.getLong("devicearena.seed", seed));
        int bytes = 1 << 20;
        try (DeviceArena arena = KernelArenas.open(TestArenas.plan(0, 4000, 4096, 4000, 8192, 4000, 12_288, bytes))) {
            KernelProgram program = adding(arena, ELEMENTS);
            byte[] expected = new byte[(int) arena.sizeBytes()];
            for (int round = 0; round < 10; round++) {
                Batch.Builder writes = Batch.builder();
                for (int i = random.nextInt(1, 20); i > 0; i--) {
                    int most = random.nextInt(4) == 0 ? bytes : 20;
                    byte[] source = new byte[random.nextInt(0, most)];
                    random.nextBytes(source);
                    int offset = random.nextInt(0, expected.length - source.length);
                    writes.bytes(offset, MemorySegment.ofArray(source));
                    System.arraycopy(source, 0, expected, offset, source.length);
                }
                byte[] found = new byte[expected.length];
                program.run(
                        writes.build(),
                        Batch.builder().bytes(0, MemorySegment.ofArray(found)).build());
                int sums = (int) arena.byteOffset(C).orElseThrow();
                System.arraycopy(found, sums, expected, sums, 4 * ELEMENTS); // the kernel's
                assertThat(found).isEqualTo(expected);
            }
        }
    }

    @Test
    void inputsLargerThanABuffer_areRefused() {
        long most = TestArenas.device().limits().maxSegmentBytes();
        int bytes = 64 << 20;
        Assumptions.assumeTrue(most >= bytes && most < 1L << 36, "the limit cannot be reached");
        try (DeviceArena arena = KernelArenas.open(TestArenas.plan(0, 4000, 4096, 4000, 8192, 4000, 12_288, bytes))) {
            MemorySegment source = MemorySegment.ofArray(new byte[bytes]).fill((byte) 1);
            Batch.Builder writes = Batch.builder();
            int regions = (int) (kernels(arena).facts().maxBufferBytes() / bytes) + 1;
            for (int i = 0; i < regions; i++) {
                writes.bytes(12_288, source);
            }
            assertThatThrownBy(() -> adding(arena, ELEMENTS).submit(writes.build()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageMatching("writes: expected at most \\d+ bytes of inputs in one run \\(maxBufferSize\\),"
                            + " mirrors included, got \\d+; write some of them before the run");
            byte[] found = new byte[1];
            arena.readBytes(12_288, MemorySegment.ofArray(found));
            assertThat(found).containsOnly(0);
        }
    }

    /**
     * Inputs of whole words in the pending writes, and staged ones: large, and with an odd end. Meanwhile another
     * thread writes a part of an input, runs without inputs, and reads both inputs.
     */
    @ParameterizedTest
    @ValueSource(ints = {1_000, 1_001, 100_000})
    @Tag("slow")
    void eachThreadGetsTheResultOfItsOwnInputs(int elements) throws Exception {
        long slot = 4L * elements + 255 & -256;
        Assumptions.assumeTrue(
                TestArenas.device().limits().maxSegmentBytes() >= slot, "a segment is smaller than the value");
        try (DeviceArena arena =
                        KernelArenas.open(TestArenas.plan(0, slot, slot, slot, 2 * slot, slot, 3 * slot, slot));
                ExecutorService threads = Executors.newFixedThreadPool(4)) {
            KernelProgram program = adding(arena, elements);
            List<Callable<Integer>> work = new ArrayList<>();
            for (int thread = 1; thread <= 3; thread++) {
                float[] own = ramp(elements, thread);
                work.add(() -> wrongResults(program, own));
            }
            work.add(() -> {
                float[] mine = new float[100];
                float[] a = new float[elements];
                float[] b = new float[elements];
                Batch inputs = Batch.builder()
                        .floats(A, DType.F32, a)
                        .floats(B, DType.F32, b)
                        .build();
                int torn = 0;
                for (int i = 0; i < 100; i++) {
                    arena.readBatch(inputs);
                    torn += Arrays.equals(a, 100, elements, b, 100, elements) ? 0 : 1;
                    arena.writeInputF32(A, DType.F32, mine);
                    program.submit();
                }
                return torn;
            });
            for (Future<Integer> wrong : threads.invokeAll(work)) {
                assertThat(wrong.get()).isZero();
            }
        }
    }

    private static int wrongResults(KernelProgram program, float[] own) {
        float[] result = new float[own.length];
        Batch writes = Batch.builder()
                .floats(A, DType.F32, own)
                .floats(B, DType.F32, own)
                .build();
        Batch reads = Batch.builder().floats(C, DType.F32, result).build();
        int wrong = 0;
        for (int i = 0; i < 70; i++) {
            program.run(writes, reads);
            wrong += result[1] == 2 * own[1] && result[own.length - 1] == 2 * own[own.length - 1] ? 0 : 1;
        }
        return wrong;
    }

    @Test
    void theMirrorsOfInputsAreFresh() {
        Assumptions.assumeTrue(TestArenas.device().capabilities().contains(Capability.F16_SHADOW), "no f16 shadow");
        try (DeviceArena arena = KernelArenas.open(
                TestArenas.plan(0, 4000, 4096, 4000), ArenaOptions.defaults().withF16Shadow(F16ShadowMode.ON_WRITE))) {
            Kernels kernels = kernels(arena);
            KernelProgram widen = kernels.recorder()
                    .dispatch(
                            kernels.compile(KernelArenas.WIDEN),
                            Bindings.of(kernels.shadowWindow(A), kernels.window(B)),
                            Workgroups.covering(ELEMENTS, 64))
                    .build();
            float[] result = new float[ELEMENTS];
            Batch reads = Batch.builder().floats(B, DType.F32, result).build();
            for (int elements : new int[] {ELEMENTS, 500, 501}) {
                Batch writes = Batch.builder()
                        .floats(A, DType.F32, ramp(elements, elements))
                        .build();
                widen.run(writes, reads);

                assertThat(shadow(arena).isStale(A)).isFalse();
                assertThat(result[2]).isEqualTo(2f * elements);
            }
        }
    }

    /** An odd end within the value continues with the cast of the element behind it; at its end a zero follows. */
    @ParameterizedTest
    @ValueSource(ints = {20_000, 200_000, 200_001, 200_003})
    void theMirrorsOfLargeInputsAreTheirCasts(int elements) {
        Assumptions.assumeTrue(TestArenas.device().capabilities().contains(Capability.F16_SHADOW), "no f16 shadow");
        int most = 200_003;
        NodeId value = NodeId.of(3);
        try (DeviceArena arena = KernelArenas.open(
                TestArenas.plan(0, 4000, 4096, 4000, 8192, 4000, 12_288, 4L * most),
                ArenaOptions.defaults().withF16Shadow(F16ShadowMode.ON_WRITE))) {
            float[] before = new float[most];
            Arrays.fill(before, 3);
            arena.writeInputF32(value, DType.F32, before);
            float[] floats = ramp(elements, 0.37f);
            adding(arena, ELEMENTS)
                    .submit(Batch.builder()
                            .floats(value, DType.F32, floats)
                            .bytes(1, MemorySegment.ofArray(new byte[2]))
                            .build());

            short[] expected = new short[most + 1];
            for (int i = 0; i < most; i++) {
                expected[i] = Float.floatToFloat16(i < elements ? floats[i] : 3);
            }
            short[] found = new short[most + 1];
            shadow(arena).readBytes(shadow(arena).byteOffset(value).orElseThrow(), MemorySegment.ofArray(found));
            assertThat(found).isEqualTo(expected);
            assertThat(shadow(arena).isStale(value)).isFalse();
            assertThat(arena.readOutputF32(value, DType.F32, elements)).isEqualTo(floats);
        }
    }

    @Test
    void aMirrorThatTheInputsMakeStaleIsRefused_andOneThatTheyMakeFreshIsNot() {
        Assumptions.assumeTrue(TestArenas.device().capabilities().contains(Capability.F16_SHADOW), "no f16 shadow");
        try (DeviceArena arena = KernelArenas.open(
                TestArenas.plan(0, 4000, 4096, 4000), ArenaOptions.defaults().withF16Shadow(F16ShadowMode.ON_WRITE))) {
            Kernels kernels = kernels(arena);
            KernelProgram widen = kernels.recorder()
                    .dispatch(
                            kernels.compile(KernelArenas.WIDEN),
                            Bindings.of(kernels.shadowWindow(A), kernels.window(B)),
                            Workgroups.covering(ELEMENTS, 64))
                    .build();
            float[] result = new float[ELEMENTS];
            Batch reads = Batch.builder().floats(B, DType.F32, result).build();
            Batch raw = Batch.builder()
                    .elements(A, DType.F32, MemorySegment.ofArray(ramp(ELEMENTS, 1)))
                    .build();
            Batch typed =
                    Batch.builder().floats(A, DType.F32, ramp(ELEMENTS, 2)).build();

            assertThatThrownBy(() -> widen.run(raw, reads))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("the f16 mirror of node 0 is stale; refresh it first");
            assertThat(arena.readOutputF32(A, DType.F32, ELEMENTS)).containsOnly(0);
            arena.writeBytes(0, MemorySegment.ofArray(new byte[4]));
            widen.run(typed, reads);
            assertThat(result[3]).isEqualTo(6);
        }
    }
}
