package io.devicearena.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import io.devicearena.plan.optimal.OptimalSearch;
import io.devicearena.plan.optimal.SearchProgress;
import io.devicearena.plan.optimal.SearchResult;
import io.devicearena.plan.optimal.StopReason;
import io.devicearena.plan.placement.PlacementProblem;
import io.devicearena.plan.placement.PlacementStrategies;
import io.devicearena.plan.placement.PlacementStrategy;
import java.io.IOException;
import java.io.PrintWriter;
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
 * How a command places values: by a strategy that answers at once, or by the search, whose way it shows and whose results
 * it keeps. A planner may search several times, for instance with less sharing.
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
     * Finds what a command asked for.
     *
     * @param capacity the size that is good enough
     * @throws IllegalArgumentException if there is no strategy of that name; the message lists those that exist
     */
    static PlanSearch of(
            String name, Duration budget, OptionalLong capacity, Progress progress, BooleanSupplier cancelled) {
        List<SearchResult> results = new ArrayList<>();
        if (!name.equals(OPTIMAL)) {
            return new PlanSearch(named(name), results);
        }
        return new PlanSearch(
                new Searches(budget, time -> {
                    OptimalSearch search = OptimalSearch.withTimeLimit(time)
                            .onProgress(now -> progress.tell(line(now)))
                            .cancelWhen(cancelled)
                            .onResult(results::add);
                    return capacity.isPresent() ? search.withCapacity(capacity.getAsLong()) : search;
                }),
                results);
    }

    /** Searches as often as a planner places values, within one budget together. Threads: one thread at a time. */
    private static final class Searches implements PlacementStrategy {
        private static final int LEAST_PART = 20; // of the budget, for a search that comes when it is spent

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
            Duration least = budget.dividedBy(LEAST_PART).plusNanos(1);
            SearchResult result =
                    searches.apply(left.compareTo(least) < 0 ? least : left).search(problem);
            left = left.minus(result.elapsed());
            return result.offsets();
        }

        @Override
        public boolean isEnough(long bytes) {
            return searches.apply(budget).isEnough(bytes);
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
                "best so far %,d bytes, %.4f times the bound; %.1f s, %,d looks",
                now.arenaBytes(),
                Figures.ratio(now.arenaBytes(), now.lowerBound()),
                now.elapsed().toMillis() / 1e3,
                now.nodes());
    }

    PlacementStrategy strategy() {
        return strategy;
    }

    /** What the searches found, in the order in which they were made. */
    List<SearchResult> results() {
        return List.copyOf(results);
    }

    /** The search that gave a plan of a size; empty when none was asked for. */
    Optional<SearchResult> result(long arenaSize) {
        return results.stream()
                .filter(result -> result.arenaBytes() == arenaSize)
                .findFirst()
                .or(() -> results.stream().findFirst());
    }

    /** Whether every search proved that nothing fits the capacity. */
    boolean isProvedNotToFit() {
        return !results.isEmpty() && results.stream().allMatch(result -> result.stopReason() == StopReason.INFEASIBLE);
    }

    static void json(SearchResult result, JsonGenerator json) throws IOException {
        json.writeObjectFieldStart("search");
        json.writeStringField("end", Shown.label(result.stopReason()));
        json.writeBooleanField("provedOptimal", result.isProvedOptimal());
        json.writeNumberField("provedLowerBoundBytes", result.lowerBound());
        json.writeNumberField("seconds", result.elapsed().toNanos() / 1e9);
        json.writeNumberField("looks", result.nodes());
        json.writeEndObject();
    }

    static void text(SearchResult result, PrintWriter out) {
        String end = switch (result.stopReason()) {
            case LOWER_BOUND_REACHED -> "proved optimal, the lower bound is met";
            case OPTIMAL -> "proved optimal, nothing smaller exists";
            case CAPACITY_REACHED -> "ended as soon as the plan fitted";
            case INFEASIBLE -> "proved that nothing fits the capacity";
            case TIME_LIMIT -> "the time was up; a larger --budget may find a smaller plan";
            case NODE_LIMIT -> "the work allowed was done; more of it may find a smaller plan";
            case CANCELLED -> "interrupted; this is the best plan so far";
        };
        PlanFigures.line(
                out,
                "search",
                String.format(
                        Locale.ROOT,
                        "%s (%.2f s, %,d looks)",
                        end,
                        result.elapsed().toNanos() / 1e9,
                        result.nodes()));
    }
}
