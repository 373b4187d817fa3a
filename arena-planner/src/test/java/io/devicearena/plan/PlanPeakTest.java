package io.devicearena.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.NodeId;
import io.devicearena.plan.testing.RandomGraphs;
import io.devicearena.plan.testing.TestGraph;
import io.devicearena.plan.testing.TestNode;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PlanPeakTest {
    private static PlanResult planned(LiveBuffer... buffers) {
        return MemoryPlanner.plan(List.of(buffers), PlanOptions.declared(1));
    }

    private static LiveBuffer buffer(long id, long lower, long upper, long size) {
        return new LiveBuffer(NodeId.of(id), lower, upper, size);
    }

    @Test
    void peak_ofBuffers_isTheFirstStepWithMostBytes() {
        PlanPeak peak = PlanPeak.of(planned(
                buffer(0, 0, 3, 10), buffer(1, 2, 5, 20), buffer(2, 3, 4, 10), buffer(3, 1, 9, 5), buffer(4, 2, 3, 0)));

        assertThat(peak.step()).isEqualTo(2);
        assertThat(peak.bytes()).isEqualTo(35);
        assertThat(peak.values()).containsExactly(buffer(1, 2, 5, 20), buffer(0, 0, 3, 10), buffer(3, 1, 9, 5));
    }

    @Test
    void peak_withoutValues_isEmpty() {
        assertThat(PlanPeak.of(planned())).isEqualTo(new PlanPeak(0, 0, List.of()));
        assertThat(PlanPeak.of(planned(buffer(0, 4, 4, 10)))).isEqualTo(new PlanPeak(0, 0, List.of()));
    }

    @Test
    void peak_atAConcatenation_countsItsPartsOnce() {
        TestGraph graph =
                new TestGraph().op(0, 16).op(1, 32).concatenation(2, 48, 0, 1).output(3, 1, 2);
        PlanPeak peak = PlanPeak.of(MemoryPlanner.plan(graph, PlanOptions.f32Uniform(16)));

        assertThat(peak.step()).isEqualTo(3);
        assertThat(peak.values()).extracting(LiveBuffer::id).containsExactlyElementsOf(TestNode.ids(2, 3));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.devicearena.plan.Seeds#all")
    void peak_withoutSharing_isTheLowerBound(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        TestGraph graph = RandomGraphs.graph(random, 1 + random.nextInt(150));
        PlanOptions options = RandomGraphs.options(random);
        TestGraph apart = new TestGraph();
        graph.nodes().forEach(node -> apart.node(node.alone()));
        graph.outputs().forEach(output -> apart.reads(output.value()));

        PlanResult planned = MemoryPlanner.plan(apart, options);
        assertThat(checkedPeak(planned).bytes()).isEqualTo(planned.lowerBoundBytes());
        PlanResult sharing = MemoryPlanner.plan(graph, options);
        assertThat(checkedPeak(sharing).bytes())
                .isGreaterThanOrEqualTo(sharing.lowerBoundBytes())
                .isLessThanOrEqualTo(sharing.plan().arenaSize());
    }

    private static PlanPeak checkedPeak(PlanResult planned) {
        PlanPeak peak = PlanPeak.of(planned);
        assertThat(peak.bytes())
                .isEqualTo(peak.values().stream().mapToLong(LiveBuffer::size).sum());
        assertThat(peak.values()).allMatch(value -> value.firstStep() <= peak.step() && peak.step() < value.endStep());
        return peak;
    }
}
