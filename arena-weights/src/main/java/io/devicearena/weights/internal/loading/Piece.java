package io.devicearena.weights.internal.loading;

import io.devicearena.Batch;
import io.devicearena.DeviceArena;
import io.devicearena.weights.tensor.Tensor;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * Bytes that go through host memory at once: many small tensors, or a part of a large one.
 *
 * @param parts what it holds
 */
public record Piece(List<Part> parts) {
    /**
     * The host memory of a piece, in bytes. More takes longer to allocate: on an NVIDIA H200, 4 GiB load at 15 GB/s in
     * pieces of 4 MiB and at 11 GB/s in pieces of 16.
     */
    public static final int MOST_BYTES = 4 << 20;
    /** Devices copy from and to multiples of a word; this is more, so that the host copies whole vectors. */
    private static final int ALIGNMENT = 64;

    /**
     * Bytes of a tensor.
     *
     * @param assignment the tensor, and where it goes
     * @param first the first byte of the tensor
     * @param bytes how many
     * @param position where they lie in the host memory
     */
    public record Part(Assignment assignment, long first, int bytes, int position) {
        /** Returns the tensor. */
        public Tensor tensor() {
            return assignment.tensor();
        }

        /** Returns whether the tensor ends with this part. */
        public boolean isLast() {
            return first + bytes == tensor().bytes();
        }
    }

    /** Cuts tensors into pieces, in their order. */
    public static List<Piece> of(List<Assignment> assignments) {
        List<Piece> pieces = new ArrayList<>();
        List<Part> parts = new ArrayList<>();
        int used = 0;
        for (Assignment assignment : assignments) {
            long first = 0;
            do {
                int bytes = (int) Math.min(assignment.tensor().bytes() - first, MOST_BYTES - used);
                parts.add(new Part(assignment, first, bytes, used));
                first += bytes;
                used = (used + bytes + ALIGNMENT - 1) & -ALIGNMENT;
                if (used == MOST_BYTES) {
                    pieces.add(new Piece(List.copyOf(parts)));
                    parts.clear();
                    used = 0;
                }
            } while (first < assignment.tensor().bytes());
        }
        if (!parts.isEmpty()) {
            pieces.add(new Piece(List.copyOf(parts)));
        }
        return pieces;
    }

    /** Returns the host memory that it needs, in bytes. */
    public int bytes() {
        return parts.getLast().position() + parts.getLast().bytes();
    }

    /** Returns the bytes of a part in the host memory of the piece. */
    public static MemorySegment slice(Part part, MemorySegment memory) {
        return memory.asSlice(part.position(), part.bytes());
    }

    /** Returns the writes that bring the piece from host memory into an arena. */
    public Batch batch(DeviceArena arena, MemorySegment memory) {
        Batch.Builder batch = Batch.builder();
        for (Part part : parts) {
            long value = arena.byteOffset(part.assignment().value()).orElseThrow();
            batch.bytes(value + part.first(), slice(part, memory));
        }
        return batch.build();
    }
}
