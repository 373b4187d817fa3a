package io.devicearena.plan.internal.exact;

import io.devicearena.plan.internal.ejection.Lifetimes;
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
    private static final int NONE = Valley.NONE;
    /** How much less an edge in the valley of the latest failure counts. */
    private static final double NEAR_FAILURE = 0.3;

    private final Terrain terrain;
    private final Room room;
    private final Bridges bridges;
    private final Runs runs;
    /** What the latest look at the run that begins at each moment has found. */
    private final Valley[] valleys;

    private final Sweep sweep;
    private final Conflict conflict = new Conflict();
    private final Conflict reason = new Conflict();
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

    EdgeChoice(Lifetimes part, Terrain terrain, Room room) {
        this.terrain = terrain;
        this.room = room;
        this.bridges = new Bridges(part, terrain);
        this.runs = terrain.runs();
        this.valleys = new Valley[part.moments()];
        Arrays.setAll(valleys, m -> new Valley(part, terrain, room));
        this.sweep = new Sweep(part, terrain);
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

    /** Why the latest settling has failed. */
    Conflict conflict() {
        return conflict;
    }

    /** Tells on which moments it rests that there are no other choices at the chosen edge. */
    void explainChoices(Conflict why) {
        if (chosenBuffer == NONE) {
            valleys[chosenFrom].explain(chosenLeft, why);
        } else {
            valleys[chosenFrom].explain(why);
        }
    }

    /** The buffer that fills the whole of the chosen valley and lies lowest there; -1 where all candidates are to be tried. */
    int only() {
        return chosenBuffer;
    }

    /** Tells whether the floor can be raised so far. */
    boolean canRise(int moment, long to) {
        return to != Valley.NO_WALL && room.capacity() - to >= terrain.rest(moment);
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
            int right = right(left, to);
            long before = left == from ? Valley.NO_WALL : terrain.floor(left - 1);
            long after = right == to ? Valley.NO_WALL : terrain.floor(right);
            if (Math.min(before, after) < terrain.floor(left)) {
                left = right;
                continue;
            }
            if (isDeadEnd(left, from) || isDeadEnd(right, to)) {
                return false;
            }
            if (runs.end(left) != right || !valleys[left].isSameBetween(before, after)) {
                int changes = terrain.changes();
                if (!look(left, right, before, after)) {
                    return false;
                }
                if (terrain.changes() > changes) {
                    left = beginOfWhatChanged(left, from);
                    continue;
                }
                runs.know(left, right);
            }
            if (!isFilledFromBelow(left, right, from, to)
                    && !(choose(left, right, true, before, after) && choose(left, right, false, before, after))) {
                return false;
            }
            left = right;
        }
        return true;
    }

    /** One past the last moment of the run that begins at a moment. */
    private int right(int left, int to) {
        long floor = terrain.floor(left);
        int right = Math.max(left + 1, runs.end(left));
        while (right < to && terrain.floor(right) == floor) {
            right++;
        }
        return right;
    }

    /**
     * The first moment of what is to be looked at again after the floor of a run was raised: that of a run that is level with it now, or
     * that has a higher wall. All that lies before is as it was.
     */
    private int beginOfWhatChanged(int raised, int from) {
        int begin = raised;
        if (begin > from && terrain.floor(begin - 1) < terrain.floor(begin)) {
            begin--;
        }
        while (begin > from && terrain.floor(begin - 1) == terrain.floor(begin)) {
            begin--;
        }
        return begin;
    }

    /** Tells whether the floor steps up to an edge, unless that is an end of the stretch, so that nothing can span the step. */
    private boolean isDeadEnd(int step, int end) {
        if (step == end || runs.isStepKnown(step)) {
            return false;
        }
        if (bridges.arePossible(step, room.capacity())) {
            runs.knowStep(step);
            return false;
        }
        conflict.set(step - 1, step + 1);
        fail(terrain.floor(step) < terrain.floor(step - 1) ? step : step - 1);
        return true;
    }

    /** Chooses a valley that a buffer fills from side to side and none still to come spans: the buffer may as well lie lowest. */
    private boolean isFilledFromBelow(int left, int right, int from, int to) {
        int spanning = valleys[left].spanning();
        if (spanning == NONE || (left > from && terrain.isCrossed(left)) || (right < to && terrain.isCrossed(right))) {
            return false;
        }
        if (chosenFrom == NONE || chosenCost > 0) {
            remember(left, right, true, Valley.NO_WALL, 0);
            chosenBuffer = spanning;
        }
        return true;
    }

    /**
     * Looks at a valley: which of its moments nothing can cover below the walls, whether what can is enough to fill it,
     * and how many choices its edges have.
     */
    private boolean look(int left, int right, long before, long after) {
        Valley valley = valleys[left];
        runs.forgetRun(left);
        valley.begin(left, right, before, after);
        sweep.begin(left, right);
        for (int m = left; m < right; m++) {
            sweep.moveTo(m, valley);
            Beyond beyond = sweep.beyond();
            if (!valley.hasRoom(m, sweep.within(), beyond)) {
                valley.explain(m, beyond, conflict);
                return fail(m);
            }
            if (sweep.within() == 0) {
                valley.explain(m, beyond, reason);
                terrain.raise(m, m + 1, valley.wall(beyond), reason);
            }
        }
        return true;
    }

    /** Remembers an edge if it has the fewest choices so far; false if it has none. */
    private boolean choose(int left, int right, boolean atLeft, long before, long after) {
        int edge = atLeft ? left : right - 1;
        long rise = valleys[left].rise(atLeft, before, after);
        int choices = valleys[left].choices(atLeft) + (canRise(edge, rise) ? 1 : 0);
        if (choices == 0) {
            valleys[left].explain(atLeft, conflict);
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
