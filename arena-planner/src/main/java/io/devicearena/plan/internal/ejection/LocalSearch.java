package io.devicearena.plan.internal.ejection;

import io.devicearena.plan.internal.ejection.EjectionSearch.Outcome;
import io.devicearena.plan.internal.live.LiveRanges;
import io.devicearena.plan.internal.live.StepBudget;
import org.jspecify.annotations.Nullable;

/**
 * Lowers a placement by one descent after the other; each tries its targets twice as hard as the one before. After a
 * success the next target is closer to the floor, by a fraction of the gap that grows with each success; after a
 * failure it is in the upper half of the gap.
 */
public final class LocalSearch {
    /** The first target of a descent, as a fraction of the gap that is left above the floor. */
    private static final double FIRST_FRACTION = 0.7;
    /** What a success multiplies that fraction by. */
    private static final double AFTER_SUCCESS = 0.9;
    /** Targets above this fraction gain too little for their work. */
    private static final double LAST_FRACTION = 0.97;

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
    /** Brings the buffers below the targets of a descent; null between descents. */
    private @Nullable EjectionSearch ejection;

    private double fraction = FIRST_FRACTION;
    private long target;
    private boolean isTargetUnderWay;

    /** Prepares to lower a placement, which is never changed, to a floor in bytes; variants draw other choices. */
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

    /** Goes on until the placement is lower, for about so many steps at most; false when nothing more is tried. */
    public boolean advance(long steps) {
        if (arenaBytes <= floor || descents == mostDescents) {
            return false;
        }
        int doublings = Math.min(descents, MOST_DOUBLINGS);
        EjectionSearch present = ejection;
        if (present == null) {
            long seed = (long) descents << Integer.SIZE | variant;
            present = new EjectionSearch(ranges, EJECTIONS_PER_BUFFER << doublings, seed, budget);
            ejection = present;
            fraction = FIRST_FRACTION;
        }
        if (!isTargetUnderWay) {
            target = floor + (long) ((arenaBytes - floor) * fraction);
            present.begin(offsets, target, Math.max(FEWEST_STEPS, STEPS_PER_BUFFER * ranges.count()) << doublings);
        }
        Outcome outcome = present.advance(steps);
        isTargetUnderWay = outcome == Outcome.PAUSED;
        if (outcome == Outcome.REACHED) {
            offsets = present.offsets().clone();
            arenaBytes = ranges.arenaBytes(offsets);
            fraction *= AFTER_SUCCESS;
        } else if (outcome == Outcome.GIVEN_UP) {
            fraction = (1 + fraction) / 2;
            if (fraction >= LAST_FRACTION) {
                descents++;
                ejection = null;
            }
        }
        return true;
    }

    /** Continues from another placement, which is lower and never changed; a target below it stays under way. */
    public void continueFrom(long[] other) {
        offsets = other;
        arenaBytes = ranges.arenaBytes(other);
        isTargetUnderWay = isTargetUnderWay && target < arenaBytes;
    }

    public long arenaBytes() {
        return arenaBytes;
    }

    /** The placement as it is now; not a copy, and never changed. */
    public long[] offsets() {
        return offsets;
    }
}
