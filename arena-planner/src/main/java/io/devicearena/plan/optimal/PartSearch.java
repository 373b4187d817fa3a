package io.devicearena.plan.optimal;

import io.devicearena.plan.internal.exact.Attempt;
import io.devicearena.plan.internal.exact.Experience;
import io.devicearena.plan.internal.exact.Searcher;
import io.devicearena.plan.internal.exact.ValleySearch;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * What is known of one part, and which attempts come next.
 *
 * <p>Attempts go in rounds, one for each lane. The first lane always tries the least height that is not ruled out, or the capacity
 * that was asked for; the second one now and then heights between that and the best so far. In large parts the second one, in
 * still larger ones both, lower the best placement towards that height, for as long as it takes.
 *
 * <p>Attempts are short, and some longer, because few of them go right and those soon do: Luby, Sinclair and Zuckerman,
 * "Optimal speedup of Las Vegas algorithms", 1993.
 *
 * <p>Threads: one thread at a time.
 */
final class PartSearch {
    /** How many lanes there are, on machines with fewer processors too: the course of a search must not depend on them. */
    static final int LANES = 2;

    /** With more buffers one lane lowers the best placement by evictions instead of searching in depth. */
    private static final int MOST_IN_DEPTH_ALONE = 500;
    /** With more buffers the other one does so too. */
    private static final int MOST_IN_DEPTH = 8_192;

    /** The nodes of a short attempt, or one for each buffer. */
    private static final long FEWEST_NODES = 256;

    /** As many failed states as this power of two: more find hardly any more dead ends. */
    private static final int REMEMBERED_BITS = 18;

    private static final int STEPS = 4;
    /** Rounds in which both lanes try the least height, so that each plain order has a short try at it. */
    private static final int ROUNDS_AT_LEAST = 2;

    private final Part part;
    private final long grain;
    private final long[] offsets;
    private long lowerBound;
    private long height;
    private int attempts;
    private int rounds;
    private Searcher[] lanes = new Searcher[0];
    private Experience[] experiences = new Experience[0];
    private @Nullable EvictionSearch[] evictions = new EvictionSearch[LANES];

    PartSearch(Part part, long[] offsets) {
        this.part = part;
        this.grain = part.grain();
        this.offsets = offsets;
        this.lowerBound = roundUp(part.lowerBound());
        this.height = part.height(offsets);
    }

    private long roundUp(long bytes) {
        long origin = part.problem().origin();
        return origin + ((bytes - origin - 1) / grain + 1) * grain;
    }

    private long roundDown(long bytes) {
        long origin = part.problem().origin();
        return origin + (bytes - origin) / grain * grain;
    }

    long height() {
        return height;
    }

    long lowerBound() {
        return lowerBound;
    }

    /** The searchers of the lanes, made anew where they must forget. */
    Searcher[] prepare() {
        if (lanes.length == 0) {
            lanes = new Searcher[] {
                part.count() <= MOST_IN_DEPTH ? inDepth(0) : byEvictions(0), isSmall() ? inDepth(1) : byEvictions(1)
            };
        }
        return lanes;
    }

    private Searcher byEvictions(int lane) {
        EvictionSearch search = evictions[lane];
        if (search == null) {
            search = new EvictionSearch(
                    part, lane, offsets, lowerBound - part.problem().origin());
            evictions[lane] = search;
        } else {
            search.know(offsets);
        }
        return search;
    }

    private Searcher inDepth(int lane) {
        if (experiences.length == 0) {
            experiences = new Experience[] {new Experience(part.count()), new Experience(part.count())};
        }
        experiences[lane].forgetLatest();
        experiences[lane].know(part.addresses(offsets));
        return new ValleySearch(part, experiences[lane], REMEMBERED_BITS);
    }

    /**
     * Plans a round.
     *
     * @param least a smaller height than this is of no use; less than the present one
     * @param capacity the height that is asked for, {@code least} or more and less than the present one
     * @param most how many nodes all attempts may take together
     * @return an attempt for each lane
     */
    Attempt[] nextRound(long least, OptionalLong capacity, long most) {
        long low = Math.max(lowerBound, roundUp(least));
        long wanted = capacity.isPresent() ? Math.max(low, roundDown(capacity.getAsLong())) : low;
        long better = isSmall() ? next(low, wanted, capacity.isPresent()) : wanted;
        rounds++;
        long limit = Math.min(Math.max(FEWEST_NODES, part.count()) * luby(rounds), Math.ceilDiv(most, LANES));
        long origin = part.problem().origin();
        Attempt[] round = {
            new Attempt(wanted - origin, 2 * attempts, limit), new Attempt(better - origin, 2 * attempts + 1, limit)
        };
        attempts++;
        return round;
    }

    private boolean isSmall() {
        return part.count() <= MOST_IN_DEPTH_ALONE;
    }

    private long next(long low, long wanted, boolean asked) {
        boolean lowers = asked ? rounds % 2 == 1 : rounds >= ROUNDS_AT_LEAST;
        return lowers ? between(low, roundDown(height - 1)) : wanted;
    }

    /** Halfway up in one round, then ever nearer to the top; from the bottom again after some rounds. */
    private long between(long low, long high) {
        long above = (high - low) >> (1 + rounds % STEPS);
        return roundDown(high - above);
    }

    /** 1, 1, 2, 1, 1, 2, 4, 1, and so on: by this no fixed limit is much better, whatever the attempts are like. */
    private static int luby(int round) {
        int power = Integer.highestOneBit(round);
        return round == 2 * power - 1 ? power : luby(round - power + 1);
    }

    /** Takes over what a searcher has found, if it is lower. */
    void found(Searcher searcher) {
        take(searcher.addresses());
    }

    /** Takes over another placement of the whole problem where it is lower. */
    void takeIfLower(long[] other) {
        take(part.addresses(other));
    }

    private void take(long[] addresses) {
        long found = part.problem().origin() + part.bytes(addresses);
        if (found < height) {
            part.copyOffsets(addresses, offsets);
            height = found;
            startAgain();
        }
    }

    /** Takes over that nothing fits in some bytes above the origin; how far the other lane had come when that was known is left to chance. */
    void ruledOut(long target) {
        lowerBound =
                Math.max(lowerBound, Math.min(height, roundUp(part.problem().origin() + target + 1)));
        experiences = new Experience[0];
        evictions = new EvictionSearch[LANES];
        startAgain();
    }

    /** Attempts begin again with few nodes; searches in depth forget states, because those depend on how far each had come. */
    private void startAgain() {
        rounds = 0;
        lanes = new Searcher[0];
    }
}
