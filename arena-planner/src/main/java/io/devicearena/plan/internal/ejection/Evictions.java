package io.devicearena.plan.internal.ejection;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Finds all lives places below a target: what ends above it is taken away and looks for room below it, and where there is none,
 * it drives out those whose places are cheapest, who look for room in turn.
 *
 * <p>A life that finds no room gets dearer each time, so that those that are hard to place come to rest and those that are
 * easy to place move. The few lives that take most room over time are placed first, as if there were no others; then come
 * those that take most of what is left, and so on.
 *
 * <p>Threads: one thread at a time. Source: Nagata and Bräysy, "A Powerful Route Minimization Heuristic for the Vehicle
 * Routing Problem with Time Windows", 2009, for ejections guided by counts of failures.
 */
final class Evictions {
    /** How far the lives have come. */
    enum Outcome {
        /** All have places below the target. */
        SETTLED,
        /** It has taken more than it may. */
        HOPELESS,
        /** The steps are used up; it can go on. */
        PAUSED
    }

    /** How many times as dear a life gets that is settled before others. */
    private static final long DEARER = 100;

    private static final long STEPS_TO_PREPARE = 40;
    /** What a life costs is told in this many parts of what the dearest costs at first. */
    private static final double PARTS = 1 << 20;

    private final Lifetimes lives;
    private final Work work;
    /** A tier may take this part, as its divisor, of all work that is left. */
    private final int shares;

    private final int patiencePerLife;
    private final Places places;
    /** The lives that take the most room over time, then those and more, and at last all. */
    private final Deque<Stretches> tiers = new ArrayDeque<>();

    /** What a life costs at first, and what it gets dearer by. */
    private final long[] steps;
    /** What driving out a life costs. */
    private final long[] costs;
    /** The lives without a place, the dearest first. */
    private final PriorityQueue<Integer> homeless;

    private final RoomSearch rooms;
    /** The number of the last target at which a life was homeless. */
    private final int[] roamed;

    private int targets;
    private long target;
    private long[] former = {};
    private long mostPerTier;
    private long patience;
    private Iterator<Stretches> later = List.<Stretches>of().iterator();
    /** Whose lives are given places now; none between targets. */
    private @Nullable Stretches tier;
    /** The work that is left when the present tier has taken all it may. */
    private long leastLeft;

    /**
     * Prepares.
     *
     * @param lives the lives
     * @param parted how they are parted
     * @param shares a tier may take this part, as its divisor, of all work that is left; 1 or more
     * @param patiencePerLife how many evictions may come on each life that has been without a place, 1 or more
     * @param seed which of equally cheap rooms is cleared
     * @param work what is spent
     */
    Evictions(Lifetimes lives, Tiers parted, int shares, int patiencePerLife, long seed, Work work) {
        this.lives = lives;
        this.work = work;
        this.shares = shares;
        this.patiencePerLife = patiencePerLife;
        this.places = new Places(lives);
        double[] areas = new double[lives.count()];
        for (int i = 0; i < areas.length; i++) {
            areas[i] = (double) lives.size(i) * lives.length(i);
        }
        double[] sorted = areas.clone();
        Arrays.sort(sorted);
        this.steps = new long[areas.length];
        double dearest = Math.sqrt(sorted[sorted.length - 1]);
        for (int i = 0; i < areas.length; i++) {
            steps[i] = 1 + (long) (Math.sqrt(areas[i]) / dearest * PARTS);
        }
        this.costs = steps.clone();
        this.rooms = new RoomSearch(lives, places, costs, seed, work);
        this.roamed = new int[areas.length];
        this.homeless = new PriorityQueue<>(
                Comparator.comparingLong((Integer i) -> -costs[i]).thenComparingInt(i -> i));
        makeTiers(parted, areas, sorted);
        work.spend(STEPS_TO_PREPARE * areas.length);
    }

    private void makeTiers(Tiers parted, double[] areas, double[] sorted) {
        double total = Arrays.stream(sorted).sum();
        int[] members = byFirst();
        double left = total;
        for (int k = 1; k < parted.most(); k++) {
            left /= parted.divisor();
        }
        int begin = 0;
        double passed = 0;
        for (int k = 0; k < parted.most(); k++) {
            if (tiers.isEmpty() || 3 * members.length < 2 * tiers.getFirst().lives().length) {
                tiers.addFirst(new Stretches(lives, members, places, work));
            }
            while (begin < sorted.length - 1 && passed + sorted[begin] <= left) {
                passed += sorted[begin++];
            }
            double least = sorted[begin];
            members = Arrays.stream(members).filter(i -> areas[i] >= least).toArray();
            left *= parted.divisor();
        }
    }

