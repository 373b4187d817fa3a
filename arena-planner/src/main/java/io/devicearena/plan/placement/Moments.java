package io.devicearena.plan.placement;

/**
 * The few moments of time that decide which lives meet, numbered from 0; a life becomes a range of moments.
 *
 * <p>A moment stands for a run of beginnings with no end between them: whoever began by its last beginning and has not
 * ended is live then, so the moments are the largest sets of lives that all meet, in order of time. Two lives meet if
 * and only if their ranges do. There are at most as many moments as lives; one is enough where all lives nest.
 *
 * <p>Threads: immutable. Source: the maximal cliques of an interval graph; Fulkerson and Gross, "Incidence matrices and
 * interval graphs", 1965.
 */
final class Moments {
    private final int[] firsts;
    private final int[] ends;
    private final int count;

    /** Finds them in O(n) after a radix sort of both ends of the lives. */
    Moments(PlacementProblem problem, int[] buffers) {
        this.firsts = new int[problem.count()];
        this.ends = new int[problem.count()];
        int[] byLower = buffers.clone();
        int[] byUpper = buffers.clone();
        problem.sortByLower(byLower);
        problem.sortByUpper(byUpper);
        int moments = 0;
        int ended = 0;
        boolean open = false;
        for (int buffer : byLower) {
            while (problem.upper(byUpper[ended]) <= problem.lower(buffer)) {
                ends[byUpper[ended++]] = moments;
                open = false;
            }
            if (!open) {
                moments++;
                open = true;
            }
            firsts[buffer] = moments - 1;
        }
        while (ended < byUpper.length) {
            ends[byUpper[ended++]] = moments;
        }
        this.count = moments;
    }

    int count() {
        return count;
    }

    /** The first moment at which a buffer is live. */
    int first(int buffer) {
        return firsts[buffer];
    }

    /** The first moment after it at which a buffer is no longer live. */
    int end(int buffer) {
        return ends[buffer];
    }
}
