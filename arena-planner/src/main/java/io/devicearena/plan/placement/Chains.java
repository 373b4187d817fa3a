package io.devicearena.plan.placement;

import io.devicearena.plan.internal.ejection.RadixSort;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * Lives of one size that take over each other's place, as one life that lasts from the first to the last of them.
 *
 * <p>Where sizes recur, as those of layers and of micro-batches do, chains are far fewer than lives and are placed the better for it,
 * since no place is parted that another life fits exactly. A chain takes its place between its lives too, so it goes on only
 * where enough is free meanwhile.
 *
 * <p>Threads: immutable. Source: the colouring of an interval graph by its left edges, for each size; Hashimoto and Stevens, "Wire
 * routing by optimizing channel assignment within large apertures", 1971.
 */
final class Chains {
    private static final int NONE = -1;
    /** Where fewer lives have a size, on average, chains are hardly fewer than lives. */
    private static final int FEWEST_OF_SIZE = 8;

    private final Lives lives;
    /** All lives in order of time. */
    private final int[] order;

    /** All lives, those that end first first. */
    private final int[] leaving;

    private final long[] liveAt;
    /** The number of each life's size, from 0. */
    private final int[] classes;

    /**
     * Looks in what order lives begin and end; takes O(n) time after radix sorts.
     *
     * @param lives the lives, at least one
     * @param classes the number of each life's size, from 0
     */
    private Chains(Lives lives, int[] classes) {
        this.lives = lives;
        this.order = Order.EARLIEST.of(lives);
        this.leaving = lives.byEnd();
        this.liveAt = lives.liveAt();
        this.classes = classes;
    }

    /** Those of any lives, at least one. */
    static Chains of(Lives lives) {
        return new Chains(lives, classes(lives));
    }

    /** Those of lives whose sizes recur; nothing where they do not. */
    static Optional<Chains> whereSizesRecur(Lives lives) {
        int[] classes = classes(lives);
        int sizes = 1 + Arrays.stream(classes).max().orElse(0);
        return sizes <= classes.length / FEWEST_OF_SIZE ? Optional.of(new Chains(lives, classes)) : Optional.empty();
    }

    /**
     * Places lives in chains; takes O(n log n) time for finding them. Safe for any thread.
     *
     * @param fullest up to what part of the bound the chains may fill any moment at which one of them waits for its next life; at most 1
     * @param placing places the chains
     * @return the addresses of the lives; nothing where the chains are not placed
     */
    Optional<long[]> place(double fullest, Function<Lives, Optional<long[]>> placing) {
        int[] chains = new int[order.length];
        Lives joined = join((long) (fullest * lives.bound()), chains);
        return placing.apply(joined)
                .map(addresses -> Arrays.stream(chains)
                        .mapToLong(chain -> addresses[chain])
                        .toArray());
    }

    /**
     * Makes chains: each life takes the place that was left last of those of its size, unless more than a limit were taken in
     * between.
     *
     * @param chains becomes the chain of each life
     */
    private Lives join(long limit, int[] chains) {
        int[] latest = new int[order.length];
        int[] earlier = new int[order.length];
        Arrays.fill(latest, NONE);
        Levels levels = new Levels(liveAt);
        int[] begins = new int[order.length];
        int[] ends = new int[order.length];
        int count = 0;
        int left = 0;
        for (int life : order) {
            int first = lives.first(life);
            for (; lives.end(leaving[left]) <= first; left++) {
                earlier[leaving[left]] = latest[classes[leaving[left]]];
                latest[classes[leaving[left]]] = leaving[left];
            }
            int before = latest[classes[life]];
            if (before != NONE && mayWait(levels, lives.end(before), first, lives.size(life), limit)) {
                latest[classes[life]] = earlier[before];
                chains[life] = chains[before];
            } else {
                begins[count] = life;
                chains[life] = count++;
            }
            ends[chains[life]] = life;
        }
        return lives.joined(Arrays.copyOf(begins, count), Arrays.copyOf(ends, count));
    }

    /** Takes room over a range of moments, which may be empty; false where more than a limit would be taken. */
    private static boolean mayWait(Levels levels, int from, int end, long size, long limit) {
        if (from == end) {
            return true;
        }
        if (levels.highest(from, end) > limit - size) {
            return false;
        }
        levels.raise(from, end, size);
        return true;
    }

    /** Numbers the sizes: two lives have one number if they have one size. */
    private static int[] classes(Lives lives) {
        int[] order = IntStream.range(0, lives.count()).toArray();
        RadixSort.sort(order, Arrays.stream(order).mapToLong(lives::bytes).toArray());
        int[] classes = new int[order.length];
        for (int k = 1; k < order.length; k++) {
            boolean isNext = lives.bytes(order[k]) != lives.bytes(order[k - 1]);
            classes[order[k]] = classes[order[k - 1]] + (isNext ? 1 : 0);
        }
        return classes;
    }
}
