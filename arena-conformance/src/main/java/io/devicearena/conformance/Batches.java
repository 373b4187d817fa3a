package io.devicearena.conformance;

import static io.devicearena.conformance.ExamplePlan.NODE_1;
import static io.devicearena.conformance.ExamplePlan.NODE_2;
import static io.devicearena.conformance.ExamplePlan.NODE_3;
import static io.devicearena.conformance.ExamplePlan.NODE_4;

import io.devicearena.Batch;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.NodeId;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/** Batches of reads, and what they must deliver. */
final class Batches {
    static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;

    private Batches() {}

    /** An offset for the i-th of many small regions, in no order, odd ones too. */
    static int scattered(int i) {
        return (i * 2711) % 8180;
    }

    /** The bytes of a range, read whole, in a batch, in a deferred read or in a view, by the number of the round. */
    static byte[] readInOneOfFourWays(DeviceArena arena, long offset, int bytes, int round) {
        byte[] destination = new byte[bytes];
        Batch batch = bytes(offset, destination);
        switch (round % 4) {
            case 0 -> arena.readBytes(offset, MemorySegment.ofArray(destination));
            case 1 -> arena.readBatch(batch);
            case 2 -> arena.beginRead(batch).await();
            default -> destination = arena.withBytes(offset, bytes, view -> view.toArray(BYTE));
        }
        return destination;
    }

    /** A batch of one range. */
    static Batch bytes(long offset, MemorySegment memory) {
        return Batch.builder().bytes(offset, memory).build();
    }

    /** A batch of one range. */
    static Batch bytes(long offset, byte[] memory) {
        return bytes(offset, MemorySegment.ofArray(memory));
    }

    /** A batch of the elements of one value. */
    static Batch elements(NodeId id, DType dtype, MemorySegment memory) {
        return Batch.builder().elements(id, dtype, memory).build();
    }

    /** A batch of the host floats of one value. */
    static Batch floats(NodeId id, DType dtype, MemorySegment memory) {
        return Batch.builder().floats(id, dtype, memory).build();
    }

    /** A batch of the host floats of one value. */
    static Batch floats(NodeId id, DType dtype, float[] memory) {
        return floats(id, dtype, MemorySegment.ofArray(memory));
    }

    /** Writes elements of a value. */
    static void write(DeviceArena arena, NodeId id, DType dtype, MemorySegment elements) {
        arena.writeBatch(elements(id, dtype, elements));
    }

    /** Reads elements of a value; how many there were. */
    static long read(DeviceArena arena, NodeId id, DType dtype, MemorySegment into) {
        return arena.readBatch(elements(id, dtype, into));
    }

    /** A destination after a read: the beginning of the data, then marks. */
    static float[] beginning(float[] data, int elements, int room, float mark) {
        float[] expected = new float[room];
        Arrays.fill(expected, mark);
        System.arraycopy(data, 0, expected, 0, elements);
        return expected;
    }

    /** A batch of everything: types, raw ranges at odd offsets, one value twice, empty destinations, in no order. */
    static final class Mixed {
        /** Elements of the typed regions and bytes of the raw ones. */
        static final long RESULT = 16 + 7 + 8 + 24 + 16 + 0 + 0 + 1 + 4;

        private final byte[] arenaBytes;
        private final float[] node2AsF16 = new float[20];
        private final byte[] sevenBytes = new byte[7];
        private final float[] node1AsF32 = new float[8];
        private final byte[] toTheEnd = new byte[24];
        private final float[] node1AsBf16 = new float[16];
        private final byte[] oneByte = new byte[1];
        private final float[] node4AsF16 = new float[4];
        private final Batch batch = Batch.builder()
                .floats(NODE_2, DType.F16, node2AsF16)
                .bytes(3, MemorySegment.ofArray(sevenBytes))
                .floats(NODE_1, DType.F32, node1AsF32)
                .bytes(69, MemorySegment.ofArray(toTheEnd))
                .floats(NODE_1, DType.BF16, node1AsBf16)
                .bytes(10, MemorySegment.ofArray(new byte[0]))
                .bytes(93, MemorySegment.ofArray(new byte[0]))
                .floats(NODE_3, DType.F32, new float[0])
                .bytes(1, MemorySegment.ofArray(oneByte))
                .floats(NODE_4, DType.F16, node4AsF16)
                .build();

        /** A batch for an arena that holds some bytes. */
        Mixed(byte[] arenaBytes) {
            this.arenaBytes = arenaBytes;
        }

        byte[] arenaBytes() {
            return arenaBytes;
        }

        Batch batch() {
            return batch;
        }

        /** Holds every destination against the bytes. */
        void check() {
            Check.same("node 2 as F16", Arrays.copyOf(floats(DType.F16, 32, 64), 20), node2AsF16);
            Check.same("7 bytes", 3, Arrays.copyOfRange(arenaBytes, 3, 10), sevenBytes);
            Check.same("node 1 as F32", floats(DType.F32, 0, 32), node1AsF32);
            Check.same("the last 24 bytes", 69, Arrays.copyOfRange(arenaBytes, 69, 93), toTheEnd);
            Check.same("node 1 as BF16", floats(DType.BF16, 0, 32), node1AsBf16);
            Check.same("one byte", 1, Arrays.copyOfRange(arenaBytes, 1, 2), oneByte);
            Check.same("node 4 as F16", floats(DType.F16, 69, 77), node4AsF16);
        }

        private float[] floats(DType dtype, int from, int to) {
            return CastCheck.decoded(dtype, Arrays.copyOfRange(arenaBytes, from, to));
        }
    }
}
