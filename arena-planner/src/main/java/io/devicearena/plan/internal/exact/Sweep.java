package io.devicearena.plan.internal.exact;

import io.devicearena.plan.internal.ejection.Lifetimes;
import java.util.Arrays;

/**
 * Goes through the moments of a valley, and sums up what of the buffers still to be placed lies within it and what does not.
 *
 * <p>Threads: one thread at a time.
 */
final class Sweep {
    private final Lifetimes part;
    private final Terrain terrain;
    private final long[] leavingWithin;
    private final long[] leavingKept;
    private long within;
    /** The size of what reaches over the wall after the valley. */
    private long after;
    /** The size of what would find room between the walls but is kept from it. */
    private long kept;

    private Beyond beyond = Beyond.NEITHER;

    Sweep(Lifetimes part, Terrain terrain) {
        this.part = part;
        this.terrain = terrain;
        this.leavingWithin = new long[part.moments() + 1];
        this.leavingKept = new long[part.moments() + 1];
    }

    /** Begins with a valley from one moment up to another. */
    void begin(int from, int to) {
        within = 0;
        after = 0;
        kept = 0;
        Arrays.fill(leavingWithin, from, to + 1, 0);
        Arrays.fill(leavingKept, from, to + 1, 0);
    }

    /** Goes on to the next moment, or to the first one, of the valley. */
    void moveTo(int moment, Valley valley) {
        Waiting beginning = terrain.beginning();
        for (int buffer = beginning.first(moment); buffer != Waiting.NONE; buffer = beginning.after(buffer)) {
            long size = part.size(buffer);
            int last = part.last(buffer);
            valley.meet(buffer);
            if (valley.isLeftBy(buffer)) {
                after += size;
            } else if (valley.holds(buffer)) {
                valley.count(buffer);
                within += size;
                leavingWithin[last + 1] += size;
            } else {
                valley.meetKept(buffer);
                kept += size;
                leavingKept[last + 1] += size;
            }
        }
        within -= leavingWithin[moment];
        kept -= leavingKept[moment];
        boolean isCrossedBefore = terrain.rest(moment) > within + after + kept;
        if (isCrossedBefore) {
            valley.meetFromBefore(moment);
        }
        beyond = kept > 0 ? Beyond.EITHER : Beyond.of(isCrossedBefore, after > 0);
    }

    /** The size of all that lies within the valley at the moment. */
    long within() {
        return within;
    }

    /** Which walls what does not lie within it at the moment reaches over. */
    Beyond beyond() {
        return beyond;
    }
}
