package io.devicearena.plan.internal.ejection;

import io.devicearena.plan.internal.live.LiveRanges;

/**
 * Lowers a placement target by target: after a success the next target is closer to the floor, by a fraction of the gap
 * that grows with each success; after a failure the placement stays as it was and the next target is in the upper half.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
final class TargetSchedule {
    /** The first target, as a fraction of the gap that is left above the floor. */
    private static final double FIRST = 0.7;
    /** What a success multiplies that fraction by. */
    private static final double AFTER_SUCCESS = 0.9;
    /** Targets above this fraction gain too little for their work. */
    private static final double LAST = 0.97;

    private final LiveRanges ranges;
    private final long floor;
    private final EjectionSearch ejection;
    private long[] offsets;
    private long arenaBytes;
    private double fraction = FIRST;
    private boolean isUnderWay;
    private long target;

    /**
     * Prepares.
     *
     * @param ranges the buffers
     * @param offsets a placement of them; never changed
     * @param floor the height in bytes at which the search ends
     * @param ejection brings the buffers below a target
     */
    TargetSchedule(LiveRanges ranges, long[] offsets, long floor, EjectionSearch ejection) {
        this.ranges = ranges;
        this.floor = floor;
        this.ejection = ejection;
        this.offsets = offsets;
        this.arenaBytes = ranges.arenaBytes(offsets);
    }

    /**
     * Goes on until the placement is lower.
     *
     * @param steps about how many steps to take at most
     * @param stepsPerTier about how many each tier of the next target may take before that target is given up
     */
    StepResult advance(long steps, long stepsPerTier) {
        if (!isUnderWay) {
            if (arenaBytes <= floor || fraction >= LAST) {
                return StepResult.FINISHED;
            }
            target = floor + (long) ((arenaBytes - floor) * fraction);
            ejection.begin(offsets, target, stepsPerTier);
            isUnderWay = true;
        }
        EjectionSearch.Result result = ejection.advance(steps);
        if (result == EjectionSearch.Result.PAUSED) {
            return StepResult.PAUSED;
        }
        isUnderWay = false;
        if (result == EjectionSearch.Result.GIVEN_UP) {
            fraction = (1 + fraction) / 2;
            return StepResult.PAUSED;
        }
        offsets = ejection.offsets().clone();
        arenaBytes = ranges.arenaBytes(offsets);
        fraction *= AFTER_SUCCESS;
        return StepResult.IMPROVED;
    }

    /** Continues from another placement, which is lower and never changed; a target below it stays under way. */
    void continueFrom(long[] other) {
        offsets = other;
        arenaBytes = ranges.arenaBytes(other);
        isUnderWay = isUnderWay && target < arenaBytes;
    }

    long arenaBytes() {
        return arenaBytes;
    }

    /** The placement as it is now; not a copy, and never changed. */
    long[] offsets() {
        return offsets;
    }
}
