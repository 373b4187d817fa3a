package io.devicearena.plan.internal.overlap;

import io.devicearena.plan.internal.live.LiveRanges;
import io.devicearena.plan.internal.live.RadixSort;
import io.devicearena.plan.internal.live.StepBudget;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Finds the placed buffers whose live ranges may overlap that of another one, in order of offset.
 *
 * <p>Buckets of one level overlap by half, so any live range of half their width lies within one; each level is
 * {@value #WIDTH_FACTOR} times as wide as the one below. A bucket's lists are made when they are first asked for.
 */
public final class OverlapIndex {
    private static final int WIDTH_FACTOR = 2;
    /** The narrowest buckets hold about so many buffers: fewer cost more lists than they save in scanning. */
    private static final int BUFFERS_PER_NARROWEST = 64;

    /** Steps that one change of a list counts as, and one for each {@value #MOVED_PER_STEP} entries moved. */
    private static final int STEPS_PER_CHANGE = 16;

    private static final int MOVED_PER_STEP = 8;
    /** Steps that each entry of a new list counts as, since the list is sorted. */
    private static final int STEPS_PER_SORTED = 20;

    private final LiveRanges ranges;
    private final StepBudget budget;
    private final int[] byFirst;
    /** Half the width of the buckets of each level, in cliques. */
    private final int[] halfWidths;

    private final @Nullable Bucket[][] levels;
    /** For each narrowest bucket the buffers that begin before it and go on in it. */
    private final int[][] continuing;
    /** For each narrowest bucket how many buffers begin before it. */
    private final int[] beginsBefore;

    private final PlacementState state;

    /** The placed buffers whose live ranges overlap a range of cliques. */
    static final class Bucket {
        int[] byOffset;
        int[] byEnd;
        int count;

        private Bucket(int[] byOffset, int[] byEnd, int count) {
            this.byOffset = byOffset;
            this.byEnd = byEnd;
            this.count = count;
        }

        private void insert(int buffer, PlacementState state) {
            if (count == byOffset.length) {
                byOffset = Arrays.copyOf(byOffset, 2 * count);
                byEnd = Arrays.copyOf(byEnd, 2 * count);
            }
            OverlapIndex.insert(byOffset, count, state.offsets(), buffer);
            OverlapIndex.insert(byEnd, count, state.ends(), buffer);
            count++;
        }

        private void delete(int buffer, PlacementState state) {
            OverlapIndex.delete(byOffset, count, state.offsets(), buffer);
            OverlapIndex.delete(byEnd, count, state.ends(), buffer);
            count--;
        }
    }

    /** Prepares an index of at least one of the buffers, in order of their first cliques; no list is made yet. */
    public OverlapIndex(LiveRanges ranges, int[] byFirst, PlacementState state, StepBudget budget) {
        this.ranges = ranges;
        this.state = state;
        this.budget = budget;
        this.byFirst = byFirst;
        long totalLength = 0;
        for (int i : byFirst) {
            totalLength += ranges.length(i);
        }
        // As wide as the live ranges are long on average, or wide enough to hold some buffers.
        long half = Math.max(totalLength / 2, BUFFERS_PER_NARROWEST * (long) ranges.cliques()) / byFirst.length;
        half = Math.clamp(half, 1, ranges.cliques());
        int count = 1;
        for (long widest = half; widest < ranges.cliques(); widest *= WIDTH_FACTOR) {
            count++;
        }
        this.halfWidths = new int[count];
        this.levels = new Bucket[count][];
        for (int level = 0; level < count; level++) {
            halfWidths[level] = (int) Math.min(half, ranges.cliques());
            levels[level] = new Bucket[(ranges.cliques() - 1) / halfWidths[level] + 1];
            half *= WIDTH_FACTOR;
        }
        this.continuing = new int[levels[0].length][];
        this.beginsBefore = new int[levels[0].length + 1];
        findContinuing();
        budget.spend(4L * byFirst.length);
    }

    /** Drops all lists, since buffers were placed without this index. */
    public void clear() {
        for (Bucket[] level : levels) {
            Arrays.fill(level, null);
        }
    }

    public int[] buffers() {
        return byFirst;
    }

    /** A bucket that holds all placed buffers whose live ranges overlap that of a buffer, and others. */
    Bucket around(int buffer) {
        int level = level(buffer);
        return bucket(level, ranges.first(buffer) / halfWidths[level]);
    }

    /** Drops the lists of buckets that are wider than a buffer needs. */
    public void dropWiderThan(int buffer) {
        for (int level = level(buffer) + 1; level < levels.length; level++) {
            Arrays.fill(levels[level], null);
        }
    }

    private int level(int buffer) {
        int level = 0;
        while (halfWidths[level] < ranges.length(buffer)) {
            level++;
        }
        return level;
    }

    public void place(int buffer, long offset) {
        state.place(buffer, offset);
        updateBuckets(buffer);
    }

    public void remove(int buffer) {
        state.remove(buffer);
        updateBuckets(buffer);
    }

    /** Inserts a placed buffer into all lists that overlap its live range, or deletes an unplaced one. */
    private void updateBuckets(int buffer) {
        for (int level = 0; level < levels.length; level++) {
            int first = Math.max(0, ranges.first(buffer) / halfWidths[level] - 1);
            int last = (ranges.end(buffer) - 1) / halfWidths[level];
            for (int at = first; at <= last; at++) {
                Bucket bucket = levels[level][at];
                if (bucket != null) {
                    if (state.isPlaced(buffer)) {
                        bucket.insert(buffer, state);
                    } else {
                        bucket.delete(buffer, state);
                    }
                    budget.spend(STEPS_PER_CHANGE + bucket.count / MOVED_PER_STEP);
                }
            }
        }
    }

    private static void insert(int[] list, int count, long[] keys, int buffer) {
        int at = firstNotBelow(list, count, keys, keys[buffer]);
        System.arraycopy(list, at, list, at + 1, count - at);
        list[at] = buffer;
    }

    private static void delete(int[] list, int count, long[] keys, int buffer) {
        int at = firstNotBelow(list, count, keys, keys[buffer]);
        while (list[at] != buffer) {
            at++;
        }
        System.arraycopy(list, at + 1, list, at, count - at - 1);
    }

    private static int firstNotBelow(int[] list, int count, long[] keys, long key) {
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

    private Bucket bucket(int level, int at) {
        Bucket made = levels[level][at];
        if (made == null) {
            made = gather(at * halfWidths[level], (int) Math.min(ranges.cliques(), (at + 2L) * halfWidths[level]));
            levels[level][at] = made;
        }
        return made;
    }

    private Bucket gather(int from, int to) {
        int[] begun = continuing[from / halfWidths[0]];
        int[] begin = Arrays.copyOfRange(
                byFirst, beginsBefore[from / halfWidths[0]], beginsBefore[Math.ceilDiv(to, halfWidths[0])]);
        int[] byOffset = IntStream.concat(Arrays.stream(begun), Arrays.stream(begin))
                .filter(state::isPlaced)
                .toArray();
        int count = byOffset.length;
        int[] byEnd = byOffset.clone();
        RadixSort.sort(byOffset, state.offsets());
        RadixSort.sort(byEnd, state.ends());
        budget.spend((long) STEPS_PER_SORTED * count);
        return new Bucket(Arrays.copyOf(byOffset, count + 1), Arrays.copyOf(byEnd, count + 1), count);
    }

    private void findContinuing() {
        int width = halfWidths[0];
        IntStream.Builder[] lists = new IntStream.Builder[continuing.length];
        Arrays.setAll(lists, at -> IntStream.builder());
        for (int k = byFirst.length - 1; k >= 0; k--) {
            int i = byFirst[k];
            for (int at = ranges.first(i) / width + 1; at * (long) width < ranges.end(i); at++) {
                lists[at].add(i);
            }
            beginsBefore[ranges.first(i) / width + 1]++;
        }
        Arrays.setAll(continuing, at -> lists[at].build().toArray());
        for (int at = 1; at < beginsBefore.length; at++) {
            beginsBefore[at] += beginsBefore[at - 1];
        }
    }
}
