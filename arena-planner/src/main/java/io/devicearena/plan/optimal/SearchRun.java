package io.devicearena.plan.optimal;

import io.devicearena.plan.internal.exact.FeasibilitySolver;
import io.devicearena.plan.internal.exact.FeasibilitySolver.Verdict;
import io.devicearena.plan.internal.exact.SearchParameters;
import io.devicearena.plan.internal.live.LiveRanges;
import io.devicearena.plan.placement.PlacementProblem;
import io.devicearena.plan.strategy.PlacementStrategies;
import io.devicearena.plan.placement.PlacementStrategy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CancellationException;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * One search: a first placement at once, better ones by other strategies, then the search of the components.
 *
 * <p>The component that needs most bytes decides the size of the arena, so each round searches that one.
 *
 * <p>Threads: confined to the thread that called the search.
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
        if (!incumbent.isFinal() && budget.check()) {
            try (Workers workers = new Workers(budget, this::reportIfDue)) {
                workers.await(workers.submit(() -> place(BETTER)))
                        .flatMap(Function.identity())
                        .ifPresent(this::take);
                if (!incumbent.isFinal() && budget.check()) {
                    workers.await(workers.submit(this::components))
                            .ifPresent(components -> searchComponents(components, workers));
                }
            }
        }
        StopReason reason = incumbent.stopReason(budget);
        return new SearchResult(incumbent.offsets(), progress(), reason, incumbent.shortfallBytes());
    }

    /** The placement by a strategy; empty if the budget ends first. */
    private Optional<long[]> place(PlacementStrategy strategy) {
        try {
            return Optional.of(strategy.place(problem, budget::isOver));
        } catch (CancellationException e) {
            return Optional.empty(); // the search is over and does not read it
        }
    }

    private void take(long[] offsets) {
        if (incumbent.take(offsets)) {
            report();
        }
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
        while (!incumbent.isFinal() && budget.check()) {
            ComponentSearch largest = open.stream()
                    .max(Comparator.comparingLong(ComponentSearch::arenaBytes))
                    .orElseThrow();
            workers.await(workers.submit(largest::solvers)).ifPresent(solvers -> race(largest, solvers, workers));
            incumbent.prove(largest.lowerBound());
            // Components that are not searched need no more than the bound.
            long bytes = open.stream().mapToLong(ComponentSearch::arenaBytes).reduce(incumbent.lowerBound(), Math::max);
            if (incumbent.improve(bytes)) {
                report();
            }
        }
    }

    /** Plays one round. */
    private void race(ComponentSearch component, FeasibilitySolver[] solvers, Workers workers) {
        SearchParameters[] parameters =
                component.nextRound(incumbent.lowerBound(), incumbent.capacity(), budget.nodesLeft());
        SolverRace race = new SolverRace(budget::isOver);
        List<Future<Verdict>> running = new ArrayList<>();
        for (int i = 0; i < solvers.length; i++) {
            FeasibilitySolver solver = solvers[i];
            SearchParameters run = parameters[i];
            running.add(workers.submit(() -> race.run(solver, run)));
        }
        List<Verdict> verdicts = running.stream().map(workers::join).toList();
        for (int i = 0; i < solvers.length; i++) {
            budget.spend(Math.min(solvers[i].nodes(), race.fewestNodes()));
            // When time is up it no longer matters which answer was first.
            if (budget.isOver() || solvers[i].nodes() == race.fewestNodes()) {
                component.answered(solvers[i], parameters[i], verdicts.get(i));
            }
        }
        if (race.fewestNodes() < Long.MAX_VALUE) {
            component.endRound(race.fewestNodes() < parameters[0].nodeLimit());
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
