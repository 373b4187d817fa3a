package io.devicearena.plan.internal.overlap;

import io.devicearena.plan.internal.live.LiveRanges;

/**
 * The offsets of those buffers that are placed so far.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public final class PlacementState {
    private final LiveRanges ranges;
    private final long[] offsets;
    private final long[] ends;
    private final boolean[] placed;

    /** Begins with no buffer placed. */
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

    /** Takes a buffer out of the placement. */
    public void remove(int buffer) {
        placed[buffer] = false;
    }

    /** Whether a buffer is placed. */
    public boolean isPlaced(int buffer) {
        return placed[buffer];
    }

    /** The offset of a placed buffer, in units. */
    public long offset(int buffer) {
        return offsets[buffer];
    }

    /** The first unit above a placed buffer. */
    long end(int buffer) {
        return ends[buffer];
    }

    /** The offsets of the placed buffers; not a copy. */
    public long[] offsets() {
        return offsets;
    }

    /** The ends of the placed buffers; not a copy. */
    long[] ends() {
        return ends;
    }
}
