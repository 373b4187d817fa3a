package io.devicearena.plan.optimal;

import io.devicearena.plan.internal.live.LiveRanges;
import io.devicearena.plan.placement.PlacementProblem;
import io.devicearena.plan.placement.PlacementStrategy;
import io.devicearena.plan.strategy.PlacementStrategies;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * One search: a first placement at once, a better one by another strategy, then the search of the components.
 *
 * <p>The component that needs most bytes decides the size of the arena, so each round searches that one.
 */
final class SearchRun {
    /** O(n log n) for any input, about a second for a million buffers. */
    private static final PlacementStrategy FIRST = PlacementStrategies.fast();

    /** Has what is left of the budget. */
    private static final PlacementStrategy BETTER = PlacementStrategies.balanced();

    private final PlacementProblem problem;
    private final SearchBudget budget;
    private final Consumer<SearchProgress> listener;
    private final Incumbent incumbent;
    private long lastReport;

    SearchRun(PlacementProblem problem, SearchBudget budget, OptionalLong capacity, Consumer<SearchProgress> listener) {
        this.problem = problem;
        this.budget = budget;
        this.listener = listener;
        this.incumbent = new Incumbent(problem, FIRST.place(problem), capacity);
    }

    SearchResult run() {
        report();
        if (goesOn()) {
            try (Workers workers = new Workers(budget, this::reportIfDue)) {
                workers.await(workers.submit(() -> BETTER.place(problem, budget::isOver)))
                        .filter(incumbent::take)
                        .ifPresent(smaller -> report());
                if (goesOn()) {
                    workers.await(workers.submit(this::components)).ifPresent(all -> searchComponents(all, workers));
                }
            }
        }
        return new SearchResult(
                incumbent.offsets(), progress(), incumbent.stopReason(budget), incumbent.shortfallBytes());
    }

    private boolean goesOn() {
        return !incumbent.isFinal() && budget.check();
    }

    private List<ComponentSearch> components() {
        return LiveRanges.of(problem).components().stream()
                .map(component -> new ComponentSearch(component, incumbent.offsets()))
                .toList();
    }

    private void searchComponents(List<ComponentSearch> all, Workers workers) {
        all.forEach(component -> incumbent.prove(component.lowerBound()));
        List<ComponentSearch> open = all.stream()
                .filter(component -> component.arenaBytes() > incumbent.lowerBound())
                .toList();
        while (goesOn()) {
            ComponentSearch largest = open.stream()
                    .max(Comparator.comparingLong(ComponentSearch::arenaBytes))
                    .orElseThrow();
            long before = largest.arenaBytes();
            largest.playRound(incumbent.lowerBound(), incumbent.capacity(), budget, workers);
            incumbent.prove(largest.lowerBound());
            if (largest.arenaBytes() < before && incumbent.isSmallerNow()) {
                report();
            }
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
        return new SearchProgress(incumbent.arenaBytes(), incumbent.lowerBound(), budget.elapsed(), budget.nodes());
    }
}
