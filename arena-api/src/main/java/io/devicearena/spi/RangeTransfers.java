package io.devicearena.spi;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** The defaults of {@link ArenaHooks} for fills and copies. Threads: safe for any thread. */
final class RangeTransfers {
    /** Bytes moved at a time: few enough to be host memory of every process. */
    private static final int CHUNK_BYTES = 256 << 10;

    private RangeTransfers() {}

    static void fill(ArenaHooks arena, long offset, long length, int word) {
        int words = (int) (Math.min(length, CHUNK_BYTES) + Integer.BYTES - 1) / Integer.BYTES;
        MemorySegment chunk = MemorySegment.ofArray(new int[words]);
        for (int i = 0; i < words; i++) {
            chunk.setAtIndex(ValueLayout.JAVA_INT, i, word);
        }
        for (long done = 0; done < length; done += CHUNK_BYTES) {
            arena.writeRange(offset + done, chunk.asSlice(0, Math.min(length - done, CHUNK_BYTES)));
        }
    }

    /** Copies piece by piece; from the end if the target begins within the source. */
    static void copy(ArenaHooks arena, long from, long to, long length) {
        MemorySegment chunk = MemorySegment.ofArray(new byte[(int) Math.min(length, CHUNK_BYTES)]);
        boolean backwards = to > from;
        for (long done = 0; done < length; done += CHUNK_BYTES) {
            long count = Math.min(length - done, CHUNK_BYTES);
            long at = backwards ? length - done - count : done;
            MemorySegment piece = chunk.asSlice(0, count);
            arena.readRange(from + at, piece);
            arena.writeRange(to + at, piece);
        }
    }
}
