package io.devicearena.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.NodeRole;
import io.devicearena.plan.testing.RandomGraphs;
import io.devicearena.plan.testing.TestGraph;
import io.devicearena.plan.testing.TestNode;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RoleBytesTest {
    @Test
    void bytes_areOfWeightsStatesAndTheRest() {
        TestGraph graph = new TestGraph()
                .input(0, 3)
                .parameter(1, 16)
                .constant(2, 1)
                .node(TestNode.of(3, NodeRole.STATE, 8))
                .op(4, 4, 0, 1)
                .view(5, 4, 1, 4)
                .output(6, 4, 2, 3, 4, 5);
        PlanResult planned = MemoryPlanner.plan(graph, PlanOptions.f32Uniform(16));

        assertThat(RoleBytes.of(graph, planned)).isEqualTo(new RoleBytes(64 + 16, 32, 16 + 16 + 16));
        assertThat(planned.plan().arenaSize()).isEqualTo(80 + 32 + 48);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.devicearena.plan.Seeds#all")
    void bytes_addUpToTheArena(long seed) {
        TestGraph graph = RandomGraphs.graph(new SplittableRandom(seed), 40);
        PlanResult planned = MemoryPlanner.plan(graph, PlanOptions.f32Uniform(16));
        RoleBytes bytes = RoleBytes.of(graph, planned);

        assertThat(bytes.activationBytes()).isNotNegative();
        assertThat(bytes.weightBytes() + bytes.stateBytes() + bytes.activationBytes())
                .isEqualTo(planned.plan().arenaSize());
    }
}
