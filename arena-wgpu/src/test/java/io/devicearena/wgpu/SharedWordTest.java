package io.devicearena.wgpu;

import static io.devicearena.wgpu.testing.TestArenas.shadow;
import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.ArenaOptions;
import io.devicearena.Capability;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.F16Shadow;
import io.devicearena.F16ShadowMode;
import io.devicearena.NodeId;
import io.devicearena.cast.TypedCasts;
import io.devicearena.wgpu.testing.Needs;
import io.devicearena.wgpu.testing.TestArenas;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Threads that write to the same words of 4 bytes: each byte has the last value of its own writer. */
class SharedWordTest {
    private static final NodeId FIRST = NodeId.of(0);
    private static final NodeId SECOND = NodeId.of(1);
    private static final int ROUNDS = 300;

    /** The work of one thread; the barrier starts all threads together. */
    private interface Writer {
        void write(SplittableRandom random) throws Exception;
    }

    private static void together(long seed, List<Writer> writers) throws InterruptedException, ExecutionException {
        CyclicBarrier start = new CyclicBarrier(writers.size());
        SplittableRandom seeds = new SplittableRandom(Long.getLong("devicearena.seed", seed));
        try (ExecutorService threads = Executors.newFixedThreadPool(writers.size())) {
            List<Callable<Void>> calls = new ArrayList<>();
            for (Writer writer : writers) {
                SplittableRandom random = seeds.split();
                calls.add(() -> {
                    start.await();
                    writer.write(random);
                    return null;
                });
            }
            for (Future<Void> done : threads.invokeAll(calls)) {
                done.get();
            }
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void writeBytes_threadsShareAWord_eachKeepsItsBytes(long seed) throws InterruptedException, ExecutionException {
        byte[] last = new byte[8];
        try (DeviceArena arena = TestArenas.open(TestArenas.plan(0, last.length))) {
            List<Writer> writers = new ArrayList<>();
            for (int thread = 0; thread < 4; thread++) {
                int mine = thread; // and 4 bytes later: both words have a byte of every thread
                writers.add(random -> {
                    for (int round = 0; round < ROUNDS; round++) {
                        int at = mine + 4 * random.nextInt(2);
                        byte value = (byte) random.nextInt();
                        arena.writeBytes(at, MemorySegment.ofArray(new byte[] {value}));
                        last[at] = value;
                        if (round % 16 == 0) {
                            assertThat(read(arena, at, 1)).containsExactly(value);
                        }
                    }
                });
            }
            together(seed, writers);
            assertThat(read(arena, 0, last.length)).isEqualTo(last);
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void writeBytes_rangesShareEndWords_keepTheirBytes(long seed) throws InterruptedException, ExecutionException {
        // no boundary is between words; the third range is large enough for staging of its own
        int[] borders = {0, 7, 10, 100_001, 100_002, 104_999};
        byte[] last = new byte[borders[borders.length - 1]];
        try (DeviceArena arena = TestArenas.open(TestArenas.plan(0, last.length))) {
            List<Writer> writers = new ArrayList<>();
            for (int i = 0; i + 1 < borders.length; i++) {
                int from = borders[i];
                int to = borders[i + 1];
                writers.add(random -> writeWithin(arena, last, from, to, random));
            }
            together(seed, writers);
            assertThat(Arrays.mismatch(read(arena, 0, last.length), last)).isEqualTo(-1);
        }
    }

    /** Writes ranges that mostly reach one of the ends, where the neighbours write. */
    private static void writeWithin(DeviceArena arena, byte[] last, int from, int to, SplittableRandom random) {
        for (int round = 0; round < ROUNDS; round++) {
            byte[] data = new byte[1 + random.nextInt(to - from)];
            random.nextBytes(data);
            int at = random.nextBoolean() ? from : to - data.length;
            arena.writeBytes(at, MemorySegment.ofArray(data));
            System.arraycopy(data, 0, last, at, data.length);
            if (round % 16 == 0) {
                assertThat(Arrays.mismatch(read(arena, from, to - from), Arrays.copyOfRange(last, from, to)))
                        .as("bytes %d to %d as their writer reads them in round %d", from, to, round)
                        .isEqualTo(-1);
            }
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2})
    void writeInput_valuesShareAWord_keepTheirBytes(long seed) throws InterruptedException, ExecutionException {
        float[] left = new float[3];
        float[] right = new float[5];
        try (DeviceArena arena = TestArenas.open(TestArenas.plan(0, 6, 6, 10))) {
            together(seed, List.of(random -> writeHalves(arena, FIRST, left, random), random -> {
                writeHalves(arena, SECOND, right, random);
            }));
            assertThat(arena.readOutputF32(FIRST, DType.BF16, 3)).isEqualTo(left);
            assertThat(arena.readOutputF32(SECOND, DType.BF16, 5)).isEqualTo(right);
        }
    }

    private static void writeHalves(DeviceArena arena, NodeId id, float[] last, SplittableRandom random) {
        for (int round = 0; round < ROUNDS; round++) {
            for (int i = 0; i < last.length; i++) {
                last[i] = random.nextInt(256); // each is a bf16
            }
            arena.writeInputF32(id, DType.BF16, last);
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2})
    void write_threadsShareAWordOfTheShadow_eachKeepsItsHalf(long seed)
            throws InterruptedException, ExecutionException {
        if (!TestArenas.device().capabilities().contains(Capability.F16_SHADOW)) {
            throw Needs.missing("device with shader-f16");
        }
        int elements = 6;
        float[] last = new float[elements];
        try (DeviceArena arena = TestArenas.open(
                TestArenas.plan(0, 4L * elements, 32, 4L * elements),
                ArenaOptions.defaults().withF16Shadow(F16ShadowMode.ON_REQUEST))) {
            F16Shadow shadow = shadow(arena);
            // the first thread ends in the middle of a word of the shadow, whose other half must not change; the
            // second writes the floats of that half, and refreshes the mirror of another value
            shadow.write(FIRST, new float[] {9, 9, 9, 9, 9, 9});
            together(
                    seed,
                    List.of(
                            random -> {
                                for (int round = 0; round < ROUNDS; round++) {
                                    int count = 1 + 2 * random.nextInt(2);
                                    float[] data = new float[count];
                                    for (int i = 0; i < count; i++) {
                                        data[i] = random.nextInt(2048); // each is an f16
                                        last[i] = data[i];
                                    }
                                    shadow.write(FIRST, data);
                                }
                            },
                            random -> {
                                for (int round = 0; round < ROUNDS; round++) {
                                    float value = random.nextInt(2048);
                                    last[3] = value;
                                    arena.writeBytes(12, MemorySegment.ofArray(new float[] {value}));
                                    arena.writeInputF32(
                                            SECOND, DType.F32, new float[] {value, value, value, value, value});
                                    shadow.refresh(SECOND);
                                }
                            }));
            short[] mirror = new short[elements];
            shadow.readBytes(0, MemorySegment.ofArray(mirror));
            assertThat(TypedCasts.readTypedToF32(MemorySegment.ofArray(mirror), DType.F16, elements))
                    .containsExactly(last[0], last[1], last[2], 9, 9, 9);
            float[] second = new float[elements];
            shadow.readBytes(16, MemorySegment.ofArray(mirror));
            Arrays.fill(second, 0, 5, last[3]);
            assertThat(TypedCasts.readTypedToF32(MemorySegment.ofArray(mirror), DType.F16, elements))
                    .isEqualTo(second);
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2})
    void write_mirrorEndsInsideAWord_keepsOtherHalf(long seed) throws InterruptedException, ExecutionException {
        if (!TestArenas.device().capabilities().contains(Capability.F16_SHADOW)) {
            throw Needs.missing("device with shader-f16");
        }
        float[] last = new float[4];
        try (DeviceArena arena = TestArenas.open(TestArenas.plan(0, 16))) {
            together(
                    seed,
                    List.of(
                            random -> {
                                for (int round = 0; round < ROUNDS; round++) {
                                    for (int i = 0; i < 3; i++) {
                                        last[i] = random.nextInt(2048);
                                    }
                                    arena.writeInputF32(FIRST, DType.F32, Arrays.copyOf(last, 3));
                                }
                            },
                            random -> {
                                for (int round = 0; round < ROUNDS; round++) {
                                    last[3] = random.nextInt(2048);
                                    arena.writeBytes(12, MemorySegment.ofArray(new float[] {last[3]}));
                                }
                            }));
            assertThat(shadow(arena).isStale(FIRST)).isTrue();
            shadow(arena).refresh(FIRST);
            short[] mirror = new short[4];
            shadow(arena).readBytes(0, MemorySegment.ofArray(mirror));
            assertThat(arena.readOutputF32(FIRST, DType.F32, 4)).isEqualTo(last);
            assertThat(TypedCasts.readTypedToF32(MemorySegment.ofArray(mirror), DType.F16, 4))
                    .isEqualTo(last);
        }
    }

    private static byte[] read(DeviceArena arena, int offset, int length) {
        MemorySegment landed = MemorySegment.ofArray(new byte[length]);
        arena.readBytes(offset, landed);
        return landed.toArray(ValueLayout.JAVA_BYTE);
    }
}
