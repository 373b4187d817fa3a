package io.devicearena.plan.optimal;

import io.devicearena.plan.internal.live.LiveRanges;
import io.devicearena.plan.placement.PlacementProblem;
import io.devicearena.plan.placement.PlacementStrategy;
import io.devicearena.plan.strategy.PlacementStrategies;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * One search: a first placement at once, a better one by another strategy, then rounds in the component that needs
 * most bytes: it decides the size of the arena.
 */
final class SearchRun {
    /** O(n log n) for any input, about a second for a million buffers. */
    private static final PlacementStrategy FIRST = PlacementStrategies.fast();

    private static final PlacementStrategy BETTER = PlacementStrategies.balanced();

    private final PlacementProblem problem;
    private final SearchBudget budget;
    private final OptionalLong capacity;
    private final Consumer<SearchProgress> listener;
    private final long[] offsets;
    private final long firstLowerBound;
    private long arenaBytes;
    private long lowerBound;
    private long lastReport;

    SearchRun(PlacementProblem problem, SearchBudget budget, OptionalLong capacity, Consumer<SearchProgress> listener) {
        this.problem = problem;
        this.budget = budget;
        this.capacity = capacity;
        this.listener = listener;
        this.offsets = FIRST.place(problem);
        this.arenaBytes = arenaBytes(offsets);
        // Buffers with an empty live range are at offset 0.
        IntStream atZero = IntStream.range(0, problem.count()).filter(i -> !problem.occupies(i));
        long atZeroBytes = atZero.mapToLong(problem::size).max().orElse(0);
        this.firstLowerBound = Math.max(atZeroBytes, problem.origin() + problem.lowerBound());
        this.lowerBound = firstLowerBound;
    }

    private long arenaBytes(long[] placement) {
        long most = problem.origin();
        for (int i = 0; i < placement.length; i++) {
            most = Math.max(most, placement[i] + problem.size(i));
        }
        return most;
    }

    SearchResult run() {
        report();
        if (goesOn()) {
            try (Workers workers = new Workers(budget, this::reportIfDue)) {
                workers.await(workers.submit(() -> BETTER.place(problem, budget::isOver)))
                        .ifPresent(this::take);
                if (goesOn()) {
                    workers.await(workers.submit(this::components)).ifPresent(all -> searchComponents(all, workers));
                }
            }
        }
        return new SearchResult(offsets, progress(), stopReason(), shortfallBytes());
    }

    private boolean goesOn() {
        return arenaBytes > lowerBound && !fits() && shortfallBytes() == 0 && budget.check();
    }

    private boolean fits() {
        return capacity.isPresent() && arenaBytes <= capacity.getAsLong();
    }

    private long shortfallBytes() {
        return Math.max(0, lowerBound - capacity.orElse(Long.MAX_VALUE));
    }

    private StopReason stopReason() {
        if (fits()) {
            return StopReason.CAPACITY_REACHED;
        }
        if (shortfallBytes() > 0) {
            return StopReason.INFEASIBLE;
        }
        if (arenaBytes == lowerBound) {
            return lowerBound == firstLowerBound ? StopReason.LOWER_BOUND_REACHED : StopReason.OPTIMAL;
        }
        return budget.stopReason();
    }

    private List<ComponentSearch> components() {
        return LiveRanges.of(problem).components().stream()
                .map(component -> new ComponentSearch(component, offsets))
                .toList();
    }

    private void searchComponents(List<ComponentSearch> all, Workers workers) {
        all.forEach(component -> lowerBound = Math.max(lowerBound, component.lowerBound()));
        List<ComponentSearch> open = all.stream()
                .filter(component -> component.arenaBytes() > lowerBound)
                .toList();
        while (goesOn()) {
            ComponentSearch largest = open.stream()
                    .max(Comparator.comparingLong(ComponentSearch::arenaBytes))
                    .orElseThrow();
            boolean isSmaller = largest.playRound(lowerBound, capacity, budget, workers);
            lowerBound = Math.max(lowerBound, largest.lowerBound());
            if (isSmaller) {
                take(offsets);
            }
        }
    }

    /** Takes over a placement, or the change of its own one, if it needs a smaller arena. */
    private void take(long[] placement) {
        long bytes = arenaBytes(placement);
        if (bytes < arenaBytes) {
            System.arraycopy(placement, 0, offsets, 0, offsets.length);
            arenaBytes = bytes;
            report();
        }
    }

    private void reportIfDue() {
        if (System.nanoTime() - lastReport > SearchLimits.REPORT_NANOS) {
            report();
        }
    }

    private void report() {
        lastReport = System.nanoTime();
        listener.accept(progress());
    }

    private SearchProgress progress() {
        return new SearchProgress(arenaBytes, lowerBound, budget.elapsed(), budget.nodes());
    }
}
