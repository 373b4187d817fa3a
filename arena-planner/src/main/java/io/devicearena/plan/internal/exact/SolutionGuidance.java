package io.devicearena.plan.internal.exact;

import java.util.Arrays;

/**
 * Keeps the fullest partial placement of earlier runs and leads later runs towards it: a buffer scores higher at the
 * address that it has there.
 *
 * <p>Only runs at the smallest capacity so far count.
 *
 * <p>Threads: one thread at a time. Source: Beck, "Solution-guided multi-point constructive search for job shop
 * scheduling", 2007.
 */
final class SolutionGuidance {
    private static final long NOT_PLACED = -1;

    private final long[] fullest;
    private long fullestFill;
    private long capacity = Long.MAX_VALUE;
    private boolean isLearning;
    private long[] followed;

    SolutionGuidance(int count) {
        this.fullest = new long[count];
        this.followed = new long[count];
        Arrays.fill(fullest, NOT_PLACED);
    }

    /** Begins a run. */
    void begin(SearchParameters parameters) {
        if (parameters.capacity() < capacity) {
            capacity = parameters.capacity();
            fullestFill = 0;
            Arrays.fill(fullest, NOT_PLACED);
        }
        isLearning = parameters.capacity() == capacity;
        if (isLearning && parameters.isGuided()) {
            followed = fullest.clone();
        } else {
            Arrays.fill(followed, NOT_PLACED);
        }
    }

    /** Keeps a partial placement if it is the fullest so far. */
    void note(SearchState state) {
        if (isLearning && state.fill() > fullestFill) {
            fullestFill = state.fill();
            for (int i = 0; i < fullest.length; i++) {
                fullest[i] = state.isPlaced(i) ? state.addresses()[i] : NOT_PLACED;
            }
        }
    }

    /** By what the score of a buffer is multiplied at an address. */
    double factor(int buffer, long address) {
        return followed[buffer] == address ? SearchParameters.GUIDANCE_FACTOR : 1;
    }
}
