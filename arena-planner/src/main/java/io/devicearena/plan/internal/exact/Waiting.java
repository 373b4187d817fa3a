package io.devicearena.plan.internal.exact;

import java.util.Arrays;

/**
 * The buffers still to be placed, listed by one moment of each: taking one from its list and putting it back takes no time to speak of.
 *
 * <p>Threads: one thread at a time. Source: Knuth, "Dancing links", 2000.
 */
final class Waiting {
    /** Comes after the last one of a list. */
    static final int NONE = -1;

    /** The moment of each buffer. */
    private final int[] keys;

    private final int[] heads;
    private final int[] next;
    private final int[] previous;

    /**
     * Lists nothing yet.
     *
     * @param keys the moment of each buffer
     * @param moments how many moments there are
     */
    Waiting(int[] keys, int moments) {
        this.keys = keys;
        this.heads = new int[moments];
        this.next = new int[keys.length];
        this.previous = new int[keys.length];
    }

    /** Lists all buffers, of each moment the last one first. */
    void clear() {
        Arrays.fill(heads, NONE);
        for (int i = 0; i < keys.length; i++) {
            int head = heads[keys[i]];
            next[i] = head;
            previous[i] = NONE;
            if (head != NONE) {
                previous[head] = i;
            }
            heads[keys[i]] = i;
        }
    }

    /** The first buffer of a moment's list. */
    int first(int moment) {
        return heads[moment];
    }

    /** The buffer after another one of a list. */
    int after(int buffer) {
        return next[buffer];
    }

    /** Takes a buffer from its list. */
    void take(int buffer) {
        link(buffer, next[buffer], previous[buffer]);
    }

    private void link(int buffer, int after, int before) {
        if (before == NONE) {
            heads[keys[buffer]] = after;
        } else {
            next[before] = after;
        }
        if (after != NONE) {
            previous[after] = before;
        }
    }

    /** Puts the buffer that was taken last of those not put back where it was. */
    void putBack(int buffer) {
        if (previous[buffer] == NONE) {
            heads[keys[buffer]] = buffer;
        } else {
            next[previous[buffer]] = buffer;
        }
        if (next[buffer] != NONE) {
            previous[next[buffer]] = buffer;
        }
    }
}
