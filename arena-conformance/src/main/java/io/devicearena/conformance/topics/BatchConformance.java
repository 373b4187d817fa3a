package io.devicearena.conformance.topics;

import io.devicearena.ArenaOptions;
import io.devicearena.Batch;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.NodeId;
import io.devicearena.conformance.oracle.Check;
import io.devicearena.conformance.oracle.TestData;
import io.devicearena.conformance.oracle.ValuePlan;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/**
 * Group 5: several writes or reads together.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public interface BatchConformance extends ConformanceTopic {

    /** Catches an error that is thrown after half of the work. */
    @Test
    default void required_5_1_oneBadRegionRefusesTheBatch() {
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
