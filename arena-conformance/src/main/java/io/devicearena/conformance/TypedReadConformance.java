package io.devicearena.conformance;

import static io.devicearena.conformance.ExamplePlan.NODE_1;
import static io.devicearena.conformance.ExamplePlan.NODE_2;
import static io.devicearena.conformance.ExamplePlan.NODE_3;
import static io.devicearena.conformance.ExamplePlan.NODE_4;

import io.devicearena.Batch;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.NodeId;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Group 3: host floats on their way out.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public interface TypedReadConformance extends ConformanceTopic {
    /** The round trip that everything else builds on. */
    @Test
    default void required_3_1_readsReturnWhatWasWritten() {
        for (DType dtype : TestData.HOST_FLOATS) {
            try (DeviceArena arena = openExample()) {
                for (NodeId id : List.of(NODE_1, NODE_2, NODE_3, NODE_4)) {
                    float[] data = TestData.exact(dtype, Math.toIntExact(arena.lengthBytes(id) / dtype.bytes()));
                    arena.writeInputF32(id, dtype, data);
                    Check.same(id + " as " + dtype, data, arena.readOutputF32(id, dtype, data.length));
                }
            }
            float[] many = TestData.exact(dtype, 20_001);
            try (DeviceArena arena = open(ExamplePlan.node1((long) many.length * dtype.bytes()))) {
                arena.writeInputF32(NODE_1, dtype, many);
                Check.same("20,001 elements of " + dtype, many, arena.readOutputF32(NODE_1, dtype, many.length));
            }
        }
    }

    /** Alignment pads slots, and padding is not data; catches an actual length that is stored and ignored. */
    @Test
    default void required_3_2_readsEndAtTheActualLength() {
        try (DeviceArena arena = openExample()) {
            for (DType dtype : TestData.HOST_FLOATS) {
                float[] data = TestData.exact(dtype, 32 / dtype.bytes());
                arena.writeInputF32(NODE_1, dtype, data);
                for (int length : new int[] {20, 6, 0, 32}) {
                    arena.setActualLength(NODE_1, length);
                    float[] expected = Arrays.copyOf(data, length / dtype.bytes());
                    String what = "node 1 as " + dtype + " with an actual length of " + length;
                    Check.same(what, expected, arena.readOutputF32(NODE_1, dtype, 1000));
                    float[] into = new float[40];
                    Check.same(
                            what + ", count of the array form",
                            (long) expected.length,
                            arena.readOutputF32(NODE_1, dtype, into));
                    Check.same(
                            what + ", count of the segment form",
                            (long) expected.length,
                            arena.readOutputF32(NODE_1, dtype, MemorySegment.ofArray(into)));
                }
            }
        }
    }

    /** The caller need not know the padded size; catches an exception, or zeros, instead of the shorter array. */
    @Test
    default void required_3_3_readsReturnAsManyAsWanted() {
        try (DeviceArena arena = openExample()) {
            float[] data = TestData.exact(DType.F32, 8);
            arena.writeInputF32(NODE_1, DType.F32, data);
            for (int wanted : new int[] {3, 1000, 0, 8, 1}) {
                Check.same(
                        "node 1, " + wanted + " wanted",
                        Arrays.copyOf(data, Math.min(wanted, 8)),
                        arena.readOutputF32(NODE_1, DType.F32, wanted));
            }
            Check.same("node 1, as many as a long holds", data, arena.readOutputF32(NODE_1, DType.F32, Long.MAX_VALUE));
        }
    }

    /** Catches copies of the whole padded slot, and destinations that are cleared first. */
    @Test
    default void required_3_4_destinationsKeepWhatIsNotRead() {
        float mark = Float.intBitsToFloat(0xDEADBEEF);
        try (DeviceArena arena = openExample()) {
            for (DType dtype : TestData.HOST_FLOATS) {
                float[] data = TestData.exact(dtype, 32 / dtype.bytes());
                arena.writeInputF32(NODE_1, dtype, data);
                arena.setActualLength(NODE_1, 20);
                int whole = 20 / dtype.bytes();
                for (int room : new int[] {0, 3, whole, whole + 1, 40}) {
                    int read = Math.min(room, whole);
                    float[] expected = new float[room];
                    Arrays.fill(expected, mark);
                    System.arraycopy(data, 0, expected, 0, read);
                    String what = "destination of " + room + " elements for " + whole + " of " + dtype;

                    float[] array = new float[room];
                    Arrays.fill(array, mark);
                    Check.same(what + ", count", (long) read, arena.readOutputF32(NODE_1, dtype, array));
                    Check.same(what, expected, array);

                    float[] padded = new float[room];
                    Arrays.fill(padded, mark);
                    MemorySegment segment = MemorySegment.ofArray(padded);
                    Check.same(what + ", segment, count", (long) read, arena.readOutputF32(NODE_1, dtype, segment));
                    Check.same(what + ", segment", expected, padded);
                }
            }
        }
    }

    /** The off-by-one at a slot's end, in the other direction. */
    @Test
    default void required_3_5_readsNeverReachPastTheSlot() {
        try (DeviceArena arena = openExample()) {
            byte[] bytes = TestData.bytes(35, ExamplePlan.BYTES);
            arena.writeBytes(0, MemorySegment.ofArray(bytes));
            for (DType dtype : List.of(DType.F32, DType.F16, DType.BF16)) {
                for (NodeId id : List.of(NODE_1, NODE_2, NODE_3, NODE_4)) {
                    int whole = Math.toIntExact(arena.lengthBytes(id)) / dtype.bytes();
                    for (long wanted : new long[] {whole, whole + 1L, 1000}) {
                        Check.same(
                                "elements of " + dtype + " read from " + id + ", " + wanted + " wanted",
                                (long) whole,
                                (long) arena.readOutputF32(id, dtype, wanted).length);
                        Check.same(
                                "elements of " + dtype + " read from " + id + " into room for " + wanted,
                                (long) whole,
                                arena.readOutputF32(id, dtype, new float[(int) wanted]));
                    }
                }
            }
        }
    }

    /** The forms often take different paths through a backend, and all must agree. */
    @Test
    default void required_3_6_allFormsOfReadingAgree() {
        try (DeviceArena arena = openExample();
                Arena memory = Arena.ofConfined()) {
            for (DType dtype : TestData.HOST_FLOATS) {
                float[] data = TestData.exact(dtype, 7);
                arena.writeInputF32(NODE_1, dtype, data);
                Check.same("a new array, from " + dtype, data, arena.readOutputF32(NODE_1, dtype, 7));
                float[] array = new float[7];
                Check.same("count into an array", 7L, arena.readOutputF32(NODE_1, dtype, array));
                Check.same("an array of the caller, from " + dtype, data, array);
                byte[] floats = TestData.encoded(DType.F32, data);
                for (Segments.Form form : Segments.ofEveryKind(memory, floats.length)) {
                    form.whole().fill((byte) 0x3C);
                    byte[] before = form.wholeBytes();
                    String what = form.kind() + ", from " + dtype;
                    Check.same(what + ", count", 7L, arena.readOutputF32(NODE_1, dtype, form.part()));
                    Check.same(what, 0, form.wholeWith(before, floats), form.wholeBytes());
                }
            }
        }
    }

    /** Catches stale contents of a pooled staging buffer, and faults of a special path for tiny reads. */
    @Test
    default void required_3_7_shortReadsAfterLongOnesAreFresh() {
        byte[] bytes = TestData.bytes(37, 16_384);
        try (DeviceArena arena = open(ExamplePlan.bytes(bytes.length))) {
            arena.writeBytes(0, MemorySegment.ofArray(bytes));
            for (int length : new int[] {4, 16, 17, 255, 256, 257}) {
                for (int from : new int[] {8192, 8201, 12_000}) {
                    Check.holds("4,096 bytes", arena, 0, Arrays.copyOf(bytes, 4096));
                    Check.holds(
                            length + " bytes after 4,096", arena, from, Arrays.copyOfRange(bytes, from, from + length));
                    Check.holds("4,096 bytes after " + length, arena, 4096, Arrays.copyOfRange(bytes, 4096, 8192));
                }
            }
        }
    }

    /** The dtype belongs to the call; catches an arena that converts data by itself. */
    @Test
    default void required_3_8_readingChangesNothingAndKnowsNoType() {
        try (DeviceArena arena = openExample()) {
            arena.writeInputF32(NODE_1, DType.F16, new float[] {1, -2});
            byte[] before = Check.all(arena);
            // 3C00 and C000 are 1 and -2 as F16; as BF16 they are 2^-7 and -2
            Check.same(
                    "F16 bits of 1 and -2 read as BF16",
                    new float[] {0x1p-7f, -2},
                    arena.readOutputF32(NODE_1, DType.BF16, 2));
            Check.same("the same bits read as F16", new float[] {1, -2}, arena.readOutputF32(NODE_1, DType.F16, 2));
            for (DType dtype : TestData.HOST_FLOATS) {
                for (NodeId id : ExamplePlan.plan().slots().keySet()) {
                    arena.readOutputF32(id, dtype, 1000);
                    arena.readOutputF32(id, dtype, new float[3]);
                }
            }
            Check.holds("arena after reads of every type", arena, 0, before);
        }
    }

    /**
     * Catches a copy on the Java heap. The test counts what this thread allocates, not what threads of the backend do.
     */
    @Test
    default void stochastic_3_9_readsIntoOwnMemoryAllocateNoCopy() {
        int bytes = 1 << 20;
        int reads = Iterations.of(40);
        try (DeviceArena arena = open(ExamplePlan.node1(bytes));
                Arena memory = Arena.ofConfined()) {
            MemorySegment destination = memory.allocate(2L * bytes, 4);
            for (DType dtype : TestData.HOST_FLOATS) {
                Batch batch = Batches.floats(NODE_1, dtype, destination);
                long limit = (long) reads * bytes / 10;
                for (Runnable read : List.<Runnable>of(
                        () -> arena.readOutputF32(NODE_1, dtype, destination), () -> arena.readBatch(batch))) {
                    read.run();
                    long allocated = HeapUse.of(this, reads, read);
                    Check.isTrue(
                            reads + " reads of 1 MiB as " + dtype + ": expected less than " + limit
                                    + " bytes allocated on the heap, got " + allocated,
                            allocated < limit);
                }
            }
        }
    }
}
