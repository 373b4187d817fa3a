package io.devicearena.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.devicearena.BufferSlot;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.plan.testing.RandomGraphs;
import io.devicearena.plan.testing.TestGraph;
import io.devicearena.plan.validation.PlanValidator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Bytes between the end of a value and the end of its slot. */
class GuardBytesTest {
    private static final PlanOptions GUARDED = PlanOptions.f32Uniform(16).withGuardBytes(20);

    private static BufferSlot slot(MemoryPlan plan, long id) {
        return plan.slot(NodeId.of(id)).orElseThrow();
    }

    @Test
    void eachValueHasItsGuard_viewsAndPartsLieInTheirs() {
        TestGraph graph = new TestGraph()
                .parameter(1, 4)
                .view(2, 2, 1, 1)
                .op(3, 4, 2)
                .op(4, 4, 2)
                .concatenation(5, 8, 3, 4)
                .inPlace(6, 8, 5)
                .output(7, 3, 6);
        MemoryPlan plan = MemoryPlanner.plan(graph, GUARDED).plan();

        PlanValidator.validate(plan, graph, GUARDED);
        assertThat(GUARDED.guardBytes()).isEqualTo(32);
        assertThat(slot(plan, 1)).isEqualTo(new BufferSlot(0, 16 + 32));
        assertThat(slot(plan, 2)).isEqualTo(new BufferSlot(4, 8));
        assertThat(slot(plan, 5).size()).isEqualTo(32 + 32);
        assertThat(slot(plan, 3)).isEqualTo(new BufferSlot(slot(plan, 5).offset(), 16));
        assertThat(slot(plan, 4)).isEqualTo(new BufferSlot(slot(plan, 5).offset() + 16, 16));
        assertThat(slot(plan, 6)).isEqualTo(slot(plan, 5));
        assertThat(slot(plan, 7).size()).isEqualTo(16 + 32);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.devicearena.plan.Seeds#all")
    void guardedPlansAreValid_andAsLargeAsTheirBoundAtLeast(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        TestGraph graph = RandomGraphs.graph(random, 60);
        PlanOptions options = RandomGraphs.options(random).withBoundary(0);
        PlanOptions guarded = options.withGuardBytes(1 + random.nextInt(300));

        PlanResult planned = MemoryPlanner.plan(graph, guarded);

        PlanValidator.validate(planned.plan(), graph, guarded);
        PlanValidator.validate(planned.plan(), planned.buffers(), guarded);
        assertThat(planned.plan().arenaSize()).isGreaterThanOrEqualTo(planned.lowerBoundBytes());
        assertThat(MemoryPlanner.plan(graph, options.withGuardBytes(0))).isEqualTo(MemoryPlanner.plan(graph, options));
    }

    @Test
    void aSlotWithoutItsGuardIsFound() {
        TestGraph graph = new TestGraph().input(1, 4).output(2, 4, 1);
        MemoryPlan plan = MemoryPlanner.plan(graph, GUARDED).plan();
        Map<NodeId, BufferSlot> slots = new LinkedHashMap<>(plan.slots());
        slots.put(NodeId.of(2), new BufferSlot(slot(plan, 2).offset(), 16 + 16));
        MemoryPlan wrong = new MemoryPlan(plan.arenaSize(), slots, plan.schedule());

        assertThatThrownBy(() -> PlanValidator.validate(wrong, graph, GUARDED))
                .isInstanceOf(InvalidPlanException.class)
                .hasMessage("node 2: expected a slot of at least 16 bytes and 32 guard bytes, got 32");
    }

    @Test
    void aGuardOutOfItsRangeIsRefused() {
        assertThatThrownBy(() -> GUARDED.withGuardBytes(-1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("guard: expected 0 to 1073741824 bytes behind each value, got -1");
        assertThatThrownBy(() -> GUARDED.withGuardBytes((1L << 30) + 1)).isInstanceOf(IllegalArgumentException.class);
    }
}
