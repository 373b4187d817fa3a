package io.devicearena.plan.internal.exact;

import java.util.Arrays;

/**
 * Which runs of moments with one floor, and which steps between them, are as they were when they were looked at.
 *
 * <p>Runs that are known never meet: a later one that covers another makes that one unknown.
 *
 * <p>Threads: one thread at a time.
 */
final class Runs {
    private static final int UNKNOWN = 0;

    /** For each moment the first one of the latest run that it was in. */
    private final int[] starts;
    /** For the first moment of each known run one past its last moment. */
    private final int[] ends;

    private final boolean[] isStepKnown;

    Runs(int moments) {
        this.starts = new int[moments];
        this.ends = new int[moments];
        this.isStepKnown = new boolean[moments + 1];
    }

    /** Forgets all. */
    void clear() {
        Arrays.fill(ends, UNKNOWN);
        Arrays.fill(isStepKnown, false);
    }

    /** One past the last moment of the known run that begins at a moment; 0 if none is known. */
    int end(int start) {
        return ends[start];
    }

    /** Makes a run known. */
    void know(int start, int end) {
        Arrays.fill(starts, start, end, start);
        Arrays.fill(ends, start, end, UNKNOWN);
        ends[start] = end;
    }

    /** Forgets the run that begins at a moment. */
    void forgetRun(int start) {
        ends[start] = UNKNOWN;
    }

    /** Tells whether the step between a moment and the one before it is known. */
    boolean isStepKnown(int step) {
        return isStepKnown[step];
    }

    /** Makes a step known. */
    void knowStep(int step) {
        isStepKnown[step] = true;
    }

    /** Forgets the runs that some moments are in, and the steps between them and at their ends. */
    void forget(int from, int to) {
        for (int m = from; m < to; m++) {
            ends[starts[m]] = UNKNOWN;
        }
        Arrays.fill(isStepKnown, from, to + 1, false);
    }
}
