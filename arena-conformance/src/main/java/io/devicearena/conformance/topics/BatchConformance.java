package io.devicearena.conformance.topics;

import io.devicearena.ArenaOptions;
import io.devicearena.Batch;
import io.devicearena.DType;
import io.devicearena.NodeId;
import io.devicearena.conformance.oracle.ValuePlan;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

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
        String name = ValuePlan.name(DType.I32);
        MemorySegment closed;
        try (Arena memory = Arena.ofShared()) {
            closed = memory.allocate(8, 8);
        }
        try (Refusals refusals = new Refusals(openValues(ArenaOptions.defaults()));
                Arena confined = Arena.ofConfined()) {
            MemorySegment eight = refusals.memory(8);
            MemorySegment others = confined.allocate(8, 8);
            each(refusals, "floats of a fused value", bad -> bad.floats(ValuePlan.FUSED, DType.F32, eight));
            each(refusals, "elements of a missing value", bad -> bad.elements(ValuePlan.MISSING, DType.I32, eight));
            each(refusals, "floats of another type", bad -> bad.floats(i32, DType.F32, eight), i32, name, "i32", "f32");
            each(refusals, "elements of another type", bad -> bad.elements(i32, DType.I64, eight), i32, name, "i64");
            long past = ValuePlan.BYTES + 9L;
            each(refusals, "a range past the end", bad -> bad.bytes(past, eight), past, 8, ValuePlan.BYTES + 16);
            each(refusals, "a range at the largest offset", bad -> bad.bytes(Long.MAX_VALUE, eight), Long.MAX_VALUE);
            write(
                    refusals,
                    IllegalArgumentException.class,
                    "one element too many",
                    bad -> bad.elements(i32, DType.I32, refusals.memory(24)));
            write(refusals, IllegalStateException.class, "a source that is closed", bad -> bad.bytes(0, closed));
            Race.together(() -> write(
                    refusals, WrongThreadException.class, "a source of another thread", bad -> bad.bytes(0, others)));
        }
    }

    /** Each call that takes a batch refuses a region. */
    private static void each(Refusals refusals, String what, Consumer<Batch.Builder> fault, Object... texts) {
        Batch batch = sound(refusals.memory(8), fault);
        refusals.invalid("readBatch of " + what, () -> refusals.arena.readBatch(batch), texts);
        refusals.invalid("beginRead of " + what, () -> refusals.arena.beginRead(batch), texts);
        write(refusals, IllegalArgumentException.class, what, fault, texts);
    }

    private static void write(
            Refusals refusals,
            Class<? extends Throwable> how,
            String what,
            Consumer<Batch.Builder> fault,
            Object... texts) {
        Batch batch = sound(refusals.memory(8), fault);
        refusals.refused(how, "writeBatch of " + what, () -> refusals.arena.writeBatch(batch), texts);
        refusals.refused(how, "beginWrite of " + what, () -> refusals.arena.beginWrite(batch), texts);
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
