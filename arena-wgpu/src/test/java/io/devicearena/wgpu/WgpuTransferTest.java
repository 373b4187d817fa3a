package io.devicearena.wgpu;

import static io.devicearena.wgpu.testing.TestArenas.memory;
import static io.devicearena.wgpu.testing.TestArenas.shadow;
import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.ArenaOptions;
import io.devicearena.Batch;
import io.devicearena.Capability;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.F16ShadowMode;
import io.devicearena.HostMemory;
import io.devicearena.NodeId;
import io.devicearena.Transfer;
import io.devicearena.cast.TypedCasts;
import io.devicearena.wgpu.testing.Needs;
import io.devicearena.wgpu.testing.TestArenas;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Transfers of sizes around the limits of this backend, compared with an array. */
class WgpuTransferTest {
    private static final NodeId FIRST = NodeId.of(0);
    private static final NodeId SECOND = NodeId.of(1);
    private static final int SMALL = 64 << 10;
    private static final int CHUNK = 8 << 20;
    private static final int PIECE = 16 << 20;

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void rangesOfAnySizeAndOffset_roundTrip(long seed) {
        SplittableRandom random = new SplittableRandom(Long.getLong("devicearena.seed", seed));
        int size = 3 * PIECE + 1001;
        byte[] model = new byte[size];
        int[] borders = {1, 4, 255, 256, SMALL, SMALL + 8, CHUNK - 8, CHUNK, PIECE, PIECE + 4, 2 * PIECE + 12};
        try (DeviceArena arena = TestArenas.open(TestArenas.plan(0, size))) {
            for (int border : borders) {
                for (int nudge = -3; nudge <= 3; nudge += 3) {
                    int length = Math.max(border + nudge, 0);
                    byte[] data = new byte[length];
                    random.nextBytes(data);
                    int offset = random.nextInt(size - length + 1);
                    System.arraycopy(data, 0, model, offset, length);
                    arena.writeBytes(offset, MemorySegment.ofArray(data));
                    int from = random.nextInt(size - length + 1);
                    byte[] read = new byte[length];
                    arena.readBytes(from, MemorySegment.ofArray(read));
                    assertThat(Arrays.mismatch(read, Arrays.copyOfRange(model, from, from + length)))
                            .as("%d bytes written at %d, read at %d", length, offset, from)
                            .isEqualTo(-1);
                }
            }
            assertThat(arena.<Long>withBytes(0, size, MemorySegment.ofArray(model)::mismatch))
                    .isEqualTo(-1);
        }
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(
            value = DType.class,
            names = {"F32", "F16", "BF16"})
    void typedValuesOfSeveralPiecesAreCastBothWays(DType dtype) {
        int elements = 5_000_001;
        float[] data = floats(new SplittableRandom(4), elements);
        short[] narrow = new short[elements];
        float[] expected = data;
        if (dtype != DType.F32) {
            MemorySegment halves = MemorySegment.ofArray(narrow);
            TypedCasts.writeTypedFromF32(halves, dtype, data, elements);
            expected = TypedCasts.readTypedToF32(halves, dtype, elements);
        }
        try (DeviceArena arena = TestArenas.open(TestArenas.plan(6, 4L * elements));
                Arena memory = Arena.ofConfined()) {
            assertThat(arena.writeInputF32(FIRST, dtype, data)).isEqualTo(elements);
            assertSame(arena.readOutputF32(FIRST, dtype, elements), expected);

            MemorySegment source = memory.allocate(4L * elements, 4).copyFrom(MemorySegment.ofArray(data));
            arena.writeBytes(6, memory.allocate(4L * elements));
            arena.writeInputF32(FIRST, dtype, source);
            MemorySegment landed = memory.allocate(4L * elements, 4);
            assertThat(arena.readOutputF32(FIRST, dtype, landed)).isEqualTo(elements);
            assertSame(landed.toArray(ValueLayout.JAVA_FLOAT), expected);
        }
    }

    /** Regions of every kind of path, in one batch: within a word, whole words, large, cast, and from host memory. */
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void regionsOfABatch_areWrittenInOrder(long seed) {
        SplittableRandom random = new SplittableRandom(Long.getLong("devicearena.seed", seed));
        byte[] model = new byte[300_000];
        try (DeviceArena arena = TestArenas.open(TestArenas.plan(6, model.length - 6));
                HostMemory host = arena.allocateHost(100_000)) {
            for (int round = 0; round < 30; round++) {
                Batch.Builder batch = Batch.builder();
                int regions = 1 << random.nextInt(14); // the last have more ends than one dispatch
                int room = round % 3 == 0 ? 500 : model.length; // many regions in few words, or in many
                for (int i = 0; i < regions; i++) {
                    int kind = random.nextInt(200);
                    int longest = kind == 0 ? 99_000 : kind < 20 ? 300 : 9;
                    byte[] data = new byte[Math.min(random.nextInt(longest), room)];
                    random.nextBytes(data);
                    int at = random.nextInt(room - data.length + 1);
                    if (kind == 199) {
                        data = new byte[2];
                        at = 6;
                        batch.floats(FIRST, DType.F16, MemorySegment.ofArray(new float[] {0}));
                    } else if (kind == 0 && i == 0) {
                        batch.bytes(
                                at, host.segment().asSlice(at % 4, data.length).copyFrom(MemorySegment.ofArray(data)));
                    } else {
                        batch.bytes(at, MemorySegment.ofArray(data));
                    }
                    System.arraycopy(data, 0, model, at, data.length);
                }
                if (round % 2 == 0) {
                    arena.writeBatch(batch.build());
                } else {
                    arena.beginWrite(batch.build()).await();
                }
                byte[] found = new byte[model.length];
                arena.readBytes(0, MemorySegment.ofArray(found));
                assertThat(Arrays.mismatch(found, model))
                        .as("round %d of %d regions", round, regions)
                        .isEqualTo(-1);
            }
        }
    }

    @Test
    void smallWritesWithinWords_waitForTheNextSubmission() {
        try (DeviceArena arena = TestArenas.open(TestArenas.plan(0, 4000))) {
            byte[] model = new byte[4000];
            Batch.Builder batch = Batch.builder();
            for (int i = 0; i < 300; i++) {
                byte[] data = {1, 2, 3, 4, 5, 6, 7, 8, (byte) i};
                batch.bytes(13L * i + 1, MemorySegment.ofArray(data));
                System.arraycopy(data, 0, model, 13 * i + 1, data.length);
            }
            long before = memory(arena).device().queue().submissions();
            arena.writeBatch(batch.build());
            for (int i = 0; i < 300; i++) {
                byte[] data = {(byte) i, 2};
                int at = 3 + 11 * i;
                arena.writeBytes(at, MemorySegment.ofArray(data));
                System.arraycopy(data, 0, model, at, data.length);
            }
            assertThat(memory(arena).device().queue().submissions() - before).isZero();
            byte[] found = new byte[model.length];
            arena.readBytes(0, MemorySegment.ofArray(found));
            assertThat(memory(arena).device().queue().submissions() - before).isEqualTo(1);
            assertThat(found).isEqualTo(model);
        }
    }

    @Test
    void smallWritesOfAClosedArena_areDropped() {
        byte[] data = {1, 2, 3, 4, 5, 6, 7, 8, 9};
        try (DeviceArena arena = TestArenas.open(TestArenas.plan(0, 16))) {
            try (DeviceArena closed = TestArenas.open(TestArenas.plan(0, 16))) {
                closed.writeBytes(1, MemorySegment.ofArray(data));
            }
            arena.writeBytes(1, MemorySegment.ofArray(data));
            byte[] found = new byte[data.length];
            arena.readBytes(1, MemorySegment.ofArray(found));
            assertThat(found).isEqualTo(data);
        }
    }

    @Test
    void smallWritesWhoseMirrorEndsWithinAWord_waitForTheNextSubmission() {
        if (!TestArenas.device().capabilities().contains(Capability.F16_SHADOW)) {
            throw Needs.missing("device with shader-f16");
        }
        try (DeviceArena arena = TestArenas.open(
                TestArenas.plan(0, 32), ArenaOptions.defaults().withF16Shadow(F16ShadowMode.ON_WRITE))) {
            arena.writeInputF32(FIRST, DType.F32, new float[] {1, 2, 3, 4, 5, 6, 7, 8});
            long before = memory(arena).device().queue().submissions();
            arena.writeInputF32(FIRST, DType.F32, new float[] {9, 10, 11});
            assertThat(memory(arena).device().queue().submissions() - before).isZero();
            short[] mirror = new short[8];
            shadow(arena).readBytes(0, MemorySegment.ofArray(mirror));
            assertThat(TypedCasts.readTypedToF32(MemorySegment.ofArray(mirror), DType.F16, 8))
                    .containsExactly(9, 10, 11, 4, 5, 6, 7, 8);
        }
    }

    @Test
    void batchesMixSizesGapsNeighboursAndOverlaps() {
        SplittableRandom random = new SplittableRandom(5);
        byte[] model = new byte[40_000_000];
        random.nextBytes(model);
        try (DeviceArena arena = TestArenas.open(TestArenas.plan(0, model.length))) {
            arena.writeBytes(0, MemorySegment.ofArray(model));
            for (int round = 0; round < 20; round++) {
                List<byte[]> landed = new ArrayList<>();
                List<Integer> offsets = new ArrayList<>();
                Batch.Builder batch = Batch.builder();
                int at = random.nextInt(1000);
                for (int i = 0; i < 40; i++) {
                    byte[] region = new byte[random.nextInt(i == 7 ? 3_000_000 : 5000)];
                    landed.add(region);
                    offsets.add(at);
                    batch.bytes(at, MemorySegment.ofArray(region));
                    at = random.nextInt(3) == 0 ? random.nextInt(30_000_000) : at + region.length;
                }
                long count = round % 2 == 0
                        ? arena.readBatch(batch.build())
                        : arena.beginRead(batch.build()).await();
                assertThat(count)
                        .isEqualTo(landed.stream()
                                .mapToLong(region -> region.length)
                                .sum());
                for (int i = 0; i < landed.size(); i++) {
                    byte[] region = landed.get(i);
                    int from = offsets.get(i);
                    assertThat(Arrays.equals(region, 0, region.length, model, from, from + region.length))
                            .as("round %d, region %d at %d", round, i, from)
                            .isTrue();
                }
            }
        }
    }

    @Test
    @SuppressWarnings("try") // closed early on purpose
    void aDeferredReadHasTheBytesOfItsBeginning() throws Exception {
        float[] before = {1, 2, 3, 4};
        float[] landed = new float[4];
        Batch batch = Batch.builder().floats(FIRST, DType.F32, landed).build();
        try (DeviceArena arena = TestArenas.open(TestArenas.plan(0, 16, 16, 16))) {
            arena.writeInputF32(FIRST, DType.F32, before);
            Transfer read = arena.beginRead(batch);
            arena.writeInputF32(FIRST, DType.F32, new float[] {9, 9, 9, 9});
            while (!read.await(Duration.ofSeconds(1))) {
                Thread.onSpinWait();
            }
            assertThat(landed).isEqualTo(before);
            assertThat(read.state()).isEqualTo(Transfer.State.DONE);
            assertThat(read.cancel()).isFalse();

            assertThat(arena.beginRead(batch).toCompletableFuture().get()).isEqualTo(4);
            assertThat(landed).containsOnly(9);

            Transfer cancelled = arena.beginRead(batch);
            if (cancelled.cancel()) {
                assertThat(cancelled.state()).isEqualTo(Transfer.State.CANCELLED);
            }
            Transfer late = arena.beginRead(batch);
            arena.close();
            assertThat(late.state()).isEqualTo(Transfer.State.FAILED);
            assertThat(late.toCompletableFuture())
                    .failsWithin(Duration.ofMinutes(1))
                    .withThrowableThat()
                    .havingCause()
                    .isExactlyInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void arenasWithoutShadowMoveTheSameBytes() {
        ArenaOptions off = ArenaOptions.defaults().withF16Shadow(F16ShadowMode.OFF);
        float[] data = floats(new SplittableRandom(6), 300_000);
        try (DeviceArena arena = TestArenas.open(TestArenas.plan(0, 400_000, 400_000, 1_200_000), off)) {
            arena.writeInputF32(SECOND, DType.F32, data);
            arena.flush();
            assertSame(arena.readOutputF32(SECOND, DType.F32, data.length), data);
        }
    }

    @Test
    void withBytes_arenaUsedAndClosedMeanwhile_viewStaysValid() {
        DeviceArena arena = TestArenas.open(TestArenas.plan(0, 1000));
        arena.writeBytes(0, MemorySegment.ofArray(new byte[] {1, 2, 3, 4, 5}));
        byte[] seen = arena.withBytes(1, 3, mapped -> {
            arena.writeBytes(0, MemorySegment.ofArray(new byte[5]));
            arena.readBytes(0, MemorySegment.ofArray(new byte[5]));
            arena.close();
            return mapped.toArray(ValueLayout.JAVA_BYTE);
        });
        assertThat(seen).containsExactly(2, 3, 4);
    }

    static float[] floats(SplittableRandom random, int count) {
        float[] floats = new float[count];
        for (int i = 0; i < count; i++) {
            float value = Float.intBitsToFloat(random.nextInt());
            floats[i] = Float.isNaN(value) ? i : value; // payloads of NaNs are tested with the casts
        }
        return floats;
    }

    private static void assertSame(float[] actual, float[] expected) {
        assertThat(Arrays.mismatch(actual, expected)).isEqualTo(-1);
    }
}
