package io.devicearena.plan.internal.ejection;

import io.devicearena.plan.internal.live.LiveRanges;
import io.devicearena.plan.internal.live.RadixSort;
import io.devicearena.plan.internal.live.StepBudget;
import io.devicearena.plan.internal.overlap.InsertionSearch;
import io.devicearena.plan.internal.overlap.OverlapIndex;
import io.devicearena.plan.internal.overlap.PlacementState;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Lowers a placement by ejection: each buffer that ends above the target is inserted where the summed weight of the
 * buffers in the way, which are inserted anew in turn, is least. A buffer that finds no free offset gains weight, so
 * those that are hard to place come to rest. Tiers of buffers follow each other, the one with the largest areas first.
 *
 * <p><b>Source:</b> Nagata and Bräysy, "A Powerful Route Minimization Heuristic for the Vehicle Routing Problem with
 * Time Windows", 2009, for ejections guided by counts of failures.
 */
final class EjectionSearch {
    /** The most tiers; the last one has all buffers. */
    private static final int TIERS = 4;
    /** Each tier leaves this many times less of the area to later ones than the tier before. */
    private static final int AREA_DIVISOR = 8;

    private static final long STEPS_TO_PREPARE = 40;
    /** A tier may take one part in so many of the budget that is left, so that later targets get some. */
    private static final int SHARES = 8;
    /** The largest first weight; weights are whole numbers. */
    private static final double LARGEST_WEIGHT = 1 << 20;

    private final LiveRanges ranges;
    private final StepBudget budget;
    private final int ejectionsPerBuffer;
    private final PlacementState state;
    private final Deque<OverlapIndex> tiers = new ArrayDeque<>();

    /** The weight of each buffer at first, and what each failure adds to it. */
    private final long[] firstWeights;

    private final long[] weights;
    /** The unplaced buffers, the heaviest first. */
    private final PriorityQueue<Integer> unplaced;

    private final InsertionSearch insertion;
    /** The number of the last target at which a buffer was unplaced. */
    private final int[] lastUnplacedAt;

    private int targets;
    private long target;
    private long[] former = {};
    private long stepsPerTier;
    private long ejectionsLeft;
    private Iterator<OverlapIndex> laterTiers = List.<OverlapIndex>of().iterator();
    /** The tier whose buffers are being placed; null between targets. */
    private @Nullable OverlapIndex tier;
    /** The budget that is left when the present tier has taken all it may. */
    private long leastLeft;

    /** What a slice of the search came to. */
    enum Outcome {
        REACHED,
        PAUSED,
        GIVEN_UP
    }

    /** Prepares; each buffer that was unplaced allows some ejections, and the seed decides between equal weights. */
    EjectionSearch(LiveRanges ranges, int ejectionsPerBuffer, long seed, StepBudget budget) {
        this.ranges = ranges;
        this.budget = budget;
        this.ejectionsPerBuffer = ejectionsPerBuffer;
        this.state = new PlacementState(ranges);
        double[] areas = new double[ranges.count()];
        for (int i = 0; i < areas.length; i++) {
            areas[i] = (double) ranges.size(i) * ranges.length(i);
        }
        double[] sorted = areas.clone();
        Arrays.sort(sorted);
        this.firstWeights = new long[areas.length];
        double largest = Math.sqrt(sorted[sorted.length - 1]);
        for (int i = 0; i < areas.length; i++) {
            firstWeights[i] = 1 + (long) (Math.sqrt(areas[i]) / largest * LARGEST_WEIGHT);
        }
        this.weights = firstWeights.clone();
        this.insertion = new InsertionSearch(ranges, state, weights, seed, budget);
        this.lastUnplacedAt = new int[areas.length];
        this.unplaced = new PriorityQueue<>(
                Comparator.comparingLong((Integer i) -> -weights[i]).thenComparingInt(i -> i));
        makeTiers(areas, sorted);
        budget.spend(STEPS_TO_PREPARE * areas.length);
    }

    private void makeTiers(double[] areas, double[] sorted) {
        int[] members = ranges.byFirst();
        double left = Arrays.stream(sorted).sum() / Math.pow(AREA_DIVISOR, TIERS - 1.0);
        int begin = 0;
        double passed = 0;
        for (int k = 0; k < TIERS; k++) {
            boolean isMuchSmaller =
                    tiers.isEmpty() || 3 * members.length < 2 * tiers.getFirst().buffers().length;
            if (isMuchSmaller) {
                tiers.addFirst(new OverlapIndex(ranges, members, state, budget));
            }
            while (begin < sorted.length - 1 && passed + sorted[begin] <= left) {
                passed += sorted[begin++];
            }
            double least = sorted[begin];
            members = Arrays.stream(members).filter(i -> areas[i] >= least).toArray();
            left *= AREA_DIVISOR;
        }
    }