    /** All lives in order of their first moments, of equal ones the longest first. */
    private int[] byFirst() {
        int[] order = new int[lives.count()];
        long[] firsts = new long[order.length];
        for (int i = 0; i < order.length; i++) {
            order[i] = i;
            firsts[i] = lives.first(i);
        }
        sortLongestFirst(order);
        RadixSort.sort(order, firsts);
        return order;
    }

    private void sortLongestFirst(int[] some) {
        long[] keys = new long[lives.count()];
        for (int i : some) {
            keys[i] = (long) lives.moments() - lives.length(i);
        }
        RadixSort.sort(some, keys);
    }

    /**
     * Turns to a target.
     *
     * @param addresses where lives are that need not move; never changed
     * @param bytes the target: how high lives may end, in bytes above the origin
     * @param most how many steps each tier may take, about
     */
    void begin(long[] addresses, long bytes, long most) {
        former = addresses;
        target = bytes;
        mostPerTier = most;
        targets++;
        patience = patiencePerLife;
        for (int i = 0; i < former.length; i++) {
            places.leave(i);
        }
        later = tiers.iterator();
        tier = null;
    }

    /** Gives a life a place below the target that has begun, and makes it many times as dear to drive out. */
    void settle(int life, long address) {
        places.take(life, address);
        steps[life] *= DEARER;
        costs[life] *= DEARER;
    }

    /** Goes on towards the target, for about so many steps at most. */
    Outcome advance(long most) {
        long pause = work.left() - most;
        while (tier != null || later.hasNext()) {
            if (work.left() < pause) {
                return Outcome.PAUSED;
            }
            Stretches present = tier;
            if (present == null) {
                present = later.next();
                tier = present;
                join(present);
                leastLeft = work.left() - Math.min(mostPerTier, work.left() / shares);
            }
            if (!settle(present, pause)) {
                return work.left() < leastLeft || patience < 0 ? Outcome.HOPELESS : Outcome.PAUSED;
            }
            tier = null;
        }
        return Outcome.SETTLED;
    }

    /** The places of a target at which all have settled; not a copy. */
    long[] addresses() {
        return places.lows();
    }

    /** Places those of a tier that have no place yet where they were, if nothing that has moved is in their way. */
    private void join(Stretches joined) {
        int[] moved = Arrays.stream(joined.lives())
                .filter(i -> places.isTaken(i) && places.low(i) != former[i])
                .toArray();
        int[] joining = Arrays.stream(joined.lives())
                .filter(i -> !places.isTaken(i))
                .filter(i -> former[i] <= lives.highest(i, target))
                .toArray();
        if (moved.length > 0) {
            Stretches inTheWay = new Stretches(lives, moved, places, work);
            joining = Arrays.stream(joining)
                    .filter(i -> !work.isSpent() && rooms.isFree(inTheWay.around(i), i, former[i]))
                    .toArray();
        }
        for (int i : joining) {
            places.take(i, former[i]);
        }
        joined.forget();
        work.spend(4L * joined.lives().length);
        homeless.clear();
        fill(joined);
    }

    /** Places those of a tier that fit below the target without more ado, the longest first, as long as there is work. */
    private void fill(Stretches joined) {
        int[] waiting =
                Arrays.stream(joined.lives()).filter(i -> !places.isTaken(i)).toArray();
        sortLongestFirst(waiting);
        for (int i : waiting) {
            if (work.isSpent() || !placeAtFirstFit(joined, i)) {
                homeless.add(i);
            }
        }
    }

    private boolean placeAtFirstFit(Stretches joined, int life) {
        joined.narrow(life);
        long address = rooms.firstFit(joined.around(life), life);
        boolean fits = address <= lives.highest(life, target);
        if (fits) {
            joined.place(life, address);
        }
        return fits;
    }

    /** Gives the homeless places; false where it must pause or is hopeless. */
    private boolean settle(Stretches present, long pause) {
        while (!homeless.isEmpty()) {
            if (work.left() < Math.max(leastLeft, pause) || patience < 0) {
                return false;
            }
            int life = homeless.remove();
            if (roamed[life] != targets) {
                roamed[life] = targets;
                patience += patiencePerLife;
            }
            Stretches.Stretch stretch = present.around(life);
            if (!rooms.findCheapest(stretch, life, lives.highest(life, target))) {
                patience = -1;
                return false;
            }
            if (!rooms.isRoomFree()) {
                costs[life] += steps[life];
                patience--;
                for (int other : rooms.inTheWay(life)) {
                    present.remove(other);
                    homeless.add(other);
                }
            }
            present.place(life, rooms.address());
        }
        return true;
    }
}
