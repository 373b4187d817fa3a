package io.devicearena.bench.plans;

import io.devicearena.plan.placement.PlacementProblem;
import io.devicearena.plan.placement.PlacementStrategy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs strategies on a problem, checks what they return, and takes the time. */
final class PlanMeasurement {
    private static final int MAX_WARM_RUNS = 9;

    /** Runs after the first one end when they have taken this long together. */
    private static final long WARM_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private PlanMeasurement() {}

    /**
     * Measures.
     *
     * @throws IllegalStateException if a strategy returns an invalid placement
     */
    static PlanFigures of(TraceProblem trace, List<PlacementStrategy> strategies) {
        PlacementProblem problem = trace.problem();
        long bound = problem.lowerBound();
        List<PlanFigures.Result> results = new ArrayList<>();
        for (PlacementStrategy strategy : strategies) {
            results.add(result(problem, bound, strategy));
        }
        return new PlanFigures(trace.name(), problem.count(), bound, results);
    }

    private static PlanFigures.Result result(PlacementProblem problem, long bound, PlacementStrategy strategy) {
        long begun = System.nanoTime();
        long[] offsets = strategy.place(problem);
        long coldNanos = System.nanoTime() - begun;
        PlacementCheck.check(strategy.name(), problem, offsets);

        List<Long> warmNanos = new ArrayList<>();
        for (long spent = coldNanos; spent < WARM_NANOS && warmNanos.size() < MAX_WARM_RUNS; ) {
            begun = System.nanoTime();
            strategy.place(problem);
            warmNanos.add(System.nanoTime() - begun);
            spent += warmNanos.getLast();
        }
        long medianNanos = warmNanos.stream()
                .sorted()
                .skip(warmNanos.size() / 2)
                .findFirst()
                .orElse(coldNanos);
        long arena = PlacementCheck.arenaBytes(problem, offsets);
        return new PlanFigures.Result(
                strategy.name(), arena, bound == 0 ? 1 : (double) arena / bound, coldNanos / 1e6, medianNanos / 1e6);
    }
}
