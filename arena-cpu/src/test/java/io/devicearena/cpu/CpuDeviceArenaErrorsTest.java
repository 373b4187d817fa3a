package io.devicearena.cpu;

import static io.devicearena.cpu.TestArenas.FUSED;
import static io.devicearena.cpu.TestArenas.LEFT;
import static io.devicearena.cpu.TestArenas.UNKNOWN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.NodeId;
import io.devicearena.ReadBatch;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every bad argument throws what it should, says it whole, and leaves arena and destination as they were. */
class CpuDeviceArenaErrorsTest {
    private static final MemorySegment SIX_BYTES = MemorySegment.ofArray(new byte[6]);
    private static final MemorySegment READ_ONLY =
            MemorySegment.ofArray(new byte[8]).asReadOnly();

    private static final String WAY = "; use a value for which hasBuffer is true";
    private static final String FUSED_AWAY =
            "node 4: expected a value with a slot, got one that the plan fused away" + WAY;
    private static final String NOT_KNOWN =
            "node 99: expected one of the 3 values of the plan, got one it does not know" + WAY;
    private static final String NO_FLOAT =
            "dtype: expected f32, f16 or bf16, got i32; move other types with writeBytes" + " and readBytes";
    private static final String CONFINED = ": expected memory that this thread may access, got a segment of 8 bytes"
            + " confined to another; allocate it from a shared arena";
    private static final String DEAD = ": expected live memory, got a segment of 8 bytes whose arena is closed";

    private static Arguments bad(
            String name, Class<? extends Throwable> type, String message, Consumer<DeviceArena> call) {
        return Arguments.of(Named.of(name, call), type, message);
    }

    private static Arguments wrong(String name, String message, Consumer<DeviceArena> call) {
        return bad(name, IllegalArgumentException.class, message, call);
    }

    private static Stream<Arguments> valuesWithoutSlot() {
        return Stream.of(FUSED, UNKNOWN).flatMap(id -> {
            String message = id.equals(FUSED) ? FUSED_AWAY : NOT_KNOWN;
            MemorySegment eight = MemorySegment.ofArray(new float[2]);
            return Stream.of(
                    wrong("write array to " + id, message, a -> a.writeInputF32(id, DType.F32, new float[2])),
                    wrong("write nothing to " + id, message, a -> a.writeInputF32(id, DType.F32, new float[0])),
                    wrong("write segment to " + id, message, a -> a.writeInputF32(id, DType.F32, eight)),
                    wrong("read new array of " + id, message, a -> a.readOutputF32(id, DType.F32, 2)),
                    wrong("read array of " + id, message, a -> a.readOutputF32(id, DType.F32, new float[2])),
                    wrong("read segment of " + id, message, a -> a.readOutputF32(id, DType.F32, eight)),
                    wrong("set length of " + id, message, a -> a.setActualLength(id, 0)),
                    wrong("batch of " + id, message, a -> a.readBatch(batch(id))),
                    wrong("begin read of " + id, message, a -> a.beginRead(batch(id))));
        });
    }

    private static ReadBatch batch(NodeId id) {
        return ReadBatch.builder().output(id, DType.F32, new float[2]).build();
    }

