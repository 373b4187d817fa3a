package io.devicearena.cli;

import io.devicearena.cli.json.JsonFields;
import io.devicearena.cli.message.HumanReadable;
import io.devicearena.cli.message.ProgressLine;
import io.devicearena.cli.message.TerminalText;
import io.devicearena.cli.output.TextLines;
import io.devicearena.plan.optimal.OptimalSearch;
import io.devicearena.plan.optimal.SearchProgress;
import io.devicearena.plan.optimal.SearchResult;
import io.devicearena.plan.optimal.StopReason;
import io.devicearena.plan.placement.PlacementProblem;
import io.devicearena.plan.placement.PlacementStrategy;
import io.devicearena.plan.strategy.PlacementStrategies;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The strategy of a command: one that places values directly, or the search for the optimum, whose progress it shows
 * and whose results it keeps. A planner may search several times, for example with less sharing.
 */
final class PlanSearch {
    static final String OPTIMAL = "optimal";

    private final PlacementStrategy strategy;
    private final List<SearchResult> results;

    private PlanSearch(PlacementStrategy strategy, List<SearchResult> results) {
        this.strategy = strategy;
        this.results = results;
    }

    /**
     * Finds a strategy.
     *
     * @param name the name of a strategy of the library, or {@link #OPTIMAL}
     * @param budget how long all searches may take together
     * @param capacity the arena size in bytes at which a search stops
     * @throws IllegalArgumentException if no strategy has that name; the message lists the names
     */
    static PlanSearch of(
            String name, Duration budget, OptionalLong capacity, ProgressLine progress, BooleanSupplier cancelled) {
        List<SearchResult> results = new ArrayList<>();
        if (!name.equals(OPTIMAL)) {
            return new PlanSearch(named(name), results);
        }
        return new PlanSearch(
                new Searches(budget, time -> {
                    OptimalSearch search = OptimalSearch.withTimeLimit(time)
                            .onProgress(now -> progress.show(line(now)))
                            .cancelWhen(cancelled)
                            .onResult(results::add);
                    return capacity.isPresent() ? search.withCapacity(capacity.getAsLong()) : search;
                }),
                results);
    }

    /**
     * Searches each time that a planner places values; all searches share one budget. Threads: one thread at a time.
     */
    static final class Searches implements PlacementStrategy {
        private static final int MIN_SHARE = 20; // a search that starts late gets at least this fraction of the budget

        private final Duration budget;
        private final Function<Duration, OptimalSearch> searches;
        private Duration left;

        Searches(Duration budget, Function<Duration, OptimalSearch> searches) {
            this.budget = budget;
            this.searches = searches;
            this.left = budget;
        }

        @Override
        public String name() {
            return OPTIMAL;
        }

        @Override
        public long[] place(PlacementProblem problem) {
            Duration least = budget.dividedBy(MIN_SHARE).plusNanos(1);
            SearchResult result =
                    searches.apply(left.compareTo(least) < 0 ? least : left).search(problem);
            left = left.minus(result.elapsed());
            return result.offsets();
        }

        @Override
        public boolean isGoodEnough(long bytes) {
            return searches.apply(budget).isGoodEnough(bytes);
        }
    }

    private static PlacementStrategy named(String name) {
        return PlacementStrategies.all().stream()
                .filter(strategy -> strategy.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "strategy: expected one of " + String.join(", ", new Names()) + ", got '" + name + "'"));
    }

    /** The names of all strategies, the default first and the search last. */
    static final class Names implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Stream.concat(PlacementStrategies.all().stream().map(PlacementStrategy::name), Stream.of(OPTIMAL))
                    .iterator();
        }
    }

    private static String line(SearchProgress now) {
        return String.format(
                Locale.ROOT,
                "best so far %,d bytes, %.4f times the lower bound; %.1f s, %,d nodes",
                now.arenaBytes(),
                HumanReadable.ratio(now.arenaBytes(), now.lowerBound()),
                now.elapsed().toMillis() / 1e3,
                now.nodes());
    }

    PlacementStrategy strategy() {
        return strategy;
    }

    /** The results of the searches, in the order in which they ran. */
    List<SearchResult> results() {
        return List.copyOf(results);
    }

    /** The search that returned a plan of this size; empty when the strategy is no search. */
    Optional<SearchResult> result(long arenaSize) {
        return results.stream()
                .filter(result -> result.arenaBytes() == arenaSize)
                .findFirst()
                .or(() -> results.stream().findFirst());
    }

    /** Whether every search proved that no plan fits the capacity. */
    boolean isProvedNotToFit() {
        return !results.isEmpty() && results.stream().allMatch(result -> result.stopReason() == StopReason.INFEASIBLE);
    }

    /**
     * Writes the field {@code search}.
     *
     * @param enlarged whether the plan is larger than the result; then nothing is proved for it
     */
    static void json(SearchResult result, boolean enlarged, JsonFields json) {
        json.put(
                "search",
                new JsonFields()
                        .put("end", TerminalText.label(result.stopReason()))
                        .put("provedOptimal", result.isProvedOptimal() && !enlarged)
                        .put("provedLowerBoundBytes", result.lowerBound())
                        .put("seconds", result.elapsed().toNanos() / 1e9)
                        .put("looks", result.nodes()));
    }

    static void text(SearchResult result, TextLines out) {
        String end = switch (result.stopReason()) {
            case LOWER_BOUND_REACHED -> "optimal: the plan meets the lower bound";
            case OPTIMAL -> "optimal: the search proved that no smaller plan exists";
            case CAPACITY_REACHED -> "stopped at the first plan that fits the capacity";
            case INFEASIBLE -> "proved that no plan fits the capacity";
            case TIME_LIMIT -> "time limit reached; a larger --budget may find a smaller plan";
            case NODE_LIMIT -> "node limit reached; a larger one may find a smaller plan";
            case CANCELLED -> "interrupted; this is the best plan so far";
        };
        out.line(
                "search",
                String.format(
                        Locale.ROOT,
                        "%s (%.2f s, %,d nodes)",
                        end,
                        result.elapsed().toNanos() / 1e9,
                        result.nodes()));
    }
}
