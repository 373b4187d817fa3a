package io.devicearena.wgpu.internal.builtin;

import java.util.Arrays;

/**
 * Where the ranges of a batch lie in staging, and which copies bring them there. Ranges that follow each other in the
 * arena, or share a word, become one copy.
 *
 * <p>One object serves one batch after the other. It allocates only for a batch that is larger than all before.
 * Threads: one thread at a time.
 */
public final class ReadbackLayout {
    private static final long WORD = Integer.BYTES;

    private int ranges;
    private int copies;
    private long bytes;
    /** For each range: the position of its first byte in staging. */
    private long[] positions = new long[16];
    /** For each copy: its begin in the arena, and its end. */
    private long[] runs = new long[32];
    /** For each copy: its begin in staging. */
    private long[] targets = new long[16];

    /** Makes an empty layout. */
    public ReadbackLayout() {}

    /** Removes all ranges. */
    public void clear() {
        ranges = 0;
        copies = 0;
        bytes = 0;
    }

    /** Adds a range of the arena, in bytes; an empty range has a position too. */
    public void add(long offset, long length) {
        if (ranges == positions.length) {
            int larger = 2 * ranges;
            positions = Arrays.copyOf(positions, larger);
            runs = Arrays.copyOf(runs, 2 * larger);
            targets = Arrays.copyOf(targets, larger);
        }
        long first = offset & -WORD;
        long last = length == 0 ? first : offset + length + (WORD - 1) & -WORD;
        int run = copies - 1;
        if (run >= 0 && first >= from(run) && first <= runs[2 * run + 1]) {
            positions[ranges] = target(run) + (offset - from(run));
            runs[2 * run + 1] = Math.max(runs[2 * run + 1], last);
            bytes = target(run) + length(run);
        } else {
            positions[ranges] = bytes + (offset - first);
            if (last > first) {
                runs[2 * copies] = first;
                runs[2 * copies + 1] = last;
                targets[copies] = bytes;
                copies++;
                bytes += last - first;
            }
        }
        ranges++;
    }

    /** The bytes of staging that the layout needs. */
    public long bytes() {
        return bytes;
    }

    /** The number of copies. */
    public int copies() {
        return copies;
    }

    /** Where in the arena a copy begins, a multiple of 4. */
    public long from(int copy) {
        return runs[2 * copy];
    }

    /** The bytes of a copy, a multiple of 4. */
    public long length(int copy) {
        return runs[2 * copy + 1] - runs[2 * copy];
    }

    /** Where in staging a copy goes, a multiple of 4. */
    public long target(int copy) {
        return targets[copy];
    }

    /** The copies in the form that {@link #hasCopies} compares with. */
    public long[] toArray() {
        return Arrays.copyOf(runs, 2 * copies);
    }

    /** Whether the copies are those of {@link #toArray}. */
    public boolean hasCopies(long[] before) {
        return Arrays.equals(before, 0, before.length, runs, 0, 2 * copies);
    }

    /** Where in staging the first byte of a range is. */
    public long position(int range) {
        return positions[range];
    }
}
