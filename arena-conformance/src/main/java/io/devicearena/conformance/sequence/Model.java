package io.devicearena.conformance.sequence;

import io.devicearena.conformance.oracle.SparseFile;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.BitSet;

/** The bytes that an arena must hold. Those of a long one are a sparse file: they take the room of what was written. */
final class Model {
    /** One read of the last comparison. */
    static final int PIECE = 1 << 20;

    /** Longer arenas are compared where something was written, and at their end. */
    private static final long WHOLE = 64 << 20;

    private final MemorySegment bytes;
    private final BitSet written = new BitSet();

    Model(long size, Arena memory) {
        this.bytes = size > WHOLE ? SparseFile.map(size, memory) : MemorySegment.ofArray(new byte[(int) size]);
    }

    void write(long offset, MemorySegment source) {
        overwritten(offset, source.byteSize()).copyFrom(source);
    }

    void fill(long offset, long length, byte value) {
        overwritten(offset, length).fill(value);
    }

    private MemorySegment overwritten(long offset, long length) {
        written.set((int) (offset / PIECE), (int) ((offset + length + PIECE - 1) / PIECE));
        return read(offset, length);
    }

    /** The bytes of a range, now and later. */
    MemorySegment read(long offset, long length) {
        return bytes.asSlice(offset, length);
    }

    /** Whether the piece from an offset on is compared. */
    boolean isCompared(long offset) {
        long size = bytes.byteSize();
        return size <= WHOLE || written.get((int) (offset / PIECE)) || offset + PIECE >= size;
    }
}
