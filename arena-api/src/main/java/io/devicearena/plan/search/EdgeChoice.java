package io.devicearena.plan.search;

import java.util.Arrays;

/**
 * Looks at the valleys of a terrain: raises floors that nothing can rest on, notices dead ends, and chooses the edge to branch
 * on.
 *
 * <p>A <i>valley</i> is a run of moments with one floor between higher walls. Of its edges the one with the fewest choices, and where
 * little may be wasted, is chosen; near the latest failure first.
 *
 * <p>Threads: one thread at a time. Source: Haralick and Elliott, "Increasing tree search efficiency for constraint satisfaction
 * problems", 1980; Boussemart et al., "Boosting systematic search by weighting constraints", 2004; Lecoutre et al., "Reasoning from last
 * conflict(s)", 2009.
 */
final class EdgeChoice {
    private static final long NO_WALL = Long.MAX_VALUE;
    private static final int NONE = -1;
    /** How much less an edge in the valley of the latest failure counts. */
    private static final double NEAR_FAILURE = 0.3;

    private final Part part;
    private final Terrain terrain;
    private final Room room;
    private final Bridges bridges;
    private final long[] leaving;
    private final double[] failures;
    private int latestFailure;
    private double failureWeight;
    /** How much a unit that may be wasted at an edge counts against it. */
    private double tightness;

    /** The valley and edge to branch on. */
    private int chosenFrom;

    private int chosenTo;
    private boolean chosenLeft;
    private long chosenRise;
    private double chosenCost;
    private int chosenBuffer;

    /** What {@link #look} has found out about the edges of a valley. */
    private int choicesLeft;

    private int choicesRight;
    private long riseLeft;
    private long riseRight;
    private int spanning;

    EdgeChoice(Part part, Terrain terrain, Room room) {
        this.part = part;
        this.terrain = terrain;
        this.room = room;
        this.bridges = new Bridges(part, terrain);
        this.leaving = new long[part.moments() + 1];
        this.failures = new double[part.moments()];
    }

    /** Makes the taste that of an attempt. */
    void begin(Attempt attempt) {
        failureWeight = attempt.failureWeight();
        tightness = attempt.tightness() / room.capacity();
        latestFailure = NONE;
    }

    /** The first moment of the chosen valley. */
    int from() {
        return chosenFrom;
    }

    /** One past the last moment of the chosen valley. */
    int to() {
        return chosenTo;
    }

    /** Tells whether the chosen edge is the valley's first moment, not its last. */
    boolean isAtLeft() {
        return chosenLeft;
    }

    /** The lowest place where a buffer could rest at the chosen edge, if none covers it at its floor. */
    long rise() {
        return chosenRise;
    }

    /** Tells whether there is but one choice. */
    boolean isForced() {
        return chosenCost == 0;
    }

    /** The buffer that fills the whole of the chosen valley and lies lowest there; -1 where all candidates are to be tried. */
    int only() {
        return chosenBuffer;
    }

    /** Tells whether the floor can be raised so far. */
    boolean canRise(int moment, long to) {
        return to != NO_WALL && room.capacity() - to >= terrain.rest(moment);
    }

    private boolean fail(int moment) {
        latestFailure = moment;
        failures[moment]++;
        return false;
    }

    /** Raises floors that nothing can rest on until there is none, and chooses an edge; false where that is a dead end. */
    boolean settle(int from, int to) {
        chosenFrom = NONE;
        int left = from;
        while (left < to) {
            long floor = terrain.floor(left);
            int right = left + 1;
            while (right < to && terrain.floor(right) == floor) {
                right++;
            }
            long wall = wall(left, right, from, to);
            if (wall < floor) {
                left = right;
                continue;
            }
            if (isDeadEnd(left, from) || isDeadEnd(right, to)) {
                return false;
            }
            int changes = terrain.changes();
            if (!look(left, right, wall)) {
                return false;
            }
            if (terrain.changes() > changes) {
                // What lies before is as it was, but for a run that is level with this one now.
                while (left > from && terrain.floor(left - 1) == terrain.floor(left)) {
                    left--;
                }
            } else if (isFilledFromBelow(left, right, from, to)
                    || (choose(left, right, true, choicesLeft, riseLeft)
                            && choose(left, right, false, choicesRight, riseRight))) {
                left = right;
            } else {
                return false;
            }
        }
        return true;
    }

