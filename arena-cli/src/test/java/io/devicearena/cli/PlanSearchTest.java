package io.devicearena.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.NodeId;
import io.devicearena.cli.message.ProgressLine;
import io.devicearena.plan.LiveBuffer;
import io.devicearena.plan.MemoryPlanner;
import io.devicearena.plan.PlanOptions;
import io.devicearena.plan.PlanResult;
import io.devicearena.plan.optimal.SearchResult;
import io.devicearena.plan.optimal.StopReason;
import io.devicearena.plan.validation.PlanValidator;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class PlanSearchTest {
    private static final int STEPS = 100;
    private static final Duration BUDGET = Duration.ofSeconds(2);

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

    private static PlanSearch within(Duration budget, StringWriter shown, boolean cancelled) {
        return PlanSearch.of(
                "optimal",
                budget,
                OptionalLong.empty(),
                new ProgressLine(new PrintWriter(shown), true),
                () -> cancelled);
    }

    @Test
    void searchesOfOneCommandShareOneBudget() {
        StringWriter shown = new StringWriter();
        PlanSearch search = within(BUDGET, shown, false);
        PlanOptions options = PlanOptions.declared(1).withStrategy(search.strategy());
        List<LiveBuffer> buffers = dense();

        PlanResult first = MemoryPlanner.plan(buffers, options);
        PlanValidator.validate(first.plan(), buffers, options);
        SearchResult result = search.result(first.plan().arenaSize()).orElseThrow();
        assertThat(result.stopReason()).isEqualTo(StopReason.TIME_LIMIT);
        assertThat(result.elapsed()).isGreaterThanOrEqualTo(BUDGET);
        assertThat(shown.toString()).contains("best so far ").contains(" times the lower bound; ");

        PlanResult second = MemoryPlanner.plan(buffers, options);
        PlanValidator.validate(second.plan(), buffers, options);
        assertThat(search.results()).hasSize(2); // the second search gets 5 % of the budget
        assertThat(search.results().getLast().stopReason()).isEqualTo(StopReason.TIME_LIMIT);
        assertThat(search.results().getLast().nodes()).isLessThan(result.nodes());
        assertThat(second.plan().arenaSize())
                .isGreaterThanOrEqualTo(first.plan().arenaSize());
    }

    @Test
    void cancelledSearchReturnsTheIncumbent() {
        PlanSearch search = within(Duration.ofSeconds(60), new StringWriter(), true);
        PlanOptions options = PlanOptions.declared(1).withStrategy(search.strategy());
        List<LiveBuffer> buffers = dense();

        PlanResult planned = MemoryPlanner.plan(buffers, options);
        PlanValidator.validate(planned.plan(), buffers, options);
        assertThat(search.result(planned.plan().arenaSize()).orElseThrow().stopReason())
                .isEqualTo(StopReason.CANCELLED);
    }
}
