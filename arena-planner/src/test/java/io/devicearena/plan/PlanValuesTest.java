package io.devicearena.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.devicearena.DType;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.NodeRole;
import io.devicearena.PlanValue;
import io.devicearena.plan.testing.TestGraph;
import io.devicearena.plan.testing.TestNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a plan knows of a value beside its slot. */
class PlanValuesTest {
    private static PlanValue value(MemoryPlan plan, long id) {
        return plan.value(NodeId.of(id)).orElseThrow();
    }

    @Test
    void aPlanKnowsNameRoleTypeAndShapeOfEveryNode() {
        TestGraph graph = new TestGraph()
                .node(TestNode.of(1, NodeRole.INPUT, 6).named("tokens").shaped(2L, 3L))
                .parameter(2, 6)
                .fused(3, 6, 1, 2)
                .op(4, 6, 3)
                .op(5, 1, 4)
                .reads(4);

        MemoryPlan plan = MemoryPlanner.plan(graph, PlanOptions.f32Uniform(16)).plan();

        assertThat(plan.values()).hasSize(5);
        assertThat(value(plan, 1))
                .isEqualTo(new PlanValue("tokens", NodeRole.INPUT, DType.F32, List.of(2L, 3L), Optional.empty()));
        assertThat(value(plan, 2).role()).isEqualTo(NodeRole.PARAMETER);
        assertThat(value(plan, 3).shape()).containsExactly(6L);
        assertThat(plan.slot(NodeId.of(3))).isEmpty();
        assertThat(value(plan, 4).role()).isEqualTo(NodeRole.OUTPUT);
        assertThat(plan.describe(NodeId.of(1))).isEqualTo("node 1 'tokens'");
        assertThat(plan.describe(NodeId.of(2))).isEqualTo("node 2");
    }

    @Test
    void viewsAndPartsNameWhatTheyLieIn() {
        TestGraph graph = new TestGraph()
                .input(1, 8)
                .view(2, 4, 1, 4)
                .view(3, 2, 2, 0)
                .op(4, 4, 3)
                .op(5, 4, 3)
                .concatenation(6, 8, 4, 5)
                .output(7, 1, 6);

        MemoryPlan plan = MemoryPlanner.plan(graph, PlanOptions.f32Uniform(16)).plan();

        assertThat(value(plan, 2).partOf()).hasValue(NodeId.of(1));
        assertThat(value(plan, 3).partOf()).hasValue(NodeId.of(2));
        assertThat(value(plan, 4).partOf()).hasValue(NodeId.of(6));
        assertThat(value(plan, 5).partOf()).hasValue(NodeId.of(6));
        assertThat(value(plan, 6).partOf()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "F32,F32",
        "F16,F32",
        "BF16,F32",
        "F64,F32",
        "I64,I32",
        "U64,U32",
        "I32,I32",
        "U32,U32",
        "I16,I16",
        "U16,U16",
        "I8,I8",
        "U8,U8",
        "BOOL,BOOL"
    })
    void aUniformPlanNamesTheTypeThatTheArenaHolds(DType declared, DType held) {
        TestGraph graph = new TestGraph()
                .node(TestNode.of(1, NodeRole.INPUT, 4).as(declared))
                .node(TestNode.of(2, NodeRole.OP, 4, 1).as(declared).fusedAway());

        for (long id = 1; id <= 2; id++) {
            assertThat(value(
                                    MemoryPlanner.plan(graph, PlanOptions.f32Uniform(16))
                                            .plan(),
                                    id)
                            .dtype())
                    .isEqualTo(held);
            assertThat(value(MemoryPlanner.plan(graph, PlanOptions.declared(16)).plan(), id)
                            .dtype())
                    .isEqualTo(declared);
        }
    }

    @Test
    void aShapeOfOtherElementsIsRefused() {
        TestNode node = TestNode.of(1, NodeRole.INPUT, 6).named("tokens");
        String remedy = "; return the shape of the value's elements, or leave PlanNode.shape() out";

        assertThatThrownBy(() -> plan(node.shaped(2L, 4L)))
                .isInstanceOf(InvalidGraphException.class)
                .hasMessage("node 1 'tokens': expected a shape of 6 elements, got [2, 4]" + remedy);
        assertThatThrownBy(() -> plan(node.shaped(Long.MAX_VALUE, 4L)))
                .hasMessage(
                        "node 1 'tokens': expected a shape of 6 elements, got [" + Long.MAX_VALUE + ", 4]" + remedy);
        assertThatThrownBy(() -> plan(node.shaped(-2L, -3L)))
                .isInstanceOf(InvalidGraphException.class)
                .hasMessage("node 1 'tokens': expected dimensions of 0 or more, got the shape [-2, -3]");
    }

    @Test
    void aShapeMayHaveADimensionOfZero_orNoDimension() {
        TestNode none = TestNode.of(1, NodeRole.INPUT, 0).shaped(Long.MAX_VALUE, 4L, 0L);

        assertThatThrownBy(() -> plan(none)).isInstanceOf(InvalidGraphException.class);
        assertThat(value(plan(TestNode.of(1, NodeRole.INPUT, 0).shaped(4L, 0L)), 1)
                        .elements())
                .isZero();
        assertThat(value(plan(TestNode.of(1, NodeRole.INPUT, 1).shaped()), 1).shape())
                .isEmpty();
    }

    private static MemoryPlan plan(TestNode node) {
        return MemoryPlanner.plan(new TestGraph().node(node), PlanOptions.f32Uniform(16))
                .plan();
    }

    @Test
    void thePlansOfATrainingStepKeepTheirValues() {
        TestGraph forward = new TestGraph()
                .input(1, 4)
                .node(TestNode.of(2, NodeRole.OP, 4, 1).named("hidden"));
        TestGraph backward = new TestGraph().input(2, 4).output(3, 4, 2);

        FamilyPlan plan = FamilyPlan.of(
                Map.of("train", PhasedGraph.of("forward", forward).then("backward", backward)),
                PlanOptions.f32Uniform(16));

        assertThat(plan.plan("train", "forward").values()).containsOnlyKeys(TestNode.ids(1, 2));
        assertThat(plan.plan("train", "backward").values()).containsOnlyKeys(TestNode.ids(2, 3));
        assertThat(value(plan.plan("train", "backward"), 2).name()).isEqualTo("hidden");
    }
}
