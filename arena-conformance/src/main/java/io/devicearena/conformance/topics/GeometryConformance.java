package io.devicearena.conformance.topics;

import static io.devicearena.conformance.oracle.ExamplePlan.NODE_1;
import static io.devicearena.conformance.oracle.ExamplePlan.NODE_2;
import static io.devicearena.conformance.oracle.ExamplePlan.NODE_3;
import static io.devicearena.conformance.oracle.ExamplePlan.NODE_4;
import static io.devicearena.conformance.oracle.ExamplePlan.NODE_5;
import static io.devicearena.conformance.oracle.ExamplePlan.NODE_6;
import static io.devicearena.conformance.oracle.ExamplePlan.NODE_7;
import static io.devicearena.conformance.oracle.ExamplePlan.NODE_8;
import static io.devicearena.conformance.oracle.ExamplePlan.NODE_9;

import io.devicearena.ArenaOptions;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.conformance.oracle.Casts;
import io.devicearena.conformance.oracle.Check;
import io.devicearena.conformance.oracle.ExamplePlan;
import io.devicearena.conformance.oracle.SegmentPlans;
import io.devicearena.conformance.oracle.TestData;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/**
 * Group 1: where the bytes of a plan are.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public interface GeometryConformance extends ConformanceTopic {
    /** The caller can compute every offset before the arena exists; an empty graph gets an arena too. */
    @Test
    default void required_1_1_sizeIsPlanPlusScratch() {
        for (int[] one : new int[][] {{0, 0}, {10, 16}, {1, 16}, {16, 16}, {17, 32}}) {
            try (DeviceArena arena =
                    open(ExamplePlan.plan(), ArenaOptions.defaults().withScratchBytes(one[0]))) {
                Check.same("size with " + one[0] + " bytes of scratch asked for", 77L + one[1], arena.sizeBytes());
                Check.same("its scratch offset", 77L, arena.scratchOffset());
            }
        }
        try (DeviceArena arena = open(ExamplePlan.bytes(0))) {
            Check.same("size of an empty plan", 1L, arena.sizeBytes());
            Check.same("its scratch offset", 0L, arena.scratchOffset());
        }
        Check.assertInvalid("scratch of -1 byte", () -> ArenaOptions.defaults().withScratchBytes(-1));
    }

    /** Catches memory that is not zeroed, above all memory that a pool reuses, and segments behind the first. */
    @Test
    default void required_1_2_freshMemoryReadsAsZero() {
        int segment = SegmentPlans.segmentBytes(device());
        for (int size : new int[] {77, 4096, 1 << 20, 2 * segment - 9}) {
            int scratch = size > segment ? 2 * segment : 16;
            for (int round = 0; round < 4; round++) {
                try (DeviceArena arena =
                        open(ExamplePlan.bytes(size), ArenaOptions.defaults().withScratchBytes(scratch))) {
                    String what = "arena " + round + " of " + size + " bytes";
                    Check.holds(what, arena, 0, new byte[size + scratch]);
                    byte[] words = SegmentPlans.words(169, scratch);
                    arena.writeBytes(size, MemorySegment.ofArray(words));
                    Check.holds("scratch across ends", arena, size, words);
                    arena.writeBytes(0, MemorySegment.ofArray(TestData.filled(size + scratch, 0xFF)));
                }
            }
        }
    }

    /** An engine asks for every node of its graph, and passes the offsets to its kernels. */
    @Test
    default void required_1_3_valuesAreWhereThePlanSays() {
        MemoryPlan plan = ExamplePlan.plan();
        try (DeviceArena arena = open(plan)) {
            plan.slots().forEach((id, slot) -> {
                Check.same("hasBuffer of " + id, true, arena.hasBuffer(id));
                Check.same("byteOffset of " + id, OptionalLong.of(slot.offset()), arena.byteOffset(id));
            });
            for (NodeId id : List.of(NODE_8, NODE_9)) {
                Check.same("hasBuffer of " + id, false, arena.hasBuffer(id));
                Check.same("byteOffset of " + id, OptionalLong.empty(), arena.byteOffset(id));
                Check.same("lengthBytes of " + id, 0L, arena.lengthBytes(id));
            }
        }
    }

    /** Values that reuse one slot have lengths of their own; catches a length kept per offset. */
    @Test
    default void required_1_4_actualLengthIsKeptPerValue() {
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

    /** Catches storage per value, copies rounded to words, and scratch that overlaps the last slot. */
    @Test
    default void required_1_5_bytesAreSharedAsThePlanSays() {
        float[] floats = {1, 2, 3, 4, 5, 6, 7, 8};
        try (DeviceArena arena = openExample()) {
            arena.writeInputF32(NODE_1, DType.F32, floats);
            Check.same("node 5, which reuses node 1", floats, arena.readOutputF32(NODE_5, DType.F32, 8));
            float[] half = Arrays.copyOfRange(floats, 4, 8);
            Check.same("node 6, the second half of node 1", half, arena.readOutputF32(NODE_6, DType.F32, 4));
            byte[] expected = ExamplePlan.filledWith(0, Casts.encoded(DType.F32, floats));
            writeAt(arena, NODE_4, 69, expected, 1.5f, -2.5f);
            writeAt(arena, NODE_3, 64, expected, 3.5f);
            writeAt(arena, NODE_6, 16, expected, -5, -6, -7, -8);
            Check.same("node 7, without bytes", 0L, (long) arena.readOutputF32(NODE_7, DType.F32, 9).length);
            byte[] scratch = TestData.filled(16, 0x77);
            arena.writeBytes(arena.scratchOffset(), MemorySegment.ofArray(scratch));
            Check.holds("plan after the scratch was filled", arena, 0, Arrays.copyOf(expected, 77));
            for (NodeId id : List.of(NODE_1, NODE_2, NODE_3, NODE_4)) {
                arena.writeInputF32(id, DType.BF16, TestData.exact(DType.BF16, 100));
            }
            Check.holds("scratch after every slot was filled", arena, arena.scratchOffset(), scratch);
        }
    }

    private static void writeAt(DeviceArena arena, NodeId id, int offset, byte[] expected, float... floats) {
        long written = arena.writeInputF32(id, DType.F32, floats);
        Check.same("elements written to " + id, (long) floats.length, written);
        System.arraycopy(Casts.encoded(DType.F32, floats), 0, expected, offset, floats.length * 4);
        Check.holds("arena after a write to " + id, arena, 0, expected);
        Check.same(id.toString(), floats, arena.readOutputF32(id, DType.F32, 9));
    }
}
