package io.devicearena.spi;

import io.devicearena.ArenaOutOfMemoryException;
import io.devicearena.DType;
import io.devicearena.cast.TypedCasts;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.Function;

/**
 * The defaults of {@link ArenaHooks}: they build typed transfers and mapped views from {@code writeRange}
 * and {@code readRange}. Threads: safe for any thread.
 */
final class CastedTransfers {
    /** Elements cast at a time: few enough to stay in a core's cache. */
    private static final int CHUNK_ELEMENTS = 8192;

    private CastedTransfers() {}

    static void write(ArenaHooks arena, long offset, DType dtype, MemorySegment source, long elements) {
        if (dtype == DType.F32) {
            arena.writeRange(offset, prefix(source, elements * Float.BYTES));
            return;
        }
        MemorySegment chunk = MemorySegment.ofArray(new short[(int) Math.min(elements, CHUNK_ELEMENTS)]);
        for (long done = 0; done < elements; done += CHUNK_ELEMENTS) {
            long count = Math.min(elements - done, CHUNK_ELEMENTS);
            TypedCasts.write(chunk, 0, dtype, source, done * Float.BYTES, count);
            arena.writeRange(offset + done * dtype.bytes(), prefix(chunk, count * dtype.bytes()));
        }
    }

    static void read(ArenaHooks arena, long offset, DType dtype, MemorySegment destination, long elements) {
        if (dtype == DType.F32) {
            arena.readRange(offset, prefix(destination, elements * Float.BYTES));
            return;
        }
        MemorySegment chunk = MemorySegment.ofArray(new short[(int) Math.min(elements, CHUNK_ELEMENTS)]);
        for (long done = 0; done < elements; done += CHUNK_ELEMENTS) {
            long count = Math.min(elements - done, CHUNK_ELEMENTS);
            arena.readRange(offset + done * dtype.bytes(), prefix(chunk, count * dtype.bytes()));
            TypedCasts.read(chunk, 0, dtype, destination, done * Float.BYTES, count);
        }
    }

    static <R> R withCopy(ArenaHooks arena, long offset, long length, Function<MemorySegment, R> reader) {
        try (Arena memory = Arena.ofConfined()) {
            MemorySegment copy = allocate(memory, length);
            arena.enterMemory();
            try {
                arena.readRange(offset, copy);
            } finally {
                arena.leaveMemory();
            }
            return reader.apply(copy.asReadOnly());
        }
    }

    private static MemorySegment allocate(Arena memory, long length) {
        try {
            return memory.allocate(length, Long.BYTES);
        } catch (OutOfMemoryError e) {
            throw new ArenaOutOfMemoryException(
                    "host memory: the system refused " + length + " bytes for a copy; read fewer bytes at a time", e);
        }
    }

    /** The first bytes of a segment. */
    static MemorySegment prefix(MemorySegment memory, long bytes) {
        return memory.byteSize() == bytes ? memory : memory.asSlice(0, bytes);
    }
}
