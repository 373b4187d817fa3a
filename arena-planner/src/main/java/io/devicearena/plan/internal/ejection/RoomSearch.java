package io.devicearena.plan.internal.ejection;

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

    /**
     * Finds the room up to an address that costs least to clear, one of equals; false where there is none at all.
     *
     * <p>What a room costs falls only where it begins at the end of a life, so one of the cheapest does, or begins at the bottom; it
     * costs as much wherever it is until it touches the next life.
     */
    boolean findCheapest(Stretches.Stretch stretch, int life, long highest) {
        gather(stretch, life);
        leastCost = Long.MAX_VALUE;
        long size = lives.size(life);
        Window window = new Window(size, highest);
        window.moveTo(lives.clearOfBoundary(0, size));
        for (int k = 0; k < metCount && leastCost > 0; k++) {
            window.moveTo(lives.clearOfBoundary(highs[k], size));
        }
        return leastCost < Long.MAX_VALUE;
    }

    /** Tells whether the room that was found last is free. */
    boolean isRoomFree() {
        return leastCost == 0;
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
            met[low] = other;
            lows[low] = places.low(other);
            lowCosts[low] = costs[other];
            low += oneIfMet(other, first, end);
        }
        for (int k = 0; k < stretch.count(); k++) {
            int other = stretch.byHigh(k);
            highs[high] = places.high(other);
            highCosts[high] = costs[other];
            high += oneIfMet(other, first, end);
        }
        metCount = low;
        work.spend(4L * stretch.count());
    }

    private boolean isMet(int other, int first, int end) {
        return oneIfMet(other, first, end) != 0;
    }

    /** 1 if a life meets a range of moments, or 0; without a branch, which a processor would foresee no better than by chance. */
    private int oneIfMet(int other, int first, int end) {
        long span = spans[other];
        long begun = (span >>> Integer.SIZE) - end;
        long left = first - (span & 0xFFFF_FFFFL);
        return (int) ((begun & left) >>> (Long.SIZE - 1));
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

        /** Moves to an address, no lower than the one before, and takes it if nothing is cheaper. */
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
            if (cost <= leastCost) {
                take(low);
                if (cost == 0) {
                    return;
                }
                long raised = Math.min(highest, entered < metCount ? lows[entered] - size : highest);
                if (raised > low && lives.clearOfBoundary(raised, size) == raised) {
                    take(raised);
                }
            }
        }

        /** Takes an address of no higher cost than any before; of equals each as likely. */
        private void take(long low) {
            if (cost < leastCost) {
                equals = 0;
            }
            if (random.nextInt(++equals) == 0) {
                address = low;
            }
            leastCost = cost;
        }
    }
}
