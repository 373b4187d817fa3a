package io.devicearena.conformance.sequence;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/** The bytes that an arena must hold: an array in pages, so that a long arena takes the room of what was written. */
final class Model {
    private static final int PAGE = 1 << 16;
    private static final byte[] ZEROS = new byte[PAGE];

    private final long size;
    private final byte[][] pages;

    Model(long size) {
        this.size = size;
        this.pages = new byte[Math.toIntExact((size + PAGE - 1) / PAGE)][];
    }

    /** A part of one page. */
    private interface Part {
        void visit(int page, int from, long done, int length);
    }

    private static void parts(long offset, long length, Part part) {
        for (long done = 0; done < length; ) {
            int from = (int) ((offset + done) % PAGE);
            int bytes = (int) Math.min(length - done, PAGE - from);
            part.visit((int) ((offset + done) / PAGE), from, done, bytes);
            done += bytes;
        }
    }

    private byte[] writable(int page) {
        byte[] found = pages[page];
        if (found == null) {
            found = new byte[(int) Math.min(PAGE, size - (long) page * PAGE)];
            pages[page] = found;
        }
        return found;
    }

    private byte[] readable(int page) {
        return pages[page] == null ? ZEROS : pages[page];
    }

    void write(long offset, MemorySegment source) {
        parts(
                offset,
                source.byteSize(),
                (page, from, done, length) ->
                        MemorySegment.copy(source, ValueLayout.JAVA_BYTE, done, writable(page), from, length));
    }

    void fill(long offset, long length, byte value) {
        parts(offset, length, (page, from, done, part) -> Arrays.fill(writable(page), from, from + part, value));
    }

    MemorySegment read(long offset, long length) {
        MemorySegment bytes = MemorySegment.ofArray(new byte[Math.toIntExact(length)]);
        parts(
                offset,
                length,
                (page, from, done, part) ->
                        MemorySegment.copy(readable(page), from, bytes, ValueLayout.JAVA_BYTE, done, part));
        return bytes;
    }

    /** Where bytes that were read differ first, or -1. */
    long mismatch(long offset, MemorySegment actual) {
        long[] at = {-1};
        parts(offset, actual.byteSize(), (page, from, done, length) -> {
            if (at[0] < 0) {
                long first = MemorySegment.mismatch(
                        MemorySegment.ofArray(readable(page)), from, (long) from + length, actual, done, done + length);
                at[0] = first < 0 ? -1 : done + first;
            }
        });
        return at[0];
    }

    /** Whether something was written to the pages of a range. */
    boolean isWritten(long offset, long length) {
        for (long page = offset / PAGE; page < pages.length && page * PAGE < offset + length; page++) {
            if (pages[(int) page] != null) {
                return true;
            }
        }
        return false;
    }
}
