package io.devicearena.spi;

import io.devicearena.DType;
import io.devicearena.cast.TypedCasts;
import java.lang.foreign.MemorySegment;

/**
 * The defaults of {@link ArenaBackend}: they build typed transfers and mapped views from its writes and
 * reads. Threads: safe for any thread.
 */
final class CastedTransfers {
    /** Elements cast at a time: few enough to stay in a core's cache. */
    private static final int CHUNK_ELEMENTS = 8192;

    private CastedTransfers() {}

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
}
