package io.devicearena.plan.text;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.BufferSlot;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.plan.testing.TestNode;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PlanReportTest {
    private static String report(MemoryPlan plan) throws IOException {
        StringBuilder text = new StringBuilder();
        PlanText.report(plan, text);
        return text.toString();
    }

    @Test
    void rowsComeInOffsetOrderThenBySizeThenByNode() throws IOException {
        MemoryPlan plan = new MemoryPlan(
                96,
                Map.of(
                        NodeId.of(7), new BufferSlot(32, 64),
                        NodeId.of(1), new BufferSlot(64, 32),
                        NodeId.of(3), new BufferSlot(0, 32),
                        NodeId.of(2), new BufferSlot(0, 32),
                        NodeId.of(9), new BufferSlot(0, 16)),
                TestNode.ids(3, 7, 2, 1, 9));

        assertThat(report(plan)).isEqualTo("""
                        # arena_size=96 total_unshared=176 saved=80
                        0\t16\t9
                        0\t32\t2
                        0\t32\t3
                        32\t64\t7
                        64\t32\t1
                        """);
    }

    @Test
    void offsetsAreOrderedAsNumbers() throws IOException {
        MemoryPlan plan = new MemoryPlan(
                101, Map.of(NodeId.of(1), new BufferSlot(100, 1), NodeId.of(2), new BufferSlot(20, 1)), List.of());

        assertThat(report(plan)).isEqualTo("# arena_size=101 total_unshared=2 saved=-99\n20\t1\t2\n100\t1\t1\n");
    }

    @Test
    void anEmptyPlanHasOnlyTheFirstLine() throws IOException {
        assertThat(report(new MemoryPlan(0, Map.of(), List.of())))
                .isEqualTo("# arena_size=0 total_unshared=0 saved=0\n");
    }
}
