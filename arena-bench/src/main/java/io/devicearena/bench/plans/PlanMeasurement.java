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
        List<PlanFigures.Result> results = new ArrayList<>();
        for (PlacementStrategy strategy : strategies) {
            results.add(result(problem, strategy));
        }
        return new PlanFigures(trace.name(), problem.count(), problem.lowerBound(), results);
    }

    private static PlanFigures.Result result(PlacementProblem problem, PlacementStrategy strategy) {
        long[][] offsets = new long[1][];
        Times times = times(() -> offsets[0] = strategy.place(problem));
        PlacementCheck.check(strategy.name(), problem, offsets[0]);
        long arena = PlacementCheck.arenaBytes(problem, offsets[0]);
        return new PlanFigures.Result(strategy.name(), arena, times.coldMillis(), times.millis());
    }

    /** The first run, and the median of the later ones or the first where there is no other; milliseconds. */
    record Times(double coldMillis, double millis) {}

    /** Runs planning code until it has run ten times or long enough. */
    static Times times(Runnable planning) {
        long coldNanos = nanos(planning);
        List<Long> warmNanos = new ArrayList<>();
        for (long spent = coldNanos; spent < WARM_NANOS && warmNanos.size() < MAX_WARM_RUNS; ) {
            warmNanos.add(nanos(planning));
            spent += warmNanos.getLast();
        }
        long medianNanos = warmNanos.stream()
                .sorted()
                .skip(warmNanos.size() / 2)
                .findFirst()
                .orElse(coldNanos);
        return new Times(coldNanos / 1e6, medianNanos / 1e6);
    }

    private static long nanos(Runnable planning) {
        long begun = System.nanoTime();
        planning.run();
        return System.nanoTime() - begun;
    }
}
