package io.devicearena.plan.search;

import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * What is known of one part, and which attempts come next.
 *
 * <p>Attempts go in rounds, one for each lane. The first lane always tries the least height that is not ruled out, or the capacity that was
 * asked for; the second one now and then heights between that and the best so far. In large parts both try to lower the best by a
 * little, again and again.
 *
 * <p>Attempts are short, and some longer, because few of them go right and those soon do: Luby, Sinclair and Zuckerman,
 * "Optimal speedup of Las Vegas algorithms", 1993. Large parts keep one height each until it is found.
 *
 * <p>Threads: one thread at a time.
 */
final class PartSearch {
    /** How many lanes there are, on machines with fewer processors too: the course of a search must not depend on them. */
    static final int LANES = 2;

    /** With more buffers one lane lowers the best placement by evictions instead of searching in depth. */
    private static final int MOST_IN_DEPTH_ALONE = 500;
    /** With more buffers the other one lowers it by ruin and recreation. */
    private static final int MOST_IN_DEPTH = 8_192;

    /** The nodes of a short attempt, or one for each buffer. */
    private static final long FEWEST_NODES = 256;

    private static final int STEPS = 4;
    /** The part of what there is to gain, as its divisor, that a search in large parts tries to gain at once. */
    private static final long SLIGHT = 8;

    private static final long SLIGHTER = 16;
    /** Rounds in which both lanes try the least height, so that each plain order has a short try at it. */
    private static final int ROUNDS_AT_LEAST = 2;

    private final Part part;
    private final long grain;
    private final long[] offsets;
    private long lowerBound;
    private long height;
    private @Nullable Companions companions;
    private int attempts;
    private int rounds;
    private Searcher[] lanes = new Searcher[0];
    private Experience[] experiences = new Experience[0];

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

    /** Makes the searchers where there are none; returns how many there are. */
    int prepare() {
        if (lanes.length == 0) {
            lanes = new Searcher[] {
                part.count() <= MOST_IN_DEPTH ? inDepth(0) : new RuinSearch(part, companions(), offsets),
                isSmall() ? inDepth(1) : new EvictionSearch(part, companions(), offsets)
            };
        }
        return lanes.length;
    }

    private Searcher inDepth(int lane) {
        if (experiences.length == 0) {
            experiences = new Experience[] {new Experience(part.count()), new Experience(part.count())};
        }
        experiences[lane].forgetLatest();
        experiences[lane].know(part.addresses(offsets));
        return new ValleySearch(part, experiences[lane]);
    }

    /** The searcher of a lane, once prepared. */
    Searcher lane(int lane) {
        return lanes[lane];
    }

    private Companions companions() {
        if (companions == null) {
            companions = new Companions(part);
        }
        return companions;
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
        long better = Math.max(wanted, isSmall() ? next(low, wanted, capacity.isPresent()) : below(low, SLIGHT));
        long deep = part.count() <= MOST_IN_DEPTH ? wanted : Math.max(wanted, below(low, SLIGHTER));
        rounds++;
        long limit = Math.min(Math.max(FEWEST_NODES, part.count()) * luby(rounds), most / LANES);
        Attempt[] round = {new Attempt(deep, 2 * attempts, limit), new Attempt(better, 2 * attempts + 1, limit)};
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

    /** The same until something is found, so that the search goes on where it was. */
    private long below(long low, long divisor) {
        return roundDown(height - 1 - (height - 1 - low) / divisor);
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

    /** Takes over what a lane has found. */
    void found(int lane) {
        lane(lane).copyOffsets(offsets);
        height = part.height(offsets);
        startAgain();
    }

    /** Takes over another placement of the whole problem where it is lower. */
    void takeIfLower(long[] other) {
        long otherHeight = part.height(other);
        if (otherHeight < height) {
            part.copy(other, offsets);
            height = otherHeight;
            startAgain();
        }
    }

    /** Takes over that nothing fits in some bytes. */
    void ruledOut(long target) {
        lowerBound = Math.max(lowerBound, Math.min(height, roundUp(target + 1)));
        experiences = new Experience[0];
        startAgain();
    }

    /** Attempts begin again with few nodes; the lanes forget states, because those depend on how far each had come. */
    private void startAgain() {
        rounds = 0;
        lanes = new Searcher[0];
    }
}
