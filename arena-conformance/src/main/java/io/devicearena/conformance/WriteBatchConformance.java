package io.devicearena.conformance;

import static io.devicearena.conformance.ValuePlan.ELEMENTS;
import static io.devicearena.conformance.ValuePlan.SLOT;

import io.devicearena.ArenaOptions;
import io.devicearena.Batch;
import io.devicearena.Capability;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.Transfer;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Group 18: several writes together.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public interface WriteBatchConformance extends ConformanceTopic {
    private DeviceArena openFilled() {
        DeviceArena arena = open(ValuePlan.plan(), ArenaOptions.defaults().withScratchBytes(16));
        arena.writeBytes(0, MemorySegment.ofArray(filled()));
        return arena;
    }

    private static byte[] filled() {
        return TestData.filled(ValuePlan.BYTES + 16, 0x55);
    }

    private static void put(byte[] model, long offset, byte[] bytes) {
        System.arraycopy(bytes, 0, model, Math.toIntExact(offset), bytes.length);
    }

    /** Catches a kind of region that is left out or cast, and floats that are not cut to their value. */
    @Test
    default void required_18_1_regionsOfEveryKindAreWritten() {
        byte[] model = filled();
        Batch.Builder builder = Batch.builder();
        for (DType dtype : DType.values()) {
            if (dtype.isHostFloat()) {
                float[] floats = TestData.exact(dtype, 2 * ELEMENTS);
                builder.floats(ValuePlan.of(dtype), dtype, floats);
                put(model, ValuePlan.offset(dtype), TestData.encoded(dtype, Arrays.copyOf(floats, ELEMENTS)));
            } else {
                byte[] elements = ValuePlan.elements(dtype, ELEMENTS);
                builder.elements(ValuePlan.of(dtype), dtype, MemorySegment.ofArray(elements));
                put(model, ValuePlan.offset(dtype), elements);
            }
        }
        byte[] half = ValuePlan.elements(DType.F16, 7);
        builder.elements(ValuePlan.UNTYPED, DType.F16, MemorySegment.ofArray(half));
        put(model, ValuePlan.BYTES - (long) SLOT, half);
        byte[] scratch = TestData.bytes(181, 9);
        builder.bytes(ValuePlan.BYTES + 7L, MemorySegment.ofArray(scratch));
        put(model, ValuePlan.BYTES + 7L, scratch);
        try (DeviceArena arena = openFilled()) {
            arena.writeBatch(builder.build());
            Check.holds("arena after a batch of every kind", arena, 0, model);
        }
    }

    /** Catches a batch that sorts its regions, and one that makes the raw ones first. */
    @Test
    default void required_18_2_laterRegionsOverwriteEarlierOnes() {
        try (DeviceArena arena = openFilled()) {
            byte[] model = filled();
            int at = ValuePlan.offset(DType.BF16);
            Batch batch = Batch.builder()
                    .bytes(at - 2L, MemorySegment.ofArray(TestData.filled(30, 1)))
                    .floats(ValuePlan.of(DType.BF16), DType.BF16, new float[] {1, 2, 3, 4})
                    .bytes(at + 3L, MemorySegment.ofArray(TestData.filled(6, 2)))
                    .elements(ValuePlan.of(DType.BF16), DType.BF16, MemorySegment.ofArray(TestData.filled(4, 3)))
                    .bytes(at + 1L, MemorySegment.ofArray(TestData.filled(1, 4)))
                    .floats(ValuePlan.of(DType.F16), DType.F16, new float[] {5})
                    .bytes(at - 2L, MemorySegment.ofArray(TestData.filled(1, 5)))
                    .build();
            put(model, at - 2L, TestData.filled(30, 1));
            put(model, at, TestData.encoded(DType.BF16, new float[] {1, 2, 3, 4}));
            put(model, at + 3L, TestData.filled(6, 2));
            put(model, at, TestData.filled(4, 3));
            put(model, at + 1L, TestData.filled(1, 4));
            put(model, ValuePlan.offset(DType.F16), TestData.encoded(DType.F16, new float[] {5}));
            put(model, at - 2L, TestData.filled(1, 5));
            arena.writeBatch(batch);
            Check.holds("arena after overlapping regions", arena, 0, model);

            SplittableRandom random = TestData.random(182);
            for (int round = 0; round < 12; round++) {
                Batch.Builder builder = Batch.builder();
                int regions = round < 10 ? 40 : 40 + 700 * (round - 9);
                for (int i = 0; i < regions; i++) {
                    byte[] bytes = TestData.bytes(random, random.nextInt(20));
                    int offset = random.nextInt(100 - bytes.length);
                    builder.bytes(offset, MemorySegment.ofArray(bytes));
                    put(model, offset, bytes);
                }
                arena.writeBatch(builder.build());
                Check.holds("arena after " + regions + " overlapping ranges, round " + round, arena, 0, model);
            }
        }
    }

    /** Catches the batch that is half written when its last region is found to be bad. */
    @Test
    @SuppressWarnings("NullAway") // null is what is tested
    default void required_18_3_batchesAreCheckedBeforeTheFirstByte() {
        MemorySegment dead;
        try (Arena memory = Arena.ofShared()) {
            dead = memory.allocate(8, 8);
        }
        MemorySegment eight = MemorySegment.ofArray(new byte[8]);
        NodeId i32 = ValuePlan.of(DType.I32);
        Map<String, Batch.Builder> bad = new LinkedHashMap<>();
        bad.put("floats of a fused value", sound().floats(ValuePlan.FUSED, DType.F32, eight));
        bad.put("elements of a value that is not there", sound().elements(ValuePlan.MISSING, DType.I32, eight));
        bad.put("floats of another type", sound().floats(i32, DType.F32, eight));
        bad.put("elements of another type", sound().elements(i32, DType.I64, eight));
        bad.put(
                "one element too many",
                sound().elements(i32, DType.I32, MemorySegment.ofArray(new byte[4 * ELEMENTS + 4])));
        bad.put("a range past the end", sound().bytes(ValuePlan.BYTES + 9L, eight));
        bad.put("a range at the largest offset", sound().bytes(Long.MAX_VALUE, eight));
        try (DeviceArena arena = openFilled();
                Arena confined = Arena.ofConfined()) {
            bad.forEach((what, batch) -> {
                Check.assertInvalid(what, () -> arena.writeBatch(batch.build()));
                Check.holds("arena after " + what, arena, 0, filled());
            });
            Check.assertClosed(
                    "a source that is closed",
                    () -> arena.writeBatch(sound().bytes(0, dead).build()));
            MemorySegment others = confined.allocate(8, 8);
            Race.together(() -> Check.assertRefused(
                    WrongThreadException.class,
                    "a source of another thread",
                    () -> arena.writeBatch(sound().bytes(0, others).build())));
            Check.assertRefused(NullPointerException.class, "a null batch", () -> arena.writeBatch(null));
            Check.holds("arena after refused sources", arena, 0, filled());
            Check.assertInvalid(
                    "a batch with a bad type",
                    () -> arena.writeBatch(
                            sound().elements(i32, DType.I64, eight).build()),
                    i32,
                    ValuePlan.name(DType.I32),
                    "i32",
                    "i64");
            Check.assertInvalid(
                    "a batch with a bad range",
                    () -> arena.writeBatch(
                            sound().bytes(ValuePlan.BYTES + 9L, eight).build()),
                    ValuePlan.BYTES + 9,
                    8,
                    ValuePlan.BYTES + 16);
        }
    }

    private static Batch.Builder sound() {
        return Batch.builder()
                .bytes(3, MemorySegment.ofArray(new byte[5]))
                .floats(ValuePlan.of(DType.F32), DType.F32, new float[2])
                .elements(ValuePlan.of(DType.U8), DType.U8, MemorySegment.ofArray(new byte[3]));
    }

    /** An engine without inputs writes an empty batch. */
    @Test
    default void required_18_4_emptyBatchesAndRegionsChangeNothing() {
        try (DeviceArena arena = openFilled()) {
            arena.writeBatch(Batch.builder().build());
            MemorySegment none = MemorySegment.ofArray(new byte[0]);
            Batch empty = Batch.builder()
                    .bytes(0, none)
                    .floats(ValuePlan.of(DType.F16), DType.F16, none)
                    .elements(ValuePlan.of(DType.I64), DType.I64, none)
                    .bytes(ValuePlan.BYTES + 16L, none)
                    .build();
            arena.writeBatch(empty);
            Check.holds("arena after empty regions", arena, 0, filled());
            arena.writeBatch(Batch.builder()
                    .bytes(0, none)
                    .bytes(5, Segments.of((byte) 1))
                    .bytes(7, none)
                    .build());
            byte[] model = filled();
            model[5] = 1;
            Check.holds("arena after one byte between empty regions", arena, 0, model);
        }
    }

    /** Catches aligned access to an odd address, and a batch that reads its sources later. */
    @Test
    default void required_18_5_sourcesAreTakenBeforeTheCallReturns() {
        byte[] floats = TestData.encoded(DType.F32, new float[] {1, -2, 3, -4});
        byte[] expected = TestData.encoded(DType.F16, new float[] {1, -2, 3, -4});
        try (DeviceArena arena = openFilled();
                Arena memory = Arena.ofConfined()) {
            for (Segments.Form form : Segments.ofEveryKind(memory, floats.length)) {
                form.part().copyFrom(MemorySegment.ofArray(floats));
                arena.writeBytes(0, MemorySegment.ofArray(filled()));
                arena.writeBatch(everyRegion(form.part().asReadOnly()));
                form.part().fill((byte) 0);
                checkEveryRegion(form.kind(), arena, floats, expected);
            }
            Arena freed = Arena.ofShared();
            MemorySegment source = freed.allocate(floats.length);
            source.copyFrom(MemorySegment.ofArray(floats));
            arena.writeBytes(0, MemorySegment.ofArray(filled()));
            arena.writeBatch(everyRegion(source));
            source.fill((byte) 0);
            freed.close();
            checkEveryRegion("freed memory", arena, floats, expected);
        }
    }

    private static Batch everyRegion(MemorySegment source) {
        return Batch.builder()
                .floats(ValuePlan.of(DType.F16), DType.F16, source)
                .elements(ValuePlan.of(DType.I64), DType.I64, source)
                .bytes(3, source)
                .build();
    }

    private static void checkEveryRegion(String what, DeviceArena arena, byte[] bytes, byte[] half) {
        Check.holds("floats out of " + what, arena, ValuePlan.offset(DType.F16), half);
        Check.holds("elements out of " + what, arena, ValuePlan.offset(DType.I64), bytes);
        Check.holds("bytes out of " + what, arena, 3, bytes);
    }

    /** An engine builds its batch once; catches the bytes of the first time. */
    @Test
    default void required_18_6_batchesCanBeWrittenAgain() {
        float[] floats = new float[ELEMENTS];
        byte[] bytes = new byte[7];
        Batch batch = Batch.builder()
                .floats(ValuePlan.of(DType.BF16), DType.BF16, floats)
                .bytes(ValuePlan.BYTES + 1L, MemorySegment.ofArray(bytes))
                .build();
        try (DeviceArena first = openFilled();
                DeviceArena second = openFilled()) {
            for (int round = 1; round < 5; round++) {
                Arrays.fill(floats, round);
                Arrays.fill(bytes, (byte) round);
                DeviceArena arena = round % 2 == 0 ? first : second;
                arena.writeBatch(batch);
                Check.holds(
                        "floats, round " + round,
                        arena,
                        ValuePlan.offset(DType.BF16),
                        TestData.encoded(DType.BF16, floats));
                Check.holds("bytes, round " + round, arena, ValuePlan.BYTES + 1L, bytes);
            }
        }
    }

    /** Catches batches that wait, and those that overtake another write. */
    @Test
    default void required_18_7_batchesKeepTheOrderOfCalls() {
        byte[] read = new byte[8];
        Batch reads = Batches.bytes(1, read);
        try (DeviceArena arena = openFilled()) {
            for (int round = 0; round < 20; round++) {
                byte[] older = TestData.filled(8, 4 * round);
                byte[] newer = TestData.filled(8, 4 * round + 1);
                arena.writeBytes(1, MemorySegment.ofArray(older));
                Transfer deferred = arena.beginRead(reads);
                arena.writeBatch(Batches.bytes(1, newer));
                deferred.await();
                Check.same("read begun before a batch, round " + round, 1, older, read);
                arena.readBatch(reads);
                Check.same("read after a batch, round " + round, 1, newer, read);
                arena.writeBytes(2, Segments.of((byte) 7));
                newer[1] = 7;
                Check.holds("write after a batch, round " + round, arena, 1, newer);
            }
        }
    }

    /** Catches batches that outgrow a staging buffer, by their number or by their bytes. */
    @Test
    default void required_18_8_batchesMayHaveAnyNumberOfRegions() {
        byte[] model = new byte[200_000];
        Batch.Builder builder = Batch.builder();
        SplittableRandom random = TestData.random(188);
        for (int i = 0; i < 1000; i++) {
            byte[] bytes = TestData.bytes(random, 1 + i % 7);
            int offset = Batches.scattered(i);
            builder.bytes(offset, MemorySegment.ofArray(bytes));
            put(model, offset, bytes);
        }
        byte[] large = TestData.bytes(random, 100_003);
        builder.bytes(9001, MemorySegment.ofArray(large));
        put(model, 9001, large);
        byte[] last = TestData.bytes(random, 5);
        builder.bytes(199_995, MemorySegment.ofArray(last));
        put(model, 199_995, last);
        try (DeviceArena arena = open(ExamplePlan.bytes(model.length))) {
            arena.writeBytes(0, MemorySegment.ofArray(new byte[model.length]));
            arena.writeBatch(builder.build());
            Check.holds("arena after 1,002 regions", arena, 0, model);
        }
    }

    /** Catches regions of which only the first segment is written. */
    @Test
    default void required_18_9_regionsMayCrossSegmentEnds() {
        int segment = SegmentPlans.segmentBytes(device());
        MemoryPlan plan = SegmentPlans.values(segment);
        byte[] model = new byte[Math.toIntExact(plan.arenaSize())];
        byte[] whole = SegmentPlans.words(1890, 2 * segment + 20);
        byte[] across = SegmentPlans.words(1891, 29);
        float[] floats = TestData.floats(TestData.random(189), segment / 4 + 5, 8);
        Batch batch = Batch.builder()
                .elements(SegmentPlans.LARGE, DType.U8, MemorySegment.ofArray(whole))
                .floats(SegmentPlans.LARGE, DType.F32, floats)
                .bytes(3L * segment - 13, MemorySegment.ofArray(across))
                .build();
        put(model, 0, whole);
        put(model, 0, MemorySegment.ofArray(floats).toArray(Batches.BYTE));
        put(model, 3L * segment - 13, across);
        try (DeviceArena arena = open(plan)) {
            arena.writeBytes(0, MemorySegment.ofArray(new byte[model.length]));
            arena.writeBatch(batch);
            Check.holds("arena after a batch across ends", arena, 0, model);
        }
    }

    /** Catches a staging buffer that two batches share; as 9.2, it may miss one. */
    @Test
    default void stochastic_18_10_batchesOfSeveralThreadsLoseNothing() {
        byte[] expected = new byte[64];
        try (DeviceArena arena = open(ExamplePlan.bytes(expected.length))) {
            Race.rounds(
                    150,
                    round -> {},
                    round -> {
                        for (int i = 0; i < expected.length; i++) {
                            expected[i] = (byte) (i % 8 < 3 ? round + 1 : ~round);
                        }
                        Check.holds("arena after round " + round, arena, 0, expected);
                    },
                    List.of(
                            round -> arena.writeBatch(stripes(expected.length, 0, 3, round + 1)),
                            round -> arena.writeBatch(stripes(expected.length, 3, 8, ~round))));
        }
    }

    private static Batch stripes(int size, int from, int to, int value) {
        Batch.Builder builder = Batch.builder();
        MemorySegment bytes = MemorySegment.ofArray(TestData.filled(to - from, value));
        for (int start = 0; start < size; start += 8) {
            builder.bytes(start + from, bytes);
        }
        return builder.build();
    }

    /** A batch is as good as single writes; catches mirrors that look fresh and are old. */
    @Test
    default void optional_18_11_mirrorsFollowABatch() {
        assumeCapability(Capability.F16_SHADOW);
        NodeId id = ValuePlan.of(DType.F32);
        int[] bits = TestData.random(1811).ints(8).toArray();
        MemorySegment floats = MemorySegment.ofArray(bits);
        try (DeviceArena arena = open(ValuePlan.single(DType.F32, 8))) {
            arena.writeBatch(Batch.builder()
                    .floats(id, DType.F32, new float[8])
                    .floats(id, DType.F32, floats)
                    .build());
            Check.same(
                    "isStale after floats in a batch", false, Shadows.of(arena).isStale(id));
            Shadows.holds("mirror after floats in a batch", Shadows.of(arena), 0, Shadows.mirror(bits));
            bits[0] = 0x4000_0000;
            arena.writeBatch(Batch.builder()
                    .floats(id, DType.F32, new float[8])
                    .bytes(0, floats)
                    .build());
            Check.same("isStale after bytes in a batch", true, Shadows.of(arena).isStale(id));
            Shadows.of(arena).refresh(id);
            Shadows.holds("mirror after a refresh", Shadows.of(arena), 0, Shadows.mirror(bits));
        }
    }
}
