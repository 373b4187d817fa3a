package io.devicearena.plan.search;

/**
 * What a look at a valley has found: how many buffers may cover its edges at its floor, and how far those can rise otherwise.
 *
 * <p>Most of it holds whatever the walls are, so that it need not be looked at again where only those have changed.
 *
 * <p>Threads: one thread at a time.
 */
final class Valley {
    static final long NO_WALL = Long.MAX_VALUE;
    static final int NONE = -1;

    private final Part part;
    private final Terrain terrain;
    private final Room room;
    private int from;
    private int to;
    private long floor;
    /** The wall at the look, {@link #NO_WALL} where neither side has one. */
    private long wall;
    /** With a higher wall more would be wasted below it than may be. */
    private long highestWall;
    /** Tells whether a wall decides which buffers may lie in it. */
    private boolean hasKeptOut;

    private int choicesLeft;
    private int choicesRight;
    private long riseLeft;
    private long riseRight;
    private int spanning;

    Valley(Part part, Terrain terrain, Room room) {
        this.part = part;
        this.terrain = terrain;
        this.room = room;
    }

    /** Begins a look. */
    void begin(int left, int right, long lowerWall) {
        from = left;
        to = right;
        floor = terrain.floor(left);
        wall = lowerWall;
        highestWall = NO_WALL;
        hasKeptOut = false;
        choicesLeft = 0;
        choicesRight = 0;
        riseLeft = NO_WALL;
        riseRight = NO_WALL;
        spanning = NONE;
    }

    /** Tells whether a buffer still to be placed may lie in it below the wall; only what does is counted. */
    boolean holds(int buffer) {
        if (part.last(buffer) >= to) {
            return false;
        }
        long lowest = terrain.lowest(buffer);
        hasKeptOut |= lowest > 0;
        return lowest < wall;
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

    /**
     * Looks whether what is left at a moment finds room above what is wasted there.
     *
     * @param within the size of all that it holds at the moment
     */
    boolean hasRoom(int moment, long within) {
        long above = room.capacity() - terrain.rest(moment);
        highestWall = Math.min(highestWall, above + within);
        return floor <= above && (wall == NO_WALL || wall <= above + within);
    }

    /** Tells whether all that was found holds under another wall too. */
    boolean isSameUnder(long otherWall) {
        return otherWall == wall || (!hasKeptOut && (otherWall == NO_WALL || otherWall <= highestWall));
    }

    /** How many buffers may cover an edge at its floor. */
    int choices(boolean atLeft) {
        return atLeft ? choicesLeft : choicesRight;
    }

    /** The lowest place between two walls where a buffer could rest at an edge, if none covers it at its floor. */
    long rise(boolean atLeft, long lowerWall) {
        return Math.min(atLeft ? riseLeft : riseRight, lowerWall);
    }

    /** A buffer that fills it from side to side and may lie at its floor; {@link #NONE} if there is none. */
    int spanning() {
        return spanning;
    }
}
