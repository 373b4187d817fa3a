package io.devicearena.conformance.calls;

import static io.devicearena.conformance.oracle.ExamplePlan.NODE_1;

import io.devicearena.Batch;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.NodeId;
import io.devicearena.conformance.oracle.Check;
import io.devicearena.conformance.oracle.TestData;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.ToLongBiFunction;

/**
 * The table of all calls of an arena but close, isOpen and toString. Every clause that must hold for each of them makes
 * them out of this table, with arguments of its own.
 *
 * @param name for messages; its first word is the method
 * @param takes which of the arguments it takes, apart from memory
 * @param memory what it does with the memory
 * @param call makes it, and returns how many elements or bytes it moved, where it says so
 */
public record ArenaCall(String name, Takes takes, Use memory, ToLongBiFunction<DeviceArena, With> call) {
    /** What a call is made with. Each takes what it needs. */
    public record With(NodeId id, DType dtype, long offset, long length, MemorySegment memory) {
        /** As many bytes as the memory has, at an offset of node 1 or of the arena. */
        public static With memory(DType dtype, long offset, MemorySegment memory) {
            return new With(NODE_1, dtype, offset, memory.byteSize(), memory);
        }

        public With of(NodeId other) {
            return new With(other, dtype, offset, length, memory);
        }

        private Batch bytes() {
            return Batch.builder().bytes(offset, memory).build();
        }

        private Batch floats() {
            return Batch.builder().floats(id, dtype, memory).build();
        }

        private Batch elements() {
            return Batch.builder().elements(id, dtype, memory).build();
        }

        private float[] array() {
            return memory.toArray(ValueLayout.JAVA_FLOAT_UNALIGNED);
        }

        private void set(float[] floats) {
            MemorySegment.copy(MemorySegment.ofArray(floats), 0, memory, 0, floats.length * 4L);
        }
    }

    /** Which arguments a call takes. */
    public enum Takes {
        /** None, or a size. */
        NOTHING,
        /** A value. */
        VALUE,
        /** A range of the arena. */
        RANGE,
        /** A range of a value's slot. */
        PART,
        /** A value and a type of host floats. */
        FLOATS,
        /** A value and any type. */
        ELEMENTS
    }

    /** What a call does with the memory. */
    public enum Use {
        NONE,
        SOURCE,
        DESTINATION
    }

    /** All of them. */
    public static final List<ArenaCall> ALL = List.of(
            other("device", DeviceArena::device),
            other("plan", DeviceArena::plan),
            other("sizeBytes", DeviceArena::sizeBytes),
            other("segments", DeviceArena::segments),
            other("scratchOffset", DeviceArena::scratchOffset),
            other("unwrap", arena -> arena.unwrap(ArenaCall.class)),
            other("flush", DeviceArena::flush),
            other("view", arena -> arena.view(arena.plan()).close()),
            none(
                    "allocateHost",
                    Takes.NOTHING,
                    (arena, with) ->
                            arena.allocateHost(Math.max(with.length(), 1)).close()),
            none("fillBytes", Takes.RANGE, (arena, with) -> arena.fillBytes(with.offset(), with.length(), (byte) 0x3E)),
            none("copyBytes from", Takes.RANGE, (arena, with) -> arena.copyBytes(with.offset(), 0, with.length())),
            none("copyBytes to", Takes.RANGE, (arena, with) -> arena.copyBytes(0, with.offset(), with.length())),
            source("writeBytes", Takes.RANGE, (arena, with) -> {
                arena.writeBytes(with.offset(), with.memory());
                return 0;
            }),
            source("writeBytes with progress", Takes.RANGE, (arena, with) -> {
                arena.writeBytes(with.offset(), with.memory(), done -> {});
                return 0;
            }),
            source("writeBatch", Takes.RANGE, (arena, with) -> written(arena, with.bytes())),
            source("beginWrite", Takes.RANGE, (arena, with) -> begun(arena, with.bytes())),
            source(
                    "writeInputF32",
                    Takes.FLOATS,
                    (arena, with) -> arena.writeInputF32(with.id(), with.dtype(), with.memory())),
            source(
                    "writeInputF32 of an array",
                    Takes.FLOATS,
                    (arena, with) -> arena.writeInputF32(with.id(), with.dtype(), with.array())),
            source("writeBatch of floats", Takes.FLOATS, (arena, with) -> written(arena, with.floats())),
            source("beginWrite of floats", Takes.FLOATS, (arena, with) -> begun(arena, with.floats())),
            source("writeBatch of elements", Takes.ELEMENTS, (arena, with) -> written(arena, with.elements())),
            source("beginWrite of elements", Takes.ELEMENTS, (arena, with) -> begun(arena, with.elements())),
            source("writeValueBytes", Takes.PART, (arena, with) -> {
                arena.writeValueBytes(with.id(), with.offset(), with.memory());
                return 0;
            }),
            destination("readBytes", Takes.RANGE, (arena, with) -> {
                arena.readBytes(with.offset(), with.memory());
                return 0;
            }),
            destination("readBatch", Takes.RANGE, (arena, with) -> arena.readBatch(with.bytes())),
            destination(
                    "beginRead",
                    Takes.RANGE,
                    (arena, with) -> arena.beginRead(with.bytes()).await()),
            destination(
                    "withBytes",
                    Takes.RANGE,
                    (arena, with) -> arena.withBytes(with.offset(), with.length(), view -> {
                        with.memory().copyFrom(view);
                        return view.byteSize();
                    })),
            destination(
                    "readOutputF32",
                    Takes.FLOATS,
                    (arena, with) -> arena.readOutputF32(with.id(), with.dtype(), with.memory())),
            destination("readOutputF32 into an array", Takes.FLOATS, (arena, with) -> {
                float[] read = with.array();
                long count = arena.readOutputF32(with.id(), with.dtype(), read);
                with.set(read);
                return count;
            }),
            destination("readOutputF32 into a new array", Takes.FLOATS, (arena, with) -> {
                float[] read = arena.readOutputF32(with.id(), with.dtype(), with.length() / 4);
                with.set(read);
                return read.length;
            }),
            destination("readBatch of floats", Takes.FLOATS, (arena, with) -> arena.readBatch(with.floats())),
            destination(
                    "beginRead of floats",
                    Takes.FLOATS,
                    (arena, with) -> arena.beginRead(with.floats()).await()),
            destination("readBatch of elements", Takes.ELEMENTS, (arena, with) -> arena.readBatch(with.elements())),
            destination(
                    "beginRead of elements",
                    Takes.ELEMENTS,
                    (arena, with) -> arena.beginRead(with.elements()).await()),
            destination("readValueBytes", Takes.PART, (arena, with) -> {
                arena.readValueBytes(with.id(), with.offset(), with.memory());
                return 0;
            }),
            none("hasBuffer", Takes.VALUE, (arena, with) -> arena.hasBuffer(with.id())),
            none("byteOffset", Takes.VALUE, (arena, with) -> arena.byteOffset(with.id())),
            none("lengthBytes", Takes.VALUE, (arena, with) -> arena.lengthBytes(with.id())),
            none("setActualLength", Takes.VALUE, (arena, with) -> arena.setActualLength(with.id(), with.length())));

