package io.devicearena.diagnostics.internal.checks;

import io.devicearena.spi.observation.CheckedAccess;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.ObjLongConsumer;

/** A copy of the first bytes of an arena, on the heap. Threads: one thread at a time. */
final class Snapshot {
    /** The bytes of one array. */
    private static final int CHUNK_BITS = 28;

    private static final long CHUNK = 1L << CHUNK_BITS;

    /** The bytes that are filled at a time. */
    private static final long FILLED = 1 << 20;

    private final MemorySegment[] chunks;

    Snapshot(long bytes) {
        this.chunks = new MemorySegment[(int) ((bytes + CHUNK - 1) >> CHUNK_BITS)];
        for (int i = 0; i < chunks.length; i++) {
            chunks[i] = MemorySegment.ofArray(new byte[(int) Math.min(CHUNK, bytes - i * CHUNK)]);
        }
    }

    /** Copies the bytes [begin, end) from the arena. */
    void load(CheckedAccess arena, long begin, long end) {
        inParts(begin, end, CHUNK, (part, at) -> arena.read(at, part));
    }

    /** Copies the bytes [begin, end) to the arena. */
    void store(CheckedAccess arena, long begin, long end) {
        inParts(begin, end, CHUNK, (part, at) -> arena.write(at, part));
    }

    /** Copies the bytes [begin, end) from another snapshot of the same size. */
    void copyFrom(Snapshot other, long begin, long end) {
        inParts(begin, end, CHUNK, (part, at) -> part.copyFrom(other.partAt(at, end)));
    }

    /**
     * Fills the bytes [begin, end) here and, where they differ, in the arena; part by part: a part, and where it
     * begins. The bytes here must be those of the arena.
     */
    void fill(CheckedAccess arena, long begin, long end, ObjLongConsumer<MemorySegment> filling) {
        inParts(begin, end, FILLED, (part, at) -> {
            MemorySegment filled = MemorySegment.ofArray(new byte[(int) part.byteSize()]);
            filling.accept(filled, at);
            if (part.mismatch(filled) >= 0) {
                part.copyFrom(filled);
                arena.write(at, part);
            }
        });
    }

    private void inParts(long begin, long end, long most, ObjLongConsumer<MemorySegment> work) {
        for (long at = begin; at < end; ) {
            MemorySegment part = partAt(at, Math.min(end, at + most));
            work.accept(part, at);
            at += part.byteSize();
        }
    }

    /** The bytes from an offset to another one or to the end of their chunk. */
    private MemorySegment partAt(long begin, long end) {
        MemorySegment chunk = chunks[(int) (begin >> CHUNK_BITS)];
        long inChunk = begin & (CHUNK - 1);
        return chunk.asSlice(inChunk, Math.min(chunk.byteSize() - inChunk, end - begin));
    }

    /** The first byte of [begin, end) that another snapshot of the same size has differently, or -1. */
    long mismatch(Snapshot other, long begin, long end) {
        for (long at = begin; at < end; ) {
            MemorySegment part = partAt(at, end);
            long found = part.mismatch(other.partAt(at, end));
            if (found >= 0) {
                return at + found;
            }
            at += part.byteSize();
        }
        return -1;
    }

    /** The bits of an element of 2, 4 or 8 bytes; 0 for one across the end of an array, which has no aligned offset. */
    long bits(long offset, int size) {
        MemorySegment chunk = chunks[(int) (offset >> CHUNK_BITS)];
        long inChunk = offset & (CHUNK - 1);
        if (inChunk + size > chunk.byteSize()) {
            return 0;
        }
        return switch (size) {
            case Short.BYTES -> chunk.get(ValueLayout.JAVA_SHORT_UNALIGNED, inChunk) & 0xFFFFL;
            case Integer.BYTES -> chunk.get(ValueLayout.JAVA_INT_UNALIGNED, inChunk) & 0xFFFF_FFFFL;
            default -> chunk.get(ValueLayout.JAVA_LONG_UNALIGNED, inChunk);
        };
    }
}
