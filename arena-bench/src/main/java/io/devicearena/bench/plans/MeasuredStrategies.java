package io.devicearena.bench.plans;

import io.devicearena.bench.published.Baselines;
import io.devicearena.plan.optimal.OptimalSearch;
import io.devicearena.plan.placement.PlacementStrategy;
import io.devicearena.plan.strategy.PlacementStrategies;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The strategies that are measured: those of the library, the search with a limit, and the baselines. */
final class MeasuredStrategies {
    /** Reached by a slow machine only: a search that ends by its nodes gives the same bytes everywhere. */
    private static final Duration TIME_LIMIT = Duration.ofSeconds(30);

    /** Enough for the dense packings, which take the search a second or two. */
    private static final long NODE_LIMIT = 3_000_000;

    private MeasuredStrategies() {}

    /** All strategies, for a number of buffers: baselines are left out where they would take minutes. */
    static List<PlacementStrategy> of(int buffers) {
        List<PlacementStrategy> all = new ArrayList<>(PlacementStrategies.all());
        all.add(OptimalSearch.withTimeLimit(TIME_LIMIT).withNodeLimit(NODE_LIMIT));
        if (buffers <= Baselines.MAX_BUFFERS) {
            all.addAll(Baselines.all());
        }
        return all;
    }

    /** Whether a strategy gives the same bytes on every machine, however slow it is. */
    static boolean isDeterministic(String strategy) {
        return !strategy.equals("optimal");
    }
}
