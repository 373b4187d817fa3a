package io.devicearena.conformance.topics;

import static io.devicearena.conformance.oracle.ExamplePlan.NODE_1;
import static io.devicearena.conformance.oracle.ExamplePlan.NODE_3;
import static io.devicearena.conformance.oracle.ExamplePlan.NODE_4;
import static io.devicearena.conformance.oracle.ExamplePlan.NODE_7;
import static io.devicearena.conformance.oracle.ValuePlan.ELEMENTS;
import static io.devicearena.conformance.oracle.ValuePlan.SLOT;

import io.devicearena.ArenaOptions;
import io.devicearena.Batch;
import io.devicearena.BufferSlot;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.NodeId;
import io.devicearena.conformance.calls.ArenaCall;
import io.devicearena.conformance.calls.Batches;
import io.devicearena.conformance.calls.Iterations;
import io.devicearena.conformance.oracle.Casts;
import io.devicearena.conformance.oracle.Check;
import io.devicearena.conformance.oracle.ExamplePlan;
import io.devicearena.conformance.oracle.TestData;
import io.devicearena.conformance.oracle.ValuePlan;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Group 3, first part: access to the values of a plan, by their types.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public interface ValueConformance extends ConformanceTopic {
    private static List<ArenaCall> of(ArenaCall.Use use, ArenaCall.Takes... takes) {
        return ArenaCall.of(takes).stream().filter(call -> call.memory() == use).toList();
    }

    private static MemorySegment memory(int bytes) {
        return MemorySegment.ofArray(new byte[bytes]);
    }

    /** Catches the off-by-one at a slot's end, odd counts padded to words, and an error instead of the cut. */
    @Test
    default void required_3_1_writesAreCutToTheSlotAndCounted() {
        for (DType dtype : TestData.HOST_FLOATS) {
            for (NodeId id : List.of(NODE_1, NODE_3, NODE_4, NODE_7)) {
                BufferSlot slot = ExamplePlan.plan().slot(id).orElseThrow();
                int most = Math.toIntExact(slot.size() / dtype.bytes());
                for (int elements : new int[] {0, 1, 3, most, most + 1, 1000}) {
                    try (DeviceArena arena = openExample()) {
                        float[] data = TestData.exact(dtype, elements);
                        String what = elements + " elements of " + dtype + " for " + id + " of " + most;
                        arena.setActualLength(id, 0); // is for reads
                        long written = arena.writeInputF32(id, dtype, data);
                        Check.same("elements written of " + what, (long) Math.min(elements, most), written);
                        byte[] cut = Casts.encoded(dtype, Arrays.copyOf(data, Math.min(elements, most)));
                        byte[] expected = ExamplePlan.filledWith(Math.toIntExact(slot.offset()), cut);
                        Check.holds("arena after " + what, arena, 0, expected);
                    }
                }
            }
        }
    }

    /** Padding is not data; catches a length that is stored and ignored, and destinations that are cleared. */
    @Test
    default void required_3_2_readsEndAtTheActualLength() {
        byte[] bytes = Casts.encoded(DType.F32, TestData.exact(DType.F32, 8));
        try (DeviceArena arena = openExample()) {
            arena.writeBytes(0, MemorySegment.ofArray(bytes));
            for (DType dtype : TestData.HOST_FLOATS) { // the arena does not know what was written
                float[] data = Casts.decoded(dtype, bytes);
                for (int length : new int[] {20, 6, 0, 32}) {
                    arena.setActualLength(NODE_1, length);
                    int whole = length / dtype.bytes();
                    for (int room : new int[] {0, 3, whole, whole + 1, 40}) {
                        for (ArenaCall call : of(ArenaCall.Use.DESTINATION, ArenaCall.Takes.FLOATS)) {
                            String what = call.name() + " of " + dtype + ", of " + length + " bytes, room for " + room;
                            float[] read = TestData.floats(room, -1);
                            float[] expected = read.clone();
                            int count = Math.min(room, whole);
                            System.arraycopy(data, 0, expected, 0, count);
                            ArenaCall.With into = ArenaCall.With.memory(dtype, 0, MemorySegment.ofArray(read));
                            Check.same(what + ", count", (long) count, call.on(arena, into));
                            Check.same(what, expected, read);
                        }
                    }
                }
            }
            Check.holds("arena after reads of every type", arena, 0, ExamplePlan.filledWith(0, bytes));
        }
    }

    /** Catches elements that take the path of host floats, counts in bytes, and padding delivered as data. */
    @Test
    default void required_3_3_elementsOfEveryTypeMoveAsTheyAre() {
        try (DeviceArena arena = openValues(ArenaOptions.defaults())) {
            for (DType dtype : DType.values()) {
                NodeId id = ValuePlan.of(dtype);
                int bytes = dtype.bytes();
                Check.same("length of " + dtype.label(), (long) ELEMENTS * bytes, arena.lengthBytes(id));
                byte[] elements = ValuePlan.elements(dtype, ELEMENTS);
                for (ArenaCall write : of(ArenaCall.Use.SOURCE, ArenaCall.Takes.ELEMENTS)) {
                    arena.fillBytes(ValuePlan.offset(dtype), SLOT, (byte) 0x55);
                    write.on(
                            arena,
                            ArenaCall.With.memory(dtype, 0, MemorySegment.ofArray(elements))
                                    .of(id));
                    byte[] slot = TestData.filled(SLOT, 0x55);
                    System.arraycopy(elements, 0, slot, 0, elements.length);
                    Check.holds("elements of " + dtype.label(), arena, ValuePlan.offset(dtype), slot);
                    for (int count : new int[] {ELEMENTS, 2}) {
                        arena.setActualLength(id, count == 2 ? 2L * bytes + bytes / 2 : elements.length);
                        for (ArenaCall read : of(ArenaCall.Use.DESTINATION, ArenaCall.Takes.ELEMENTS)) {
                            byte[] into = TestData.filled(2 * elements.length, 0x3C);
                            byte[] expected = into.clone();
                            System.arraycopy(elements, 0, expected, 0, count * bytes);
                            String what = read.name() + " of " + dtype.label();
                            Check.same(
                                    "result of " + what,
                                    (long) count,
                                    read.on(
                                            arena,
                                            ArenaCall.With.memory(dtype, 0, MemorySegment.ofArray(into))
                                                    .of(id)));
                            Check.same(what, 0, expected, into);
                        }
                    }
                    arena.setActualLength(id, elements.length);
                }
                if (dtype.isHostFloat()) {
                    float[] data = TestData.exact(dtype, 2 * ELEMENTS);
                    float[] cut = Arrays.copyOf(data, ELEMENTS);
                    Check.same("floats written", (long) ELEMENTS, arena.writeInputF32(id, dtype, data));
                    byte[] slot = TestData.filled(SLOT, 0x55);
                    System.arraycopy(Casts.encoded(dtype, cut), 0, slot, 0, ELEMENTS * bytes);
                    Check.holds("slot of " + dtype.label(), arena, ValuePlan.offset(dtype), slot);
                    Check.same("floats of " + dtype.label(), cut, arena.readOutputF32(id, dtype, 2 * ELEMENTS));
                }
            }
        }
    }

    /** Catches 64 longs in a value of 64 ints, which overwrite the next value without a word. */
    @Test
    default void required_3_4_moreElementsThanTheValueHasAreRefused() {
        try (DeviceArena arena = openValues(ArenaOptions.defaults())) {
            for (DType dtype : DType.values()) {
                NodeId id = ValuePlan.of(dtype);
                for (int elements : new int[] {ELEMENTS + 1, ELEMENTS * 20}) {
                    Check.assertInvalid(
                            elements + " elements for " + ELEMENTS + " of " + dtype.label(),
                            () -> Batches.write(arena, id, dtype, memory(elements * dtype.bytes())),
                            id,
                            ValuePlan.name(dtype),
                            elements * dtype.bytes(),
                            ELEMENTS * dtype.bytes());
                }
            }
            Check.holds("arena after that", arena, 0, ValuePlan.filled());
            Batches.write(arena, ValuePlan.UNTYPED, DType.U8, MemorySegment.ofArray(TestData.filled(SLOT, 0x55)));
            Check.assertInvalid(
                    "8 elements of i64 for a slot of 61 bytes",
                    () -> Batches.write(arena, ValuePlan.UNTYPED, DType.I64, memory(64)));
            Check.holds("arena after a value without type", arena, 0, ValuePlan.filled());
        }
    }

    /** Catches longs read as ints, integers written as floats, and packed data that reaches past its slot. */
    @Test
    default void required_3_5_otherTypesThanThePlansAreRefused() {
        byte[] bytes = TestData.filled(8, 0x3C);
        MemorySegment memory = MemorySegment.ofArray(bytes);
        try (DeviceArena arena = openValues(ArenaOptions.defaults());
                DeviceArena untyped = openExample()) {
            for (DType other : DType.values()) {
                ArenaCall.With with = ArenaCall.With.memory(other, 0, memory);
                for (ArenaCall call : ArenaCall.of(ArenaCall.Takes.ELEMENTS, ArenaCall.Takes.FLOATS)) {
                    boolean floats = call.takes() == ArenaCall.Takes.FLOATS;
                    if (floats && !other.isHostFloat()) {
                        Check.assertInvalid(call.with(with), () -> call.on(untyped, with), other.label(), "elements");
                        continue;
                    }
                    for (DType planned : DType.values()) {
                        if (other != planned) {
                            Check.assertInvalid(
                                    call.with(with.of(ValuePlan.of(planned))),
                                    () -> call.on(arena, with.of(ValuePlan.of(planned))),
                                    ValuePlan.of(planned),
                                    ValuePlan.name(planned),
                                    planned.label(),
                                    other.label(),
                                    "withReinterpretation");
                        }
                    }
                }
            }
            Check.holds("arena after that", arena, 0, ValuePlan.filled());
            Check.same("memory after refused types", 0, TestData.filled(8, 0x3C), bytes);
            for (DType dtype : DType.values()) {
                for (ArenaCall call : ArenaCall.of(ArenaCall.Takes.ELEMENTS)) {
                    call.on(arena, ArenaCall.With.memory(dtype, 0, memory).of(ValuePlan.UNTYPED));
                }
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
                    byte[] elements = ValuePlan.elements(other, SLOT / size);
                    Batches.write(arena, id, other, MemorySegment.ofArray(elements));
                    System.arraycopy(elements, 0, model, offset, elements.length);
                    int count = Math.min(elements.length, ELEMENTS * planned.bytes()) / size;
                    byte[] read = new byte[count * size];
                    String what = "a value of " + planned.label() + " as " + other.label();
                    long got = Batches.read(arena, id, other, MemorySegment.ofArray(read));
                    Check.same("elements of " + what, (long) count, got);
                    Check.same(what, offset, Arrays.copyOf(elements, read.length), read);
                    Check.assertInvalid(
                            what + ", past the slot",
                            () -> Batches.write(arena, id, other, memory((SLOT / size + 1) * size)));
                }
            }
            Check.holds("arena after that", arena, 0, model);
        }
    }

    /** Catches rows at the arena's start, the row after the last, and a check that overflows. */
    @Test
    default void required_3_6_partsOfAValueMoveAsBytes() {
        byte[] model = ValuePlan.filled();
        int offset = ValuePlan.offset(DType.U8);
        NodeId id = ValuePlan.of(DType.U8);
        try (DeviceArena arena = openValues(ArenaOptions.defaults())) {
            arena.setActualLength(id, 1); // is for reads of elements only
            for (int first : new int[] {0, 1, 7, 40, SLOT - 4, SLOT}) {
                for (int length = 0; length <= Math.min(9, SLOT - first); length++) {
                    byte[] part = TestData.bytes(176 + first + length, length);
                    arena.writeValueBytes(id, first, MemorySegment.ofArray(part));
                    System.arraycopy(part, 0, model, offset + first, length);
                    String what = length + " bytes from byte " + first;
                    Check.holds("arena after " + what, arena, 0, model);
                    byte[] read = new byte[length];
                    arena.readValueBytes(id, first, MemorySegment.ofArray(read));
                    Check.same(what, offset + first, part, read);
                }
            }
            byte[] memory = TestData.filled(SLOT + 1, 0x3C);
            long[][] outside = {
                {-1, 4},
                {0, SLOT + 1},
                {SLOT - 3, 4},
                {SLOT + 1, 0},
                {Long.MAX_VALUE, 4},
                {Long.MIN_VALUE, 4},
                {1L << 32, 1}
            };
            for (long[] part : outside) {
                ArenaCall.With with = ArenaCall.With.memory(
                                DType.U8, part[0], MemorySegment.ofArray(memory).asSlice(0, part[1]))
                        .of(id);
                for (ArenaCall call : ArenaCall.of(ArenaCall.Takes.PART)) {
                    Check.assertInvalid(
                            call.with(with),
                            () -> call.on(arena, with),
                            id,
                            ValuePlan.name(DType.U8),
                            part[0],
                            part[1],
                            SLOT);
                }
            }
            Check.holds("arena after that", arena, 0, model);
            Check.same("memory after that", 0, TestData.filled(SLOT + 1, 0x3C), memory);
        }
    }

    /**
     * Catches a copy on the Java heap. The test counts what this thread allocates, not what threads of the backend do.
     */
    @Test
    default void stochastic_3_12_readsIntoOwnMemoryAllocateNoCopy() {
        int bytes = 1 << 20;
        int reads = Iterations.of(40);
        try (DeviceArena arena = open(ExamplePlan.node1(bytes));
                Arena memory = Arena.ofConfined()) {
            MemorySegment destination = memory.allocate(2L * bytes, 4);
            for (DType dtype : TestData.HOST_FLOATS) {
                Batch batch = Batches.floats(NODE_1, dtype, destination);
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