    private static Stream<Arguments> wrongTypesAndSegments() {
        MemorySegment eight = MemorySegment.ofArray(new byte[8]);
        String whole = ": expected a multiple of 4 bytes, got 6; pass whole f32 elements";
        String readOnly =
                "destination: expected writable memory, got a read-only segment of 8 bytes; pass memory of your own";
        return Stream.of(
                wrong("write array as i32", NO_FLOAT, a -> a.writeInputF32(LEFT, DType.I32, new float[2])),
                wrong("write segment as i32", NO_FLOAT, a -> a.writeInputF32(LEFT, DType.I32, eight)),
                wrong("read new array as i32", NO_FLOAT, a -> a.readOutputF32(LEFT, DType.I32, 2)),
                wrong("read array as i32", NO_FLOAT, a -> a.readOutputF32(LEFT, DType.I32, new float[2])),
                wrong("read segment as i32", NO_FLOAT, a -> a.readOutputF32(LEFT, DType.I32, eight)),
                wrong("write 6 bytes", "data" + whole, a -> a.writeInputF32(LEFT, DType.F32, SIX_BYTES)),
                wrong("write 6 bytes to f16", "data" + whole, a -> a.writeInputF32(LEFT, DType.F16, SIX_BYTES)),
                wrong("read into 6 bytes", "destination" + whole, a -> a.readOutputF32(LEFT, DType.F32, SIX_BYTES)),
                wrong(
                        "read -1 elements",
                        "elements: expected 0 or more, got -1; lengthBytes tells how long a value is",
                        a -> a.readOutputF32(LEFT, DType.F32, -1)),
                wrong("read into read-only", readOnly, a -> a.readOutputF32(LEFT, DType.F32, READ_ONLY)),
                wrong("read bytes into read-only", readOnly, a -> a.readBytes(0, READ_ONLY)));
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
                            + " and length " + range.length + "; sizeBytes tells the size, plan and scratch together";
                    MemorySegment memory = MemorySegment.ofArray(new byte[range.length]);
                    return Stream.of(
                            wrong("write " + range, message, a -> a.writeBytes(range.offset, memory)),
                            wrong("read " + range, message, a -> a.readBytes(range.offset, memory)));
                });
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
        ReadBatch batch = ReadBatch.builder()
                .output(LEFT, DType.F32, new float[1])
                .bytes(0, memory)
                .build();
        return Stream.of(
                bad("write " + kind, type, "data" + text, a -> a.writeInputF32(LEFT, DType.F32, memory)),
                bad("write f16 " + kind, type, "data" + text, a -> a.writeInputF32(LEFT, DType.F16, memory)),
                bad("read " + kind, type, "destination" + text, a -> a.readOutputF32(LEFT, DType.BF16, memory)),
                bad("write bytes " + kind, type, "source" + text, a -> a.writeBytes(0, memory)),
                bad("read bytes " + kind, type, "destination" + text, a -> a.readBytes(0, memory)),
                bad("batch " + kind, type, "destination" + text, a -> a.readBatch(batch)),
                bad("begin " + kind, type, "destination" + text, a -> a.beginRead(batch)));
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
                missing("hasBuffer", "id", a -> a.hasBuffer(null)),
                missing("byteOffset", "id", a -> a.byteOffset(null)),
                missing("lengthBytes", "id", a -> a.lengthBytes(null)),
                missing("setActualLength", "id", a -> a.setActualLength(null, 0)),
                missing("write array", "id", a -> a.writeInputF32(null, DType.F32, two)),
                missing("write array", "dtype", a -> a.writeInputF32(LEFT, null, two)),
                missing("write array", "data", a -> a.writeInputF32(LEFT, DType.F32, array)),
                missing("write segment", "id", a -> a.writeInputF32(null, DType.F32, eight)),
                missing("write segment", "dtype", a -> a.writeInputF32(LEFT, null, eight)),
                missing("write segment", "data", a -> a.writeInputF32(LEFT, DType.F32, memory)),
                missing("read new array", "id", a -> a.readOutputF32(null, DType.F32, 1)),
                missing("read new array", "dtype", a -> a.readOutputF32(LEFT, null, 1)),
                missing("read array", "id", a -> a.readOutputF32(null, DType.F32, two)),
                missing("read array", "dtype", a -> a.readOutputF32(LEFT, null, two)),
                missing("read array", "destination", a -> a.readOutputF32(LEFT, DType.F32, array)),
                missing("read segment", "id", a -> a.readOutputF32(null, DType.F32, eight)),
                missing("read segment", "dtype", a -> a.readOutputF32(LEFT, null, eight)),
                missing("read segment", "destination", a -> a.readOutputF32(LEFT, DType.F32, memory)),
                missing("readBatch", "batch", a -> a.readBatch(null)),
                missing("beginRead", "batch", a -> a.beginRead(null)),
                missing("writeBytes", "source", a -> a.writeBytes(0, null)),
                missing("readBytes", "destination", a -> a.readBytes(0, null)));
    }

    private static Arguments missing(String method, String parameter, Consumer<DeviceArena> call) {
        return bad(method + " without " + parameter, NullPointerException.class, parameter, call);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource({"valuesWithoutSlot", "wrongTypesAndSegments", "ranges", "closedAndConfinedSegments", "nulls"})
    void aBadCallSaysWhatIsWrongAndChangesNothing(
            Consumer<DeviceArena> call, Class<? extends Throwable> type, String message) {
        try (DeviceArena arena = TestArenas.openFilled()) {
            assertThatThrownBy(() -> call.accept(arena))
                    .isExactlyInstanceOf(type)
                    .hasMessage(message);
            assertThat(TestArenas.bytesOf(arena)).isEqualTo(TestArenas.filled(96));
            assertThat(arena.lengthBytes(LEFT)).isEqualTo(32);
            assertThat(arena.isOpen()).isTrue();
        }
    }
}
