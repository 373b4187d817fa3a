package io.devicearena.conformance.topics;

import static io.devicearena.conformance.oracle.ExamplePlan.NODE_1;
import static io.devicearena.conformance.oracle.ValuePlan.ELEMENTS;
import static io.devicearena.conformance.oracle.ValuePlan.SLOT;

import io.devicearena.ArenaOptions;
import io.devicearena.Batch;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.NodeId;
import io.devicearena.conformance.calls.ArenaCall;
import io.devicearena.conformance.calls.Batches;
import io.devicearena.conformance.calls.Iterations;
import io.devicearena.conformance.oracle.Casts;
import io.devicearena.conformance.oracle.Check;
import io.devicearena.conformance.oracle.ExamplePlan;
import io.devicearena.conformance.oracle.SparseFile;
import io.devicearena.conformance.oracle.TestData;
import io.devicearena.conformance.oracle.ValuePlan;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Group 3: access to the values of a plan by their types, and casts, seen through the arena. Of casts, bits are
 * compared, never values, so that the sign of a zero and the payload of a NaN count.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public interface ValueConformance extends ConformanceTopic {
    /** Catches 64 longs in a value of 64 ints, which overwrite the next value without a word. */
    @Test
    default void required_3_1_moreElementsThanTheValueHasAreRefused() {
        try (Refusals refusals = new Refusals(openValues(ArenaOptions.defaults()));
                Arena shared = Arena.ofShared()) {
            MemorySegment memory = SparseFile.map((1L << 32) + 8, shared);
            for (DType dtype : DType.values()) {
                NodeId id = ValuePlan.of(dtype);
                long bytes = dtype.bytes();
                for (long elements : new long[] {ELEMENTS + 1, ELEMENTS * 20, (1L << 32) / bytes + 1}) {
                    refusals.invalid(
                            elements + " elements for " + ELEMENTS + " of " + dtype.label(),
                            () -> Batches.write(refusals.arena, id, dtype, memory.asSlice(0, elements * bytes)),
                            id,
                            ValuePlan.name(dtype),
                            elements * bytes,
                            ELEMENTS * bytes);
                }
            }
            Batches.write(
                    refusals.arena, ValuePlan.UNTYPED, DType.U8, MemorySegment.ofArray(TestData.filled(SLOT, 0x55)));
            refusals.invalid(
                    "8 elements of i64 for a slot of 61 bytes",
                    () -> Batches.write(refusals.arena, ValuePlan.UNTYPED, DType.I64, refusals.memory(64)));
        }
    }

    /** Catches longs read as ints, integers written as floats, and packed data that reaches past its slot. */
    @Test
    default void required_3_2_otherTypesThanThePlansAreRefused() {
        try (Refusals typed = new Refusals(openValues(ArenaOptions.defaults()));
                Refusals untyped = new Refusals(openExample())) {
            Class<IllegalArgumentException> invalid = IllegalArgumentException.class;
            for (DType other : DType.values()) {
                ArenaCall.With with = ArenaCall.With.memory(typed.memory(8)).as(other);
                if (!other.isHostFloat()) {
                    Predicate<ArenaCall> floats = call -> call.takes() == ArenaCall.Takes.FLOATS;
                    untyped.each(floats, invalid, "", with, other.label(), "elements");
                }
                for (DType planned : DType.values()) {
                    NodeId id = ValuePlan.of(planned);
                    if (other != planned) {
                        typed.each(
                                call -> call.takesType()
                                        && (other.isHostFloat() || call.takes() == ArenaCall.Takes.ELEMENTS),
                                invalid,
                                "",
                                with.of(id),
                                id,
                                ValuePlan.name(planned),
                                planned.label(),
                                other.label(),
                                "withReinterpretation");
                    }
                }
            }
            for (DType dtype : DType.values()) {
                ArenaCall.With with = ArenaCall.With.memory(MemorySegment.ofArray(new byte[8]))
                        .of(ValuePlan.UNTYPED)
                        .as(dtype);
                ArenaCall.of(ArenaCall.Takes.ELEMENTS).forEach(call -> call.on(typed.arena, with));
            }
        }
        reinterpretationAllowsOtherTypes();
    }

    /** An engine that stores packed data may look at it as any type; even so it stays within the slot. */
    private void reinterpretationAllowsOtherTypes() {
        byte[] model = ValuePlan.filled();
        try (DeviceArena arena = openValues(ArenaOptions.defaults().withReinterpretation())) {
            for (DType planned : DType.values()) {
                NodeId id = ValuePlan.of(planned);
                int offset = ValuePlan.offset(planned);
                for (DType other : DType.values()) {
                    int size = other.bytes();
                    byte[] elements = TestData.bytes(170, SLOT / size * size);
                    Batches.write(arena, id, other, MemorySegment.ofArray(elements));
                    System.arraycopy(elements, 0, model, offset, elements.length);
                    int count = Math.min(elements.length, ELEMENTS * planned.bytes()) / size;
                    byte[] read = new byte[count * size];
                    String what = "a value of " + planned.label() + " as " + other.label();
                    long got = arena.readBatch(Batches.elements(id, other, MemorySegment.ofArray(read)));
                    Check.same("elements of " + what, (long) count, got);
                    Check.same(what, offset, Arrays.copyOf(elements, read.length), read);
                    Check.assertInvalid(
                            what + ", past the slot",
                            () -> Batches.write(
                                    arena, id, other, MemorySegment.ofArray(new byte[(SLOT / size + 1) * size])));
                }
            }
            Check.holds("arena after that", arena, 0, model);
        }
    }

    /** Catches truncation, ties away from zero, clamping, flushed subnormals, lost signs, and NaNs made numbers. */
    @Test
    default void required_3_3_castsAreThoseOfTheFormulas() {
        MemorySegment all = Casts.patterns();
        for (DType dtype : TestData.HOST_FLOATS) {
            int[] bits = Casts.beside(dtype);
            MemorySegment written = MemorySegment.ofArray(bits);
            try (DeviceArena arena = open(ExamplePlan.node1((long) bits.length * dtype.bytes()))) {
                arena.writeInputF32(NODE_1, dtype, written);
                MemorySegment stored = MemorySegment.ofArray(new byte[bits.length * dtype.bytes()]);
                arena.readBytes(0, stored);
                same("written as " + dtype, bits, Casts.encoded(dtype, written, bits.length), stored, dtype.bytes());
                arena.writeBytes(0, all);
                int count = Math.toIntExact(all.byteSize() / dtype.bytes());
                int[] patterns = IntStream.range(0, count).toArray();
                MemorySegment read = MemorySegment.ofArray(new int[count]);
                arena.readOutputF32(NODE_1, dtype, read);
                same("read as " + dtype, patterns, Casts.decoded(dtype, all), read, Float.BYTES);
            }
        }
    }

    private static void same(String what, int[] source, MemorySegment expected, MemorySegment actual, int unit) {
        long at = expected.mismatch(actual);
        if (at >= 0) {
            int element = Math.toIntExact(at / unit);
            Check.same(
                    Integer.toHexString(source[element]) + " " + what,
                    (long) element * unit,
                    expected.asSlice((long) element * unit, unit).toArray(ValueLayout.JAVA_BYTE),
                    actual.asSlice((long) element * unit, unit).toArray(ValueLayout.JAVA_BYTE));
        }
    }

    /**
     * Catches a copy on the Java heap. The test counts what this thread allocates, not what threads of the backend do.
     */
    @Test
    default void stochastic_3_4_readsIntoOwnMemoryAllocateNoCopy() {
        int bytes = 1 << 20;
        int reads = Iterations.of(10);
        try (DeviceArena arena = open(ExamplePlan.node1(bytes));
                Arena memory = Arena.ofConfined()) {
            MemorySegment destination = memory.allocate(2L * bytes, 4);
            for (DType dtype : TestData.HOST_FLOATS) {
                Batch batch = Batch.builder().floats(NODE_1, dtype, destination).build();
                long limit = (long) reads * bytes / 10;
                for (Runnable read : List.<Runnable>of(
                        () -> arena.readOutputF32(NODE_1, dtype, destination), () -> arena.readBatch(batch))) {
                    read.run();
                    long allocated = HeapUse.of(this, reads, read);
                    Check.isTrue(
                            reads + " reads of 1 MiB as " + dtype + ": expected less than " + limit
                                    + " bytes allocated on the heap, got " + allocated,
                            allocated < limit);
                    tried(1, 1);
                }
            }
        }
    }
}