    /** Turns to a target height in bytes above the origin, from a placement, with so many steps for each tier. */
    void begin(long[] offsets, long height, long steps) {
        former = offsets;
        target = height;
        stepsPerTier = steps;
        targets++;
        ejectionsLeft = ejectionsPerBuffer;
        for (int i = 0; i < former.length; i++) {
            state.remove(i);
        }
        laterTiers = tiers.iterator();
        tier = null;
    }

    /** Goes on towards the target, for about so many steps at most. */
    Outcome advance(long steps) {
        long pauseAt = budget.left() - steps;
        while (tier != null || laterTiers.hasNext()) {
            if (budget.left() < pauseAt) {
                return Outcome.PAUSED;
            }
            OverlapIndex present = tier;
            if (present == null) {
                present = laterTiers.next();
                tier = present;
                enter(present);
                leastLeft = budget.left() - Math.min(stepsPerTier, budget.left() / SHARES);
            }
            if (!placeUnplaced(present, pauseAt)) {
                return budget.left() < leastLeft || ejectionsLeft < 0 ? Outcome.GIVEN_UP : Outcome.PAUSED;
            }
            tier = null;
        }
        return Outcome.REACHED;
    }

    /** The placement of a target that was reached; not a copy. */
    long[] offsets() {
        return state.offsets();
    }

    /** Places what a tier adds where it was if nothing that has moved is in the way, else by first fit. */
    private void enter(OverlapIndex entered) {
        int[] moved = Arrays.stream(entered.buffers())
                .filter(i -> state.isPlaced(i) && state.offset(i) != former[i])
                .toArray();
        int[] staying = Arrays.stream(entered.buffers())
                .filter(i -> !state.isPlaced(i))
                .filter(i -> former[i] <= ranges.highestOffset(i, target))
                .toArray();
        if (moved.length > 0) {
            OverlapIndex inTheWay = new OverlapIndex(ranges, moved, state, budget);
            staying = Arrays.stream(staying)
                    .filter(i -> !budget.isExhausted() && insertion.isFree(inTheWay, i, former[i]))
                    .toArray();
        }
        for (int i : staying) {
            state.place(i, former[i]);
        }
        entered.clear();
        budget.spend(4L * entered.buffers().length);
        unplaced.clear();
        placeByFirstFit(entered);
    }

    /** Places what has a free offset below the target, the longest first. */
    private void placeByFirstFit(OverlapIndex entered) {
        int[] waiting =
                Arrays.stream(entered.buffers()).filter(i -> !state.isPlaced(i)).toArray();
        long[] byLength = new long[ranges.count()];
        for (int i : waiting) {
            byLength[i] = (long) ranges.cliques() - ranges.length(i);
        }
        RadixSort.sort(waiting, byLength);
        for (int i : waiting) {
            if (budget.isExhausted()) {
                unplaced.add(i);
                continue;
            }
            entered.dropWiderThan(i);
            long offset = insertion.firstFit(entered, i);
            if (offset <= ranges.highestOffset(i, target)) {
                entered.place(i, offset);
            } else {
                unplaced.add(i);
            }
        }
    }

    /** Inserts unplaced buffers until there are none; false where it must pause or give up. */
    private boolean placeUnplaced(OverlapIndex present, long pauseAt) {
        while (!unplaced.isEmpty()) {
            if (budget.left() < Math.max(leastLeft, pauseAt) || ejectionsLeft < 0) {
                return false;
            }
            int buffer = unplaced.remove();
            if (lastUnplacedAt[buffer] != targets) {
                lastUnplacedAt[buffer] = targets;
                ejectionsLeft += ejectionsPerBuffer;
            }
            if (!insertion.findCheapest(present, buffer, ranges.highestOffset(buffer, target))) {
                ejectionsLeft = -1;
                return false;
            }
            if (!insertion.isFoundFree()) {
                weights[buffer] += firstWeights[buffer];
                ejectionsLeft--;
                for (int other : insertion.inTheWay(buffer)) {
                    present.remove(other);
                    unplaced.add(other);
                }
            }
            present.place(buffer, insertion.found());
        }
        return true;
    }
}
