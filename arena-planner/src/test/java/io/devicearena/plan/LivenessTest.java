package io.devicearena.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.DType;
import io.devicearena.NodeId;
import io.devicearena.NodeRole;
import io.devicearena.plan.testing.TestGraph;
import io.devicearena.plan.testing.TestNode;
import io.devicearena.plan.validation.PlanValidator;
import org.junit.jupiter.api.Test;

/** The live ranges of values, rule by rule. Only ops that write their value to memory take a step. */
class LivenessTest {
    private static LiveBuffer buffer(TestGraph graph, long id) {
        return plan(graph).buffers().stream()
                .filter(buffer -> buffer.id().value() == id)
                .findFirst()
                .orElseThrow();
    }

    private static PlanResult plan(TestGraph graph) {
        PlanOptions options = PlanOptions.declared(1);
        PlanResult planned = MemoryPlanner.plan(graph, options);
        PlanValidator.validate(planned.plan(), graph, options);
        return planned;
    }

    private static void assertLive(TestGraph graph, long id, long firstStep, long endStep) {
        assertThat(buffer(graph, id).firstStep()).isEqualTo(firstStep);
        assertThat(buffer(graph, id).endStep()).isEqualTo(endStep);
    }

    @Test
    void valueOfTheHost_always_isLiveAtEveryStep() {
        TestGraph graph = new TestGraph()
                .op(9, 1)
                .input(0, 1)
                .parameter(1, 1)
                .constant(2, 1)
                .op(3, 1, 0, 1, 2)
                .op(4, 1, 3);

        assertLive(graph, 0, 0, 3);
        assertLive(graph, 1, 0, 3);
        assertLive(graph, 2, 0, 3);
    }

    @Test
    void op_withUses_isLiveFromItsStepToItsLastUse() {
        TestGraph graph = new TestGraph()
                .input(0, 1)
                .op(1, 1, 0)
                .op(2, 1, 1)
                .op(3, 1, 1, 2)
                .op(4, 1, 3);

        assertLive(graph, 1, 0, 3);
        assertLive(graph, 2, 1, 3);
        assertLive(graph, 3, 2, 4);
    }

    @Test
    void input_listedTwice_isOneUse() {
        TestGraph graph = new TestGraph().op(1, 1).op(2, 1, 1, 1).op(3, 1, 2);

        assertLive(graph, 1, 0, 2);
    }

    @Test
    void op_withoutUses_isLiveForItsStep() {
        TestGraph graph = new TestGraph().input(0, 1).op(1, 1, 0).op(2, 1, 0).op(3, 1, 2);

        assertLive(graph, 1, 0, 1);
        assertLive(graph, 3, 2, 3);
    }

    @Test
    void output_byRole_isLiveToTheEnd() {
        TestGraph graph =
                new TestGraph().input(0, 1).output(1, 1, 0).op(2, 1, 1).op(3, 1, 2);

        assertLive(graph, 1, 0, 3);
    }

    @Test
    void output_byName_isLiveToTheEnd() {
        TestGraph graph =
                new TestGraph().input(0, 1).op(1, 1, 0).op(2, 1, 1).op(3, 1, 2).reads(1);

        assertLive(graph, 1, 0, 3);
        assertLive(graph, 2, 1, 3);
    }

    @Test
    void op_afterTheLastUseOfAnother_reusesItsBytes() {
        TestGraph graph = new TestGraph().op(0, 4).op(1, 4, 0).op(2, 4, 1).op(3, 4, 2);

        assertThat(plan(graph).plan().arenaSize()).isEqualTo(2 * 16);
    }

    @Test
    void op_withAnInput_isNotWrittenOverIt() {
        TestGraph graph = new TestGraph().op(0, 4).op(1, 4, 0);

        assertThat(plan(graph).plan().arenaSize()).isEqualTo(2 * 16);
    }

    @Test
    void view_ofAView_extendsTheRootToItsUses() {
        TestGraph graph = new TestGraph()
                .op(0, 8)
                .view(1, 8, 0, 0)
                .view(2, 4, 1, 4)
                .op(3, 1)
                .op(4, 1, 2)
                .op(5, 1);

        assertLive(graph, 0, 0, 3);
    }

    @Test
    void view_withoutUses_extendsItsParentToTheOpBeforeIt() {
        TestGraph graph = new TestGraph().op(0, 8).op(1, 1).view(2, 8, 0, 0).op(3, 1);

        assertLive(graph, 0, 0, 2);
    }

    @Test
    void view_thatListsNoInput_extendsItsParentToo() {
        TestGraph graph = new TestGraph()
                .op(0, 8)
                .op(1, 1)
                .node(TestNode.of(2, NodeRole.OP, 8).showing(ViewOf.whole(NodeId.of(0))))
                .op(3, 1);

        assertLive(graph, 0, 0, 2);
    }

