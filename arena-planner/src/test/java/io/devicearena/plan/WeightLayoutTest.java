package io.devicearena.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.devicearena.BufferSlot;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.NodeRole;
import io.devicearena.plan.testing.TestGraph;
import io.devicearena.plan.testing.TestNode;
import io.devicearena.plan.validation.PlanValidator;
import java.util.List;
import org.junit.jupiter.api.Test;

class WeightLayoutTest {
    private static final PlanOptions OPTIONS = PlanOptions.f32Uniform(16);

    private static BufferSlot slot(MemoryPlan plan, long id) {
        return plan.slot(NodeId.of(id)).orElseThrow();
    }

    /** Plans and proves the plan. */
    private static MemoryPlan plan(TestGraph graph, PlanOptions options) {
        PlanResult planned = MemoryPlanner.plan(graph, options);
        PlanValidator.validate(planned.plan(), graph, options);
        assertThat(planned.plan().arenaSize()).isGreaterThanOrEqualTo(planned.lowerBoundBytes());
        return planned.plan();
    }

    private static void assertRefused(TestGraph graph, PlanOptions options, String message) {
        assertThatThrownBy(() -> MemoryPlanner.plan(graph, options))
                .isInstanceOf(InvalidGraphException.class)
                .hasMessage(message);
    }

    /** Weights 1 to 3, of which inference reads the first two. */
    private static TestGraph inference() {
        return new TestGraph()
                .input(0, 6)
                .parameter(1, 5)
                .op(10, 9, 0, 1)
                .constant(2, 3)
                .output(11, 2, 10, 2);
    }

    private static TestGraph training() {
        return new TestGraph()
                .parameter(3, 2)
                .constant(2, 3)
                .input(20, 40)
                .parameter(1, 5)
                .op(21, 30, 20, 1, 3)
                .output(22, 5, 21, 2);
    }

    @Test
    void weights_ofInferenceAndTraining_haveOneOffset() {
        WeightLayout layout = WeightLayout.of(List.of(inference(), training()), OPTIONS);
        MemoryPlan inference = plan(inference(), OPTIONS.withWeights(layout));
        MemoryPlan training = plan(training(), OPTIONS.withWeights(layout));

        for (long weight : new long[] {1, 2}) {
            assertThat(slot(inference, weight))
                    .isEqualTo(slot(training, weight))
                    .isEqualTo(layout.slot(NodeId.of(weight)).orElseThrow());
        }
    }

    @Test
    void weightsAreLaidOutInTheOrderInWhichTheyFirstAppear() {
        WeightLayout layout = WeightLayout.of(List.of(inference(), training()), OPTIONS);

        assertThat(layout.slot(NodeId.of(1))).contains(new BufferSlot(0, 32));
        assertThat(layout.slot(NodeId.of(2))).contains(new BufferSlot(32, 16));
        assertThat(layout.slot(NodeId.of(3))).contains(new BufferSlot(48, 16));
        assertThat(layout.sizeBytes()).isEqualTo(64);
        assertThat(layout.slot(NodeId.of(0))).isEmpty();
        assertThat(layout.slot(NodeId.of(10))).isEmpty();
    }

    @Test
    void values_otherThanWeights_comeBehindTheLayout() {
        WeightLayout layout = WeightLayout.of(List.of(training()), OPTIONS);
        MemoryPlan plan = plan(inference(), OPTIONS.withWeights(layout));

        assertThat(slot(plan, 0).offset()).isEqualTo(layout.sizeBytes());
        assertThat(slot(plan, 10).offset()).isGreaterThanOrEqualTo(layout.sizeBytes());
        assertThat(slot(plan, 11).offset()).isGreaterThanOrEqualTo(layout.sizeBytes());
    }

    @Test
    void weight_unknownToTheLayout_comesBehindIt() {
        WeightLayout layout = WeightLayout.of(List.of(inference()), OPTIONS);
        MemoryPlan plan = plan(training(), OPTIONS.withWeights(layout));

        assertThat(slot(plan, 3)).isEqualTo(new BufferSlot(layout.sizeBytes(), 16));
    }

