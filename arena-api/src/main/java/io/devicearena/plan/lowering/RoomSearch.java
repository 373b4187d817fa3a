package io.devicearena.plan.lowering;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Finds room for a life among those of a stretch of time: free room, or room that costs least to clear.
 *
 * <p>Threads: one thread at a time.
 */
final class RoomSearch {
    private final Lifetimes lives;
    private final Places places;
    private final Work work;
    /** What driving out a life costs; who owns it may change it. */
    private final long[] costs;

    private final SplittableRandom random;
    /** The first moment of each life, and in the low half the moment after its last: a search reads both. */
    private final long[] spans;
    /** The lives that one meets by their addresses, these, and what driving them out costs. */
    private int[] met = {};

    private long[] lows = {};
    private long[] lowCosts = {};
    /** Where the lives that one meets end, in order, and what driving them out costs. */
    private long[] highs = {};

    private long[] highCosts = {};
    private int metCount;

    private long address;
    private long leastCost;
    private int equals;

    /**
     * Prepares.
     *
     * @param lives all lives
     * @param places where they are
     * @param costs what driving out each of them costs, above 0, whenever room is searched for; not copied
     * @param seed which of equally cheap rooms is found
     * @param work what searches spend
     */
    RoomSearch(Lifetimes lives, Places places, long[] costs, long seed, Work work) {
        this.lives = lives;
        this.places = places;
        this.costs = costs;
        this.random = new SplittableRandom(seed);
        this.work = work;
        this.spans = new long[lives.count()];
        for (int i = 0; i < spans.length; i++) {
            spans[i] = (long) lives.first(i) << Integer.SIZE | lives.end(i);
        }
    }

    /** The lowest free address. */
    long firstFit(Stretches.Stretch stretch, int life) {
        long size = lives.size(life);
        int first = lives.first(life);
        int end = lives.end(life);
        long lowest = lives.clearOfBoundary(0, size);
        int k = 0;
        for (; k < stretch.count(); k++) {
            int other = stretch.byLow(k);
            if (isMet(other, first, end)) {
                if (places.low(other) - lowest >= size) {
                    break;
                }
                if (places.high(other) > lowest) {
                    lowest = lives.clearOfBoundary(places.high(other), size);
                }
            }
        }
        work.spend(k);
        return lowest;
    }

    /** Tells whether the room of a life at an address is free. */
    boolean isFree(Stretches.Stretch stretch, int life, long low) {
        long high = low + lives.size(life);
        int first = lives.first(life);
        int end = lives.end(life);
        int k = 0;
        boolean free = true;
        for (; free && k < stretch.count() && places.low(stretch.byLow(k)) < high; k++) {
            int other = stretch.byLow(k);
            free = places.high(other) <= low || !isMet(other, first, end);
        }
        work.spend(k);
        return free;
    }

    /** Finds the room up to an address that costs least to clear, one of equals; false where there is none at all. */
    boolean findCheapest(Stretches.Stretch stretch, int life, long highest) {
        gather(stretch, life);
        leastCost = Long.MAX_VALUE;
        long size = lives.size(life);
        long lowest = lives.clearOfBoundary(0, size);
        Window window = new Window(size, highest);
        window.moveTo(lowest);
        for (int k = 0; k < metCount; k++) {
            window.moveTo(lives.clearOfBoundary(highs[k], size));
        }
        window = new Window(size, highest);
        for (int k = 0; k < metCount; k++) {
            moveDownTo(window, lowest, lows[k] - size);
        }
        moveDownTo(window, lowest, highest);
        return leastCost < Long.MAX_VALUE;
    }

    private void moveDownTo(Window window, long lowest, long below) {
        if (below >= lowest && lives.clearOfBoundary(below, window.size) == below) {
            window.moveTo(below);
        }
    }

    /** The address of the room that was found last. */
    long address() {
        return address;
    }

    /** The lives in the way of one at the address that was found for it. */
    int[] inTheWay(int life) {
        long high = address + lives.size(life);
        int[] found = new int[metCount];
        int count = 0;
        for (int k = 0; k < metCount && lows[k] < high; k++) {
            if (places.high(met[k]) > address) {
                found[count++] = met[k];
            }
        }
        return Arrays.copyOf(found, count);
    }

    private void gather(Stretches.Stretch stretch, int life) {
        if (met.length < stretch.count()) {
            met = new int[2 * stretch.count()];
            lows = new long[met.length];
            lowCosts = new long[met.length];
            highs = new long[met.length];
            highCosts = new long[met.length];
        }
        int first = lives.first(life);
        int end = lives.end(life);
        int low = 0;
        int high = 0;
        for (int k = 0; k < stretch.count(); k++) {
            int other = stretch.byLow(k);
            if (isMet(other, first, end)) {
                met[low] = other;
                lows[low] = places.low(other);
                lowCosts[low++] = costs[other];
            }
        }
        for (int k = 0; k < stretch.count(); k++) {
            int other = stretch.byHigh(k);
            if (isMet(other, first, end)) {
                highs[high] = places.high(other);
                highCosts[high++] = costs[other];
            }
        }
        metCount = low;
        work.spend(4L * stretch.count());
    }

    private boolean isMet(int other, int first, int end) {
        long span = spans[other];
        return (int) (span >>> Integer.SIZE) < end && (int) span > first;
    }

    /** Room that moves upwards over the lives that one meets, and what they cost. */
    private final class Window {
        private final long size;
        private final long highest;
        private int entered;
        private int left;
        private long cost;

        Window(long size, long highest) {
            this.size = size;
            this.highest = highest;
        }

        /** Takes an address, no lower than the one before, if nothing is cheaper; of equals each as likely. */
        void moveTo(long low) {
            if (low > highest) {
                return;
            }
            while (entered < metCount && lows[entered] < low + size) {
                cost += lowCosts[entered++];
            }
            while (left < metCount && highs[left] <= low) {
                cost -= highCosts[left++];
            }
            if (cost < leastCost) {
                equals = 0;
            }
            if (cost <= leastCost && random.nextInt(++equals) == 0) {
                leastCost = cost;
                address = low;
            }
        }
    }
}
