package io.devicearena.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.BufferSlot;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.NodeRole;
import io.devicearena.plan.testing.TestGraph;
import io.devicearena.plan.testing.TestNode;
import io.devicearena.plan.testing.TestResources;
import io.devicearena.plan.text.BufferCsv;
import io.devicearena.plan.text.PlanText;
import io.devicearena.plan.validation.PlanValidator;
import java.io.IOException;
import java.io.StringReader;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class NetworksTest {
    private static final long BOUNDARY = 1L << 27;

    static Stream<Arguments> networksAndOptions() {
        return Stream.of("resnet50", "densenet121", "squeezenet")
                .flatMap(name -> Stream.of(1L, 16L, 64L, 256L)
                        .flatMap(alignment -> Stream.of(
                                Arguments.of(name, "f32", alignment, PlanOptions.f32Uniform(alignment)),
                                Arguments.of(name, "declared", alignment, PlanOptions.declared(alignment)))));
    }

    @ParameterizedTest(name = "{0}, {1}, aligned to {2}")
    @MethodSource("networksAndOptions")
    void plan_ofANetwork_isValidAndAligned(String name, String sizing, long alignment, PlanOptions options)
            throws IOException {
        TestGraph graph = TestResources.network(name);
        PlanResult planned = MemoryPlanner.plan(graph, options);

        PlanValidator.validate(planned.plan(), graph, options);
        PlanValidator.validate(planned.plan(), planned.buffers(), options);
        assertThat(planned.plan().slots().values())
                .hasSize(graph.nodes().size())
                .allMatch(slot -> slot.offset() % alignment == 0 && slot.size() % alignment == 0);
        assertThat(planned.plan().arenaSize()).isGreaterThanOrEqualTo(planned.lowerBoundBytes());
    }

    @ParameterizedTest(name = "{0}, {1}, aligned to {2}")
    @MethodSource("networksAndOptions")
    void plan_ofANetwork_readsBackFromTextAndCsv(String name, String sizing, long alignment, PlanOptions options)
            throws IOException {
        PlanResult planned = MemoryPlanner.plan(TestResources.network(name), options);

        assertThat(PlanText.parse(PlanText.format(planned.plan()))).isEqualTo(planned.plan());
        StringBuilder csv = new StringBuilder();
        BufferCsv.write(planned, csv);
        PlanResult read = BufferCsv.readPlan(new StringReader(csv.toString()));
        assertThat(read.plan().slots()).isEqualTo(planned.plan().slots());
        assertThat(read.plan().schedule()).isEqualTo(planned.plan().schedule());
        assertThat(read.buffers()).isEqualTo(planned.buffers());
        assertThat(read.lowerBoundBytes()).isEqualTo(planned.lowerBoundBytes());
        assertThat(options.alignment()).isEqualTo(alignment);
    }

    @ParameterizedTest
    @ValueSource(strings = {"resnet50", "squeezenet"})
    void noValueOfANetworkCrossesTheBoundary(String name) throws IOException {
        TestGraph graph = TestResources.network(name);
        PlanOptions options = PlanOptions.f32Uniform(64).withBoundary(BOUNDARY);
        MemoryPlan plan = MemoryPlanner.plan(graph, options).plan();

        PlanValidator.validate(plan, graph, options);
        assertThat(plan.slots().values()).allMatch(slot -> slot.offset() / BOUNDARY == (slot.end() - 1) / BOUNDARY);
    }

    @Test
    void resnet50HasItsKnownNumberOfParameters() throws IOException {
        long parameters = TestResources.network("resnet50").nodes().stream()
                .filter(node -> node.role() == NodeRole.PARAMETER)
                .mapToLong(TestNode::elements)
                .sum();

        assertThat(parameters).isEqualTo(25_610_152);
    }

    @Test
    void aReshapeInResnet50SharesItsParentsSlot() throws IOException {
        MemoryPlan plan = MemoryPlanner.plan(TestResources.network("resnet50"), PlanOptions.f32Uniform(64))
                .plan();

        assertThat(plan.slot(NodeId.of(441))).contains(slotOf(plan, 440));
    }

    private static BufferSlot slotOf(MemoryPlan plan, long id) {
        return plan.slot(NodeId.of(id)).orElseThrow();
    }
}
