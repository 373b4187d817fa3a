package io.devicearena.plan.internal.exact;

import io.devicearena.plan.internal.ejection.Lifetimes;
import java.util.function.LongPredicate;

/**
 * Decides whether a part fits in a capacity: depth first, over the terrain of what is placed so far.
 *
 * <p>The terrain has a floor at each moment, below which nothing more is placed. A <i>valley</i> is a run of moments with
 * one floor between higher walls. In a placement that gravity has pulled down, the moment at a valley's edge is either
 * covered at its floor by a buffer that lies within the valley and reaches that edge, or its floor rises to the
 * lowest place where one could rest: the wall, or the top of a buffer that lies elsewhere in the valley. Those choices
 * exclude each other and leave nothing out, whichever edge is looked at; so the search looks at the
 * edge with the fewest, and where little may be wasted. Wherever
 * the bytes that are wasted below the floor and those still to come exceed the capacity, it turns back.
 *
 * <p>A buffer that fills a valley from side to side may as well lie at its floor as on others that lie within it: those move up by its
 * size. So where it is tried at the floor and fails, it lies above a buffer that reaches over a wall, or nowhere.
 *
 * <p>Every dead end rests on some moments only. While what is placed last is not at any of those, it jumps back: other
 * choices there can mend nothing. States that failed are remembered for the moments that the failure rested on, by fingerprints of 128
 * bits of the floor and of what is left there; so a dead end is known again whatever was placed elsewhere, or in another order.
 *
 * <p>A stretch of time that no buffer still to be placed reaches across is solved by itself.
 *
 * <p><b>Threads:</b> one thread at a time. Source: after Moffitt, "MiniMalloc: A Lightweight Memory Allocator for
 * Hardware-Accelerated Machine Learning", ASPLOS 2023: canonical solutions, dominance, pruning by sections, decomposition
 * in time; the branching on the edges of {@link EdgeChoice} is our own. For jumps and nogoods see {@link Conflict} and {@link Nogoods}.
 */
public final class ValleySearch implements Searcher {
    private static final int STOP_CHECK = 0xFF;

    private final Lifetimes part;
    private final Experience experience;
    private final Terrain terrain;
    private final Room room;
    private final EdgeChoice edges;
    private final Candidates candidates;
    private final Nogoods nogoods;
    private final Conflict conflict;
    private long failedAt = Long.MAX_VALUE;
    private long nodes;
    private long nodeLimit;
    private LongPredicate stop = n -> false;
    private boolean givenUp;

    /**
     * Makes a search.
     *
     * @param part the buffers
     * @param experience what earlier attempts of this kind have taught; this one's add to it
     * @param rememberedBits how many failed states it remembers: so many binary digits, 1 to 24
     */
    public ValleySearch(Lifetimes part, Experience experience, int rememberedBits) {
        this.part = part;
        this.nogoods = new Nogoods(rememberedBits);
        this.experience = experience;
        this.terrain = new Terrain(part);
        this.room = new Room(part);
        this.edges = new EdgeChoice(part, terrain, room);
        this.conflict = edges.conflict();
        this.candidates = new Candidates(part, terrain, room, experience);
    }

    @Override
    public Verdict run(Attempt attempt, LongPredicate stopped) {
        if (attempt.target() > failedAt) {
            // What fails in less room need not fail in more.
            nogoods.clear();
        }
        failedAt = attempt.target();
        nodeLimit = attempt.limit();
        stop = stopped;
        nodes = 0;
        givenUp = false;
        terrain.clear();
        if (!room.resize(attempt.target()) || isTooLittle(room.capacity())) {
            return Verdict.DOES_NOT_FIT;
        }
        experience.begin(attempt);
        edges.begin(attempt);
        candidates.begin(attempt);
        if (fillStretches(0, terrain.moments())) {
            return Verdict.FITS;
        }
        return givenUp ? Verdict.GIVEN_UP : Verdict.DOES_NOT_FIT;
    }

    private boolean isTooLittle(long capacity) {
        for (int m = 0; m < terrain.moments(); m++) {
            if (terrain.rest(m) > capacity) {
                return true;
            }
        }
        return false;
    }

    @Override
    public long nodes() {
        return nodes;
    }

    @Override
    public long[] addresses() {
        return terrain.offsets();
    }

