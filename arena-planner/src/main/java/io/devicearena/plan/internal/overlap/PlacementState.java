package io.devicearena.plan.internal.overlap;

import io.devicearena.plan.internal.live.LiveRanges;

/** The offsets of those buffers that are placed so far. */
public final class PlacementState {
    private final LiveRanges ranges;
    private final long[] offsets;
    private final long[] ends;
    private final boolean[] placed;

    public PlacementState(LiveRanges ranges) {
        this.ranges = ranges;
        this.offsets = new long[ranges.count()];
        this.ends = new long[ranges.count()];
        this.placed = new boolean[ranges.count()];
    }

    /** Places a buffer, without regard to any index of the placed ones. */
    public void place(int buffer, long offset) {
        offsets[buffer] = offset;
        ends[buffer] = offset + ranges.size(buffer);
        placed[buffer] = true;
    }

    public void remove(int buffer) {
        placed[buffer] = false;
    }

    public boolean isPlaced(int buffer) {
        return placed[buffer];
    }

    public long offset(int buffer) {
        return offsets[buffer];
    }

    long end(int buffer) {
        return ends[buffer];
    }

    public long[] offsets() {
        return offsets;
    }

    /** The ends of the placed buffers; not a copy. */
    long[] ends() {
        return ends;
    }
}