    @Test
    void view_always_hasAnEmptyLiveRangeAtTheOpBeforeIt() {
        TestGraph graph = new TestGraph().op(0, 8).view(1, 8, 0, 0).op(2, 1, 1);

        assertLive(graph, 1, 0, 0);
    }

    @Test
    void view_thatIsAnOutput_keepsItsParentToTheEnd() {
        TestGraph byRole = new TestGraph()
                .op(0, 8)
                .node(TestNode.of(1, NodeRole.OUTPUT, 4, 0).showing(new ViewOf(NodeId.of(0), 2)))
                .op(2, 1)
                .op(3, 1);
        TestGraph byName =
                new TestGraph().op(0, 8).view(1, 4, 0, 2).op(2, 1).op(3, 1).reads(1);

        assertLive(byRole, 0, 0, 3);
        assertLive(byName, 0, 0, 3);
    }

    @Test
    void inputOfAFusedOp_withSeveralReaders_isLiveToTheLast() {
        TestGraph graph = new TestGraph()
                .op(0, 1)
                .fused(1, 1, 0)
                .op(2, 1, 1)
                .op(3, 1)
                .op(4, 1, 1)
                .op(5, 1);

        assertLive(graph, 0, 0, 4);
    }

    @Test
    void inputOfAFusedOp_fusedIntoAnother_isLiveToItsReader() {
        TestGraph graph = new TestGraph()
                .op(0, 1)
                .fused(1, 1, 0)
                .fused(2, 1, 1)
                .op(3, 1)
                .op(4, 1, 2)
                .op(5, 1);

        assertLive(graph, 0, 0, 3);
    }

    @Test
    void inputOfAFusedOp_throughAView_isLiveToItsReader() {
        TestGraph graph = new TestGraph()
                .op(0, 4)
                .view(1, 2, 0, 1)
                .fused(2, 1, 1)
                .op(3, 1)
                .op(4, 1, 2)
                .op(5, 1);

        assertLive(graph, 0, 0, 3);
    }

    @Test
    void fusedOp_always_isScheduledWithoutSlot() {
        PlanResult planned = plan(new TestGraph().op(0, 1).fused(1, 1, 0).op(2, 1, 1));

        assertThat(planned.plan().schedule()).isEqualTo(TestNode.ids(0, 1, 2));
        assertThat(planned.plan().slot(NodeId.of(1))).isEmpty();
        assertThat(planned.buffers()).extracting(LiveBuffer::id).isEqualTo(TestNode.ids(0, 2));
    }

    @Test
    void size_bySizing_followsTheDeclaredTypeOrFourBytes() {
        TestGraph graph = new TestGraph()
                .node(TestNode.of(0, NodeRole.OP, 5).as(DType.BF16))
                .node(TestNode.of(1, NodeRole.OP, 5).as(DType.F64))
                .node(TestNode.of(2, NodeRole.OP, 5).as(DType.BOOL));

        assertThat(plan(graph).buffers()).extracting(LiveBuffer::size).containsExactly(10L, 40L, 5L);
        assertThat(MemoryPlanner.plan(graph, PlanOptions.f32Uniform(1)).buffers())
                .extracting(LiveBuffer::size)
                .containsExactly(20L, 20L, 20L);
        assertThat(MemoryPlanner.plan(graph, PlanOptions.f32Uniform(16)).buffers())
                .extracting(LiveBuffer::size)
                .containsExactly(32L, 32L, 32L);
    }

    @Test
    void graph_withoutNodes_hasAnEmptyPlan() {
        PlanResult planned = plan(new TestGraph());

        assertThat(planned.plan().arenaSize()).isZero();
        assertThat(planned.plan().slots()).isEmpty();
        assertThat(planned.plan().schedule()).isEmpty();
        assertThat(planned.lowerBoundBytes()).isZero();
    }

    @Test
    void value_withoutElements_hasASlotWithoutBytes() {
        PlanResult planned = plan(new TestGraph()
                .input(0, 0)
                .parameter(1, 0)
                .op(2, 0, 0, 1)
                .view(3, 0, 2, 0)
                .output(4, 0, 3));

        assertThat(planned.plan().arenaSize()).isZero();
        assertThat(planned.plan().slots()).hasSize(5);
        assertThat(planned.buffers()).extracting(LiveBuffer::size).containsOnly(0L);
    }

    @Test
    void graph_withoutOps_hasOneStep() {
        TestGraph graph = new TestGraph().input(0, 8).view(1, 8, 0, 0);

        assertLive(graph, 0, 0, 1);
        assertLive(graph, 1, 0, 0);
        assertThat(plan(graph).lowerBoundBytes()).isEqualTo(32);
    }

    @Test
    void stepsOfTheSchedule_always_countNoValuesOfTheHost() {
        TestGraph graph = new TestGraph().op(0, 1).input(1, 1).constant(2, 1).op(3, 1, 0, 1, 2);

        assertLive(graph, 0, 0, 2);
        assertLive(graph, 3, 1, 2);
    }
}
