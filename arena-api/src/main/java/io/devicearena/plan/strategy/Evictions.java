package io.devicearena.plan.strategy;

import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.SplittableRandom;

/**
 * Lowers a placement: what ends above a target is taken away and looks for room below it, and where there is none, it drives
 * out those whose places are cheapest, who look for room in turn.
 *
 * <p>A life that finds no room gets dearer each time, so that those that are hard to place come to rest and those that are
 * easy to place move. When all have room, the target goes down towards the bound, by a part of the gap that grows with each
 * success; when a target takes too much work, the placement is restored, and a target in the upper half of the gap is next.
 *
 * <p>Threads: one thread at a time. Source: Nagata and Bräysy, "A Powerful Route Minimization Heuristic for the Vehicle
 * Routing Problem with Time Windows", 2009, for ejections guided by counts of failures.
 */
final class Evictions {
    private static final double FIRST_STEP = 0.8;
    private static final double GROWTH = 0.9;
    /** Targets in a smaller part of the gap than this are not worth the work. */
    private static final double LAST_STEP = 0.97;

    private static final int SHARES = 4;
    /** What a life costs is told in this many parts of what the dearest costs at first. */
    private static final double PARTS = 1 << 20;

    private final Lives lives;
    private final long[] addresses;
    private final Work work;
    private final Stretches stretches;
    private final SplittableRandom random = new SplittableRandom(1);
    /** What a life costs at first, and what it gets dearer by. */
    private final long[] steps;
    /** What driving out a life costs. */
    private final long[] costs;
    /** The lives without a place, the dearest first. */
    private final PriorityQueue<Integer> homeless;
    /** The lives that one meets, by their addresses and by their ends. */
    private int[] byLow = new int[64];

    private int[] byHigh = new int[64];
    private int met;
    private long cheapestAddress;
    private long leastCost;
    private int equals;

    private Evictions(Lives lives, long[] addresses, Work work) {
        this.lives = lives;
        this.addresses = addresses;
        this.work = work;
        this.stretches = new Stretches(lives, work);
        int count = lives.count();
        this.steps = new long[count];
        double largest = 0;
        for (int i = 0; i < count; i++) {
            largest = Math.max(largest, weight(i));
        }
        for (int i = 0; i < count; i++) {
            steps[i] = 1 + (long) (weight(i) / largest * PARTS);
        }
        this.costs = steps.clone();
        this.homeless = new PriorityQueue<>(
                Comparator.comparingLong((Integer i) -> -costs[i]).thenComparingInt(i -> i));
    }

    private double weight(int i) {
        return Math.sqrt((double) lives.size(i) * lives.length(i));
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
        boolean fresh = true;
        while (top > lives.bound() && part < LAST_STEP && !work.isSpent()) {
            long target = lives.bound() + (long) ((top - lives.bound()) * part);
            if (fresh) {
                stretches.reset(addresses, target);
            }
            Work share = work.share(work.left() / SHARES);
            long end = work.left();
            boolean fits = settle(target, end - share.left());
            work.settle(share);
            fresh = !fits;
            if (fits) {
                for (int i = 0; i < addresses.length; i++) {
                    addresses[i] = stretches.low(i);
                }
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

    /** Gives all lives a place below a target; false when that took too much work. */
    private boolean settle(long target, long leastLeft) {
        homeless.clear();
        for (int i = 0; i < addresses.length; i++) {
            if (stretches.isPlaced(i) && stretches.high(i) > target) {
                stretches.remove(i);
            }
            if (!stretches.isPlaced(i)) {
                homeless.add(i);
            }
        }
        while (!homeless.isEmpty()) {
            if (work.left() < leastLeft) {
                return false;
            }
            int life = homeless.remove();
            long address = firstFit(life);
            if (address > target - lives.size(life)) {
                address = cheapest(life, target);
                if (leastCost == Long.MAX_VALUE) {
                    return false;
                }
                costs[life] += steps[life];
                evict(address, address + lives.size(life));
            }
            stretches.place(life, address);
        }
        return true;
    }

    private long firstFit(int life) {
        Stretches.Stretch stretch = stretches.around(life);
        long size = lives.size(life);
        long address = lives.clearOfBoundary(0, size);
        int k = 0;
        for (; k < stretch.count(); k++) {
            int other = stretch.byLow(k);
            if (meet(life, other)) {
                if (stretches.low(other) - address >= size) {
                    break;
                }
                if (stretches.high(other) > address) {
                    address = lives.clearOfBoundary(stretches.high(other), size);
                }
            }
        }
        work.spend(k);
        return address;
    }

    private boolean meet(int life, int other) {
        return lives.first(other) < lives.end(life) && lives.end(other) > lives.first(life);
    }

    /** The address below a target at which those in a life's way cost least, one of equals; sets {@link #leastCost}. */
    private long cheapest(int life, long target) {
        gather(life);
        leastCost = Long.MAX_VALUE;
        long size = lives.size(life);
        sweep(lives.clearOfBoundary(0, size), size, target);
        return cheapestAddress;
    }

    private void gather(int life) {
        Stretches.Stretch stretch = stretches.around(life);
        if (byLow.length < stretch.count()) {
            byLow = new int[2 * stretch.count()];
            byHigh = new int[2 * stretch.count()];
        }
        int low = 0;
        int high = 0;
        for (int k = 0; k < stretch.count(); k++) {
            if (meet(life, stretch.byLow(k))) {
                byLow[low++] = stretch.byLow(k);
            }
            if (meet(life, stretch.byHigh(k))) {
                byHigh[high++] = stretch.byHigh(k);
            }
        }
        met = low;
        work.spend(4L * stretch.count());
    }

    /** Looks at all addresses from one on that are the end of a life or below the beginning of one. */
    private void sweep(long lowest, long size, long target) {
        Window window = new Window(size);
        window.consider(lowest, target);
        for (int k = 0; k < met; k++) {
            window.consider(lives.clearOfBoundary(stretches.high(byHigh[k]), size), target);
        }
        window = new Window(size);
        for (int k = 0; k < met; k++) {
            long address = stretches.low(byLow[k]) - size;
            if (address >= lowest && lives.clearOfBoundary(address, size) == address) {
                window.consider(address, target);
            }
        }
    }

    /** Room that moves upwards over the lives that one meets, and what they cost. */
    private final class Window {
        private final long size;
        private int entered;
        private int left;
        private long cost;

        Window(long size) {
            this.size = size;
        }

        void consider(long address, long target) {
            if (address > target - size) {
                return;
            }
            while (entered < met && stretches.low(byLow[entered]) < address + size) {
                cost += costs[byLow[entered++]];
            }
            while (left < met && stretches.high(byHigh[left]) <= address) {
                cost -= costs[byHigh[left++]];
            }
            if (cost < leastCost) {
                equals = 0;
            }
            if (cost <= leastCost && random.nextInt(++equals) == 0) {
                leastCost = cost;
                cheapestAddress = address;
            }
        }
    }

    private void evict(long low, long high) {
        for (int k = 0; k < met && stretches.low(byLow[k]) < high; k++) {
            if (stretches.high(byLow[k]) > low) {
                stretches.remove(byLow[k]);
                homeless.add(byLow[k]);
            }
        }
    }
}
