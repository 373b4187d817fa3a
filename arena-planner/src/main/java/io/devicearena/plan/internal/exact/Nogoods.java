package io.devicearena.plan.internal.exact;

/**
 * Ranges of moments in states from which nothing is to be had: those that the latest conflicts rested on.
 *
 * <p>A state is looked for in the ranges that failed last; there are few that fail again and again.
 *
 * <p>Threads: one thread at a time. Source: Dechter, "Enhancement schemes for constraint processing: backjumping, learning, and cutset
 * decomposition", 1990.
 */
final class Nogoods {
    private static final int RANGES = 16;

    private final FailedStates states;
    /** The latest ranges first. */
    private final int[] froms = new int[RANGES];

    private final int[] tos = new int[RANGES];
    private int ranges;

    /**
     * Knows none.
     *
     * @param bits it remembers the latest states, up to that power of two, 1 to 24
     */
    Nogoods(int bits) {
        this.states = new FailedStates(bits);
    }

    /** Forgets all. */
    void clear() {
        states.clear();
        ranges = 0;
    }

    /**
     * Looks whether some moments are known to be a dead end.
     *
     * @param prints taken of the range to look in
     * @param conflict becomes those moments; as it was if there are none
     */
    boolean find(Prints prints, int from, int to, Conflict conflict) {
        for (int i = 0; i < ranges; i++) {
            int first = froms[i];
            int end = tos[i];
            if (from <= first && end <= to && states.contains(prints.low(first, end), prints.high(first, end))) {
                conflict.set(first, end);
                moveToFront(i);
                return true;
            }
        }
        return false;
    }

    /** Remembers the state of the moments of a conflict; the prints are taken of a range with all of them. */
    void add(Prints prints, Conflict conflict) {
        int first = conflict.from();
        int end = conflict.to();
        states.add(prints.low(first, end), prints.high(first, end));
        int at = 0;
        while (at < ranges && !(froms[at] == first && tos[at] == end)) {
            at++;
        }
        if (at == ranges) {
            ranges = Math.min(ranges + 1, RANGES);
            at = ranges - 1;
            froms[at] = first;
            tos[at] = end;
        }
        moveToFront(at);
    }

    private void moveToFront(int at) {
        int first = froms[at];
        int end = tos[at];
        System.arraycopy(froms, 0, froms, 1, at);
        System.arraycopy(tos, 0, tos, 1, at);
        froms[0] = first;
        tos[0] = end;
    }
}
