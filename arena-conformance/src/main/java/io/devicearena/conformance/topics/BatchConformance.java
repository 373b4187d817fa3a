package io.devicearena.conformance.topics;

import static io.devicearena.conformance.oracle.ExamplePlan.NODE_1;
import static io.devicearena.conformance.oracle.ValuePlan.ELEMENTS;

import io.devicearena.ArenaOptions;
import io.devicearena.Batch;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.NodeId;
import io.devicearena.conformance.calls.Segments;
import io.devicearena.conformance.oracle.Casts;
import io.devicearena.conformance.oracle.Check;
import io.devicearena.conformance.oracle.TestData;
import io.devicearena.conformance.oracle.ValuePlan;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/**
 * Group 5: several writes or reads together.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public interface BatchConformance extends ConformanceTopic {
    private static void put(byte[] model, long offset, byte[] bytes) {
        System.arraycopy(bytes, 0, model, Math.toIntExact(offset), bytes.length);
    }

    /** Catches regions that are mixed up, sorted, left out, cast or merged wrongly. */
    @Test
    default void required_5_1_batchEqualsSingleCalls() {
        byte[] model = ValuePlan.filled();
        Batch.Builder writes = Batch.builder();
        Batch.Builder reads = Batch.builder();
        List<byte[]> destinations = new ArrayList<>();
        for (DType dtype : DType.values()) {
            byte[] bytes = ValuePlan.elements(dtype, ELEMENTS);
            if (dtype.isHostFloat()) {
                float[] floats = TestData.exact(dtype, 2 * ELEMENTS);
                writes.floats(ValuePlan.of(dtype), dtype, floats);
                bytes = Casts.encoded(dtype, Arrays.copyOf(floats, ELEMENTS));
            } else {
                writes.elements(ValuePlan.of(dtype), dtype, MemorySegment.ofArray(bytes));
            }
            put(model, ValuePlan.offset(dtype), bytes);
            byte[] into = TestData.filled(2 * bytes.length, 0x3C);
            destinations.add(into);
            reads.elements(ValuePlan.of(dtype), dtype, MemorySegment.ofArray(into));
        }
        byte[] raw = TestData.bytes(181, 9);
        writes.bytes(3, Segments.of()).bytes(ValuePlan.BYTES + 7L, MemorySegment.ofArray(raw));
        put(model, ValuePlan.BYTES + 7L, raw);
        reads.bytes(3, MemorySegment.ofArray(new byte[9])).bytes(3, Segments.of());
        try (DeviceArena arena = openValues(ArenaOptions.defaults())) {
            arena.writeBatch(writes.build());
            Check.holds("arena after a batch of every kind", arena, 0, model);
            long count = (long) DType.values().length * ELEMENTS + 9;
            Check.same("result of a batch of every kind", count, arena.readBatch(reads.build()));
            for (DType dtype : DType.values()) {
                byte[] expected = TestData.filled(2 * ELEMENTS * dtype.bytes(), 0x3C);
                System.arraycopy(model, ValuePlan.offset(dtype), expected, 0, ELEMENTS * dtype.bytes());
                Check.same("elements of " + dtype, 0, expected, destinations.get(ValuePlan.index(dtype)));
            }
            Batch empty = Batch.builder().build();
            Check.same("result of an empty batch", 0L, arena.readBatch(empty));
            arena.writeBatch(empty);
            SplittableRandom random = TestData.random(182);
            int at = ValuePlan.offset(DType.BF16);
            for (int round = 0; round < 12; round++) { // of regions over each other the later one wins
                Batch.Builder overlapping = Batch.builder();
                for (int i = 0; i < 40; i++) {
                    byte[] bytes = TestData.bytes(random, 2 * random.nextInt(ELEMENTS));
                    int from = random.nextInt(3) > 0 ? at : at - 3 + random.nextInt(12);
                    if (from == at) {
                        overlapping.elements(ValuePlan.of(DType.BF16), DType.BF16, MemorySegment.ofArray(bytes));
                    } else {
                        overlapping.bytes(from, MemorySegment.ofArray(bytes));
                    }
                    put(model, from, bytes);
                }
                arena.writeBatch(overlapping.build());
                Check.holds("arena after 40 overlapping regions, round " + round, arena, 0, model);
            }
        }
    }

    /** An engine builds its batch once; catches results, lengths, offsets and bytes kept from the first use. */
    @Test
    default void required_5_2_batchesAreUsedAgain() {
        float[] data = new float[8];
        byte[] raw = new byte[7];
        float[] wide = new float[10];
        float[] narrow = new float[3];
        Batch writes = Batch.builder()
                .floats(NODE_1, DType.F32, data)
                .bytes(78, MemorySegment.ofArray(raw))
                .build();
        Batch reads = Batch.builder()
                .floats(NODE_1, DType.F32, wide)
                .floats(NODE_1, DType.F32, narrow)
                .build();
        try (DeviceArena first = openExample();
                DeviceArena second = openExample()) {
            for (int length : new int[] {32, 20, 6, 0}) {
                DeviceArena arena = length % 3 == 2 ? first : second;
                Arrays.fill(data, length);
                Arrays.fill(raw, (byte) length);
                Arrays.fill(wide, -1);
                Arrays.fill(narrow, -1);
                arena.writeBatch(writes);
                arena.setActualLength(NODE_1, length);
                int whole = length / 4;
                String what = "batch with an actual length of " + length;
                Check.holds(what + ", bytes written", arena, 78, raw);
                Check.same(what + ", result", (long) whole + Math.min(whole, 3), arena.readBatch(reads));
                for (float[] read : List.of(wide, narrow)) {
                    float[] expected = TestData.floats(read.length, -1);
                    Arrays.fill(expected, 0, Math.min(whole, read.length), length);
                    Check.same(what + ", destination of " + read.length, expected, read);
                }
            }
        }
    }

    /** Catches an error that is thrown after half of the work. */
    @Test
    default void required_5_3_oneBadRegionRefusesTheBatch() {
        NodeId i32 = ValuePlan.of(DType.I32);
        byte[] memory = TestData.filled(8, 0x3C);
        MemorySegment eight = MemorySegment.ofArray(memory);
        Map<String, Consumer<Batch.Builder>> faults = new LinkedHashMap<>();
        faults.put("floats of a fused value", bad -> bad.floats(ValuePlan.FUSED, DType.F32, eight));
        faults.put("elements of a missing value", bad -> bad.elements(ValuePlan.MISSING, DType.I32, eight));
        faults.put("floats of another type", bad -> bad.floats(i32, DType.F32, eight));
        faults.put("elements of another type", bad -> bad.elements(i32, DType.I64, eight));
        faults.put("a range past the end", bad -> bad.bytes(ValuePlan.BYTES + 9L, eight));
        faults.put("a range at the largest offset", bad -> bad.bytes(Long.MAX_VALUE, eight));
        MemorySegment dead;
        try (Arena closed = Arena.ofShared()) {
            dead = closed.allocate(8, 8);
        }
        try (DeviceArena arena = openValues(ArenaOptions.defaults());
                Arena confined = Arena.ofConfined()) {
            faults.forEach((what, fault) -> {
                Batch batch = sound(eight, fault);
                Map<String, Executable> calls = new LinkedHashMap<>();
                calls.put("readBatch of ", () -> arena.readBatch(batch));
                calls.put("beginRead of ", () -> arena.beginRead(batch));
                calls.put("writeBatch of ", () -> arena.writeBatch(batch));
                calls.put("beginWrite of ", () -> arena.beginWrite(batch));
                calls.forEach((call, bad) -> Check.assertInvalid(call + what, bad));
                Check.same("destinations of " + what, 0, TestData.filled(8, 0x3C), memory);
                Check.holds("arena after " + what, arena, 0, ValuePlan.filled());
            });
            Check.assertInvalid(
                    "one element too many",
                    () -> arena.writeBatch(
                            sound(eight, bad -> bad.elements(i32, DType.I32, MemorySegment.ofArray(new int[6])))));
            Check.assertClosed(
                    "a source that is closed", () -> arena.writeBatch(sound(eight, bad -> bad.bytes(0, dead))));
            MemorySegment others = confined.allocate(8, 8);
            Race.together(() -> Check.assertRefused(
                    WrongThreadException.class,
                    "a source of another thread",
                    () -> arena.writeBatch(sound(eight, bad -> bad.bytes(0, others)))));
            Check.holds("arena after refused sources", arena, 0, ValuePlan.filled());
            Check.assertInvalid(
                    "a batch with a bad type",
                    () -> arena.writeBatch(sound(eight, bad -> bad.elements(i32, DType.I64, eight))),
                    i32,
                    ValuePlan.name(DType.I32),
                    "i32",
                    "i64");
            Check.assertInvalid(
                    "a batch with a bad range",
                    () -> arena.writeBatch(sound(eight, bad -> bad.bytes(ValuePlan.BYTES + 9L, eight))),
                    ValuePlan.BYTES + 9,
                    8,
                    ValuePlan.BYTES + 16);
        }
    }

    /** A batch of sound regions, and the one of a fault behind them. */
    private static Batch sound(MemorySegment memory, Consumer<Batch.Builder> fault) {
        Batch.Builder batch = Batch.builder()
                .bytes(3, memory.asSlice(0, 5))
                .floats(ValuePlan.of(DType.F32), DType.F32, memory)
                .elements(ValuePlan.of(DType.U8), DType.U8, memory.asSlice(0, 3));
        fault.accept(batch);
        return batch.build();
    }
}
