package io.devicearena.conformance.calls;

import static io.devicearena.conformance.oracle.ExamplePlan.NODE_1;

import io.devicearena.Batch;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.NodeId;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
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
        /** As many bytes as the memory has, at the beginning of node 1, as F32, or of the arena. */
        public static With memory(MemorySegment memory) {
            return new With(NODE_1, DType.F32, 0, memory.byteSize(), memory);
        }

        public With of(NodeId other) {
            return new With(other, dtype, offset, length, memory);
        }

        public With as(DType other) {
            return new With(id, other, offset, length, memory);
        }

        private String label() {
            return dtype == null ? "null" : dtype.label();
        }

        private float[] array() {
            return memory.toArray(ValueLayout.JAVA_FLOAT_UNALIGNED);
        }

        private long copy(MemorySegment read) {
            MemorySegment.copy(read, 0, memory, 0, read.byteSize());
            return read.byteSize();
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
    public static final List<ArenaCall> ALL = new Table().all();

    /** Makes the table, by what calls take. */
    private static final class Table {
        private final List<ArenaCall> all = new ArrayList<>();
        private Takes takes = Takes.NOTHING;

        private void none(String name, BiConsumer<DeviceArena, With> call) {
            moves(name, Use.NONE, call);
        }

        private void writes(String name, BiConsumer<DeviceArena, With> call) {
            moves(name, Use.SOURCE, call);
        }

        private void reads(String name, BiConsumer<DeviceArena, With> call) {
            moves(name, Use.DESTINATION, call);
        }

        /** A call that does not say how much it moves, or need not. */
        private void moves(String name, Use memory, BiConsumer<DeviceArena, With> call) {
            all.add(new ArenaCall(name, takes, memory, (arena, with) -> {
                call.accept(arena, with);
                return 0;
            }));
        }

        /** A read that says how much it moves. */
        private void counts(String name, ToLongBiFunction<DeviceArena, With> call) {
            all.add(new ArenaCall(name, takes, Use.DESTINATION, call));
        }

        private void batches(String of, BiConsumer<With, Batch.Builder> region) {
            Function<With, Batch> batch = with -> {
                Batch.Builder made = Batch.builder();
                region.accept(with, made);
                return made.build();
            };
            writes("writeBatch" + of, (it, with) -> it.writeBatch(batch.apply(with)));
            writes(
                    "beginWrite" + of,
                    (it, with) -> it.beginWrite(batch.apply(with)).await());
            counts("readBatch" + of, (it, with) -> it.readBatch(batch.apply(with)));
            counts(
                    "beginRead" + of,
                    (it, with) -> it.beginRead(batch.apply(with)).await());
        }

        List<ArenaCall> all() {
            none("device", (it, with) -> it.device());
            none("plan", (it, with) -> it.plan());
            none("sizeBytes", (it, with) -> it.sizeBytes());
            none("segments", (it, with) -> it.segments());
            none("scratchOffset", (it, with) -> it.scratchOffset());
            none("unwrap", (it, with) -> it.unwrap(ArenaCall.class));
            none("flush", (it, with) -> it.flush());
            none("view", (it, with) -> it.view(it.plan()).close());
            none(
                    "allocateHost",
                    (it, with) -> it.allocateHost(Math.max(with.length, 1)).close());
            takes = Takes.RANGE;
            none("fillBytes", (it, with) -> it.fillBytes(with.offset, with.length, (byte) 0x3E));
            none("copyBytes from", (it, with) -> it.copyBytes(with.offset, 0, with.length));
            none("copyBytes to", (it, with) -> it.copyBytes(0, with.offset, with.length));
            writes("writeBytes", (it, with) -> it.writeBytes(with.offset, with.memory));
            writes("writeBytes with progress", (it, with) -> it.writeBytes(with.offset, with.memory, done -> {}));
            reads("readBytes", (it, with) -> it.readBytes(with.offset, with.memory));
            reads("withBytes", (it, with) -> it.withBytes(with.offset, with.length, with::copy));
            batches("", (with, batch) -> batch.bytes(with.offset, with.memory));
            takes = Takes.FLOATS;
            writes("writeInputF32", (it, with) -> it.writeInputF32(with.id, with.dtype, with.memory));
            writes("writeInputF32 of an array", (it, with) -> it.writeInputF32(with.id, with.dtype, with.array()));
            counts("readOutputF32", (it, with) -> it.readOutputF32(with.id, with.dtype, with.memory));
            counts("readOutputF32 into an array", (it, with) -> {
                float[] read = with.array();
                long count = it.readOutputF32(with.id, with.dtype, read);
                with.copy(MemorySegment.ofArray(read));
                return count;
            });
            counts("readOutputF32 into a new array", (it, with) -> {
                float[] read = it.readOutputF32(with.id, with.dtype, with.length / 4);
                with.copy(MemorySegment.ofArray(read));
                return read.length;
            });
            batches(" of floats", (with, batch) -> batch.floats(with.id, with.dtype, with.memory));
            takes = Takes.ELEMENTS;
            batches(" of elements", (with, batch) -> batch.elements(with.id, with.dtype, with.memory));
            takes = Takes.PART;
            writes("writeValueBytes", (it, with) -> it.writeValueBytes(with.id, with.offset, with.memory));
            reads("readValueBytes", (it, with) -> it.readValueBytes(with.id, with.offset, with.memory));
            takes = Takes.VALUE;
            none("hasBuffer", (it, with) -> it.hasBuffer(with.id));
            none("byteOffset", (it, with) -> it.byteOffset(with.id));
            none("lengthBytes", (it, with) -> it.lengthBytes(with.id));
            none("setActualLength", (it, with) -> it.setActualLength(with.id, with.length));
            return List.copyOf(all);
        }
    }

    /** A call with arguments of its own. */
    public static ArenaCall other(String name, Consumer<DeviceArena> call) {
        return new ArenaCall(name, Takes.NOTHING, Use.NONE, (arena, with) -> {
            call.accept(arena);
            return 0;
        });
    }

    /** Those that take one of some arguments. */
    public static List<ArenaCall> of(Takes... takes) {
        return ALL.stream().filter(one -> List.of(takes).contains(one.takes())).toList();
    }

    /** Those that do one thing with memory. */
    public static List<ArenaCall> of(Use use) {
        return ALL.stream().filter(one -> one.memory() == use).toList();
    }

    /** The bytes of a range, read by one of the calls that read ranges: that of a turn. */
    public static byte[] read(DeviceArena arena, long offset, int bytes, int turn) {
        List<ArenaCall> reads = of(Takes.RANGE).stream()
                .filter(one -> one.memory == Use.DESTINATION)
                .toList();
        byte[] read = new byte[bytes];
        With with = new With(NODE_1, DType.U8, offset, bytes, MemorySegment.ofArray(read));
        reads.get(turn % reads.size()).on(arena, with);
        return read;
    }

    /** Whether the call names a value. */
    public boolean takesValue() {
        return takes != Takes.NOTHING && takes != Takes.RANGE;
    }

    /** Whether the call has a type. */
    public boolean takesType() {
        return takes == Takes.FLOATS || takes == Takes.ELEMENTS;
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
            case FLOATS -> method + " of " + with.id() + " as host floats of " + with.label();
            case ELEMENTS -> method + " of " + with.id() + " as " + with.label();
        };
    }
}
