package io.devicearena.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.DType;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.NodeRole;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The sample of the module's page. */
class PlannerSampleTest {
    // @start region="node"
    record Node(NodeId id, NodeRole role, DType dtype, long elements, List<NodeId> inputs) implements PlanNode {}

    // @end

    @Test
    void chainOfThreeOps_takesTheInputAndTwoValuesAtATime() {
        // @start region="plan"
        NodeId x = NodeId.of(0);
        NodeId h = NodeId.of(1);
        NodeId g = NodeId.of(2);
        NodeId y = NodeId.of(3);
        PlanGraph graph = () -> List.of(
                new Node(x, NodeRole.INPUT, DType.F32, 1024, List.of()),
                new Node(h, NodeRole.OP, DType.F32, 4096, List.of(x)),
                new Node(g, NodeRole.OP, DType.F32, 4096, List.of(h)),
                new Node(y, NodeRole.OUTPUT, DType.F32, 1024, List.of(g)));
        MemoryPlan plan = MemoryPlanner.plan(graph, PlanOptions.f32Uniform(64)).plan();
        long bytes = plan.arenaSize();
        long offset = plan.slot(y).orElseThrow().offset();
        // @end
        assertThat(bytes).isEqualTo(4 * (1024 + 2 * 4096));
        assertThat(offset).isLessThan(bytes - 4 * 4096);
    }
}
