package io.devicearena.plan.strategy;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Placed lives by stretches of time, each in order of address, so that those that a life meets are found by passing over
 * one list.
 *
 * <p>On each level, stretches of one width overlap by half, so that a life of half that width lies within one; from level to
 * level they get {@value #FAN} times as wide. A list is made when it is first asked for, from the one above it or, on the
 * highest level, from the lives in order of time; so where little is asked, little is made.
 *
 * <p>Threads: one thread at a time.
 */
final class Stretches {
    private static final int FAN = 2;
    /** What a change of one list counts as, beside moving its entries. */
    private static final int CHANGE = 16;

    private static final int MOVED_PER_STEP = 8;
    private static final int SORT = 20;

    private final Lives lives;
    private final Work work;
    private final int[] byFirst;
    /** For each place in {@link #byFirst} the last end of the lives up to there. */
    private final int[] lastEnds;
    /** Half the width of the stretches of each level. */
    private final int[] halves;

    private final @Nullable Stretch[][] levels;
    private final long[] lows;
    private final long[] highs;
    private final boolean[] placed;

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
     * Makes an empty one.
     *
     * @param lives the lives, at least one
     * @param work what is spent
     */
    Stretches(Lives lives, Work work) {
        this.lives = lives;
        this.work = work;
        int count = lives.count();
        this.byFirst = Order.EARLIEST.of(lives);
        this.lastEnds = new int[count];
        this.lows = new long[count];
        this.highs = new long[count];
        this.placed = new boolean[count];
        int last = 0;
        int longest = 0;
        for (int k = 0; k < count; k++) {
            last = Math.max(last, lives.end(byFirst[k]));
            lastEnds[k] = last;
            longest = Math.max(longest, lives.length(k));
        }
        // A stretch in which as many lives begin as are live at a moment.
        long half = Math.clamp(lives.totalLength() / 2 / count, 1, lives.moments());
        int count2 = 1;
        for (long widest = half; widest < longest; widest *= FAN) {
            count2++;
        }
        this.halves = new int[count2];
        this.levels = new Stretch[count2][];
        for (int level = 0; level < count2; level++) {
            halves[level] = (int) Math.min(half, lives.moments());
            levels[level] = new Stretch[(lives.moments() - 1) / halves[level] + 1];
            half *= FAN;
        }
        work.spend(2L * SORT * count);
    }

    /** Takes all lives away and places those again that end by a height, at the addresses given. */
    void reset(long[] addresses, long height) {
        for (Stretch[] level : levels) {
            Arrays.fill(level, null);
        }
        for (int i = 0; i < lows.length; i++) {
            lows[i] = addresses[i];
            highs[i] = addresses[i] + lives.size(i);
            placed[i] = highs[i] <= height;
        }
        work.spend(lows.length);
    }

    boolean isPlaced(int life) {
        return placed[life];
    }

    /** The address of a placed life. */
    long low(int life) {
        return lows[life];
    }

    /** Where a placed life ends. */
    long high(int life) {
        return highs[life];
    }

    /** The placed lives of a stretch of time that a life is within; some of them it may not meet. */
    Stretch around(int life) {
        int length = lives.length(life);
        int level = 0;
        while (halves[level] < length) {
            level++;
        }
        return stretch(level, lives.first(life) / halves[level]);
    }

    /** Places a life that has no place. */
    void place(int life, long address) {
        lows[life] = address;
        highs[life] = address + lives.size(life);
        placed[life] = true;
        for (int level = 0; level < levels.length; level++) {
            int last = (lives.end(life) - 1) / halves[level];
            for (int at = Math.max(0, lives.first(life) / halves[level] - 1); at <= last; at++) {
                Stretch stretch = levels[level][at];
                if (stretch != null) {
                    if (stretch.count == stretch.byLow.length) {
                        stretch.byLow = Arrays.copyOf(stretch.byLow, 2 * stretch.count);
                        stretch.byHigh = Arrays.copyOf(stretch.byHigh, 2 * stretch.count);
                    }
                    insert(stretch.byLow, stretch.count, lows, life);
                    insert(stretch.byHigh, stretch.count, highs, life);
                    stretch.count++;
                    work.spend(CHANGE + stretch.count / MOVED_PER_STEP);
                }
            }
        }
    }

    /** Takes a placed life away. */
    void remove(int life) {
        placed[life] = false;
        for (int level = 0; level < levels.length; level++) {
            int last = (lives.end(life) - 1) / halves[level];
            for (int at = Math.max(0, lives.first(life) / halves[level] - 1); at <= last; at++) {
                Stretch stretch = levels[level][at];
                if (stretch != null) {
                    delete(stretch.byLow, stretch.count, lows, life);
                    delete(stretch.byHigh, stretch.count, highs, life);
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
            int from = at * halves[level];
            int to = (int) Math.min(lives.moments(), from + 2L * halves[level]);
            made = level + 1 < levels.length
                    ? part(stretch(level + 1, from / halves[level + 1]), from, to)
                    : gather(from, to);
            levels[level][at] = made;
        }
        return made;
    }

    private Stretch part(Stretch whole, int from, int to) {
        int[] byLow = new int[whole.count + 1];
        int[] byHigh = new int[whole.count + 1];
        int count = 0;
        int counted = 0;
        for (int k = 0; k < whole.count; k++) {
            int life = whole.byLow[k];
            if (meets(life, from, to)) {
                byLow[count++] = life;
            }
            life = whole.byHigh[k];
            if (meets(life, from, to)) {
                byHigh[counted++] = life;
            }
        }
        work.spend(2L * whole.count);
        return new Stretch(Arrays.copyOf(byLow, count + 1), Arrays.copyOf(byHigh, count + 1), count);
    }

    private Stretch gather(int from, int to) {
        int k = firstEndingAfter(from);
        int[] found = new int[64];
        int count = 0;
        for (; k < byFirst.length && lives.first(byFirst[k]) < to; k++) {
            work.spend(1);
            if (placed[byFirst[k]] && lives.end(byFirst[k]) > from) {
                if (count == found.length) {
                    found = Arrays.copyOf(found, 2 * count);
                }
                found[count++] = byFirst[k];
            }
        }
        int[] byLow = Arrays.copyOf(found, count);
        int[] byHigh = byLow.clone();
        RadixSort.sort(byLow, lows);
        RadixSort.sort(byHigh, highs);
        work.spend((long) SORT * count);
        return new Stretch(Arrays.copyOf(byLow, count + 1), Arrays.copyOf(byHigh, count + 1), count);
    }

    private boolean meets(int life, int from, int to) {
        return lives.first(life) < to && lives.end(life) > from;
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
}
