package io.devicearena.plan.internal.exact;

import io.devicearena.plan.internal.live.LiveRanges;

/**
 * One gap of the skyline, a segment between higher walls, and how it can be filled at its two edges.
 *
 * <p>Threads: one thread at a time.
 */
final class SkylineGap {
    /** The height of a wall where the range ends: nothing reaches over it. */
    static final long NO_WALL = Long.MAX_VALUE;

    private final LiveRanges component;
    private final CapacityLimit capacity;
    private int from;
    private int to;
    private long floor;
    private long wallBefore;
    private long wallAfter;
    private int choicesLeft;
    private int choicesRight;
    private long riseLeft;
    private long riseRight;

    SkylineGap(LiveRanges component, CapacityLimit capacity) {
        this.component = component;
        this.capacity = capacity;
    }

    /** Begins to count the buffers of a gap. */
    void begin(int left, int right, long height, long before, long after) {
        from = left;
        to = right;
        floor = height;
        wallBefore = before;
        wallAfter = after;
        choicesLeft = 0;
        choicesRight = 0;
        riseLeft = NO_WALL;
        riseRight = NO_WALL;
    }

    /** Counts an unplaced buffer that is live within the gap only. */
    void count(int buffer) {
        boolean atLeft = component.first(buffer) == from;
        boolean atRight = component.end(buffer) == to;
        if (capacity.allows(buffer, floor)) {
            choicesLeft += atLeft ? 1 : 0;
            choicesRight += atRight ? 1 : 0;
        }
        long size = component.size(buffer);
        long next = component.skipBoundary(floor, size);
        if (next == floor) {
            next = NO_WALL;
        }
        long top = floor + size;
        riseLeft = Math.min(riseLeft, atLeft ? next : top);
        riseRight = Math.min(riseRight, atRight ? next : top);
    }

    /** Whether it has these walls. */
    boolean isBetween(long before, long after) {
        return before == wallBefore && after == wallAfter;
    }

    /** The lower wall: a buffer that reaches beyond the gap lies above it. */
    long lowerWall() {
        return Math.min(wallBefore, wallAfter);
    }

    /** How many buffers can cover an edge at the floor. */
    int choices(boolean atLeft) {
        return atLeft ? choicesLeft : choicesRight;
    }

    /** The lowest address above the floor at which a buffer can rest at an edge. */
    long rise(boolean atLeft) {
        return Math.min(atLeft ? riseLeft : riseRight, lowerWall());
    }
}