    private static ArenaCall other(String name, Consumer<DeviceArena> call) {
        return none(name, Takes.NOTHING, (arena, with) -> call.accept(arena));
    }

    private static ArenaCall none(String name, Takes takes, BiConsumer<DeviceArena, With> call) {
        return new ArenaCall(name, takes, Use.NONE, (arena, with) -> {
            call.accept(arena, with);
            return 0;
        });
    }

    private static ArenaCall source(String name, Takes takes, ToLongBiFunction<DeviceArena, With> call) {
        return new ArenaCall(name, takes, Use.SOURCE, call);
    }

    private static ArenaCall destination(String name, Takes takes, ToLongBiFunction<DeviceArena, With> call) {
        return new ArenaCall(name, takes, Use.DESTINATION, call);
    }

    private static long written(DeviceArena arena, Batch batch) {
        arena.writeBatch(batch);
        return 0;
    }

    private static long begun(DeviceArena arena, Batch batch) {
        arena.beginWrite(batch).await();
        return 0;
    }

    /** Those that take one of some arguments. */
    public static List<ArenaCall> of(Takes... takes) {
        return ALL.stream().filter(one -> List.of(takes).contains(one.takes())).toList();
    }

    /** Those that do one thing with memory. */
    public static List<ArenaCall> of(Use use) {
        return ALL.stream().filter(one -> one.memory() == use).toList();
    }

    /** Whether the call gets the memory itself, and not a copy. */
    public boolean passesMemory() {
        return memory != Use.NONE && !name.endsWith("array") && !name.equals("withBytes");
    }

    /** Makes the call. */
    public long on(DeviceArena arena, With with) {
        return call.applyAsLong(arena, with);
    }

    /** The call with its arguments, for messages. */
    public String with(With with) {
        String method = name.replace(" of floats", "").replace(" of elements", "");
        return switch (takes) {
            case NOTHING -> name;
            case VALUE -> name + " of " + with.id();
            case RANGE -> name + " of " + with.length() + " bytes at " + with.offset();
            case PART -> name + " of " + with.length() + " bytes from byte " + with.offset() + " of " + with.id();
            case FLOATS ->
                method + " of " + with.id() + " as host floats of "
                        + with.dtype().label();
            case ELEMENTS -> method + " of " + with.id() + " as " + with.dtype().label();
        };
    }

    /** Every call is refused, also of no byte, and no destination changes. */
    public static void assertClosed(String what, DeviceArena closed) {
        for (int bytes : new int[] {8, 0}) {
            byte[] memory = TestData.filled(bytes, 0x3C);
            With with = With.memory(DType.F32, 0, MemorySegment.ofArray(memory));
            for (ArenaCall call : ALL) {
                Check.assertClosed(
                        call.name() + (bytes == 0 ? " of no byte on " : " on ") + what, () -> call.on(closed, with));
            }
            Check.same("memory after calls on " + what, 0, TestData.filled(bytes, 0x3C), memory);
        }
        Batch empty = Batch.builder().build();
        Check.assertClosed("readBatch of an empty batch on " + what, () -> closed.readBatch(empty));
        Check.assertClosed("writeBatch of an empty batch on " + what, () -> closed.writeBatch(empty));
        Check.assertClosed("beginRead of an empty batch on " + what, () -> closed.beginRead(empty));
    }
}
