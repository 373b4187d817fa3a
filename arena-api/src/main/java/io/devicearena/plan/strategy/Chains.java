package io.devicearena.plan.strategy;

import io.devicearena.plan.lowering.RadixSort;
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

    /** The chain of each life. */
    private final int[] chains;

    private final Lives joined;

    private Chains(int[] chains, Lives joined) {
        this.chains = chains;
        this.joined = joined;
    }

    /** Tells whether sizes recur. */
    static boolean mayBeFew(Lives lives) {
        int sizes = 1 + Arrays.stream(classes(lives)).max().orElse(0);
        return sizes <= lives.count() / FEWEST_OF_SIZE;
    }

    /**
     * Places lives in chains; takes O(n log n) time for finding them.
     *
     * @param lives the lives, at least one
     * @param fullest up to what part of the bound the chains may fill any moment at which one of them waits for its next life; at most 1
     * @param placing places the chains
     * @return the addresses of the lives; nothing where the chains are not placed
     */
    static Optional<long[]> place(Lives lives, double fullest, Function<Lives, Optional<long[]>> placing) {
        Chains chains = of(lives, (long) (fullest * lives.bound()));
        return placing.apply(chains.joined).map(chains::ofLives);
    }

    /** Each life takes the place that was left last of those of its size, unless more than a limit were taken in between. */
    private static Chains of(Lives lives, long limit) {
        int[] classes = classes(lives);
        int[] latest = new int[lives.count()];
        int[] earlier = new int[lives.count()];
        Arrays.fill(latest, NONE);
        Levels levels = new Levels(lives.liveAt());
        int[] chains = new int[lives.count()];
        int[] begins = new int[lives.count()];
        int[] ends = new int[lives.count()];
        int count = 0;
        int[] leaving = lives.byEnd();
        int left = 0;
        for (int life : Order.EARLIEST.of(lives)) {
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
        return new Chains(chains, lives.joined(Arrays.copyOf(begins, count), Arrays.copyOf(ends, count)));
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

    private long[] ofLives(long[] addresses) {
        return Arrays.stream(chains).mapToLong(chain -> addresses[chain]).toArray();
    }
}
