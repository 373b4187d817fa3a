package io.devicearena.plan.strategy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Lowers a placement where it is too high: where lives are short, that is at a few moments of many.
 *
 * <p>Lives that end above the bound are gathered into spots, ranges of moments in which they meet. The highest spot is
 * taken first: the lives within a window around it are placed anew by a {@link Descent} while those across its edges are
 * held. A spot that stays high is tried again with a wider window and, in turns, from its present order or from the
 * largest life down. When the highest spot has been given up, lower ones need no work: the arena would not get smaller.
 *
 * <p>Threads: one thread at a time.
 */
final class HotSpots {
    /** A window with more lives is not tried: a change then costs too much. */
    private static final int MOST_LIVES = 2_000;

    private static final int ROUNDS = 8;
    private static final long STEPS_PER_ROUND = 400_000;

    private final Lives lives;
    private final long[] addresses;
    private final Work work;
    private final int[] byFirst;
    /** For each place in {@link #byFirst} the last end of the lives up to there. */
    private final int[] lastEnds;

    private HotSpots(Lives lives, long[] addresses, Work work) {
        this.lives = lives;
        this.addresses = addresses;
        this.work = work;
        this.byFirst = Order.EARLIEST.of(lives);
        this.lastEnds = new int[byFirst.length];
        int last = 0;
        for (int k = 0; k < byFirst.length; k++) {
            last = Math.max(last, lives.end(byFirst[k]));
            lastEnds[k] = last;
        }
        work.spend(32L * byFirst.length);
    }

    /** A range of moments whose lives reach above the bound. */
    private record Spot(int first, int end, long top, int round) {}

    /**
     * Lowers a placement.
     *
     * @param lives the lives, at least one
     * @param addresses a placement of them, changed in place: its top gets no higher
     * @param work what is spent
     */
    static void cool(Lives lives, long[] addresses, Work work) {
        new HotSpots(lives, addresses, work).run();
    }

    private void run() {
        PriorityQueue<Spot> spots = new PriorityQueue<>(
                Comparator.comparingLong((Spot spot) -> -spot.top()).thenComparingInt(Spot::first));
        spots.addAll(find());
        while (!spots.isEmpty() && !work.isSpent()) {
            Spot highest = spots.remove();
            long top = relax(highest);
            if (top > lives.bound()) {
                if (highest.round() + 1 == ROUNDS) {
                    return;
                }
                spots.add(new Spot(highest.first(), highest.end(), top, highest.round() + 1));
            }
        }
    }

    private List<Spot> find() {
        List<Spot> spots = new ArrayList<>();
        int first = 0;
        int end = 0;
        long top = 0;
        for (int i : byFirst) {
            long high = addresses[i] + lives.size(i);
            if (high > lives.bound()) {
                if (lives.first(i) >= end) {
                    if (top > 0) {
                        spots.add(new Spot(first, end, top, 0));
                    }
                    first = lives.first(i);
                    top = 0;
                }
                end = Math.max(end, lives.end(i));
                top = Math.max(top, high);
            }
        }
        if (top > 0) {
            spots.add(new Spot(first, end, top, 0));
        }
        return spots;
    }

    /** Tries to lower a spot; returns how high it is then. */
    private long relax(Spot spot) {
        int margin = (spot.end() - spot.first()) * (1 + spot.round() / 2);
        int from = Math.max(0, spot.first() - margin);
        int to = (int) Math.min(lives.moments(), (long) spot.end() + margin);
        int[] window = lives(from, to);
        if (window.length > MOST_LIVES) {
            return spot.top();
        }
        int held = partition(window, from, to);
        Work share = work.share(STEPS_PER_ROUND << (spot.round() / 2));
        Descent descent = new Descent(lives, window, held, addresses, lives.bound(), spot.round(), share);
        if (spot.round() % 2 == 0) {
            descent.settle();
        } else {
            descent.placeAll();
        }
        descent.run();
        work.settle(share);
        if (descent.top() < spot.top()) {
            descent.store(addresses);
            return descent.top();
        }
        return spot.top();
    }

    /** The lives that meet a range of moments, in no matter what order. */
    private int[] lives(int from, int to) {
        int k = firstEndingAfter(from);
        int[] found = new int[64];
        int count = 0;
        for (; k < byFirst.length && lives.first(byFirst[k]) < to && count <= MOST_LIVES; k++) {
            work.spend(1);
            if (lives.end(byFirst[k]) > from) {
                if (count == found.length) {
                    found = Arrays.copyOf(found, 2 * count);
                }
                found[count++] = byFirst[k];
            }
        }
        return Arrays.copyOf(found, count);
    }

    private int firstEndingAfter(int moment) {
        int low = 0;
        int high = lastEnds.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (lastEnds[middle] > moment) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    /** Puts the lives that go on beyond a range first and the others from the largest down; returns how many go on. */
    private int partition(int[] window, int from, int to) {
        long[] keys = new long[window.length];
        int[] places = new int[window.length];
        int held = 0;
        long largest = 0;
        for (int i : window) {
            largest = Math.max(largest, lives.size(i));
        }
        for (int k = 0; k < window.length; k++) {
            int i = window[k];
            boolean goesOn = lives.first(i) < from || lives.end(i) > to;
            held += goesOn ? 1 : 0;
            keys[k] = goesOn ? 0 : 1 + (largest - lives.size(i));
            places[k] = k;
        }
        RadixSort.sort(places, keys);
        int[] unsorted = window.clone();
        for (int k = 0; k < window.length; k++) {
            window[k] = unsorted[places[k]];
        }
        return held;
    }
}
