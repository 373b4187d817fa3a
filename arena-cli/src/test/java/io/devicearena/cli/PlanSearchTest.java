package io.devicearena.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.NodeId;
import io.devicearena.cli.message.ProgressLine;
import io.devicearena.plan.LiveBuffer;
import io.devicearena.plan.MemoryPlanner;
import io.devicearena.plan.PlanOptions;
import io.devicearena.plan.PlanResult;
import io.devicearena.plan.optimal.OptimalSearch;
import io.devicearena.plan.optimal.SearchResult;
import io.devicearena.plan.optimal.StopReason;
import io.devicearena.plan.placement.PlacementProblem;
import io.devicearena.plan.validation.PlanValidator;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

class PlanSearchTest {
    private static final int STEPS = 100;
    private static final Duration BUDGET = Duration.ofMillis(200);

    /** Buffers that fill the lower bound at every step: no search finds a plan of that size soon, if there is one. */
    private static List<LiveBuffer> dense() {
        SplittableRandom random = new SplittableRandom(3);
        long[] live = new long[STEPS];
        List<LiveBuffer> buffers = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            int lower = random.nextInt(STEPS);
            int upper = Math.min(STEPS, lower + 1 + random.nextInt(20));
            long size = 1_000_003L + random.nextInt(9_000_000);
            buffers.add(new LiveBuffer(NodeId.of(i), lower, upper, size));
            for (int step = lower; step < upper; step++) {
                live[step] += size;
            }
        }
        long most = Arrays.stream(live).max().orElseThrow();
        for (int step = 0; step < STEPS; step++) {
            buffers.add(new LiveBuffer(NodeId.of(200L + step), step, step + 1L, most - live[step]));
        }
        return buffers;
    }

    private static PlanSearch search(StringWriter shown, BooleanSupplier cancelled) {
        return PlanSearch.of(
                "optimal",
                Duration.ofHours(1),
                OptionalLong.empty(),
                new ProgressLine(new PrintWriter(shown), true),
                cancelled);
    }

    @Test
    void searchesOfOneCommandShareOneBudget() {
        List<Duration> limits = new ArrayList<>();
        List<SearchResult> results = new ArrayList<>();
        PlanSearch.Searches searches = new PlanSearch.Searches(BUDGET, limit -> {
            limits.add(limit);
            return OptimalSearch.withTimeLimit(limit).onResult(results::add);
        });
        PlacementProblem problem = problem(dense());
        searches.place(problem);
        searches.place(problem);
        assertThat(results)
                .extracting(SearchResult::stopReason)
                .containsExactly(StopReason.TIME_LIMIT, StopReason.TIME_LIMIT);
        assertThat(results.getFirst().elapsed()).isGreaterThanOrEqualTo(BUDGET);
        assertThat(limits) // the second search gets 5 % of the budget
                .containsExactly(BUDGET, BUDGET.dividedBy(20).plusNanos(1));
    }

    private static PlacementProblem problem(List<LiveBuffer> buffers) {
        return new PlacementProblem(
                buffers.stream().mapToLong(LiveBuffer::size).toArray(),
                buffers.stream().mapToLong(LiveBuffer::firstStep).toArray(),
                buffers.stream().mapToLong(LiveBuffer::endStep).toArray(),
                1,
                0);
    }

    @Test
    void searchShowsItsBestPlan() {
        StringWriter shown = new StringWriter();
        PlanSearch search = search(shown, () -> !shown.toString().isEmpty());
        MemoryPlanner.plan(dense(), PlanOptions.declared(1).withStrategy(search.strategy()));
        assertThat(shown.toString()).contains("best so far ").contains(" times the lower bound; ");
    }

    @Test
    void cancelledSearchReturnsTheIncumbent() {
        PlanSearch search = search(new StringWriter(), () -> true);
        PlanOptions options = PlanOptions.declared(1).withStrategy(search.strategy());
        List<LiveBuffer> buffers = dense();

        PlanResult planned = MemoryPlanner.plan(buffers, options);
        PlanValidator.validate(planned.plan(), buffers, options);
        assertThat(search.result(planned.plan().arenaSize()).orElseThrow().stopReason())
                .isEqualTo(StopReason.CANCELLED);
    }
}
