package io.devicearena.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.BufferSlot;
import io.devicearena.NodeId;
import io.devicearena.plan.testing.RandomGraphs;
import io.devicearena.plan.testing.TestGraph;
import io.devicearena.plan.testing.TestNode;
import io.devicearena.plan.validation.PlanValidator;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Plans in which each value has bytes of its own. */
class WithoutReuseTest {
    private static final PlanOptions OPTIONS = PlanOptions.f32Uniform(16);

    @Test
    void valuesOfAChain_withoutReuse_lieOneBehindTheOther() {
        TestGraph graph = new TestGraph()
                .op(0, 16)
                .inPlace(1, 16, 0)
                .op(2, 16, 1)
                .concatenation(3, 32, 1, 2)
                .reads(3);
        PlanResult planned = MemoryPlanner.plan(graph, OPTIONS.withoutReuse());

        assertThat(planned.aliases()).isEmpty();
        assertThat(planned.plan().arenaSize()).isEqualTo(64 + 64 + 64 + 128);
        assertThat(planned.buffers()).contains(new LiveBuffer(NodeId.of(0), 0, 2, 64));
    }

    @Test
    void lowerBound_withoutReuse_isThatOfThePlanWithReuse() {
        TestGraph graph = new TestGraph().op(0, 16).op(1, 16, 0).op(2, 16, 1).output(3, 16, 2);

        assertThat(MemoryPlanner.plan(graph, OPTIONS.withoutReuse()).lowerBoundBytes())
                .isEqualTo(MemoryPlanner.plan(graph, OPTIONS).lowerBoundBytes())
                .isEqualTo(128);
    }

    @Test
    void buffers_withoutReuse_lieOneBehindTheOther() {
        List<LiveBuffer> buffers =
                List.of(new LiveBuffer(NodeId.of(0), 0, 1, 64), new LiveBuffer(NodeId.of(1), 1, 2, 32));
        PlanResult planned = MemoryPlanner.plan(buffers, OPTIONS.withoutReuse());

        assertThat(planned.plan().arenaSize()).isEqualTo(96);
        assertThat(planned.lowerBoundBytes()).isEqualTo(64);
        assertThat(planned.buffers()).isEqualTo(buffers);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.devicearena.plan.Seeds#all")
    void randomGraph_withoutReuse_hasNoByteInTwoValuesButViews(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        TestGraph graph = RandomGraphs.graph(random, 1 + random.nextInt(200));
        PlanOptions options = RandomGraphs.options(random).withoutReuse();
        PlanResult planned = MemoryPlanner.plan(graph, options);

        PlanValidator.validate(planned.plan(), graph, options);
        List<BufferSlot> slots = graph.nodes().stream()
                .filter(node -> node.view().isEmpty() && !node.isFused())
                .map(TestNode::id)
                .map(id -> planned.plan().slot(id).orElseThrow())
                .filter(slot -> slot.size() > 0)
                .sorted(Comparator.comparingLong(BufferSlot::offset))
                .toList();
        for (int i = 1; i < slots.size(); i++) {
            assertThat(slots.get(i).offset())
                    .isGreaterThanOrEqualTo(slots.get(i - 1).end());
        }
    }
}
