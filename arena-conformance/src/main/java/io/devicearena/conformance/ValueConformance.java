package io.devicearena.conformance;

import static io.devicearena.conformance.ValuePlan.ELEMENTS;
import static io.devicearena.conformance.ValuePlan.SLOT;

import io.devicearena.ArenaOptions;
import io.devicearena.Batch;
import io.devicearena.Capability;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.NodeId;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Group 17: access to the values of a plan, by their types.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public interface ValueConformance extends ConformanceTopic {
    /**
     * Opens an arena of the plan of all types with 16 bytes of scratch, filled with {@code 0x55}.
     *
     * @param options whose scratch is replaced
     * @return the arena
     */
    private DeviceArena openValues(ArenaOptions options) {
        DeviceArena arena = open(ValuePlan.plan(), options.withScratchBytes(16));
        arena.writeBytes(0, MemorySegment.ofArray(filled()));
        return arena;
    }

    private DeviceArena openValues() {
        return openValues(ArenaOptions.defaults());
    }

    private static byte[] filled() {
        return TestData.filled(ValuePlan.BYTES + 16, 0x55);
    }

    /** Catches a type that takes the path of host floats, and NaNs that a copy quiets. */
    @Test
    default void required_17_1_elementsOfEveryTypeMoveAsTheyAre() {
        byte[] model = filled();
        try (DeviceArena arena = openValues()) {
            for (DType dtype : DType.values()) {
                byte[] elements = ValuePlan.elements(dtype, ELEMENTS);
                Batches.write(arena, ValuePlan.of(dtype), dtype, MemorySegment.ofArray(elements));
                System.arraycopy(elements, 0, model, ValuePlan.offset(dtype), elements.length);
                Check.holds("arena after elements of " + dtype.label(), arena, 0, model);
                byte[] read = new byte[elements.length];
                long count = Batches.read(arena, ValuePlan.of(dtype), dtype, MemorySegment.ofArray(read));
                Check.same("elements read of " + dtype.label(), (long) ELEMENTS, count);
                Check.same("value of " + dtype.label(), ValuePlan.offset(dtype), elements, read);
            }
        }
        byte[] many = ValuePlan.elements(DType.I16, 100_001);
        try (DeviceArena arena = open(ValuePlan.single(DType.I16, 100_001))) {
            Batches.write(arena, ValuePlan.of(DType.I16), DType.I16, MemorySegment.ofArray(many));
            Check.holds("a value of 100,001 elements", arena, 0, many);
            byte[] read = new byte[many.length];
            Batches.read(arena, ValuePlan.of(DType.I16), DType.I16, MemorySegment.ofArray(read));
            Check.same("a value of 100,001 elements", 0, many, read);
        }
    }

    /** Catches 64 longs in a value of 64 ints, which overwrite the next value without a word. */
    @Test
    default void required_17_2_moreElementsThanTheValueHasAreRefused() {
        try (DeviceArena arena = openValues()) {
            for (DType dtype : DType.values()) {
                NodeId id = ValuePlan.of(dtype);
                int most = ELEMENTS * dtype.bytes();
                for (int elements : new int[] {ELEMENTS + 1, ELEMENTS * 20}) {
                    MemorySegment data = MemorySegment.ofArray(new byte[elements * dtype.bytes()]);
                    Check.assertInvalid(
                            elements + " elements for " + ELEMENTS + " of " + dtype.label(),
                            () -> Batches.write(arena, id, dtype, data),
                            id,
                            ValuePlan.name(dtype),
                            data.byteSize(),
                            most);
                }
                for (int elements = 0; elements < ELEMENTS; elements++) {
                    byte[] some = TestData.filled(elements * dtype.bytes(), 0x55);
                    Batches.write(arena, id, dtype, MemorySegment.ofArray(some));
                }
            }
            Check.holds("arena after that", arena, 0, filled());
            Batches.write(arena, ValuePlan.UNTYPED, DType.U8, MemorySegment.ofArray(TestData.filled(SLOT, 0x55)));
            Check.assertInvalid(
                    "8 elements of i64 for a slot of 61 bytes",
                    () -> Batches.write(arena, ValuePlan.UNTYPED, DType.I64, MemorySegment.ofArray(new byte[64])));
            Check.holds("arena after a value without type", arena, 0, filled());
        }
    }

    /** Catches the padding of a slot returned as data: 64 floats for a value of 16. */
    @Test
    default void required_17_3_readsAndFloatsEndAtTheElements() {
        try (DeviceArena arena = openValues()) {
            for (DType dtype : DType.values()) {
                NodeId id = ValuePlan.of(dtype);
                int bytes = dtype.bytes();
                Check.same("length of " + dtype.label(), (long) ELEMENTS * bytes, arena.lengthBytes(id));
                checkRead(arena, dtype, ELEMENTS);
                arena.setActualLength(id, 2L * bytes + bytes / 2);
                checkRead(arena, dtype, 2);
                arena.setActualLength(id, (long) ELEMENTS * bytes);
            }
            for (DType dtype : TestData.HOST_FLOATS) {
                NodeId id = ValuePlan.of(dtype);
                float[] data = TestData.exact(dtype, 2 * ELEMENTS);
                Check.same("floats written", (long) ELEMENTS, arena.writeInputF32(id, dtype, data));
                byte[] expected = TestData.filled(SLOT, 0x55);
                byte[] encoded = TestData.encoded(dtype, Arrays.copyOf(data, ELEMENTS));
                System.arraycopy(encoded, 0, expected, 0, encoded.length);
                Check.holds("slot of " + dtype.label(), arena, ValuePlan.offset(dtype), expected);
                Check.same(
                        "floats of " + dtype.label(),
                        Arrays.copyOf(data, ELEMENTS),
                        arena.readOutputF32(id, dtype, 2 * ELEMENTS));
            }
        }
    }

    private static void checkRead(DeviceArena arena, DType dtype, int elements) {
        byte[] expected = TestData.filled(2 * ELEMENTS * dtype.bytes(), 0x3C);
        byte[] into = expected.clone();
        Arrays.fill(expected, 0, elements * dtype.bytes(), (byte) 0x55);
        long count = Batches.read(arena, ValuePlan.of(dtype), dtype, MemorySegment.ofArray(into));
        Check.same("elements read of " + dtype.label(), (long) elements, count);
        Check.same("longer destination of " + dtype.label(), 0, expected, into);
    }

    /** Catches longs read as ints, and weights in BF16 that a kernel takes for F16. */
    @Test
    default void required_17_4_otherTypesThanThePlansAreRefused() {
        try (DeviceArena arena = openValues()) {
            ValueCalls calls = new ValueCalls(arena);
            for (DType planned : DType.values()) {
                for (DType other : DType.values()) {
                    Object[] texts = {
                        ValuePlan.of(planned),
                        ValuePlan.name(planned),
                        planned.label(),
                        other.label(),
                        "withReinterpretation"
                    };
                    if (other != planned) {
                        calls.elements(ValuePlan.of(planned), other)
                                .forEach((what, call) -> Check.assertInvalid(what, call::run, texts));
                    }
                    if (other != planned && other.isHostFloat()) {
                        calls.floats(ValuePlan.of(planned), other)
                                .forEach((what, call) -> Check.assertInvalid(what, call::run, texts));
                    }
                }
            }
            Check.holds("arena after that", arena, 0, filled());
            calls.checkMemory("refused types");
            for (DType dtype : DType.values()) {
                calls.elements(ValuePlan.UNTYPED, dtype).values().forEach(Runnable::run);
            }
        }
    }

    /** An engine that stores packed data may look at it as any type; even so it stays within the slot. */
    @Test
    default void required_17_5_reinterpretationAllowsOtherTypes() {
        try (DeviceArena arena = openValues(ArenaOptions.defaults().withReinterpretation())) {
            byte[] model = filled();
            for (DType planned : DType.values()) {
                NodeId id = ValuePlan.of(planned);
                for (DType other : DType.values()) {
                    byte[] elements = ValuePlan.elements(other, SLOT / other.bytes());
                    Batches.write(arena, id, other, MemorySegment.ofArray(elements));
                    System.arraycopy(elements, 0, model, ValuePlan.offset(planned), elements.length);
                    byte[] read = new byte
                            [Math.min(elements.length, ELEMENTS * planned.bytes()) / other.bytes() * other.bytes()];
                    Check.same(
                            "elements of " + other.label() + " read of a value of " + planned.label(),
                            (long) read.length / other.bytes(),
                            Batches.read(arena, id, other, MemorySegment.ofArray(read)));
                    Check.same(
                            "a value of " + planned.label() + " as " + other.label(),
                            ValuePlan.offset(planned),
                            Arrays.copyOf(elements, read.length),
                            read);
                    Check.assertInvalid(
                            "elements of " + other.label() + " past the slot",
                            () -> Batches.write(
                                    arena,
                                    id,
                                    other,
                                    MemorySegment.ofArray(new byte[(SLOT / other.bytes() + 1) * other.bytes()])));
                }
            }
            Check.holds("arena after that", arena, 0, model);
        }
    }

    /** Catches rows that land at the arena's start, and parts rounded to words. */
    @Test
    default void required_17_6_partsOfAValueMoveAsBytes() {
        byte[] model = filled();
        try (DeviceArena arena = openValues()) {
            int offset = ValuePlan.offset(DType.U8);
            NodeId id = ValuePlan.of(DType.U8);
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
            byte[] whole = TestData.bytes(177, SLOT);
            arena.writeValueBytes(id, 0, MemorySegment.ofArray(whole).asReadOnly());
            System.arraycopy(whole, 0, model, offset, SLOT);
            Check.holds("arena after the whole slot", arena, 0, model);
        }
    }

    /** Catches a row after the last, and a check that overflows. */
    @Test
    default void required_17_7_partsOutsideTheSlotAreRefused() {
        try (DeviceArena arena = openValues()) {
            ValueCalls calls = new ValueCalls(arena);
            NodeId id = ValuePlan.of(DType.U8);
            byte[] bytes = TestData.filled(SLOT + 1, 0x3C);
            Map<Long, Integer> outside = Map.of(
                    -1L,
                    4,
                    0L,
                    SLOT + 1,
                    SLOT - 3L,
                    4,
                    SLOT + 1L,
                    0,
                    Long.MAX_VALUE,
                    4,
                    Long.MIN_VALUE,
                    4,
                    1L << 32,
                    1);
            outside.forEach((first, length) -> calls.parts(
                            id, first, MemorySegment.ofArray(bytes).asSlice(0, length))
                    .forEach((what, call) ->
                            Check.assertInvalid(what, call::run, id, ValuePlan.name(DType.U8), first, length, SLOT)));
            Check.holds("arena after that", arena, 0, filled());
            Check.same("memory after that", 0, TestData.filled(SLOT + 1, 0x3C), bytes);
        }
    }

    /** Catches a batch that counts bytes for elements, and padding delivered with them. */
    @Test
    default void required_17_9_batchesReadElements() {
        try (DeviceArena arena = openValues()) {
            for (boolean deferred : new boolean[] {false, true}) {
                arena.writeBytes(0, MemorySegment.ofArray(filled()));
                Batch.Builder builder = Batch.builder();
                List<byte[]> destinations = new ArrayList<>();
                for (DType dtype : DType.values()) {
                    byte[] elements = ValuePlan.elements(dtype, ELEMENTS);
                    arena.writeValueBytes(ValuePlan.of(dtype), 0, MemorySegment.ofArray(elements));
                    byte[] into = TestData.filled(2 * elements.length, 0x3C);
                    destinations.add(into);
                    builder.elements(ValuePlan.of(dtype), dtype, MemorySegment.ofArray(into));
                }
                float[] floats = new float[2];
                builder.floats(ValuePlan.of(DType.BF16), DType.BF16, floats)
                        .bytes(1, MemorySegment.ofArray(new byte[3]));
                Batch batch = builder.build();
                long count = deferred ? arena.beginRead(batch).await() : arena.readBatch(batch);
                String how = deferred ? ", deferred" : "";
                Check.same("elements and bytes read" + how, (long) DType.values().length * ELEMENTS + 2 + 3, count);
                for (DType dtype : DType.values()) {
                    byte[] expected = TestData.filled(2 * ELEMENTS * dtype.bytes(), 0x3C);
                    System.arraycopy(ValuePlan.elements(dtype, ELEMENTS), 0, expected, 0, ELEMENTS * dtype.bytes());
                    Check.same(
                            "elements of " + dtype.label() + how,
                            0,
                            expected,
                            destinations.get(ValuePlan.index(dtype)));
                }
            }
        }
    }

    /** Weights come from a mapped file; catches an upload that reads the caller's memory later. */
    @Test
    default void required_17_10_memoryOfEveryKindIsAccepted() {
        NodeId id = ValuePlan.of(DType.I16);
        byte[] elements = ValuePlan.elements(DType.I16, ELEMENTS);
        try (DeviceArena arena = openValues();
                Arena memory = Arena.ofConfined()) {
            for (Segments.Form form : Segments.ofEveryKind(memory, elements.length)) {
                byte[] before = form.wholeBytes();
                form.part().copyFrom(MemorySegment.ofArray(elements));
                arena.writeBytes(0, MemorySegment.ofArray(filled()));
                Batches.write(arena, id, DType.I16, form.part().asReadOnly());
                form.part().fill((byte) 0);
                Check.holds("value out of " + form.kind(), arena, ValuePlan.offset(DType.I16), elements);
                form.whole().copyFrom(MemorySegment.ofArray(before));
                Batches.read(arena, id, DType.I16, form.part());
                Check.same("value in " + form.kind(), 0, form.wholeWith(before, elements), form.wholeBytes());
            }
            Arena freed = Arena.ofShared();
            MemorySegment source = freed.allocate(elements.length);
            source.copyFrom(MemorySegment.ofArray(elements));
            arena.writeBytes(0, MemorySegment.ofArray(filled()));
            Batches.write(arena, id, DType.I16, source);
            arena.writeValueBytes(ValuePlan.of(DType.I8), 0, source);
            source.fill((byte) 0);
            freed.close();
            Check.holds("value out of freed memory", arena, ValuePlan.offset(DType.I16), elements);
            Check.holds("part out of freed memory", arena, ValuePlan.offset(DType.I8), elements);
        }
    }

    /** Catches a fault that is found only after something has moved. */
    @Test
    default void required_17_11_badArgumentsAreRefusedBeforeAnythingChanges() {
        MemorySegment dead;
        try (Arena memory = Arena.ofShared()) {
            dead = memory.allocate(8, 8);
        }
        NodeId i32 = ValuePlan.of(DType.I32);
        MemorySegment seven = MemorySegment.ofArray(TestData.filled(7, 0x3C));
        MemorySegment readOnly = MemorySegment.ofArray(new byte[8]).asReadOnly();
        try (DeviceArena arena = openValues();
                Arena confined = Arena.ofConfined()) {
            ValueCalls calls = new ValueCalls(arena);
            for (NodeId id : List.of(ValuePlan.FUSED, ValuePlan.MISSING)) {
                calls.elements(id, DType.F32).forEach((what, call) -> Check.assertInvalid(what, call::run, id));
                calls.parts(id, 0, MemorySegment.ofArray(new byte[4]))
                        .forEach((what, call) -> Check.assertInvalid(what, call::run, id));
            }
            refuses(
                    IllegalArgumentException.class,
                    "7 bytes of i32",
                    () -> Batches.write(arena, i32, DType.I32, seven));
            refuses(
                    IllegalArgumentException.class,
                    "i32 into 7 bytes",
                    () -> Batches.read(arena, i32, DType.I32, seven));
            refuses(
                    IllegalArgumentException.class,
                    "i32 into read-only memory",
                    () -> Batches.read(arena, i32, DType.I32, readOnly));
            refuses(
                    IllegalArgumentException.class,
                    "a part into read-only memory",
                    () -> arena.readValueBytes(i32, 0, readOnly));
            calls.elements(i32, DType.I32, dead)
                    .forEach((what, call) -> refuses(IllegalStateException.class, what + " in closed memory", call));
            calls.parts(i32, 0, dead)
                    .forEach((what, call) -> refuses(IllegalStateException.class, what + " in closed memory", call));
            MemorySegment others = confined.allocate(8, 8);
            Race.together(() -> {
                ValueCalls ofAnother = new ValueCalls(arena);
                ofAnother.elements(i32, DType.I32, others).forEach((what, call) -> {
                    if (!what.startsWith("beginRead")) { // refuses confined memory of any thread
                        refuses(WrongThreadException.class, what + " in another thread's memory", call);
                    }
                });
                ofAnother
                        .parts(i32, 0, others)
                        .forEach((what, call) ->
                                refuses(WrongThreadException.class, what + " in another thread's memory", call));
            });
            Check.holds("arena after that", arena, 0, filled());
            Check.same("memory of 7 bytes after that", 0, TestData.filled(7, 0x3C), seven.toArray(Batches.BYTE));
            Check.same("another thread's memory after that", 0, new byte[8], others.toArray(Batches.BYTE));
            calls.checkMemory("refused calls");
        }
    }

    private static void refuses(Class<? extends Throwable> how, String what, Runnable call) {
        Check.assertRefused(how, what, call::run);
    }

    /** Catches values that begin anew in each segment. */
    @Test
    default void required_17_12_valuesMayCrossSegmentEnds() {
        int segment = SegmentPlans.segmentBytes(device());
        byte[] bytes = SegmentPlans.words(1712, 2 * segment + 20);
        byte[] part = SegmentPlans.words(1713, 23);
        NodeId id = SegmentPlans.LARGE;
        try (DeviceArena arena = open(SegmentPlans.values(segment))) {
            Batches.write(arena, id, DType.I32, MemorySegment.ofArray(bytes));
            arena.writeValueBytes(id, segment - 11L, MemorySegment.ofArray(part));
            System.arraycopy(part, 0, bytes, segment - 11, part.length);
            byte[] read = new byte[bytes.length];
            Check.same(
                    "elements read",
                    bytes.length / 4L,
                    Batches.read(arena, id, DType.I32, MemorySegment.ofArray(read)));
            Check.same("value over several segments", 0, bytes, read);
            Arrays.fill(read, (byte) 0);
            arena.readBatch(Batches.elements(id, DType.U8, MemorySegment.ofArray(read)));
            Check.same("value over several segments in a batch", 0, bytes, read);
            byte[] around = new byte[23];
            arena.readValueBytes(id, segment - 11L, MemorySegment.ofArray(around));
            Check.same("part across an end", segment - 11L, part, around);
        }
    }

    /** Catches a word that two neighbours share and that is written back as a whole; as 9.2, it may miss one. */
    @Test
    default void stochastic_17_13_writersOfNeighbouringValuesLoseNothing() {
        NodeId i8 = ValuePlan.of(DType.I8);
        NodeId i16 = ValuePlan.of(DType.I16);
        int between = ValuePlan.offset(DType.I16);
        try (DeviceArena arena = openValues()) {
            Race.rounds(
                    150,
                    round -> {},
                    round -> {
                        byte[] expected = TestData.filled(6, round);
                        Arrays.fill(expected, 3, 6, (byte) ~round);
                        Check.holds("bytes between two values, round " + round, arena, between - 3L, expected);
                        Check.holds("elements of i16, round " + round, arena, between, TestData.filled(10, ~round));
                    },
                    List.of(
                            round -> arena.writeValueBytes(
                                    i8, SLOT - 3L, MemorySegment.ofArray(TestData.filled(3, round))),
                            round -> Batches.write(
                                    arena, i16, DType.I16, MemorySegment.ofArray(TestData.filled(10, ~round)))));
        }
    }

    /** Catches a mirror that looks fresh and holds the cast of older elements. */
    @Test
    default void optional_17_14_elementsNeverLeaveAWrongMirror() {
        assumeCapability(Capability.F16_SHADOW);
        NodeId id = ValuePlan.of(DType.F32);
        float[] old = {1, 2, 3, 4, 5, 6, 7, 8};
        int[] bits = TestData.random(1714).ints(8).toArray();
        byte[] next = MemorySegment.ofArray(bits).toArray(Batches.BYTE);
        for (boolean part : new boolean[] {false, true}) {
            try (DeviceArena arena = open(ValuePlan.single(DType.F32, 8))) {
                arena.writeInputF32(id, DType.F32, old);
                if (part) {
                    arena.writeValueBytes(id, 4, MemorySegment.ofArray(next).asSlice(4));
                    arena.writeValueBytes(id, 0, MemorySegment.ofArray(next).asSlice(0, 4));
                } else {
                    Batches.write(arena, id, DType.F32, MemorySegment.ofArray(next));
                }
                if (Shadows.of(arena).isStale(id)) {
                    Shadows.of(arena).refresh(id);
                }
                Shadows.holds("mirror of elements written as they are", Shadows.of(arena), 0, Shadows.mirror(bits));
            }
        }
    }
}
