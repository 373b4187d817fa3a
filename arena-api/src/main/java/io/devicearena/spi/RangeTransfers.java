package io.devicearena.spi;

import java.lang.foreign.MemorySegment;

/** The defaults of {@link ArenaBackend} for fills and copies. Threads: safe for any thread. */
final class RangeTransfers {
    /** Bytes moved at a time: few enough to be host memory of every process. */
    private static final int CHUNK_BYTES = 256 << 10;

    private RangeTransfers() {}

    static void fill(ArenaBackend backend, long offset, long length, byte value) {
        MemorySegment chunk = MemorySegment.ofArray(new byte[(int) Math.min(length, CHUNK_BYTES)]);
        chunk.fill(value);
        for (long done = 0; done < length; done += CHUNK_BYTES) {
            backend.write(offset + done, chunk.asSlice(0, Math.min(length - done, CHUNK_BYTES)));
        }
    }

    /** Copies piece by piece; from the end if the target begins within the source. */
    static void copy(ArenaBackend backend, long from, long to, long length) {
        MemorySegment chunk = MemorySegment.ofArray(new byte[(int) Math.min(length, CHUNK_BYTES)]);
        boolean backwards = to > from;
        for (long done = 0; done < length; done += CHUNK_BYTES) {
            long count = Math.min(length - done, CHUNK_BYTES);
            long at = backwards ? length - done - count : done;
            MemorySegment piece = chunk.asSlice(0, count);
            backend.read(from + at, piece);
            backend.write(to + at, piece);
        }
    }
}
