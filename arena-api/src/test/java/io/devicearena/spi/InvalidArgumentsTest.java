package io.devicearena.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.devicearena.ArenaOptions;
import io.devicearena.Batch;
import io.devicearena.BufferSlot;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.testing.ByteArrayBackend;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The whole message of each refused call; the arena and its state stay as they were. */
class InvalidArgumentsTest {
    private static final NodeId LEFT = NodeId.of(1);
    private static final NodeId FUSED = NodeId.of(4);
    private static final NodeId UNKNOWN = NodeId.of(99);
    private static final MemoryPlan PLAN = new MemoryPlan(
            96,
            Map.of(
                    LEFT,
                    new BufferSlot(0, 32),
                    NodeId.of(2),
                    new BufferSlot(32, 32),
                    NodeId.of(3),
                    new BufferSlot(64, 32)),
            List.of(LEFT, FUSED, NodeId.of(2), NodeId.of(3)));

    private static byte[] filled() {
        byte[] bytes = new byte[96];
        Arrays.fill(bytes, (byte) 0x55);
        return bytes;
    }

    private static final MemorySegment SIX_BYTES = MemorySegment.ofArray(new byte[6]);
    private static final MemorySegment READ_ONLY =
            MemorySegment.ofArray(new byte[8]).asReadOnly();

    private static final String REMEDY = "; use a value for which hasBuffer is true";
    private static final String FUSED_AWAY =
            "node 4: expected a value with a slot, got one that the plan fused away" + REMEDY;
    private static final String NOT_KNOWN =
            "node 99: expected one of the 3 values of the plan, got one it does not know" + REMEDY;
    private static final String NO_FLOAT =
            "dtype: expected f32, f16 or bf16, got i32; move other types as elements of a batch, or with writeValueBytes"
                    + " and readValueBytes";
    private static final String CONFINED = ": expected memory that this thread may access, got a segment of 8 bytes"
            + " confined to another; allocate it from a shared arena";
    private static final String DEAD = ": expected live memory, got a segment of 8 bytes whose arena is closed";

    private static Arguments refused(
            String name, Class<? extends Throwable> type, String message, Consumer<DeviceArena> call) {
        return Arguments.of(Named.of(name, call), type, message);
    }

    private static Arguments illegal(String name, String message, Consumer<DeviceArena> call) {
        return refused(name, IllegalArgumentException.class, message, call);
    }

    private static Stream<Arguments> valuesWithoutSlot() {
        return Stream.of(FUSED, UNKNOWN).flatMap(id -> {
            String message = id.equals(FUSED) ? FUSED_AWAY : NOT_KNOWN;
            MemorySegment eight = MemorySegment.ofArray(new float[2]);
            return Stream.of(
                    illegal("write array to " + id, message, a -> a.writeInputF32(id, DType.F32, new float[2])),
                    illegal("write nothing to " + id, message, a -> a.writeInputF32(id, DType.F32, new float[0])),
                    illegal("write segment to " + id, message, a -> a.writeInputF32(id, DType.F32, eight)),
                    illegal("read new array of " + id, message, a -> a.readOutputF32(id, DType.F32, 2)),
                    illegal("read array of " + id, message, a -> a.readOutputF32(id, DType.F32, new float[2])),
                    illegal("read segment of " + id, message, a -> a.readOutputF32(id, DType.F32, eight)),
                    illegal("set length of " + id, message, a -> a.setActualLength(id, 0)),
                    illegal("batch of " + id, message, a -> a.readBatch(batch(id))),
                    illegal("begin read of " + id, message, a -> a.beginRead(batch(id))));
        });
    }

    private static Batch batch(NodeId id) {
        return Batch.builder().floats(id, DType.F32, new float[2]).build();
    }

