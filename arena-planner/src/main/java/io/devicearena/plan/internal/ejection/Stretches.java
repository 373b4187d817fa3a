package io.devicearena.plan.internal.ejection;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Placed lives by stretches of time, each in order of address, so that those that a life meets are found by passing over
 * one list.
 *
 * <p>On each level, stretches of one width overlap by half, so that a life of half that width lies within one; from level to
 * level they get {@value #FAN} times as wide. A list is made when it is first asked for, so where little is asked, little is
 * made and kept up to date.
 *
 * <p>Threads: one thread at a time.
 */
final class Stretches {
    private static final int FAN = 2;

    private static final int FEW = 64;
    /** What a change of one list counts as, beside moving its entries. */
    private static final int CHANGE = 16;

    private static final int MOVED_PER_STEP = 8;
    private static final int SORT = 20;

    private final Lifetimes lives;
    private final Work work;
    private final int[] byFirst;
    /** Half the width of the stretches of each level. */
    private final int[] halves;

    private final @Nullable Stretch[][] levels;
    private final int[][] crossings;
    private final Places places;

    /** The placed lives that meet a range of moments. */
    static final class Stretch {
        private int[] byLow;
        private int[] byHigh;
        private int count;

        private Stretch(int[] byLow, int[] byHigh, int count) {
            this.byLow = byLow;
            this.byHigh = byHigh;
            this.count = count;
        }

        int count() {
            return count;
        }

        /** The life that begins at the given place from the lowest address. */
        int byLow(int place) {
            return byLow[place];
        }

        /** The life that ends at the given place from the lowest address. */
        int byHigh(int place) {
            return byHigh[place];
        }
    }

    /**
     * Prepares for some lives; no list is made yet.
     *
     * @param lives all lives
     * @param byFirst those that matter here, at least one, in order of their first moments
     * @param places where lives are; what has a place there when a list is made is in it
     * @param work what is spent
     */
    Stretches(Lifetimes lives, int[] byFirst, Places places, Work work) {
        this.lives = lives;
        this.places = places;
        this.work = work;
        this.byFirst = byFirst;
        long total = 0;
        for (int i : byFirst) {
            total += lives.length(i);
        }
        // The narrowest stretches are as wide as lives are long, or hold a few.
        long half = Math.max(total / 2, FEW * (long) lives.moments()) / byFirst.length;
        half = Math.clamp(half, 1, lives.moments());
        int count = 1;
        for (long widest = half; widest < lives.moments(); widest *= FAN) {
            count++;
        }
        this.halves = new int[count];
        this.levels = new Stretch[count][];
        for (int level = 0; level < count; level++) {
            halves[level] = (int) Math.min(half, lives.moments());
            levels[level] = new Stretch[(lives.moments() - 1) / halves[level] + 1];
            half *= FAN;
        }
        this.crossings = findCrossings();
        work.spend(4L * byFirst.length);
    }

    /** Forgets all lists, since places were changed elsewhere. */
    void forget() {
        for (Stretch[] level : levels) {
            Arrays.fill(level, null);
        }
    }

    /** The lives that matter here, in order of their first moments. */
    int[] lives() {
        return byFirst;
    }

    /** The placed lives of a stretch of time that a life is within; some of them it may not meet. */
    Stretch around(int life) {
        int level = level(life);
        return stretch(level, lives.first(life) / halves[level]);
    }

    /** Forgets lists of stretches that are wider than those that a life needs. */
    void narrow(int life) {
        for (int level = level(life) + 1; level < levels.length; level++) {
            Arrays.fill(levels[level], null);
        }
    }

    private int level(int life) {
        int level = 0;
        while (halves[level] < lives.length(life)) {
            level++;
        }
        return level;
    }

    /** Places a life that has no place. */
    void place(int life, long address) {
        places.take(life, address);
        for (int level = 0; level < levels.length; level++) {
            int last = (lives.end(life) - 1) / halves[level];
            for (int at = Math.max(0, lives.first(life) / halves[level] - 1); at <= last; at++) {
                Stretch stretch = levels[level][at];
                if (stretch != null) {
                    if (stretch.count == stretch.byLow.length) {
                        stretch.byLow = Arrays.copyOf(stretch.byLow, 2 * stretch.count);
                        stretch.byHigh = Arrays.copyOf(stretch.byHigh, 2 * stretch.count);
                    }
                    insert(stretch.byLow, stretch.count, places.lows(), life);
                    insert(stretch.byHigh, stretch.count, places.highs(), life);
                    stretch.count++;
                    work.spend(CHANGE + stretch.count / MOVED_PER_STEP);
                }
            }
        }
    }

    /** Takes a placed life away. */
    void remove(int life) {
        places.leave(life);
        for (int level = 0; level < levels.length; level++) {
            int last = (lives.end(life) - 1) / halves[level];
            for (int at = Math.max(0, lives.first(life) / halves[level] - 1); at <= last; at++) {
                Stretch stretch = levels[level][at];
                if (stretch != null) {
                    delete(stretch.byLow, stretch.count, places.lows(), life);
                    delete(stretch.byHigh, stretch.count, places.highs(), life);
                    stretch.count--;
                    work.spend(CHANGE + stretch.count / MOVED_PER_STEP);
                }
            }
        }
    }

    private static void insert(int[] list, int count, long[] keys, int life) {
        int at = firstFrom(list, count, keys, keys[life]);
        System.arraycopy(list, at, list, at + 1, count - at);
        list[at] = life;
    }

    private static void delete(int[] list, int count, long[] keys, int life) {
        int at = firstFrom(list, count, keys, keys[life]);
        while (list[at] != life) {
            at++;
        }
        System.arraycopy(list, at + 1, list, at, count - at - 1);
    }

    private static int firstFrom(int[] list, int count, long[] keys, long key) {
        int low = 0;
        int high = count;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (keys[list[middle]] < key) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private Stretch stretch(int level, int at) {
        Stretch made = levels[level][at];
        if (made == null) {
            made = gather(at * halves[level], Math.min(lives.moments(), (at + 2L) * halves[level]));
            levels[level][at] = made;
        }
        return made;
    }

    private Stretch gather(int from, long to) {
        int[] crossing = crossings[from / halves[0]];
        int k = begunBefore(from);
        int end = begunBefore(to);
        int[] byLow = new int[crossing.length + end - k];
        int count = 0;
        for (int life : crossing) {
            if (places.isTaken(life)) {
                byLow[count++] = life;
            }
        }
        for (; k < end; k++) {
            if (places.isTaken(byFirst[k])) {
                byLow[count++] = byFirst[k];
            }
        }
        byLow = Arrays.copyOf(byLow, count);
        int[] byHigh = byLow.clone();
        RadixSort.sort(byLow, places.lows());
        RadixSort.sort(byHigh, places.highs());
        work.spend((long) SORT * count);
        return new Stretch(Arrays.copyOf(byLow, count + 1), Arrays.copyOf(byHigh, count + 1), count);
    }

    private int begunBefore(long moment) {
        int low = 0;
        int high = byFirst.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (lives.first(byFirst[middle]) < moment) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** For each narrowest stretch the lives that have begun before it and go on in it. */
    private int[][] findCrossings() {
        int[] counts = new int[levels[0].length];
        for (int i : byFirst) {
            for (int at = lives.first(i) / halves[0] + 1; at * (long) halves[0] < lives.end(i); at++) {
                counts[at]++;
            }
        }
        int[][] found = new int[counts.length][];
        for (int at = 0; at < found.length; at++) {
            found[at] = new int[counts[at]];
        }
        for (int i : byFirst) {
            for (int at = lives.first(i) / halves[0] + 1; at * (long) halves[0] < lives.end(i); at++) {
                found[at][--counts[at]] = i;
            }
        }
        return found;
    }
}
