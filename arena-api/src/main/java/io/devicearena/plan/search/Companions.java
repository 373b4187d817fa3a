package io.devicearena.plan.search;

import java.util.Arrays;

/**
 * Who lives together with whom in a part, found without holding all pairs.
 *
 * <p>Whoever meets a life is live at its first moment or begins later in it. Lists of who is live are kept for some moments
 * only, as many as fit in memory that grows with the buffers.
 *
 * <p>Threads: immutable.
 */
final class Companions {
    private static final int LISTED_PER_BUFFER = 8;
    private static final int SHORTEST_SPACING = 16;

    private final Part part;
    private final int[] byFirst;
    /** Where in {@link #byFirst} the buffers of each moment begin, and one past the last. */
    private final int[] begin;

    private final int spacing;
    private final int[][] carried;

    Companions(Part part) {
        this.part = part;
        int moments = part.moments();
        this.begin = new int[moments + 1];
        long lived = 0;
        for (int i = 0; i < part.count(); i++) {
            begin[part.first(i) + 1]++;
            lived += part.last(i) - part.first(i);
        }
        for (int m = 0; m < moments; m++) {
            begin[m + 1] += begin[m];
        }
        this.byFirst = new int[part.count()];
        int[] next = Arrays.copyOf(begin, moments);
        for (int i = 0; i < part.count(); i++) {
            byFirst[next[part.first(i)]++] = i;
        }
        this.spacing = (int) Math.max(SHORTEST_SPACING, lived / ((long) LISTED_PER_BUFFER * part.count()));
        this.carried = new int[(moments - 1) / spacing + 1][];
        list();
    }

    /** Lists for each spaced moment who is carried over from the one before. */
    private void list() {
        int[] counts = new int[carried.length];
        for (int i = 0; i < part.count(); i++) {
            for (int c = part.first(i) / spacing + 1; c <= part.last(i) / spacing; c++) {
                counts[c]++;
            }
        }
        for (int c = 0; c < carried.length; c++) {
            carried[c] = new int[counts[c]];
        }
        for (int i = 0; i < part.count(); i++) {
            for (int c = part.first(i) / spacing + 1; c <= part.last(i) / spacing; c++) {
                carried[c][--counts[c]] = i;
            }
        }
    }

    /**
     * Finds who meets a buffer.
     *
     * @param buffer whom
     * @param found the others, and itself, are written here; as long as the part has buffers
     * @return how many are written
     */
    int of(int buffer, int[] found) {
        int first = part.first(buffer);
        int listed = first / spacing;
        int n = 0;
        for (int other : carried[listed]) {
            if (part.last(other) >= first) {
                found[n++] = other;
            }
        }
        for (int at = begin[listed * spacing]; at < begin[part.last(buffer) + 1]; at++) {
            if (part.last(byFirst[at]) >= first) {
                found[n++] = byFirst[at];
            }
        }
        return n;
    }
}
