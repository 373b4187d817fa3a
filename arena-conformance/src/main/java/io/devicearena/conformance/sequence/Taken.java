package io.devicearena.conformance.sequence;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Memory of the caller for one region.
 *
 * @param kind where it is
 * @param whole some bytes more than the part, or all of the host memory
 * @param part what the arena gets, writable
 * @param passed what the arena gets
 * @param host the host memory, or null
 */
record Taken(
        CallerMemory.Kind kind,
        MemorySegment whole,
        MemorySegment part,
        MemorySegment passed,
        @Nullable Host host) {
    /** What a destination holds before a read. */
    static final byte UNTOUCHED = 0x3C;

    /** What a source holds after a write. */
    static final byte CHANGED = (byte) 0xEE;

    /** Of longer memory both ends are marked. */
    private static final int MARKED = 1 << 17;

    private static final MemorySegment MARK =
            MemorySegment.ofArray(new byte[MARKED]).fill(UNTOUCHED);

    /** Bytes in which a long source is changed, and between them. */
    private static final int STRIPE = 256;

    private static final int BETWEEN = 1 << 14;

    /** Where the part begins. */
    long begin() {
        return part.address() - whole.address();
    }

    /** Marks a destination, to see what a read leaves alone. */
    void mark() {
        MemorySegment all = host == null ? whole : part;
        long length = Math.min(all.byteSize(), MARKED);
        all.asSlice(0, length).fill(UNTOUCHED);
        all.asSlice(all.byteSize() - length).fill(UNTOUCHED);
        if (host != null) {
            host.keep(part);
        }
    }

    /** Where the memory beside the first bytes of the part was changed, or -1. */
    long changedBeside(long read) {
        if (host != null) {
            return -1;
        }
        long begin = begin();
        long end = begin + read;
        long from = Math.max(end, whole.byteSize() - MARKED);
        long after = MARK.asSlice(0, whole.byteSize() - from).mismatch(whole.asSlice(from));
        long before = MARK.asSlice(0, begin).mismatch(whole.asSlice(0, begin));
        return before >= 0 ? before : after >= 0 ? from + after : -1;
    }

    /** Changes a source all over: an arena that still reads it shows it. */
    void change() {
        long size = part.byteSize();
        for (long at = 0; at < size; at += size > 4 * BETWEEN ? BETWEEN : STRIPE) {
            part.asSlice(at, Math.min(STRIPE, size - at)).fill(CHANGED);
        }
        long end = Math.min(size, STRIPE);
        part.asSlice(size - end).fill(CHANGED);
        if (host != null) {
            host.keep(part);
        }
    }
}
