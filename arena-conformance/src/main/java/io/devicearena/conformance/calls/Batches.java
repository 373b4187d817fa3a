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
