package io.devicearena.plan.strategy;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.PriorityQueue;

/**
 * Lowers a placement: what ends above a target is taken away and looks for room below it, and where there is none, it drives
 * out those whose places are cheapest, who look for room in turn.
 *
 * <p>A life that finds no room gets dearer each time, so that those that are hard to place come to rest and those that are
 * easy to place move. The few lives that take most room over time are placed first, as if there were no others; then come
 * those that take most of what is left, and so on. When all have room, the target goes down towards the bound, by a part of
 * the gap that grows with each success; when a target takes too much work, the placement stays as it was, and a target
 * in the upper half of the gap is next.
 *
 * <p>Threads: one thread at a time. Source: Nagata and Bräysy, "A Powerful Route Minimization Heuristic for the Vehicle
 * Routing Problem with Time Windows", 2009, for ejections guided by counts of failures.
 */
final class Evictions {
    private static final double FIRST_STEP = 0.7;
    private static final double GROWTH = 0.9;
    /** Targets in a smaller part of the gap than this are not worth the work. */
    private static final double LAST_STEP = 0.97;

    /** The tier of a target may take this part, as its divisor, of the work that is left. */
    private static final int SHARES = 8;
    /** A target is given up when this many evictions come on each life that has been homeless. */
    private static final int PATIENCE = 200;

    /** From tier to tier this part, as its divisor, of the room over time is left to later ones. */
    private static final int LEFT = 8;

    private static final int TIERS = 4;
    private static final long STEPS_TO_PREPARE = 40;
    /** What a life costs is told in this many parts of what the dearest costs at first. */
    private static final double PARTS = 1 << 20;

    private final Lives lives;
    private final long[] addresses;
    private final Work work;
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
    private long patience;

    private Evictions(Lives lives, long[] addresses, Work work) {
        this.lives = lives;
        this.addresses = addresses;
        this.work = work;
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
        this.rooms = new RoomSearch(lives, places, costs, work);
        this.roamed = new int[areas.length];
        this.homeless = new PriorityQueue<>(
                Comparator.comparingLong((Integer i) -> -costs[i]).thenComparingInt(i -> i));
        makeTiers(areas, sorted);
        work.spend(STEPS_TO_PREPARE * areas.length);
    }

    private void makeTiers(double[] areas, double[] sorted) {
        double total = Arrays.stream(sorted).sum();
        int[] tier = Order.EARLIEST.of(lives);
        double left = total;
        for (int k = 1; k < TIERS; k++) {
            left /= LEFT;
        }
        int begin = 0;
        double passed = 0;
        for (int k = 0; k < TIERS; k++) {
            if (tiers.isEmpty() || 3 * tier.length < 2 * tiers.getFirst().lives().length) {
                tiers.addFirst(new Stretches(lives, tier, places, work));
            }
            while (begin < sorted.length - 1 && passed + sorted[begin] <= left) {
                passed += sorted[begin++];
            }
            double least = sorted[begin];
            tier = Arrays.stream(tier).filter(i -> areas[i] >= least).toArray();
            left *= LEFT;
        }
    }

    /**
     * Lowers a placement.
     *
     * @param lives the lives, at least one
     * @param addresses a placement of them, changed in place: its top gets no higher
     * @param work what is spent
     */
    static void lower(Lives lives, long[] addresses, Work work) {
        new Evictions(lives, addresses, work).run();
    }

    private void run() {
        long top = top();
        double part = FIRST_STEP;
        while (top > lives.bound() && part < LAST_STEP && !work.isSpent()) {
            long target = lives.bound() + (long) ((top - lives.bound()) * part);
            if (settle(target)) {
                System.arraycopy(places.lows(), 0, addresses, 0, addresses.length);
                top = top();
                part *= GROWTH;
            } else {
                part = (1 + part) / 2;
            }
        }
    }

    private long top() {
        long top = 0;
        for (int i = 0; i < addresses.length; i++) {
            top = Math.max(top, addresses[i] + lives.size(i));
        }
        work.spend(addresses.length);
        return top;
    }

    /** Gives all lives places below a target; false when that took too much work. */
    private boolean settle(long target) {
        targets++;
        patience = PATIENCE;
        for (int i = 0; i < addresses.length; i++) {
            places.leave(i);
        }
        for (Stretches tier : tiers) {
            join(tier, target);
            if (!settle(tier, target, work.left() - work.left() / SHARES)) {
                return false;
            }
        }
        return true;
    }

    /** Places those of a tier that have no place yet where they were, if nothing that has moved is in their way. */
    private void join(Stretches tier, long target) {
        int[] moved = Arrays.stream(tier.lives())
                .filter(i -> places.isTaken(i) && places.low(i) != addresses[i])
                .toArray();
        int[] joining = Arrays.stream(tier.lives())
                .filter(i -> !places.isTaken(i))
                .filter(i -> addresses[i] <= target - lives.size(i))
                .toArray();
        if (moved.length > 0) {
            Stretches inTheWay = new Stretches(lives, moved, places, work);
            joining = Arrays.stream(joining)
                    .filter(i -> rooms.isFree(inTheWay.around(i), i, addresses[i]))
                    .toArray();
        }
        for (int i : joining) {
            places.take(i, addresses[i]);
        }
        tier.forget();
        work.spend(4L * tier.lives().length);
        homeless.clear();
        fill(tier, target);
    }

    /** Places those of a tier that fit below a target without more ado, the longest first. */
    private void fill(Stretches tier, long target) {
        int[] waiting =
                Arrays.stream(tier.lives()).filter(i -> !places.isTaken(i)).toArray();
        long[] keys = new long[addresses.length];
        for (int i : waiting) {
            keys[i] = (long) lives.moments() - lives.length(i);
        }
        RadixSort.sort(waiting, keys);
        for (int i : waiting) {
            tier.narrow(i);
            long address = rooms.firstFit(tier.around(i), i);
            if (address <= target - lives.size(i)) {
                tier.place(i, address);
            } else {
                homeless.add(i);
            }
        }
    }

    private boolean settle(Stretches tier, long target, long leastLeft) {
        while (!homeless.isEmpty()) {
            if (work.left() < leastLeft || patience < 0) {
                return false;
            }
            int life = homeless.remove();
            if (roamed[life] != targets) {
                roamed[life] = targets;
                patience += PATIENCE;
            }
            Stretches.Stretch stretch = tier.around(life);
            long address = rooms.firstFit(stretch, life);
            if (address > target - lives.size(life)) {
                if (!rooms.findCheapest(stretch, life, target)) {
                    return false;
                }
                address = rooms.address();
                costs[life] += steps[life];
                patience--;
                for (int other : rooms.inTheWay(life)) {
                    tier.remove(other);
                    homeless.add(other);
                }
            }
            tier.place(life, address);
        }
        return true;
    }
}
