package io.devicearena.conformance;

import static io.devicearena.conformance.ExamplePlan.NODE_1;
import static io.devicearena.conformance.ExamplePlan.NODE_8;
import static io.devicearena.conformance.ExamplePlan.NODE_9;

import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.NodeId;
import io.devicearena.ReadBatch;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Group 11: what is refused, and how.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public interface ErrorConformance extends ConformanceTopic {
    /** A fused value is not the bytes at offset 0. */
    @Test
    default void required_11_1_valueWithoutSlotIsRefused() {
        try (DeviceArena arena = openExample()) {
            for (NodeId id : List.of(NODE_8, NODE_9)) {
                BadCalls.on(arena)
                        .withValue(id)
                        .forEach((what, call) ->
                                Check.refusedTelling(IllegalArgumentException.class, what, call::run, id));
            }
        }
    }

    /** Integers are not floats, and the message says where they belong. */
    @Test
    default void required_11_2_otherDtypesAreRefused() {
        try (DeviceArena arena = openExample()) {
            for (DType dtype : Data.OTHERS) {
                BadCalls.on(arena)
                        .withType(dtype)
                        .forEach((what, call) -> Check.refusedTelling(
                                IllegalArgumentException.class,
                                what,
                                call::run,
                                dtype.label(),
                                "writeBytes",
                                "readBytes"));
            }
        }
    }

    /** A null is found before anything is written. */
    @Test
    default void required_11_3_nullIsRefused() {
        try (DeviceArena arena = openExample()) {
            BadCalls.on(arena)
                    .withNull()
                    .forEach((what, call) -> Check.refused(NullPointerException.class, what, call::run));
        }
    }

    /** Data is not cut in silence, and what cannot be written to is told before bytes arrive. */
    @Test
    default void required_11_4_badSizesAndReadOnlyMemoryAreRefused() {
        try (DeviceArena arena = openExample()) {
            BadCalls.on(arena)
                    .withBadMemory()
                    .forEach((what, call) -> Check.refused(IllegalArgumentException.class, what, call::run));
        }
    }

    /** The caller's memory ends; the arena does not. */
    @Test
    default void required_11_5_closedMemoryIsRefused() {
        MemorySegment dead;
        try (Arena memory = Arena.ofShared()) {
            dead = memory.allocate(8, 4);
        }
        ReadBatch batch = ReadBatch.builder().bytes(0, dead).build();
        try (DeviceArena arena = openExample()) {
            Check.refused(
                    IllegalStateException.class,
                    "writeInputF32 of closed memory",
                    () -> arena.writeInputF32(NODE_1, DType.F32, dead));
            Check.refused(
                    IllegalStateException.class,
                    "readOutputF32 into closed memory",
                    () -> arena.readOutputF32(NODE_1, DType.F32, dead));
            Check.refused(IllegalStateException.class, "readBatch into closed memory", () -> arena.readBatch(batch));
            Check.refused(IllegalStateException.class, "beginRead into closed memory", () -> arena.beginRead(batch));
            Check.refused(IllegalStateException.class, "writeBytes of closed memory", () -> arena.writeBytes(0, dead));
            Check.refused(IllegalStateException.class, "readBytes into closed memory", () -> arena.readBytes(0, dead));
            Check.same("isOpen after that", true, arena.isOpen());
            Check.holds("arena after that", arena, 0, ExamplePlan.filled());
        }
    }

    /** An error is not thrown after half of the work. */
    @Test
    default void required_11_6_refusedCallsChangeNothing() {
        try (DeviceArena arena = openExample()) {
            arena.setActualLength(NODE_1, 20);
            BadCalls calls = BadCalls.on(arena);
            calls.all().forEach((what, call) -> {
                try {
                    call.run();
                } catch (RuntimeException e) {
                    // whether it is the right one, other clauses ask; here only what it left behind counts
                }
                Check.holds("arena after " + what, arena, 0, ExamplePlan.filled());
                Check.same("length of node 1 after " + what, 20L, arena.lengthBytes(NODE_1));
                calls.checkDestinations(what);
            });
            arena.writeInputF32(NODE_1, DType.F32, new float[] {1, 2});
            Check.same("node 1 after refused calls", new float[] {1, 2}, arena.readOutputF32(NODE_1, DType.F32, 2));
        }
    }

    /** The log line alone must be enough to find the fault. */
    @Test
    default void required_11_7_messagesHoldTheFigures() {
        try (DeviceArena arena = openExample()) {
            Check.refusedTelling(
                    IllegalArgumentException.class,
                    "an actual length of 33 for node 1 of 32 bytes",
                    () -> arena.setActualLength(NODE_1, 33),
                    33,
                    32,
                    NODE_1);
            Check.refusedTelling(
                    IllegalArgumentException.class,
                    "a write of 19 bytes at 81 in an arena of 93",
                    () -> arena.writeBytes(81, MemorySegment.ofArray(new byte[19])),
                    81,
                    19,
                    93);
            Check.refusedTelling(
                    IllegalArgumentException.class,
                    "a read of 19 bytes at 81 in an arena of 93",
                    () -> arena.readBytes(81, MemorySegment.ofArray(new byte[19])),
                    81,
                    19,
                    93);
            Check.refusedTelling(
                    IllegalArgumentException.class,
                    "a batch that reads 19 bytes at 81 in an arena of 93",
                    () -> arena.readBatch(ReadBatch.builder()
                            .bytes(81, MemorySegment.ofArray(new byte[19]))
                            .build()),
                    81,
                    19,
                    93);
        }
    }
}