    private static Stream<Arguments> typesAndSegments() {
        MemorySegment eight = MemorySegment.ofArray(new byte[8]);
        String whole = ": expected a multiple of 4 bytes, got 6; pass whole f32 elements";
        String readOnly =
                "destination: expected writable memory, got a read-only segment of 8 bytes; pass memory of your own";
        return Stream.of(
                illegal("write array as i32", NO_FLOAT, a -> a.writeInputF32(LEFT, DType.I32, new float[2])),
                illegal("write segment as i32", NO_FLOAT, a -> a.writeInputF32(LEFT, DType.I32, eight)),
                illegal("read new array as i32", NO_FLOAT, a -> a.readOutputF32(LEFT, DType.I32, 2)),
                illegal("read array as i32", NO_FLOAT, a -> a.readOutputF32(LEFT, DType.I32, new float[2])),
                illegal("read segment as i32", NO_FLOAT, a -> a.readOutputF32(LEFT, DType.I32, eight)),
                illegal("write 6 bytes", "data" + whole, a -> a.writeInputF32(LEFT, DType.F32, SIX_BYTES)),
                illegal("write 6 bytes to f16", "data" + whole, a -> a.writeInputF32(LEFT, DType.F16, SIX_BYTES)),
                illegal("read into 6 bytes", "destination" + whole, a -> a.readOutputF32(LEFT, DType.F32, SIX_BYTES)),
                illegal(
                        "read -1 elements",
                        "elements: expected 0 or more, got -1; lengthBytes is the length of a value",
                        a -> a.readOutputF32(LEFT, DType.F32, -1)),
                illegal("read into read-only", readOnly, a -> a.readOutputF32(LEFT, DType.F32, READ_ONLY)),
                illegal("read bytes into read-only", readOnly, a -> a.readBytes(0, READ_ONLY)));
    }

    private static Stream<Arguments> ranges() {
        record Range(long offset, int length) {}
        return Stream.of(
                        new Range(-1, 0),
                        new Range(-1, 8),
                        new Range(Long.MIN_VALUE, 1),
                        new Range(97, 0),
                        new Range(96, 1),
                        new Range(89, 8),
                        new Range(0, 97),
                        new Range(Long.MAX_VALUE, 0),
                        new Range(Long.MAX_VALUE, 8),
                        new Range(Long.MAX_VALUE - 7, 8))
                .flatMap(range -> {
                    String message = "range: expected one within the arena of 96 bytes, got offset " + range.offset
                            + " and length " + range.length + "; sizeBytes is the size of plan and scratch together";
                    MemorySegment memory = MemorySegment.ofArray(new byte[range.length]);
                    return Stream.of(
                            illegal("write " + range, message, a -> a.writeBytes(range.offset, memory)),
                            illegal("read " + range, message, a -> a.readBytes(range.offset, memory)));
                });
    }

    private static Stream<Arguments> lengths() {
        Stream<Arguments> actualLengths = Stream.of(-1L, 33L, Long.MIN_VALUE, Long.MAX_VALUE)
                .map(bytes -> illegal(
                        "actual length " + bytes,
                        "node 1: expected an actual length of 0 to 32 bytes, what its slot holds, got " + bytes
                                + "; plan the value with more elements",
                        a -> a.setActualLength(LEFT, bytes)));
        return Stream.concat(
                actualLengths,
                Stream.of(
                        illegal(
                                "view of -1 bytes",
                                "length: expected 0 or more bytes, got -1",
                                a -> a.withBytes(0, -1, MemorySegment::byteSize)),
                        illegal(
                                "view past the end",
                                "range: expected one within the arena of 96 bytes, got offset 1 and length 96;"
                                        + " sizeBytes is the size of plan and scratch together",
                                a -> a.withBytes(1, 96, MemorySegment::byteSize)),
                        illegal(
                                "batch past the end",
                                "range: expected one within the arena of 96 bytes, got offset 90 and length 7;"
                                        + " sizeBytes is the size of plan and scratch together",
                                a -> a.readBatch(Batch.builder()
                                        .bytes(90, MemorySegment.ofArray(new byte[7]))
                                        .build()))));
    }

    private static Stream<Arguments> closedAndConfinedSegments() {
        MemorySegment dead;
        try (Arena memory = Arena.ofShared()) {
            dead = memory.allocate(8, 8);
        }
        return Stream.concat(
                outOfReach("closed", dead, IllegalStateException.class, DEAD),
                outOfReach("confined", confinedToAnother(), WrongThreadException.class, CONFINED));
    }

