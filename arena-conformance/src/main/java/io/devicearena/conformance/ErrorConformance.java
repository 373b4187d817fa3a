package io.devicearena.conformance;

import static io.devicearena.conformance.ExamplePlan.NODE_1;
import static io.devicearena.conformance.ExamplePlan.NODE_8;
import static io.devicearena.conformance.ExamplePlan.NODE_9;

import io.devicearena.Batch;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.NodeId;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Group 11: refused calls and their messages.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public interface ErrorConformance extends ConformanceTopic {
    /** Catches a fused value that reads as the bytes at offset 0. */
    @Test
    default void required_11_1_valueWithoutSlotIsRefused() {
        try (DeviceArena arena = openExample()) {
            for (NodeId id : List.of(NODE_8, NODE_9)) {
                InvalidCalls.on(arena).withValue(id).forEach((what, call) -> Check.assertInvalid(what, call::run, id));
            }
        }
    }

    /** Catches integers that are silently written as floats. */
    @Test
    default void required_11_2_otherDtypesAreRefused() {
        try (DeviceArena arena = openExample()) {
            for (DType dtype : TestData.OTHERS) {
                InvalidCalls.on(arena)
                        .withType(dtype)
                        .forEach((what, call) -> Check.assertInvalid(what, call::run, dtype.label(), "elements"));
            }
        }
    }

    /** Catches a null that is found only after something was written. */
    @Test
    default void required_11_3_nullIsRefused() {
        try (DeviceArena arena = openExample()) {
            InvalidCalls.on(arena)
                    .withNull()
                    .forEach((what, call) -> Check.assertRefused(NullPointerException.class, what, call::run));
        }
    }

    /** Catches data that is silently cut, and a read that fails only when its bytes arrive. */
    @Test
    default void required_11_4_badSizesAndReadOnlyMemoryAreRefused() {
        try (DeviceArena arena = openExample()) {
            InvalidCalls.on(arena).withBadMemory().forEach((what, call) -> Check.assertInvalid(what, call::run));
        }
    }

    /** Native code would read freed memory; also catches an arena that then counts as closed. */
    @Test
    default void required_11_5_closedMemoryIsRefused() {
        MemorySegment dead;
        try (Arena memory = Arena.ofShared()) {
            dead = memory.allocate(8, 4);
        }
        Batch batch = Batches.bytes(0, dead);
        try (DeviceArena arena = openExample()) {
            Check.assertClosed("writeInputF32 of closed memory", () -> arena.writeInputF32(NODE_1, DType.F32, dead));
            Check.assertClosed("readOutputF32 into closed memory", () -> arena.readOutputF32(NODE_1, DType.F32, dead));
            Check.assertClosed("readBatch into closed memory", () -> arena.readBatch(batch));
            Check.assertClosed("beginRead into closed memory", () -> arena.beginRead(batch));
            Check.assertClosed("writeBytes of closed memory", () -> arena.writeBytes(0, dead));
            Check.assertClosed("readBytes into closed memory", () -> arena.readBytes(0, dead));
            Check.same("isOpen after that", true, arena.isOpen());
            Check.holds("arena after that", arena, 0, ExamplePlan.filled());
        }
    }

    /** Catches the error that is thrown after half of the write. */
    @Test
    default void required_11_6_refusedCallsChangeNothing() {
        try (DeviceArena arena = openExample()) {
            arena.setActualLength(NODE_1, 20);
            InvalidCalls calls = InvalidCalls.on(arena);
            calls.all().forEach((what, call) -> {
                try {
                    call.run();
                } catch (RuntimeException e) {
                    // other clauses check the exception; this one checks what the call changed
                }
                Check.holds("arena after " + what, arena, 0, ExamplePlan.filled());
                Check.same("length of node 1 after " + what, 20L, arena.lengthBytes(NODE_1));
                calls.checkDestinations(what);
            });
            arena.writeInputF32(NODE_1, DType.F32, new float[] {1, 2});
            Check.same("node 1 after refused calls", new float[] {1, 2}, arena.readOutputF32(NODE_1, DType.F32, 2));
        }
    }

    /** The log line alone must be enough to find the error. */
    @Test
    default void required_11_7_messagesHoldTheFigures() {
        try (DeviceArena arena = openExample()) {
            Check.assertInvalid(
                    "an actual length of 33 for node 1 of 32 bytes",
                    () -> arena.setActualLength(NODE_1, 33),
                    33,
                    32,
                    NODE_1);
            Check.assertInvalid(
                    "a write of 19 bytes at 81 in an arena of 93",
                    () -> arena.writeBytes(81, MemorySegment.ofArray(new byte[19])),
                    81,
                    19,
                    93);
            Check.assertInvalid(
                    "a read of 19 bytes at 81 in an arena of 93",
                    () -> arena.readBytes(81, MemorySegment.ofArray(new byte[19])),
                    81,
                    19,
                    93);
            Check.assertInvalid(
                    "a batch that reads 19 bytes at 81 in an arena of 93",
                    () -> arena.readBatch(Batches.bytes(81, new byte[19])),
                    81,
                    19,
                    93);
        }
    }
}
