package io.devicearena.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.devicearena.BufferSlot;
import io.devicearena.DType;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.NodeRole;
import io.devicearena.plan.testing.RandomGraphs;
import io.devicearena.plan.testing.TestGraph;
import io.devicearena.plan.testing.TestNode;
import io.devicearena.plan.testing.ToyExecution;
import io.devicearena.plan.validation.PlanValidator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** In a uniform plan, shorter integers lie one behind the other in slots of 4 bytes for each. */
class NarrowTypesTest {
    private static final PlanOptions UNIFORM = PlanOptions.f32Uniform(16);

    /** Two parts of 64 elements, a view across both, a view of that, and an op that may be written over it. */
    private static TestGraph graph(DType dtype) {
        TestGraph graph = new TestGraph();
        graph.node(TestNode.of(0, NodeRole.OP, 64).as(dtype));
        graph.node(TestNode.of(1, NodeRole.OP, 64).as(dtype));
        graph.node(TestNode.of(2, NodeRole.OP, 128, 0, 1).as(dtype).joining());
        graph.node(TestNode.of(3, NodeRole.OP, 70, 2).as(dtype).showing(new ViewOf(NodeId.of(2), 33)));
        graph.node(TestNode.of(4, NodeRole.OP, 8, 3).as(dtype).showing(new ViewOf(NodeId.of(3), 4)));
        graph.node(TestNode.of(5, NodeRole.OP, 128, 2, 4).as(dtype).over(2));
        return graph.reads(4).reads(5);
    }

    private static BufferSlot slot(MemoryPlan plan, long id) {
        return plan.slot(NodeId.of(id)).orElseThrow();
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(DType.class)
    void view_ofAnyType_beginsAtItsElement(DType dtype) {
        for (PlanOptions options : new PlanOptions[] {UNIFORM, UNIFORM.withDeclaredTypes()}) {
            TestGraph graph = graph(dtype);
            PlanResult planned = MemoryPlanner.plan(graph, options);
            MemoryPlan plan = planned.plan();
            long stored = options.storedType(dtype).bytes();

            PlanValidator.validate(plan, graph, options);
            assertThat(slot(plan, 2).size()).isEqualTo(128 * options.elementBytes(dtype));
            assertThat(slot(plan, 3)).isEqualTo(new BufferSlot(slot(plan, 2).offset() + 33 * stored, 70 * stored));
            assertThat(slot(plan, 4)).isEqualTo(new BufferSlot(slot(plan, 3).offset() + 4 * stored, 8 * stored));
            assertThat(planned.aliases()).hasSize(2);
            assertThat(slot(plan, 0)).isEqualTo(new BufferSlot(slot(plan, 2).offset(), 64 * stored));
            assertThat(slot(plan, 1)).isEqualTo(new BufferSlot(slot(plan, 0).end(), 64 * stored));
            assertThat(ToyExecution.onThePlan(graph, plan, options)).isEqualTo(ToyExecution.apart(graph, options));
        }
    }

    @Test
    void inPlace_betweenTypesOfOneSlotSize_isApart() {
        TestGraph graph = new TestGraph()
                .node(TestNode.of(0, NodeRole.OP, 16).as(DType.U8))
                .node(TestNode.of(1, NodeRole.OUTPUT, 16, 0).as(DType.I32).over(0));

        assertThat(MemoryPlanner.plan(graph, UNIFORM).aliases()).isEmpty();
        assertThat(MemoryPlanner.plan(graph, UNIFORM).plan().arenaSize()).isEqualTo(128);
    }

    @Test
    void validator_ofViewsInWiderElements_rejects() {
        TestGraph graph = graph(DType.U8);
        MemoryPlan plan = MemoryPlanner.plan(graph, UNIFORM).plan();
        Map<NodeId, BufferSlot> slots = new HashMap<>(plan.slots());
        slots.put(NodeId.of(3), new BufferSlot(slot(plan, 2).offset() + 4 * 33, 4 * 70));
        MemoryPlan wide = new MemoryPlan(plan.arenaSize(), slots, plan.schedule());

        assertThatThrownBy(() -> PlanValidator.validate(wide, graph, UNIFORM))
                .isInstanceOf(InvalidPlanException.class)
                .hasMessage("node 3: expected a view of 70 bytes at offset 33 within node 2 at 0 of 512 bytes, got"
                        + " offset 132 and size 280");
    }

    @Test
    void validator_ofPartsInWiderElements_rejects() {
        TestGraph graph = graph(DType.U8);
        MemoryPlan plan = MemoryPlanner.plan(graph, UNIFORM).plan();
        Map<NodeId, BufferSlot> slots = new HashMap<>(plan.slots());
        slots.put(NodeId.of(0), new BufferSlot(0, 256));
        slots.put(NodeId.of(1), new BufferSlot(256, 256));
        MemoryPlan wide = new MemoryPlan(plan.arenaSize(), slots, plan.schedule());

        assertThatThrownBy(() -> PlanValidator.validate(wide, graph, UNIFORM))
                .isInstanceOf(InvalidPlanException.class)
                .hasMessage("node 1: expected its bytes 256 to 512 to be its own while node 2 runs at step 2, got some"
                        + " of node 2 at 0 to 512");
    }

    @Test
    void validator_ofAShortSlot_rejects() {
        TestGraph graph =
                new TestGraph().node(TestNode.of(0, NodeRole.INPUT, 16).as(DType.I16));
        MemoryPlan narrow = new MemoryPlan(16, Map.of(NodeId.of(0), new BufferSlot(0, 16)), List.of());

        assertThatThrownBy(() -> PlanValidator.validate(narrow, graph, UNIFORM))
                .isInstanceOf(InvalidPlanException.class)
                .hasMessage("node 0: expected a slot of at least 32 bytes, got 16");
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.devicearena.plan.Seeds#all")
    void randomGraphs_computeTheSameAsApart(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int graphs = 0; graphs < 10; graphs++) {
            TestGraph graph = RandomGraphs.graph(random, 1 + random.nextInt(60));
            PlanOptions options = RandomGraphs.options(random);
            MemoryPlan plan = MemoryPlanner.plan(graph, options).plan();

            PlanValidator.validate(plan, graph, options);
            assertThat(ToyExecution.onThePlan(graph, plan, options)).isEqualTo(ToyExecution.apart(graph, options));
        }
    }
}
