package io.devicearena.spi;

import io.devicearena.DType;
import io.devicearena.cast.TypedCasts;
import java.lang.foreign.MemorySegment;

/**
 * The defaults of {@link ArenaBackend}: they build typed transfers, fills and copies from its writes and reads.
 *
 * <p>Threads: safe for any thread.
 */
final class DefaultTransfers {
    /** Elements cast at a time: few enough to stay in a core's cache. */
    private static final int CHUNK_ELEMENTS = 8192;

    /** Bytes filled or copied at a time: few enough to be host memory of every process. */
    private static final int CHUNK_BYTES = 256 << 10;

    private DefaultTransfers() {}

    static void write(ArenaBackend backend, long offset, DType dtype, MemorySegment source, long elements) {
        if (dtype == DType.F32) {
            backend.write(offset, prefix(source, elements * Float.BYTES));
            return;
        }
        MemorySegment chunk = MemorySegment.ofArray(new short[(int) Math.min(elements, CHUNK_ELEMENTS)]);
        for (long done = 0; done < elements; done += CHUNK_ELEMENTS) {
            long count = Math.min(elements - done, CHUNK_ELEMENTS);
            TypedCasts.write(chunk, 0, dtype, source, done * Float.BYTES, count);
            backend.write(offset + done * dtype.bytes(), prefix(chunk, count * dtype.bytes()));
        }
    }

    static void read(ArenaBackend backend, long offset, DType dtype, MemorySegment destination, long elements) {
        if (dtype == DType.F32) {
            backend.read(offset, prefix(destination, elements * Float.BYTES));
            return;
        }
        MemorySegment chunk = MemorySegment.ofArray(new short[(int) Math.min(elements, CHUNK_ELEMENTS)]);
        for (long done = 0; done < elements; done += CHUNK_ELEMENTS) {
            long count = Math.min(elements - done, CHUNK_ELEMENTS);
            backend.read(offset + done * dtype.bytes(), prefix(chunk, count * dtype.bytes()));
            TypedCasts.read(chunk, 0, dtype, destination, done * Float.BYTES, count);
        }
    }

    private static MemorySegment prefix(MemorySegment memory, long bytes) {
        return memory.byteSize() == bytes ? memory : memory.asSlice(0, bytes);
    }

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
