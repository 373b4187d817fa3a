package io.devicearena.plan.internal.exact;

import java.util.Arrays;

/**
 * Lists the unplaced buffers of each clique; removing a buffer and restoring it take constant time.
 *
 * <p>Threads: one thread at a time. Source: Knuth, "Dancing links", 2000.
 */
final class UnplacedLists {
    /** Follows the last buffer of a list. */
    static final int NONE = -1;

    private final int[] cliques;
    private final int[] heads;
    private final int[] next;
    private final int[] previous;

    /**
     * Makes empty lists.
     *
     * @param cliques the clique of each buffer
     * @param count how many cliques there are
     */
    UnplacedLists(int[] cliques, int count) {
        this.cliques = cliques;
        this.heads = new int[count];
        this.next = new int[cliques.length];
        this.previous = new int[cliques.length];
    }

    /** Lists all buffers, in descending order for each clique. */
    void fill() {
        Arrays.fill(heads, NONE);
        for (int i = 0; i < cliques.length; i++) {
            int head = heads[cliques[i]];
            next[i] = head;
            previous[i] = NONE;
            if (head != NONE) {
                previous[head] = i;
            }
            heads[cliques[i]] = i;
        }
    }

    /** The first buffer of a clique's list. */
    int first(int clique) {
        return heads[clique];
    }

    /** The buffer that follows another one. */
    int next(int buffer) {
        return next[buffer];
    }

    void remove(int buffer) {
        link(buffer, next[buffer], previous[buffer]);
    }

    /** Undoes the latest removal that is not yet undone. */
    void restore(int buffer) {
        link(buffer, buffer, buffer);
    }

    /** Links the neighbours of a buffer: the one before it to {@code after}, the one after it to {@code before}. */
    private void link(int buffer, int after, int before) {
        if (previous[buffer] == NONE) {
            heads[cliques[buffer]] = after;
        } else {
            next[previous[buffer]] = after;
        }
        if (next[buffer] != NONE) {
            previous[next[buffer]] = before;
        }
    }
}