    /** Solves one after the other the stretches of a range that finished moments part. */
    private boolean fillStretches(int from, int to) {
        int changes = terrain.changes();
        int begin = from;
        while (begin < to) {
            if (terrain.rest(begin) == 0) {
                begin++;
                continue;
            }
            int end = begin + 1;
            while (end < to && terrain.rest(end) > 0) {
                end++;
            }
            if (!fill(begin, end)) {
                terrain.undo(changes);
                return false;
            }
            begin = end;
        }
        return true;
    }

    /** Solves a stretch without a finished moment; where it can not, everything is as before. */
    private boolean fill(int from, int to) {
        if (++nodes > nodeLimit || ((nodes & STOP_CHECK) == 0 && stop.test(nodes))) {
            givenUp = true;
            experience.note(terrain);
            return false;
        }
        int changes = terrain.changes();
        boolean solved = false;
        if (edges.settle(from, to)) {
            solved = edges.isForced() ? branch(from, to) : branchUnlessFailed(from, to);
        } else {
            experience.note(terrain);
        }
        if (!solved) {
            terrain.widen(conflict, changes);
            terrain.undo(changes);
        }
        return solved;
    }

    /** Where there is but one choice it is not worth the while to look whether it was made before: the next states tell. */
    private boolean branchUnlessFailed(int from, int to) {
        Prints prints = terrain.prints();
        int first = terrain.wallBefore(from);
        int end = terrain.wallEnd(to);
        prints.take(first, end);
        if (nogoods.find(prints, first, end, conflict)) {
            return false;
        }
        int changes = terrain.changes();
        boolean solved = branch(from, to);
        if (!solved && !givenUp) {
            terrain.widen(conflict, changes);
            terrain.undo(changes);
            prints.take(first, end);
            nogoods.add(prints, conflict);
        }
        return solved;
    }

    /** Tries the choices at the chosen edge; where all fail, the conflict tells why, as the terrain is by then. */
    private boolean branch(int from, int to) {
        Conflict all = new Conflict();
        do {
            int left = edges.from();
            int right = edges.to();
            boolean atLeft = edges.isAtLeft();
            long rise = edges.rise();
            int only = edges.only();
            edges.explainChoices(all);
            for (int buffer : only >= 0 ? new int[] {only} : candidates.of(left, right, atLeft)) {
                int changes = terrain.changes();
                if (terrain.place(buffer) ? fillStretches(from, to) : fill(from, to)) {
                    return true;
                }
                terrain.undo(changes);
                if (givenUp) {
                    return false;
                }
                if (!conflict.touches(part.first(buffer), part.last(buffer) + 1)) {
                    // It would be the same without this buffer, so no other choice here can mend it.
                    return false;
                }
                all.include(conflict);
                if (!mayLieAbove(buffer, left, right, from, to, all)) {
                    conflict.set(all.from(), all.to());
                    return false;
                }
            }
            int edge = atLeft ? left : right - 1;
            if (!edges.canRise(edge, rise)) {
                conflict.set(all.from(), all.to());
                return false;
            }
            terrain.raise(edge, edge + 1, rise, all);
        } while (edges.settle(from, to));
        return false;
    }

    /**
     * Keeps a buffer that fails at the floor of a valley from all that is no higher than the lowest wall that another reaches over, if
     * it spans the valley; false where none reaches over a wall, or nothing higher is left.
     *
     * @param reason why it fails at the floor; becomes why it is kept
     */
    private boolean mayLieAbove(int buffer, int left, int right, int from, int to, Conflict reason) {
        if (part.first(buffer) != left || part.last(buffer) != right - 1 || !room.isExchangeable(buffer)) {
            return true;
        }
        reason.include(terrain.wallBefore(left), terrain.wallEnd(right));
        long wall = Long.MAX_VALUE;
        if (left > from && terrain.isCrossed(left)) {
            wall = terrain.floor(left - 1);
        }
        if (right < to && terrain.isCrossed(right)) {
            wall = Math.min(wall, terrain.floor(right));
        }
        if (wall >= room.ceiling(buffer)) {
            return false;
        }
        Waiting beginning = terrain.beginning();
        for (int other = beginning.first(left); other != Waiting.NONE; other = beginning.after(other)) {
            if (candidates.isLike(buffer, other)) {
                terrain.lift(other, wall, reason);
            }
        }
        return true;
    }
}
