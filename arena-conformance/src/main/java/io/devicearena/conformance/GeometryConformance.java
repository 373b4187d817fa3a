package io.devicearena.conformance;

import static io.devicearena.conformance.ExamplePlan.NODE_1;
import static io.devicearena.conformance.ExamplePlan.NODE_2;
import static io.devicearena.conformance.ExamplePlan.NODE_3;
import static io.devicearena.conformance.ExamplePlan.NODE_4;
import static io.devicearena.conformance.ExamplePlan.NODE_5;
import static io.devicearena.conformance.ExamplePlan.NODE_6;
import static io.devicearena.conformance.ExamplePlan.NODE_7;
import static io.devicearena.conformance.ExamplePlan.NODE_8;
import static io.devicearena.conformance.ExamplePlan.NODE_9;

import io.devicearena.ArenaOptions;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Group 1: where the bytes of a plan are.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public interface GeometryConformance extends ConformanceTopic {
    /** One range without hidden parts; an empty graph gets an arena too, even where empty buffers do not exist. */
    @Test
    default void required_1_1_sizeIsPlanPlusScratch() {
        try (DeviceArena arena = open(ExamplePlan.plan())) {
            Check.same("size of the example plan", 77L, arena.sizeBytes());
            Check.same("its scratch offset", 77L, arena.scratchOffset());
        }
        try (DeviceArena arena =
                open(ExamplePlan.plan(), ArenaOptions.defaults().withScratchBytes(10))) {
            Check.same("size with 10 bytes of scratch asked for", 93L, arena.sizeBytes());
            Check.same("its scratch offset", 77L, arena.scratchOffset());
        }
        try (DeviceArena arena = open(ExamplePlan.bytes(0))) {
            Check.same("size of an empty plan", 1L, arena.sizeBytes());
            Check.same("its scratch offset", 0L, arena.scratchOffset());
        }
    }

    /** Catches memory that is not zeroed, above all memory that a pool reuses. */
    @Test
    default void required_1_2_freshMemoryReadsAsZero() {
        for (int size : new int[] {ExamplePlan.BYTES, 4096, 1 << 20}) {
            MemoryPlan plan = size == ExamplePlan.BYTES ? ExamplePlan.plan() : ExamplePlan.bytes(size);
            for (int round = 0; round < 4; round++) {
                try (DeviceArena arena = open(plan, ArenaOptions.defaults().withScratchBytes(10))) {
                    Check.holds("arena " + round + " of " + size + " bytes", arena, 0, new byte[size + 16]);
                    arena.writeBytes(0, MemorySegment.ofArray(TestData.filled(size + 16, 0xFF)));
                }
            }
        }
    }

    /** An engine binds the arena once and passes these offsets to its kernels. */
    @Test
    default void required_1_3_offsetsAreThoseOfThePlan() {
        MemoryPlan plan = ExamplePlan.plan();
        try (DeviceArena arena = open(plan)) {
            plan.slots().forEach((id, slot) -> {
                Check.same("hasBuffer of " + id, true, arena.hasBuffer(id));
                Check.same("byteOffset of " + id, OptionalLong.of(slot.offset()), arena.byteOffset(id));
            });
        }
    }

    /** An engine queries every node of its graph; a fused value is a normal answer, not an error. */
    @Test
    default void required_1_4_valuesWithoutSlotAreAnsweredNotThrown() {
        try (DeviceArena arena = open(ExamplePlan.plan())) {
            for (NodeId id : List.of(NODE_8, NODE_9)) {
                Check.same("hasBuffer of " + id, false, arena.hasBuffer(id));
                Check.same("byteOffset of " + id, OptionalLong.empty(), arena.byteOffset(id));
                Check.same("lengthBytes of " + id, 0L, arena.lengthBytes(id));
            }
        }
    }

    /** Values that reuse one slot have lengths of their own; catches a length kept per offset. */
    @Test
    default void required_1_5_actualLengthIsKeptPerValue() {
        try (DeviceArena arena = open(ExamplePlan.plan())) {
            Check.same("length of node 1 before any was set", 32L, arena.lengthBytes(NODE_1));
            Check.same("length of node 3 before any was set", 5L, arena.lengthBytes(NODE_3));
            for (long length : new long[] {0, 1, 32, 20}) {
                arena.setActualLength(NODE_1, length);
                Check.same("length of node 1", length, arena.lengthBytes(NODE_1));
                Check.same("length of node 5, in the same bytes", 32L, arena.lengthBytes(NODE_5));
            }
        }
    }

    /** A length past the slot would make reads return a neighbour's bytes. */
    @Test
    default void required_1_6_actualLengthBeyondTheSlotIsRefused() {
        try (DeviceArena arena = open(ExamplePlan.plan())) {
            arena.setActualLength(NODE_1, 20);
            for (long length : new long[] {-1, 33, Long.MAX_VALUE}) {
                Check.assertInvalid(
                        "length " + length + " for node 1 of 32 bytes", () -> arena.setActualLength(NODE_1, length));
                Check.same("length of node 1 after that", 20L, arena.lengthBytes(NODE_1));
            }
            Check.assertInvalid("length 0 for node 8, which has no slot", () -> arena.setActualLength(NODE_8, 0));
        }
    }

    /** Views and reuse are how a plan saves memory; catches storage per value. */
    @Test
    default void required_1_7_valuesThatShareBytesShowTheSameBytes() {
        try (DeviceArena arena = open(ExamplePlan.plan())) {
            arena.writeInputF32(NODE_1, DType.F32, new float[] {1, 2, 3, 4, 5, 6, 7, 8});
            Check.same(
                    "node 5, which reuses node 1",
                    new float[] {1, 2, 3, 4, 5, 6, 7, 8},
                    arena.readOutputF32(NODE_5, DType.F32, 8));
            Check.same(
                    "node 6, the second half of node 1",
                    new float[] {5, 6, 7, 8},
                    arena.readOutputF32(NODE_6, DType.F32, 4));
            arena.writeInputF32(NODE_6, DType.F32, new float[] {-5, -6, -7, -8});
            Check.same(
                    "node 1 after a write to its second half",
                    new float[] {1, 2, 3, 4, -5, -6, -7, -8},
                    arena.readOutputF32(NODE_1, DType.F32, 8));
        }
    }

    /** The alignment of a device is advice to planners, not a condition on plans; catches copies rounded to 4 bytes. */
    @Test
    default void required_1_8_slotsMayBeginAndEndAtAnyByte() {
        try (DeviceArena arena = openExample()) {
            byte[] expected = ExamplePlan.filled();
            float[] pair = {1.5f, -2.5f};
            Check.same("elements written to node 4, at byte 69", 2L, arena.writeInputF32(NODE_4, DType.F32, pair));
            System.arraycopy(TestData.encoded(DType.F32, pair), 0, expected, 69, 8);
            Check.holds("arena after a write to node 4", arena, 0, expected);
            Check.same("node 4", pair, arena.readOutputF32(NODE_4, DType.F32, 2));

            float[] one = {3.5f};
            Check.same("elements written to node 3, of 5 bytes", 1L, arena.writeInputF32(NODE_3, DType.F32, one));
            System.arraycopy(TestData.encoded(DType.F32, one), 0, expected, 64, 4);
            Check.holds("arena after a write to node 3", arena, 0, expected);
            Check.same("node 3", one, arena.readOutputF32(NODE_3, DType.F32, 2));
            Check.same("node 2, beside it", 8L, (long) arena.readOutputF32(NODE_2, DType.F32, 9).length);
            Check.same("node 7, without bytes", 0L, (long) arena.readOutputF32(NODE_7, DType.F32, 9).length);
        }
    }

    /**
     * Catches an {@code int} in the path of an offset. It needs more than 4 GiB and is skipped where the device or this
     * machine does not have that.
     */
    @Test
    @Tag("slow")
    default void stochastic_1_9_offsetsPast4GiBAreExact() {
        long size = (1L << 32) + 4096;
        if (device().limits().maxArenaBytes() < size) {
            throw skip(
                    "its largest arena has " + device().limits().maxArenaBytes() + " bytes, the clause needs " + size);
        }
        try (DeviceArena arena = LargeArena.open(this, ExamplePlan.bytes(size))) {
            byte[] marks = TestData.bytes(19, 5);
            for (long offset : new long[] {(1L << 31) + 101, (1L << 32) + 1001}) {
                arena.writeBytes(offset, MemorySegment.ofArray(marks));
                Check.holds("bytes written at " + offset, arena, offset, marks);
            }
            for (long offset : new long[] {101, 1001, (1L << 31) + 1001}) {
                Check.holds("bytes at " + offset + ", never written", arena, offset, new byte[5]);
            }
        }
    }
}