    @Test
    void aViewOfAWeightIsNoWeightOfTheLayout() {
        TestGraph graph = new TestGraph()
                .parameter(1, 8)
                .node(TestNode.of(2, NodeRole.PARAMETER, 4).showing(new ViewOf(NodeId.of(1), 4)));
        WeightLayout layout = WeightLayout.of(List.of(graph), OPTIONS);

        assertThat(layout.slot(NodeId.of(2))).isEmpty();
        assertThat(layout.sizeBytes()).isEqualTo(32);
    }

    @Test
    void noWeightCrossesTheBoundary() {
        TestGraph graph = new TestGraph().parameter(1, 12).parameter(2, 12).parameter(3, 4);
        WeightLayout layout = WeightLayout.of(List.of(graph), OPTIONS.withBoundary(64));

        assertThat(layout.slot(NodeId.of(2))).contains(new BufferSlot(64, 48));
        assertThat(layout.slot(NodeId.of(3))).contains(new BufferSlot(112, 16));
        plan(graph, OPTIONS.withBoundary(64).withWeights(layout));
    }

    @Test
    void aWeightHasTheSameSizeInEveryGraph() {
        assertThatThrownBy(() -> WeightLayout.of(
                        List.of(new TestGraph().parameter(1, 4), new TestGraph().parameter(1, 8)), OPTIONS))
                .isInstanceOf(InvalidGraphException.class)
                .hasMessage("node 1: expected the same size in every graph, got 16 and 32 bytes");
    }

    @Test
    void aLayoutOfOtherSizesIsRefused() {
        WeightLayout layout = WeightLayout.of(List.of(new TestGraph().parameter(1, 8)), OPTIONS);

        assertRefused(
                new TestGraph().parameter(1, 4),
                OPTIONS.withWeights(layout),
                "node 1: expected a slot of 16 bytes at a multiple of 16 in the weight layout, got 32 bytes at 0; make"
                        + " the layout with the same options");
    }

    @Test
    void aLayoutOfASmallerAlignmentIsRefusedWhereAWeightIsOffTheMultiple() {
        TestGraph graph = new TestGraph().parameter(1, 1).parameter(2, 4);
        WeightLayout layout = WeightLayout.of(List.of(graph), PlanOptions.f32Uniform(4));

        assertRefused(
                new TestGraph().parameter(2, 4),
                OPTIONS.withWeights(layout),
                "node 2: expected a slot of 16 bytes at a multiple of 16 in the weight layout, got 16 bytes at 4; make"
                        + " the layout with the same options");
    }

    @Test
    void aLayoutThatEndsBetweenTwoMultiplesLeavesAGap() {
        TestGraph graph = new TestGraph().parameter(1, 4).parameter(2, 1);
        WeightLayout layout = WeightLayout.of(List.of(graph), PlanOptions.f32Uniform(4));
        MemoryPlan plan = plan(new TestGraph().parameter(1, 4).input(0, 4), OPTIONS.withWeights(layout));

        assertThat(layout.sizeBytes()).isEqualTo(20);
        assertThat(slot(plan, 0)).isEqualTo(new BufferSlot(32, 16));
    }

    @Test
    void aLayoutMadeWithoutTheBoundaryIsRefusedWhereAWeightCrossesIt() {
        TestGraph graph = new TestGraph().parameter(1, 12).parameter(2, 12);
        WeightLayout layout = WeightLayout.of(List.of(graph), OPTIONS);

        assertRefused(
                graph,
                OPTIONS.withBoundary(64).withWeights(layout),
                "node 2: expected a slot of 48 bytes at a multiple of 16 that crosses no multiple of 64 in the weight"
                        + " layout, got 48 bytes at 48; make the layout with the same options");
    }

    @Test
    void noGraphsHaveAnEmptyLayout() {
        assertThat(WeightLayout.of(List.of(), OPTIONS).sizeBytes()).isZero();
    }
}
