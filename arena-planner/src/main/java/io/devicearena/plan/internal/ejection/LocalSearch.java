package io.devicearena.plan.internal.ejection;

import io.devicearena.plan.internal.live.LiveRanges;
import io.devicearena.plan.internal.live.StepBudget;
import org.jspecify.annotations.Nullable;

/**
 * Lowers a placement by one descent after the other; each tries its targets twice as hard as the one before.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public final class LocalSearch {
    /** What each tier of a target may take in the first descent; each further one doubles it. */
    private static final long STEPS_PER_BUFFER = 2_000;

    private static final long FEWEST_STEPS = 8_000_000;
    /** How many ejections each unplaced buffer allows in the first descent; each further one doubles it. */
    private static final int EJECTIONS_PER_BUFFER = 200;

    private static final int MOST_DOUBLINGS = 20;

    private final LiveRanges ranges;
    private final long floor;
    private final int mostDescents;
    private final int variant;
    private final StepBudget budget;
    private long[] offsets;
    private long arenaBytes;
    private int descents;
    private @Nullable TargetSchedule descent;

    /**
     * Prepares.
     *
     * @param ranges the buffers
     * @param offsets a placement of them; never changed
     * @param floor the height in bytes at which the search ends
     * @param mostDescents how many descents to make, 1 or more
     * @param variant 0 or more; each one takes different random choices
     * @param budget what is spent
     */
    public LocalSearch(
            LiveRanges ranges, long[] offsets, long floor, int mostDescents, int variant, StepBudget budget) {
        this.ranges = ranges;
        this.offsets = offsets;
        this.arenaBytes = ranges.arenaBytes(offsets);
        this.floor = floor;
        this.mostDescents = mostDescents;
        this.variant = variant;
        this.budget = budget;
    }

    /** Goes on until the placement is lower, for about so many steps at most. */
    public StepResult advance(long steps) {
        if (arenaBytes <= floor || descents == mostDescents) {
            return StepResult.FINISHED;
        }
        int doublings = Math.min(descents, MOST_DOUBLINGS);
        TargetSchedule present = descent;
        if (present == null) {
            long seed = (long) descents << Integer.SIZE | variant;
            present = new TargetSchedule(
                    ranges,
                    offsets,
                    floor,
                    new EjectionSearch(ranges, EJECTIONS_PER_BUFFER << doublings, seed, budget));
            descent = present;
        }
        StepResult result = present.advance(steps, Math.max(FEWEST_STEPS, STEPS_PER_BUFFER * ranges.count()) << doublings);
        if (result == StepResult.IMPROVED) {
            offsets = present.offsets();
            arenaBytes = present.arenaBytes();
        } else if (result == StepResult.FINISHED) {
            descents++;
            descent = null;
        }
        return result == StepResult.IMPROVED ? result : StepResult.PAUSED;
    }

    /** Continues from another placement, which is lower and never changed. */
    public void continueFrom(long[] other) {
        offsets = other;
        arenaBytes = ranges.arenaBytes(other);
        if (descent != null) {
            descent.continueFrom(other);
        }
    }

    /** The bytes above the origin that the placement needs now. */
    public long arenaBytes() {
        return arenaBytes;
    }

    /** The placement as it is now; not a copy, and never changed. */
    public long[] offsets() {
        return offsets;
    }
}
