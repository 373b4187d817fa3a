package io.devicearena.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.BufferSlot;
import io.devicearena.DType;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.NodeRole;
import io.devicearena.plan.testing.TestGraph;
import io.devicearena.plan.testing.TestNode;
import io.devicearena.plan.validation.PlanValidator;
import org.junit.jupiter.api.Test;

class ViewPlanTest {
    private static final PlanOptions ALIGNED_TO_64 = PlanOptions.f32Uniform(64);

    private static MemoryPlan plan(TestGraph graph, PlanOptions options) {
        PlanResult planned = MemoryPlanner.plan(graph, options);
        PlanValidator.validate(planned.plan(), graph, options);
        PlanValidator.validate(planned.plan(), planned.buffers(), options);
        return planned.plan();
    }

    private static BufferSlot slot(MemoryPlan plan, long id) {
        return plan.slot(NodeId.of(id)).orElseThrow();
    }

    @Test
    void aViewOfTheWholeHasItsParentsSlotWithThePadding() {
        MemoryPlan plan = plan(new TestGraph().op(0, 5).view(1, 5, 0, 0), ALIGNED_TO_64);

        assertThat(slot(plan, 1)).isEqualTo(slot(plan, 0)).isEqualTo(new BufferSlot(0, 64));
    }

    @Test
    void aViewOfRowsHasTheExactBytesOfItsRows() {
        TestGraph graph = new TestGraph()
                .input(0, 7)
                .op(1, 20, 0)
                .view(2, 5, 1, 0)
                .view(3, 5, 1, 5)
                .view(4, 10, 1, 10);
        MemoryPlan plan = plan(graph, ALIGNED_TO_64);
        long base = slot(plan, 1).offset();

        assertThat(slot(plan, 2)).isEqualTo(new BufferSlot(base, 20));
        assertThat(slot(plan, 3)).isEqualTo(new BufferSlot(base + 20, 20));
        assertThat(slot(plan, 4)).isEqualTo(new BufferSlot(base + 40, 40));
    }

    @Test
    void viewsOfViewsAddUpTheirFirstElements() {
        TestGraph graph =
                new TestGraph().op(0, 20).view(1, 10, 0, 10).view(2, 10, 1, 0).view(3, 2, 2, 3);
        MemoryPlan plan = plan(graph, ALIGNED_TO_64);

        assertThat(slot(plan, 2)).isEqualTo(slot(plan, 1)).isEqualTo(new BufferSlot(40, 40));
        assertThat(slot(plan, 3)).isEqualTo(new BufferSlot(52, 8));
    }

    @Test
    void aViewsOffsetCountsBytesOfTheDeclaredType() {
        TestGraph graph = new TestGraph()
                .node(TestNode.of(0, NodeRole.OP, 20).as(DType.F16))
                .node(TestNode.of(1, NodeRole.OP, 6, 0).as(DType.F16).showing(ViewOf.rows(NodeId.of(0), 3, 2)));

        assertThat(slot(plan(graph, PlanOptions.declared(16)), 1)).isEqualTo(new BufferSlot(12, 12));
        assertThat(slot(plan(graph, PlanOptions.f32Uniform(16)), 1)).isEqualTo(new BufferSlot(24, 24));
    }

    @Test
    void views_ofHostValues_shareTheirBytes() {
        TestGraph graph = new TestGraph()
                .parameter(0, 3)
                .input(1, 8)
                .node(TestNode.of(2, NodeRole.INPUT, 4).showing(new ViewOf(NodeId.of(1), 4)))
                .node(TestNode.of(3, NodeRole.PARAMETER, 3).showing(ViewOf.whole(NodeId.of(0))))
                .view(4, 2, 2, 1)
                .op(5, 1, 4);
        MemoryPlan plan = plan(graph, PlanOptions.f32Uniform(16));

        assertThat(slot(plan, 3)).isEqualTo(slot(plan, 0)).isEqualTo(new BufferSlot(0, 16));
        assertThat(slot(plan, 1)).isEqualTo(new BufferSlot(16, 32));
        assertThat(slot(plan, 2)).isEqualTo(new BufferSlot(32, 16));
        assertThat(slot(plan, 4)).isEqualTo(new BufferSlot(36, 8));
    }

    @Test
    void viewsOfOutputsShareTheirBytes() {
        MemoryPlan plan = plan(new TestGraph().output(0, 8).view(1, 4, 0, 4).op(2, 8, 1), ALIGNED_TO_64);

        assertThat(slot(plan, 1)).isEqualTo(new BufferSlot(slot(plan, 0).offset() + 16, 16));
    }

    @Test
    void aViewWithoutElementsMayBeginWhereItsParentEnds() {
        MemoryPlan plan = plan(new TestGraph().op(0, 4).view(1, 0, 0, 4), PlanOptions.f32Uniform(16));

        assertThat(slot(plan, 1)).isEqualTo(new BufferSlot(16, 0));
    }
}
