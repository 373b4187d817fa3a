package io.devicearena.plan.placement;

import java.util.Arrays;
import java.util.TreeSet;

/**
 * What is free between the lives that have a place at the present moment, as an allocator's free list has it: each operation
 * O(log n), but for gaps that a boundary makes too narrow.
 *
 * <p>Threads: one thread at a time. Source: Knuth, "The Art of Computer Programming", volume 1, section 2.5, for best fit and
 * for neighbours that join when what is between them is freed.
 */
final class FreeList {
    private static final int NONE = -1;

    /** What is free right above a life, or above the ground, and below the next one. */
    private record Gap(long width, long address, int below) implements Comparable<Gap> {
        @Override
        public int compareTo(Gap other) {
            return width == other.width ? Long.compare(address, other.address) : Long.compare(width, other.width);
        }
    }

    private final Lives lives;
    /** Stands for the life below the lowest one. */
    private final int ground;

    private final long[] addresses;
    /** The next life down from each one that has a place. */
    private final int[] below;
    /** The next life up from each one that has a place and from the ground. */
    private final int[] above;

    private final TreeSet<Gap> gaps = new TreeSet<>();
    private int highest;

    /** Makes one in which no life has a place. */
    FreeList(Lives lives) {
        this.lives = lives;
        this.ground = lives.count();
        this.addresses = new long[ground];
        this.below = new int[ground];
        this.above = new int[ground + 1];
        Arrays.fill(above, NONE);
        this.highest = ground;
    }

    /** Gives a life the narrowest gap that it fits, the lowest of equally narrow ones, or what is above all; returns its address. */
    long take(int life) {
        int neighbour = highest;
        for (Gap gap : gaps.tailSet(new Gap(lives.size(life), 0, NONE))) {
            if (lives.clearOfBoundary(gap.address, lives.size(life)) - gap.address <= gap.width - lives.size(life)) {
                neighbour = gap.below;
                break;
            }
        }
        removeGap(neighbour);
        addresses[life] = lives.clearOfBoundary(end(neighbour), lives.size(life));
        link(life, above[neighbour]);
        link(neighbour, life);
        addGap(neighbour);
        addGap(life);
        return addresses[life];
    }

    /** Frees the place of a life. */
    void free(int life) {
        removeGap(below[life]);
        removeGap(life);
        link(below[life], above[life]);
        addGap(below[life]);
    }

    /** The addresses that lives have, or had last; not a copy. */
    long[] addresses() {
        return addresses;
    }

    private void link(int lower, int upper) {
        above[lower] = upper;
        if (upper == NONE) {
            highest = lower;
        } else {
            below[upper] = lower;
        }
    }

    private void addGap(int lower) {
        if (above[lower] != NONE && end(lower) < addresses[above[lower]]) {
            gaps.add(gap(lower));
        }
    }

    private void removeGap(int lower) {
        if (above[lower] != NONE) {
            gaps.remove(gap(lower));
        }
    }

    private Gap gap(int lower) {
        return new Gap(addresses[above[lower]] - end(lower), end(lower), lower);
    }

    private long end(int life) {
        return life == ground ? 0 : addresses[life] + lives.size(life);
    }
}