    private static Stream<Arguments> outOfReach(
            String kind, MemorySegment memory, Class<? extends Throwable> type, String text) {
        Batch batch = Batch.builder()
                .floats(LEFT, DType.F32, new float[1])
                .bytes(0, memory)
                .build();
        return Stream.of(
                refused("write " + kind, type, "data" + text, a -> a.writeInputF32(LEFT, DType.F32, memory)),
                refused("write f16 " + kind, type, "data" + text, a -> a.writeInputF32(LEFT, DType.F16, memory)),
                refused("read " + kind, type, "destination" + text, a -> a.readOutputF32(LEFT, DType.BF16, memory)),
                refused("write bytes " + kind, type, "source" + text, a -> a.writeBytes(0, memory)),
                refused("read bytes " + kind, type, "destination" + text, a -> a.readBytes(0, memory)),
                refused("batch " + kind, type, "destination" + text, a -> a.readBatch(batch)),
                refused("begin " + kind, type, "destination" + text, a -> a.beginRead(batch)));
    }

    /** Memory of a thread that has ended; the arena can no longer be closed, and 8 bytes stay. */
    private static MemorySegment confinedToAnother() {
        CompletableFuture<MemorySegment> memory = new CompletableFuture<>();
        Thread.ofPlatform().start(() -> memory.complete(Arena.ofConfined().allocate(8, 8)));
        return memory.join();
    }

    @SuppressWarnings("NullAway") // null is what these calls are about
    private static Stream<Arguments> nulls() {
        MemorySegment memory = null;
        float[] array = null;
        MemorySegment eight = MemorySegment.ofArray(new byte[8]);
        float[] two = new float[2];
        return Stream.of(
                nullRefused("hasBuffer", "id", a -> a.hasBuffer(null)),
                nullRefused("byteOffset", "id", a -> a.byteOffset(null)),
                nullRefused("lengthBytes", "id", a -> a.lengthBytes(null)),
                nullRefused("setActualLength", "id", a -> a.setActualLength(null, 0)),
                nullRefused("write array", "id", a -> a.writeInputF32(null, DType.F32, two)),
                nullRefused("write array", "dtype", a -> a.writeInputF32(LEFT, null, two)),
                nullRefused("write array", "data", a -> a.writeInputF32(LEFT, DType.F32, array)),
                nullRefused("write segment", "id", a -> a.writeInputF32(null, DType.F32, eight)),
                nullRefused("write segment", "dtype", a -> a.writeInputF32(LEFT, null, eight)),
                nullRefused("write segment", "data", a -> a.writeInputF32(LEFT, DType.F32, memory)),
                nullRefused("read new array", "id", a -> a.readOutputF32(null, DType.F32, 1)),
                nullRefused("read new array", "dtype", a -> a.readOutputF32(LEFT, null, 1)),
                nullRefused("read array", "id", a -> a.readOutputF32(null, DType.F32, two)),
                nullRefused("read array", "dtype", a -> a.readOutputF32(LEFT, null, two)),
                nullRefused("read array", "destination", a -> a.readOutputF32(LEFT, DType.F32, array)),
                nullRefused("read segment", "id", a -> a.readOutputF32(null, DType.F32, eight)),
                nullRefused("read segment", "dtype", a -> a.readOutputF32(LEFT, null, eight)),
                nullRefused("read segment", "destination", a -> a.readOutputF32(LEFT, DType.F32, memory)),
                nullRefused("readBatch", "batch", a -> a.readBatch(null)),
                nullRefused("beginRead", "batch", a -> a.beginRead(null)),
                nullRefused("writeBytes", "source", a -> a.writeBytes(0, null)),
                nullRefused("readBytes", "destination", a -> a.readBytes(0, null)));
    }

    private static Arguments nullRefused(String method, String parameter, Consumer<DeviceArena> call) {
        return refused(method + " without " + parameter, NullPointerException.class, parameter, call);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource({"valuesWithoutSlot", "typesAndSegments", "ranges", "lengths", "closedAndConfinedSegments", "nulls"})
    void invalidCall_isRefusedAndChangesNothing(
            Consumer<DeviceArena> call, Class<? extends Throwable> type, String message) {
        try (DeviceArena arena = ByteArrayBackend.open(PLAN, ArenaOptions.defaults(), () -> {})) {
            arena.writeBytes(0, MemorySegment.ofArray(filled()));
            assertThatThrownBy(() -> call.accept(arena))
                    .isExactlyInstanceOf(type)
                    .hasMessage(message);
            byte[] bytes = new byte[96];
            arena.readBytes(0, MemorySegment.ofArray(bytes));
            assertThat(bytes).isEqualTo(filled());
            assertThat(arena.lengthBytes(LEFT)).isEqualTo(32);
            assertThat(arena.isOpen()).isTrue();
        }
    }
}
