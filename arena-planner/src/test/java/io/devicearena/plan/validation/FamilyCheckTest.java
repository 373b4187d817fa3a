package io.devicearena.plan.validation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.devicearena.BufferSlot;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.NodeRole;
import io.devicearena.plan.FamilyPlan;
import io.devicearena.plan.InvalidPlanException;
import io.devicearena.plan.PhasedGraph;
import io.devicearena.plan.PlanOptions;
import io.devicearena.plan.testing.TestGraph;
import io.devicearena.plan.testing.TestNode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Plans that contradict each other. */
class FamilyCheckTest {
    private static final PlanOptions OPTIONS = PlanOptions.f32Uniform(16);
    private static final TestGraph FORWARD =
            new TestGraph().parameter(0, 4).op(1, 4, 0).op(2, 4, 1);
    private static final PhasedGraph STEP = PhasedGraph.of("forward", FORWARD)
            .then("backward", new TestGraph().parameter(0, 4).input(2, 4).op(3, 4, 2, 0));
    private static final FamilyPlan FAMILY = FamilyPlan.of(Map.of("train", STEP, "infer", FORWARD), OPTIONS);

    private static MemoryPlan changed(MemoryPlan plan, long more, long id, long offset) {
        Map<NodeId, BufferSlot> slots = new HashMap<>(plan.slots());
        slots.put(NodeId.of(id), new BufferSlot(offset, 16));
        return new MemoryPlan(plan.arenaSize() + more, slots, plan.schedule(), plan.values());
    }

    private static void assertRefused(ThrowingCallable check, String message) {
        assertThatThrownBy(check).isInstanceOf(InvalidPlanException.class).hasMessage(message);
    }

    @Test
    void phasesThatDisagreeWithTheWholePlan_areFound() {
        MemoryPlan whole = FAMILY.plan("train");
        MemoryPlan part = FAMILY.plan("train", "backward");

        FamilyCheck.phase("backward", part, whole, STEP, OPTIONS);
        assertRefused(
                () -> FamilyCheck.phase("backward", changed(part, 0, 0, 16), whole, STEP, OPTIONS),
                "backward: expected node 0 in the slot of the whole plan, 16 bytes at 0, got 16 bytes at 16");
        assertRefused(
                () -> FamilyCheck.phase("backward", changed(part, 16, 0, 0), whole, STEP, OPTIONS),
                "backward: expected an arena of 48 bytes as the whole plan has, got 64");
    }

    @Test
    void anOpBeforeThePhaseBefore_isFound() {
        PhasedGraph step = PhasedGraph.of(
                        "forward", new TestGraph().parameter(0, 4).op(1, 4, 0).op(2, 4, 0))
                .then("backward", new TestGraph().parameter(0, 4).input(1, 4).op(3, 4, 1, 0));
        Map<NodeId, BufferSlot> slots = new HashMap<>();
        TestNode.ids(0, 1, 2, 3).forEach(id -> slots.put(id, new BufferSlot(16 * id.value(), 16)));

        assertRefused(
                () -> PlanValidator.validate(new MemoryPlan(64, slots, TestNode.ids(0, 1, 3, 2)), step, OPTIONS),
                "phases: expected one after another, node 2 as op 1, got node 3");
        PlanValidator.validate(new MemoryPlan(64, slots, TestNode.ids(0, 1, 2, 3)), step, OPTIONS);
    }

    @Test
    void aGraphThatMovesASharedValue_orIsLargerThanTheArena_isFound() {
        MemoryPlan arena = FAMILY.shared();
        MemoryPlan plan = FAMILY.plan("infer");

        FamilyCheck.member("infer", plan, arena, FORWARD, OPTIONS);
        assertRefused(
                () -> FamilyCheck.member("infer", changed(plan, 0, 0, 16), arena, FORWARD, OPTIONS),
                "infer: expected node 0 in the slot of the family, 16 bytes at 0, got 16 bytes at 16");
        assertRefused(
                () -> FamilyCheck.member("infer", changed(plan, 16, 0, 0), arena, FORWARD, OPTIONS),
                "infer: expected at most the 48 bytes of the arena, got 64");
    }

    @Test
    void aValueOverAStateThatItsGraphHasNot_isFound() {
        MemoryPlan arena = new MemoryPlan(
                64,
                Map.of(NodeId.of(9), new BufferSlot(0, 16)),
                List.of(),
                FamilyPlan.of(Map.of("states", new TestGraph().node(TestNode.of(9, NodeRole.STATE, 4))), OPTIONS)
                        .shared()
                        .values());
        TestGraph graph = new TestGraph().input(1, 4).op(2, 4, 1);
        MemoryPlan over = new MemoryPlan(
                32, Map.of(NodeId.of(1), new BufferSlot(16, 16), NodeId.of(2), new BufferSlot(0, 16)), List.of());

        assertRefused(
                () -> FamilyCheck.member("decode", over, arena, graph, OPTIONS),
                "decode: expected node 2 behind the 16 bytes of shared values, got 16 bytes at 0");
    }

    @Test
    void aValueAcrossTheEndOfASegment_isFound() {
        PlanOptions segments = OPTIONS.withSegments(64);
        MemoryPlan arena = new MemoryPlan(128, Map.of(), List.of());
        TestGraph graph = new TestGraph().op(1, 8).op(2, 8, 1);
        MemoryPlan crossing = new MemoryPlan(
                96, Map.of(NodeId.of(1), new BufferSlot(0, 32), NodeId.of(2), new BufferSlot(48, 32)), List.of());

        assertRefused(
                () -> FamilyCheck.member("one", crossing, arena, graph, segments),
                "one: expected node 2 within a segment of the arena, which ends at 64, got 32 bytes at 48");
    }

    @Test
    void separateWeightsAreProvedWithTheGraph() {
        PlanOptions separate = OPTIONS.withSeparateWeights();
        TestGraph graph =
                new TestGraph().parameter(0, 4).parameter(1, 4).input(2, 4).output(3, 4, 0, 1, 2);
        FamilyPlan family = FamilyPlan.of(Map.of("one", graph), separate);
        MemoryPlan weights = family.weights();
        MemoryPlan plan = family.plan("one");

        PlanValidator.validate(plan, weights, graph, separate);
        assertThat(weights.arenaSize()).isEqualTo(32);
        assertThatThrownBy(() -> PlanValidator.validate(plan, changed(weights, 0, 1, 0), graph, separate))
                .isInstanceOf(InvalidPlanException.class)
                .hasMessageStartingWith("node 0: expected its bytes 0 to 16 to be its own");
        assertRefused(
                () -> PlanValidator.validate(changed(plan, 0, 1, 0), weights, graph, separate),
                "node 1: expected a slot in the plan of the weights only, got one in the plan of the graph, 16 bytes at"
                        + " 0");
        assertRefused(
                () -> PlanValidator.validate(plan, new MemoryPlan(0, Map.of(), List.of()), graph, separate),
                "node 0: expected a slot of 16 bytes, got none");
    }
}
