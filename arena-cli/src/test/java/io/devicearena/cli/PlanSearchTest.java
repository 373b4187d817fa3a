package io.devicearena.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.NodeId;
import io.devicearena.plan.LiveBuffer;
import io.devicearena.plan.MemoryPlanner;
import io.devicearena.plan.PlanOptions;
import io.devicearena.plan.PlanValidator;
import io.devicearena.plan.PlannedMemory;
import io.devicearena.plan.search.SearchEnd;
import io.devicearena.plan.search.SearchResult;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class PlanSearchTest {
    /** Buffers for which no plan as small as the lower bound is found soon, if there is one. */
    private static List<LiveBuffer> hard() {
        SplittableRandom random = new SplittableRandom(3);
        List<LiveBuffer> buffers = new ArrayList<>();
        for (int i = 0; i < 400; i++) {
            long lower = random.nextInt(300);
            buffers.add(new LiveBuffer(
                    NodeId.of(i), lower, lower + 1 + random.nextInt(40), 1_000_003L + random.nextInt(9_000_000)));
        }
        return buffers;
    }

    private static PlanSearch within(Duration budget, StringWriter shown, boolean cancelled) {
        return PlanSearch.of(
                "optimal", budget, OptionalLong.empty(), new Progress(new PrintWriter(shown), true), () -> cancelled);
    }

    @Test
    void searchesOfOneCommandShareItsBudget() {
        StringWriter shown = new StringWriter();
        PlanSearch search = within(Duration.ofSeconds(1), shown, false);
        PlanOptions options = PlanOptions.declared(1).withStrategy(search.strategy());
        List<LiveBuffer> buffers = hard();

        PlannedMemory first = MemoryPlanner.plan(buffers, options);
        PlanValidator.validate(first.plan(), buffers, options);
        SearchResult result = search.result(first.plan().arenaSize()).orElseThrow();
        assertThat(result.end()).isEqualTo(SearchEnd.BUDGET_OVER);
        assertThat(result.elapsed()).isGreaterThanOrEqualTo(Duration.ofSeconds(1));
        assertThat(shown.toString()).contains("best so far ").contains(" times the bound; ");

        PlannedMemory second = MemoryPlanner.plan(buffers, options);
        PlanValidator.validate(second.plan(), buffers, options);
        assertThat(search.results()).hasSize(2);
        assertThat(search.results().getLast().end()).isEqualTo(SearchEnd.BUDGET_OVER);
        assertThat(search.results().getLast().nodes()).isLessThan(result.nodes());
        assertThat(second.plan().arenaSize())
                .isGreaterThanOrEqualTo(first.plan().arenaSize());
    }

    @Test
    void anInterruptedSearchKeepsTheBestSoFar() {
        PlanSearch search = within(Duration.ofSeconds(60), new StringWriter(), true);
        PlanOptions options = PlanOptions.declared(1).withStrategy(search.strategy());
        List<LiveBuffer> buffers = hard();

        PlannedMemory planned = MemoryPlanner.plan(buffers, options);
        PlanValidator.validate(planned.plan(), buffers, options);
        assertThat(search.result(planned.plan().arenaSize()).orElseThrow().end())
                .isEqualTo(SearchEnd.CANCELLED);
    }
}
