package io.devicearena.conformance.calls;

import io.devicearena.Batch;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.NodeId;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Batches of reads, and what they must deliver. */
public final class Batches {
    public static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;

    private Batches() {}

    /** The bytes of a range, read whole, in a batch, in a deferred read or in a view, by the number of the round. */
    public static byte[] readInOneOfFourWays(DeviceArena arena, long offset, int bytes, int round) {
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
    public static Batch bytes(long offset, MemorySegment memory) {
        return Batch.builder().bytes(offset, memory).build();
    }

    /** A batch of one range. */
    public static Batch bytes(long offset, byte[] memory) {
        return bytes(offset, MemorySegment.ofArray(memory));
    }

    /** A batch of the elements of one value. */
    public static Batch elements(NodeId id, DType dtype, MemorySegment memory) {
        return Batch.builder().elements(id, dtype, memory).build();
    }

    /** Writes elements of a value. */
    public static void write(DeviceArena arena, NodeId id, DType dtype, MemorySegment elements) {
        arena.writeBatch(elements(id, dtype, elements));
    }
}