    private long wall(int left, int right, int from, int to) {
        long before = left == from ? NO_WALL : terrain.floor(left - 1);
        long after = right == to ? NO_WALL : terrain.floor(right);
        return Math.min(before, after);
    }

    /** Tells whether the floor steps up to an edge, unless that is an end of the stretch, so that nothing can span the step. */
    private boolean isDeadEnd(int step, int end) {
        if (step == end || bridges.arePossible(step, room.capacity())) {
            return false;
        }
        fail(terrain.floor(step) < terrain.floor(step - 1) ? step : step - 1);
        return true;
    }

    /** Chooses a valley that a buffer fills from side to side and none still to come spans: the buffer may as well lie lowest. */
    private boolean isFilledFromBelow(int left, int right, int from, int to) {
        if (spanning == NONE || (left > from && terrain.isCrossed(left)) || (right < to && terrain.isCrossed(right))) {
            return false;
        }
        if (chosenFrom == NONE || chosenCost > 0) {
            remember(left, right, true, NO_WALL, 0);
            chosenBuffer = spanning;
        }
        return true;
    }

    /**
     * Looks at a valley: which of its moments nothing can cover below the lower wall, whether what can is enough to fill it,
     * and how many choices its edges have.
     */
    private boolean look(int left, int right, long wall) {
        long address = terrain.floor(left);
        Arrays.fill(leaving, left, right + 1, 0);
        choicesLeft = 0;
        choicesRight = 0;
        spanning = NONE;
        riseLeft = wall;
        riseRight = wall;
        long within = 0;
        int uncovered = left;
        for (int m = left; m < right; m++) {
            for (int buffer : terrain.beginning(m)) {
                int last = part.last(buffer);
                if (last < right && !terrain.isPlaced(buffer) && terrain.lowest(buffer) < wall) {
                    count(buffer, m == left, last == right - 1, address);
                    within += part.size(buffer);
                    leaving[last + 1] += part.size(buffer);
                }
            }
            within -= leaving[m];
            if (within > 0) {
                raiseUncovered(uncovered, m, wall);
                uncovered = m + 1;
            }
            long lowest = wall == NO_WALL ? address : Math.max(address, wall - within);
            if (room.capacity() - lowest < terrain.rest(m)) {
                return fail(m);
            }
        }
        raiseUncovered(uncovered, right, wall);
        return true;
    }

    private void raiseUncovered(int first, int end, long wall) {
        if (first < end) {
            terrain.raise(first, end, wall);
        }
    }

    private void count(int buffer, boolean atLeft, boolean atRight, long address) {
        boolean mayRest = address >= terrain.lowest(buffer) && room.mayRest(buffer, address);
        if (mayRest) {
            choicesLeft += atLeft ? 1 : 0;
            choicesRight += atRight ? 1 : 0;
            if (atLeft && atRight && room.isExchangeable(buffer)) {
                spanning = buffer;
            }
        }
        long size = part.size(buffer);
        long next = part.clearOfBoundary(address, size);
        if (next == address) {
            next = NO_WALL;
        }
        long top = address + size;
        riseLeft = Math.min(riseLeft, atLeft ? next : top);
        riseRight = Math.min(riseRight, atRight ? next : top);
    }

    /** Remembers an edge if it has the fewest choices so far; false if it has none. */
    private boolean choose(int left, int right, boolean atLeft, int candidates, long rise) {
        int edge = atLeft ? left : right - 1;
        int choices = candidates + (canRise(edge, rise) ? 1 : 0);
        if (choices == 0) {
            return fail(edge);
        }
        double cost = choices == 1 ? 0 : choices / (1 + failureWeight * failures[edge]);
        if (choices > 1) {
            cost *= 1 + tightness * (room.capacity() - terrain.floor(edge) - terrain.rest(edge));
        }
        if (latestFailure >= left && latestFailure < right) {
            cost *= NEAR_FAILURE;
        }
        if (chosenFrom == NONE
                || cost < chosenCost
                || (cost == chosenCost && terrain.floor(left) < terrain.floor(chosenFrom))) {
            remember(left, right, atLeft, rise, cost);
        }
        return true;
    }

    private void remember(int left, int right, boolean atLeft, long rise, double cost) {
        chosenFrom = left;
        chosenTo = right;
        chosenLeft = atLeft;
        chosenRise = rise;
        chosenCost = cost;
        chosenBuffer = NONE;
    }
}
