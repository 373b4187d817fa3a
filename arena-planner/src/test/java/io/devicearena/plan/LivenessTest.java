package io.devicearena.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.DType;
import io.devicearena.NodeId;
import io.devicearena.plan.testing.TestGraph;
import io.devicearena.plan.testing.TestNode;
import io.devicearena.plan.validation.PlanValidator;
import org.junit.jupiter.api.Test;

/** The lives that the planner gives values, rule by rule; steps are places in the graph's list. */
class LivenessTest {
    private static LiveBuffer life(TestGraph graph, long id) {
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

    /** Lower and upper of a value of f32 elements. */
    private static void assertLives(TestGraph graph, long id, long lower, long upper) {
        assertThat(life(graph, id).firstStep()).isEqualTo(lower);
        assertThat(life(graph, id).endStep()).isEqualTo(upper);
    }

    @Test
    void whatTheHostWritesLivesThroughTheWholeExecution() {
        TestGraph graph = new TestGraph()
                .op(9, 1)
                .input(0, 1)
                .parameter(1, 1)
                .constant(2, 1)
                .op(3, 1, 0, 1, 2)
                .op(4, 1, 3);

        assertLives(graph, 0, 0, 6);
        assertLives(graph, 1, 0, 6);
        assertLives(graph, 2, 0, 6);
    }

    @Test
    void anOpLivesFromItsStepToItsLastUseInclusive() {
        TestGraph graph = new TestGraph()
                .input(0, 1)
                .op(1, 1, 0)
                .op(2, 1, 1)
                .op(3, 1, 1, 2)
                .op(4, 1, 3);

        assertLives(graph, 1, 1, 4);
        assertLives(graph, 2, 2, 4);
        assertLives(graph, 3, 3, 5);
    }

    @Test
    void anInputListedTwiceIsOneUse() {
        TestGraph graph = new TestGraph().op(1, 1).op(2, 1, 1, 1).op(3, 1, 2);

        assertLives(graph, 1, 0, 2);
    }

    @Test
    void anUnusedOpLivesForItsStep() {
        TestGraph graph = new TestGraph().input(0, 1).op(1, 1, 0).op(2, 1, 0).op(3, 1, 2);

        assertLives(graph, 1, 1, 2);
        assertLives(graph, 3, 3, 4);
    }

    @Test
    void anOutputByRoleLivesToTheEnd() {
        TestGraph graph =
                new TestGraph().input(0, 1).output(1, 1, 0).op(2, 1, 1).op(3, 1, 2);

        assertLives(graph, 1, 1, 4);
    }

    @Test
    void anOutputTheGraphNamesLivesToTheEnd() {
        TestGraph graph =
                new TestGraph().input(0, 1).op(1, 1, 0).op(2, 1, 1).op(3, 1, 2).reads(1);

        assertLives(graph, 1, 1, 4);
        assertLives(graph, 2, 2, 4);
    }

    @Test
    void anOpMayReuseTheBytesOfWhatDiedBefore() {
        TestGraph graph = new TestGraph().op(0, 4).op(1, 4, 0).op(2, 4, 1).op(3, 4, 2);

        assertThat(plan(graph).plan().arenaSize()).isEqualTo(2 * 16);
    }

    @Test
    void anOpDoesNotWriteOverWhatItReads() {
        TestGraph graph = new TestGraph().op(0, 4).op(1, 4, 0);

        assertThat(plan(graph).plan().arenaSize()).isEqualTo(2 * 16);
    }

    @Test
    void theUsesOfAViewOfAViewAreUsesOfTheRoot() {
        TestGraph graph = new TestGraph()
                .op(0, 8)
                .view(1, 8, 0, 0)
                .view(2, 4, 1, 4)
                .op(3, 1)
                .op(4, 1, 2)
                .op(5, 1);

        assertLives(graph, 0, 0, 5);
    }

    @Test
    void aViewNobodyReadsNeedsItsParentAtItsStep() {
        TestGraph graph = new TestGraph().op(0, 8).op(1, 1).view(2, 8, 0, 0).op(3, 1);

        assertLives(graph, 0, 0, 3);
    }

    @Test
    void aViewWithoutAnInputNeedsItsParentToo() {
        TestGraph graph = new TestGraph()
                .op(0, 8)
                .op(1, 1)
                .node(TestNode.of(2, NodeRole.OP, 8).showing(ViewOf.whole(NodeId.of(0))))
                .op(3, 1);

        assertLives(graph, 0, 0, 3);
    }

    @Test
    void aViewHasAnEmptyLife() {
        TestGraph graph = new TestGraph().op(0, 8).view(1, 8, 0, 0).op(2, 1, 1);

        assertLives(graph, 1, 1, 1);
    }

    @Test
    void aViewThatIsAnOutputKeepsItsParentToTheEnd() {
        TestGraph byRole = new TestGraph()
                .op(0, 8)
                .node(TestNode.of(1, NodeRole.OUTPUT, 4, 0).showing(new ViewOf(NodeId.of(0), 2)))
                .op(2, 1)
                .op(3, 1);
        TestGraph byName =
                new TestGraph().op(0, 8).view(1, 4, 0, 2).op(2, 1).op(3, 1).reads(1);

        assertLives(byRole, 0, 0, 4);
        assertLives(byName, 0, 0, 4);
    }

    @Test
    void whatAFusedOpReadsLivesUntilTheLastOpItWasFusedInto() {
        TestGraph graph = new TestGraph()
                .op(0, 1)
                .fused(1, 1, 0)
                .op(2, 1, 1)
                .op(3, 1)
                .op(4, 1, 1)
                .op(5, 1);

        assertLives(graph, 0, 0, 5);
    }

    @Test
    void fusedOpsHandTheirReadsOnThroughEachOther() {
        TestGraph graph = new TestGraph()
                .op(0, 1)
                .fused(1, 1, 0)
                .fused(2, 1, 1)
                .op(3, 1)
                .op(4, 1, 2)
                .op(5, 1);

        assertLives(graph, 0, 0, 5);
    }

    @Test
    void aFusedOpReadsItsInputsThroughViews() {
        TestGraph graph = new TestGraph()
                .op(0, 4)
                .view(1, 2, 0, 1)
                .fused(2, 1, 1)
                .op(3, 1)
                .op(4, 1, 2)
                .op(5, 1);

        assertLives(graph, 0, 0, 5);
    }

    @Test
    void aFusedOpIsScheduledAndHasNoSlot() {
        PlanResult planned = plan(new TestGraph().op(0, 1).fused(1, 1, 0).op(2, 1, 1));

        assertThat(planned.plan().schedule()).isEqualTo(TestNode.ids(0, 1, 2));
        assertThat(planned.plan().slot(NodeId.of(1))).isEmpty();
        assertThat(planned.buffers()).extracting(LiveBuffer::id).isEqualTo(TestNode.ids(0, 2));
    }

    @Test
    void sizesFollowTheDeclaredTypeOrFourBytes() {
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
    void anEmptyGraphHasAnEmptyPlan() {
        PlanResult planned = plan(new TestGraph());

        assertThat(planned.plan().arenaSize()).isZero();
        assertThat(planned.plan().slots()).isEmpty();
        assertThat(planned.plan().schedule()).isEmpty();
        assertThat(planned.lowerBoundBytes()).isZero();
    }

    @Test
    void valuesWithoutElementsHaveSlotsWithoutBytes() {
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
}
