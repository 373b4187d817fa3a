package io.devicearena.plan.placement;

import io.devicearena.plan.internal.ejection.Work;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Places lives from the ground up: what is stacked so far is a terrain over time, and whichever valley is reached is given
 * the best life that lies within its walls; where none does, the valley is raised to the lower of its walls.
 *
 * <p>A life goes on level ground always, so room is lost only where a valley is raised. Valleys do not take lives from each
 * other, so it does not matter which comes first: the walk goes downhill from where it is, which keeps it among what it
 * has just touched. Takes O(n log n) time but for the search for the best life, which passes over parts of a tree that hold
 * none that fits: some tens of nodes for each life in practice.
 *
 * <p>Threads: one thread at a time. Source: Burke, Kendall and Whitwell, "A New Placement Heuristic for the Orthogonal
 * Stock-Cutting Problem", 2004, for the lowest gap first; here lives have their places along the gap.
 */
final class Valleys {
    private static final int NOBODY = -1;

    private final Lives lives;
    private final Work work;
    private final long[] addresses;
    /** The lives that have no place yet, by the number of binary digits of their lengths, the longest first. */
    private final List<Contenders> contenders = new ArrayList<>();
    /** For the first moment of a level part of the terrain: the moment after its last. */
    private final int[] ends;
    /** For the first moment of a level part: the first moment of the part before it. */
    private final int[] befores;

    private final long[] heights;

    private Valleys(Lives lives, double[] scores, Work work) {
        int moments = lives.moments();
        this.lives = lives;
        this.work = work;
        this.addresses = new long[lives.count()];
        this.ends = new int[moments];
        this.befores = new int[moments + 1];
        this.heights = new long[moments];
        int[] byFirst = Order.EARLIEST.of(lives);
        for (int digits = digits(moments); digits > 0; digits--) {
            int wanted = digits;
            int[] lasting = Arrays.stream(byFirst)
                    .filter(i -> digits(lives.length(i)) == wanted)
                    .toArray();
            if (lasting.length > 0) {
                contenders.add(new Contenders(lives, lasting, scores, work));
            }
        }
        ends[0] = moments;
        befores[0] = NOBODY;
    }

    private static int digits(int length) {
        return Integer.SIZE - Integer.numberOfLeadingZeros(length);
    }

    /**
     * Places all lives.
     *
     * @param lives the lives, at least one
     * @param scores how much each life should come before others, above 0
     * @param work what is spent
     * @return their addresses; nothing where the work was spent
     */
    static Optional<long[]> fill(Lives lives, double[] scores, Work work) {
        Valleys valleys = new Valleys(lives, scores, work);
        return valleys.run() ? Optional.of(valleys.addresses) : Optional.empty();
    }

    private boolean run() {
        int part = 0;
        for (int left = addresses.length; left > 0; ) {
            if (work.isSpent()) {
                return false;
            }
            part = lowestFrom(part);
            int life = takeBestWithin(part, ends[part]);
            if (life == NOBODY) {
                part = raise(part);
            } else {
                part = stack(part, life);
                left--;
            }
        }
        return true;
    }

    /** Walks downhill from a part to one between higher ones. */
    private int lowestFrom(int part) {
        int at = part;
        while (true) {
            int before = befores[at];
            int after = ends[at];
            work.spend(1);
            if (before != NOBODY && heights[before] < heights[at]) {
                at = before;
            } else if (after < ends.length && heights[after] < heights[at]) {
                at = after;
            } else {
                return at;
            }
        }
    }

    /** Levels a part with the lower of its neighbours; returns the part that it is then in. */
    private int raise(int part) {
        int before = befores[part];
        int after = ends[part];
        long left = before == NOBODY ? Long.MAX_VALUE : heights[before];
        long right = after == ends.length ? Long.MAX_VALUE : heights[after];
        heights[part] = Math.min(left, right);
        if (right == heights[part]) {
            join(part, after);
        }
        return left == heights[part] ? join(before, part) : part;
    }

    private int join(int part, int after) {
        end(part, ends[after]);
        return part;
    }

    private void end(int part, int end) {
        ends[part] = end;
        if (end < ends.length) {
            befores[end] = part;
        }
    }

    /** Puts a life on a part, which falls into up to three; returns the one below the life. */
    private int stack(int part, int i) {
        long address = lives.clearOfBoundary(heights[part], lives.size(i));
        addresses[i] = address;
        int first = lives.first(i);
        int end = lives.end(i);
        int partEnd = ends[part];
        long ground = heights[part];
        if (first > part) {
            befores[first] = part;
            ends[part] = first;
        }
        if (end < partEnd) {
            heights[end] = ground;
            end(end, partEnd);
        }
        heights[first] = address + lives.size(i);
        end(first, end);
        if (end < ends.length && heights[end] == heights[first]) {
            join(first, end);
        }
        int before = befores[first];
        return before != NOBODY && heights[before] == heights[first] ? join(before, first) : first;
    }

    /** Takes the best life without a place that lives from a moment to before another at most. */
    private int takeBestWithin(int first, int end) {
        Contenders best = contenders.getFirst();
        int place = NOBODY;
        double score = 0;
        for (Contenders set : contenders) {
            if (set.mayBeWithin(first, end, score)) {
                int found = set.best(first, end, score);
                if (found != NOBODY) {
                    best = set;
                    place = found;
                    score = set.score(found);
                }
            }
        }
        return place == NOBODY ? NOBODY : best.remove(place);
    }
}
