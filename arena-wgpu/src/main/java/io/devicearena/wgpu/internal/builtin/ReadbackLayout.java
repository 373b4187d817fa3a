package io.devicearena.wgpu.internal.builtin;

import java.util.Arrays;

/**
 * Where the ranges of a batch lie in staging, and which copies bring them there. Ranges that follow each other in the
 * arena, or share a word, are one copy.
 *
 * <p>Set anew for each batch; it allocates only for a batch larger than any before. Threads: one thread at a time.
 */
final class ReadbackLayout {
    private static final long WORD = Integer.BYTES;

    private int ranges;
    private int copies;
    private long bytes;
    /** Of each range: where in staging its first byte is. */
    private long[] positions = new long[16];
    /** Of each copy: from where in the arena, and up to where. */
    private long[] froms = new long[16];

    private long[] tos = new long[16];
    /** Of each copy: where in staging it goes. */
    private long[] targets = new long[16];

    void clear() {
        ranges = 0;
        copies = 0;
        bytes = 0;
    }

    /** Adds a range of the arena; one of no bytes has a place too. */
    void add(long offset, long length) {
        if (ranges == positions.length) {
            grow();
        }
        long first = offset & -WORD;
        long last = length == 0 ? first : offset + length + (WORD - 1) & -WORD;
        int run = copies - 1;
        if (run >= 0 && first >= froms[run] && first <= tos[run]) {
            positions[ranges] = targets[run] + (offset - froms[run]);
            tos[run] = Math.max(tos[run], last);
            bytes = targets[run] + (tos[run] - froms[run]);
        } else {
            positions[ranges] = bytes + (offset - first);
            if (last > first) {
                froms[copies] = first;
                tos[copies] = last;
                targets[copies] = bytes;
                copies++;
                bytes += last - first;
            }
        }
        ranges++;
    }

    private void grow() {
        int larger = 2 * positions.length;
        positions = Arrays.copyOf(positions, larger);
        froms = Arrays.copyOf(froms, larger);
        tos = Arrays.copyOf(tos, larger);
        targets = Arrays.copyOf(targets, larger);
    }

    /** What staging must hold. */
    long bytes() {
        return bytes;
    }

    int copies() {
        return copies;
    }

    long from(int copy) {
        return froms[copy];
    }

    long length(int copy) {
        return tos[copy] - froms[copy];
    }

    long target(int copy) {
        return targets[copy];
    }

    /** What {@link #isAs} compares with. */
    long[] copy() {
        long[] copy = new long[2 * copies];
        for (int i = 0; i < copies; i++) {
            copy[2 * i] = froms[i];
            copy[2 * i + 1] = tos[i];
        }
        return copy;
    }

    /** Whether the same copies were made before. */
    boolean isAs(long[] before) {
        boolean same = before.length == 2 * copies;
        for (int i = 0; same && i < copies; i++) {
            same = before[2 * i] == froms[i] && before[2 * i + 1] == tos[i];
        }
        return same;
    }

    long position(int range) {
        return positions[range];
    }

    long[] positions() {
        return Arrays.copyOf(positions, ranges);
    }
}
