package com.example.opencl;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Native memory for what lies on the Java heap: the device cannot see it there. Threads: safe for any thread. */
final class Staging {
    private static final long CHUNK_BYTES = 1 << 20;

    /** Chunks that no call uses; as many as calls ran at once. */
    private static final ConcurrentLinkedQueue<MemorySegment> CHUNKS = new ConcurrentLinkedQueue<>();

    private Staging() {}

    /** Moves a piece between a range of the caller's memory and native memory. */
    interface Move {
        void apply(long position, MemorySegment piece);
    }

    /** Passes native memory in pieces that cover so many bytes. */
    static void inPieces(long bytes, Move move) {
        MemorySegment free = CHUNKS.poll();
        MemorySegment chunk = free == null ? Arena.global().allocate(CHUNK_BYTES, Long.BYTES) : free;
        try {
            for (long done = 0; done < bytes; done += CHUNK_BYTES) {
                move.apply(done, chunk.asSlice(0, Math.min(bytes - done, CHUNK_BYTES)));
            }
        } finally {
            CHUNKS.add(chunk);
        }
    }
}
