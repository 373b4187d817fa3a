package io.devicearena.conformance;

import static io.devicearena.conformance.ExamplePlan.NODE_1;
import static io.devicearena.conformance.ExamplePlan.NODE_2;
import static io.devicearena.conformance.ExamplePlan.NODE_3;
import static io.devicearena.conformance.ExamplePlan.NODE_4;
import static io.devicearena.conformance.ExamplePlan.NODE_7;

import io.devicearena.DType;
import io.devicearena.DeviceArena;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/**
 * Group 2: host floats on their way in.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public interface TypedWriteConformance extends ConformanceTopic {
    /** The simplest path; the long value catches lost, repeated or misplaced chunks of a large upload. */
    @Test
    default void required_2_1_floatsLandAtTheSlotsOffset() {
        try (DeviceArena arena = openExample()) {
            arena.writeInputF32(NODE_2, DType.F32, new float[] {1, 2, 3});
            Check.holds("node 2", arena, 32, TestData.encoded(DType.F32, new float[] {1, 2, 3}));
        }
        float[] many = TestData.exact(DType.F32, 20_001);
        try (DeviceArena arena = open(ExamplePlan.node1(many.length * 4L))) {
            arena.writeInputF32(NODE_1, DType.F32, many);
            Check.holds("a value of 20,001 elements", arena, 0, TestData.encoded(DType.F32, many));
        }
    }

    /** The count shows a caller that data was cut; catches an error instead of the cut. */
    @Test
    default void required_2_2_writesAreCutToTheSlotAndCounted() {
        try (DeviceArena arena = openExample()) {
            for (int elements : new int[] {8, 9, 5, 0}) {
                Check.same(
                        "elements written to node 1, of 8, out of " + elements,
                        (long) Math.min(elements, 8),
                        arena.writeInputF32(NODE_1, DType.F32, new float[elements]));
            }
            Check.same("elements written to node 7", 0L, arena.writeInputF32(NODE_7, DType.F32, new float[3]));
        }
    }

    /** Catches the off-by-one at a slot's end, which silently corrupts another tensor. */
    @Test
    default void required_2_3_writesNeverReachPastTheSlot() {
        for (DType dtype : TestData.HOST_FLOATS) {
            try (DeviceArena arena = openExample()) {
                float[] many = TestData.exact(dtype, 1000);
                arena.writeInputF32(NODE_1, dtype, many);
                Check.holds(
                        "bytes after node 1 after 1,000 elements of " + dtype, arena, 32, TestData.filled(61, 0x55));
                arena.writeInputF32(NODE_4, dtype, many);
                Check.holds(
                        "scratch after node 4 after 1,000 elements of " + dtype, arena, 77, TestData.filled(16, 0x55));
            }
        }
    }

    /** Catches a capacity counted in f32 for every dtype, and a last element written in part. */
    @Test
    default void required_2_4_capacityCountsWholeElementsOfTheDtype() {
        for (DType dtype : TestData.HOST_FLOATS) {
            try (DeviceArena arena = openExample()) {
                float[] many = TestData.exact(dtype, 1000);
                Check.same(
                        "elements of " + dtype + " written to node 1, of 32 bytes",
                        32L / dtype.bytes(),
                        arena.writeInputF32(NODE_1, dtype, many));
                Check.same(
                        "elements of " + dtype + " written to node 3, of 5 bytes",
                        5L / dtype.bytes(),
                        arena.writeInputF32(NODE_3, dtype, many));
                float[] fitting = Arrays.copyOf(many, 5 / dtype.bytes());
                Check.holds("node 3 after a write as " + dtype, arena, 64, TestData.encoded(dtype, fitting));
                Check.holds("the fifth byte of node 3 after a write as " + dtype, arena, 68, TestData.filled(1, 0x55));
            }
        }
    }

    /** Catches an odd number of 2-byte elements padded to 4 bytes over the next value. */
    @Test
    default void required_2_5_shortAndOddWritesLeaveTheRestAlone() {
        for (DType dtype : TestData.HOST_FLOATS) {
            for (int elements = 0; elements < 8; elements++) {
                try (DeviceArena arena = openExample()) {
                    float[] data = TestData.exact(dtype, elements);
                    arena.writeInputF32(NODE_1, dtype, data);
                    Check.holds(
                            "arena after " + elements + " elements of " + dtype + " for node 1",
                            arena,
                            0,
                            ExamplePlan.filledWith(0, TestData.encoded(dtype, data)));
                }
            }
        }
    }

    /** Weights come from a mapped file at any offset; catches aligned access to an odd address. */
    @Test
    default void required_2_6_arraysAndSegmentsOfAnyKindAreAlike() {
        try (DeviceArena arena = openExample();
                Arena memory = Arena.ofConfined()) {
            for (DType dtype : TestData.HOST_FLOATS) {
                float[] data = TestData.exact(dtype, 7);
                byte[] expected = TestData.encoded(dtype, data);
                Check.same("elements written from an array", 7L, arena.writeInputF32(NODE_1, dtype, data));
                Check.holds("node 1 from an array as " + dtype, arena, 0, expected);
                byte[] floats = TestData.encoded(DType.F32, data);
                for (Segments.Form form : Segments.ofEveryKind(memory, floats.length)) {
                    form.part().copyFrom(MemorySegment.ofArray(floats));
                    for (MemorySegment source :
                            new MemorySegment[] {form.part(), form.part().asReadOnly()}) {
                        arena.writeBytes(0, MemorySegment.ofArray(new byte[expected.length]));
                        String what = "node 1 from " + (source.isReadOnly() ? "read-only " : "") + form.kind() + " as "
                                + dtype;
                        Check.same(what + ", elements", 7L, arena.writeInputF32(NODE_1, dtype, source));
                        Check.holds(what, arena, 0, expected);
                    }
                }
            }
        }
    }

    /** An engine reuses one host array; catches an upload that reads the caller's memory later. */
    @Test
    default void required_2_7_dataIsTakenBeforeTheCallReturns() {
        for (int elements : new int[] {2, 4096, 65_536}) {
            try (DeviceArena arena = open(ExamplePlan.node1(elements * 4L))) {
                float[] data = TestData.exact(DType.F32, elements);
                float[] given = data.clone();
                byte[] expected = TestData.encoded(DType.F32, data);
                arena.writeInputF32(NODE_1, DType.F32, given);
                Check.same("the caller's array after the call", data, given);
                Arrays.fill(given, -1);
                Check.holds("value of " + elements + " elements, array overwritten", arena, 0, expected);

                arena.writeBytes(0, MemorySegment.ofArray(new byte[expected.length]));
                try (Arena memory = Arena.ofConfined()) {
                    MemorySegment source = memory.allocate(expected.length, 4);
                    source.copyFrom(MemorySegment.ofArray(expected));
                    arena.writeInputF32(NODE_1, DType.F32, source);
                    source.fill((byte) 0xEE);
                }
                Check.holds("value of " + elements + " elements, segment freed", arena, 0, expected);

                try (Arena memory = Arena.ofConfined()) {
                    MemorySegment source = memory.allocate(expected.length);
                    source.fill((byte) 0x77);
                    arena.writeBytes(0, source);
                    source.fill((byte) 0xEE);
                }
                Check.holds(
                        expected.length + " raw bytes, segment freed",
                        arena,
                        0,
                        TestData.filled(expected.length, 0x77));
            }
        }
    }

    /** The actual length is for reads only. */
    @Test
    default void required_2_8_writesIgnoreTheActualLength() {
        try (DeviceArena arena = openExample()) {
            arena.setActualLength(NODE_1, 20);
            float[] data = TestData.exact(DType.F32, 8);
            Check.same("elements written", 8L, arena.writeInputF32(NODE_1, DType.F32, data));
            Check.same("length after the write", 20L, arena.lengthBytes(NODE_1));
            Check.holds("node 1", arena, 0, TestData.encoded(DType.F32, data));
        }
    }
}
