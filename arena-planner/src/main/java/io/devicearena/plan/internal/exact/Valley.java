package io.devicearena.plan.internal.exact;

import io.devicearena.plan.internal.ejection.Lifetimes;

/**
 * What a look at a valley has found: how many buffers may cover its edges at its floor, and how far those can rise otherwise.
 *
 * <p>Most of it holds whatever the walls are, so that it need not be looked at again where only those have changed. An edge's choices
 * rest on the moments from the wall beside it up to the last one that a buffer which begins or ends there lives at, and on no other,
 * unless buffers that reach over the other wall meet those.
 *
 * <p>Threads: one thread at a time.
 */
final class Valley {
    static final long NO_WALL = Long.MAX_VALUE;
    static final int NONE = -1;

    private final Lifetimes part;
    private final Terrain terrain;
    private final Room room;
    private int from;
    private int to;
    private long floor;
    /** The walls at the look, {@link #NO_WALL} where a side has none. */
    private long wallBefore;

    private long wallAfter;
    /** With higher walls more would be wasted below them than may be. */
    private long highestBefore;

    private long highestAfter;
    /** Tells whether a wall decides which buffers may lie in it. */
    private boolean hasKeptOut;

    private int choicesLeft;
    private int choicesRight;
    private long riseLeft;
    private long riseRight;
    private int spanning;

    /** The last moment of any buffer that begins at the first one. */
    private int lastFromLeft;
    /** The first moment of any buffer that ends at the last one. */
    private int firstToRight;
    /** The first moment of any buffer that begins in it and reaches over the wall after it, or is kept above the lower wall. */
    private int firstAcross;
    /** The last moment of it at which a buffer lives that reaches over the wall before it, or is kept above the lower wall. */
    private int lastFromBefore;

    Valley(Lifetimes part, Terrain terrain, Room room) {
        this.part = part;
        this.terrain = terrain;
        this.room = room;
    }

    /** Begins a look. */
    void begin(int left, int right, long before, long after) {
        from = left;
        to = right;
        floor = terrain.floor(left);
        wallBefore = before;
        wallAfter = after;
        highestBefore = NO_WALL;
        highestAfter = NO_WALL;
        hasKeptOut = false;
        choicesLeft = 0;
        choicesRight = 0;
        riseLeft = NO_WALL;
        riseRight = NO_WALL;
        spanning = NONE;
        lastFromLeft = left;
        firstToRight = right - 1;
        firstAcross = right;
        lastFromBefore = left - 1;
    }

    /** Tells whether a buffer that begins in it reaches over the wall after it. */
    boolean isLeftBy(int buffer) {
        return part.last(buffer) >= to;
    }

    /** Takes note of a buffer still to be placed that begins in it; of all of them in the order of their first moments. */
    void meet(int buffer) {
        int first = part.first(buffer);
        int last = part.last(buffer);
        if (first == from) {
            lastFromLeft = Math.max(lastFromLeft, last);
        }
        if (isLeftBy(buffer)) {
            firstAcross = Math.min(firstAcross, first);
        } else if (last == to - 1) {
            firstToRight = Math.min(firstToRight, first);
        }
    }

    /** Takes note that a buffer which began before it lives at a moment of it. */
    void meetFromBefore(int moment) {
        lastFromBefore = Math.max(lastFromBefore, moment);
    }

    /** Takes note of a buffer that begins and ends in it but may lie above the lower wall only, be it below the other one. */
    void meetKept(int buffer) {
        firstAcross = Math.min(firstAcross, part.first(buffer));
        lastFromBefore = Math.max(lastFromBefore, part.last(buffer));
    }

    /** Tells whether a buffer that begins and ends in it may lie in it below both walls; only what does is counted. */
    boolean holds(int buffer) {
        long lowest = terrain.lowest(buffer);
        hasKeptOut |= lowest > 0;
        return lowest < Math.min(wallBefore, wallAfter);
    }

    /** Counts a buffer that may lie in it. */
    void count(int buffer) {
        boolean atLeft = part.first(buffer) == from;
        boolean atRight = part.last(buffer) == to - 1;
        if (floor >= terrain.lowest(buffer) && room.mayRest(buffer, floor)) {
            choicesLeft += atLeft ? 1 : 0;
            choicesRight += atRight ? 1 : 0;
            if (atLeft && atRight && room.isExchangeable(buffer)) {
                spanning = buffer;
            }
        }
        long size = part.size(buffer);
        long next = part.clearOfBoundary(floor, size);
        if (next == floor) {
            next = NO_WALL;
        }
        long top = floor + size;
        riseLeft = Math.min(riseLeft, atLeft ? next : top);
        riseRight = Math.min(riseRight, atRight ? next : top);
    }

    /** The lowest wall that has what reaches beyond it above it. */
    long wall(Beyond beyond) {
        return Math.min(beyond.isBefore() ? wallBefore : NO_WALL, beyond.isAfter() ? wallAfter : NO_WALL);
    }

    /**
     * Looks whether what is left at a moment finds room above what is wasted there.
     *
     * @param within the size of all that it holds at the moment
     * @param beyond which walls the rest reaches over
     */
    boolean hasRoom(int moment, long within, Beyond beyond) {
        long above = room.capacity() - terrain.rest(moment);
        if (beyond.isBefore()) {
            highestBefore = Math.min(highestBefore, above + within);
        }
        if (beyond.isAfter()) {
            highestAfter = Math.min(highestAfter, above + within);
        }
        return floor <= above && isNoHigher(wall(beyond), above + within);
    }

    private static boolean isNoHigher(long wall, long highest) {
        return wall == NO_WALL || wall <= highest;
    }

    /** Tells whether all that was found holds between other walls too. */
    boolean isSameBetween(long before, long after) {
        return (before == wallBefore && after == wallAfter)
                || (!hasKeptOut && isNoHigher(before, highestBefore) && isNoHigher(after, highestAfter));
    }

    /** How many buffers may cover an edge at its floor. */
    int choices(boolean atLeft) {
        return atLeft ? choicesLeft : choicesRight;
    }

    /** The lowest place between two walls where a buffer could rest at an edge, if none covers it at its floor. */
    long rise(boolean atLeft, long before, long after) {
        long wall = atLeft ? before : after;
        if (reachesOtherWall(atLeft)) {
            wall = Math.min(before, after);
        }
        return Math.min(atLeft ? riseLeft : riseRight, wall);
    }

    /** Tells whether a buffer at an edge could rest on the wall at the other one, or on what lies above that wall only. */
    private boolean reachesOtherWall(boolean atLeft) {
        return atLeft ? firstAcross <= lastFromLeft : lastFromBefore >= firstToRight;
    }

    /** A buffer that fills it from side to side and may lie at its floor; {@link #NONE} if there is none. */
    int spanning() {
        return spanning;
    }

    /** Tells on which moments the choices at an edge rest. */
    void explain(boolean atLeft, Conflict reason) {
        boolean isAll = reachesOtherWall(atLeft);
        reason.set(
                atLeft || isAll ? terrain.wallBefore(from) : firstToRight,
                !atLeft || isAll ? terrain.wallEnd(to) : lastFromLeft + 1);
    }

    /** Tells on which moments it rests that what reaches over some walls lies above those at a moment. */
    void explain(int moment, Beyond beyond, Conflict reason) {
        reason.set(
                beyond.isBefore() ? terrain.wallBefore(from) : moment,
                beyond.isAfter() ? terrain.wallEnd(to) : moment + 1);
    }

    /** Tells on which moments all that was found rests. */
    void explain(Conflict reason) {
        reason.set(terrain.wallBefore(from), terrain.wallEnd(to));
    }
}
