package io.devicearena.bench.published;

import io.devicearena.plan.placement.PlacementProblem;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/** The orders in which baselines place buffers. Buffers that an order does not distinguish go by index. */
final class BufferOrder {
    private BufferOrder() {}

    static List<Integer> largestFirst(PlacementProblem problem) {
        return sorted(problem, bySize(problem));
    }

    static List<Integer> largestThenLongest(PlacementProblem problem) {
        return sorted(problem, bySize(problem).thenComparing(byLength(problem)));
    }

    static List<Integer> longestThenLargest(PlacementProblem problem) {
        return sorted(problem, byLength(problem).thenComparing(bySize(problem)));
    }

    static List<Integer> tfliteBySize(PlacementProblem problem) {
        long first = live(problem).stream().mapToLong(problem::lower).min().orElse(0);
        long end = live(problem).stream().mapToLong(problem::upper).max().orElse(0);
        Comparator<Integer> throughout = Comparator.comparing(i -> problem.lower(i) > first || problem.upper(i) < end);
        return sorted(problem, throughout.thenComparing(bySize(problem)).thenComparingLong(problem::lower));
    }

    /**
     * The buffers of the step with the largest load first, then those of the next: every buffer goes with the fullest
     * step of its live range, of equally full ones with the earliest. Only steps at which a buffer begins can be the
     * fullest.
     */
    static List<Integer> byBreadth(PlacementProblem problem) {
        List<Integer> live = live(problem);
        long[] steps =
                live.stream().mapToLong(problem::lower).distinct().sorted().toArray();
        long[] loads = new long[steps.length + 1];
        for (int i : live) {
            loads[index(steps, problem.lower(i))] += problem.size(i);
            loads[index(steps, problem.upper(i))] -= problem.size(i);
        }
        Arrays.parallelPrefix(loads, Long::sum);
        int[] fullest = new int[problem.count()];
        for (int i : live) {
            fullest[i] = index(steps, problem.lower(i));
            for (int k = fullest[i]; k < steps.length && steps[k] < problem.upper(i); k++) {
                fullest[i] = loads[k] > loads[fullest[i]] ? k : fullest[i];
            }
        }
        Comparator<Integer> byLoad =
                Comparator.<Integer>comparingLong(i -> loads[fullest[i]]).reversed();
        return sorted(problem, byLoad.thenComparingInt(i -> fullest[i]).thenComparing(bySize(problem)));
    }

    /** The index of the first step that is not before a given one. */
    private static int index(long[] steps, long step) {
        int found = Arrays.binarySearch(steps, step);
        return found < 0 ? -found - 1 : found;
    }

    private static Comparator<Integer> bySize(PlacementProblem problem) {
        return Comparator.<Integer>comparingLong(problem::size).reversed();
    }

    private static Comparator<Integer> byLength(PlacementProblem problem) {
        return Comparator.<Integer>comparingLong(i -> problem.upper(i) - problem.lower(i))
                .reversed();
    }

    static List<Integer> sorted(PlacementProblem problem, Comparator<Integer> order) {
        return live(problem).stream().sorted(order).toList();
    }

    /** The buffers that need room: those with bytes and a live range. */
    private static List<Integer> live(PlacementProblem problem) {
        return IntStream.range(0, problem.count())
                .filter(problem::occupies)
                .boxed()
                .toList();
    }
}
