package io.devicearena.plan.internal.exact;

/**
 * The moments that a dead end rests on, a range of them: while their floors and what is left to be placed there are as they are,
 * nothing is to be had, whatever the other moments are like.
 *
 * <p>Threads: one thread at a time. Source: Prosser, "Hybrid algorithms for the constraint satisfaction problem", 1993.
 */
final class Conflict {
    private int from;
    private int to;

    int from() {
        return from;
    }

    /** One past the last moment. */
    int to() {
        return to;
    }

    /** Makes it rest on a range of moments. */
    void set(int first, int end) {
        from = first;
        to = end;
    }

    /** Makes it rest on a range of moments too, and on those between. */
    void include(int first, int end) {
        from = Math.min(from, first);
        to = Math.max(to, end);
    }

    /** Makes it rest on what another one rests on too. */
    void include(Conflict other) {
        include(other.from, other.to);
    }

    /** Tells whether it rests on any moment of a range. */
    boolean touches(int first, int end) {
        return first < to && from < end;
    }
}
