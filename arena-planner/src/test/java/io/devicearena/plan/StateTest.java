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
import io.devicearena.plan.validation.PlanValidator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** States, and ops that update them in place. */
class StateTest {
    private static final PlanOptions OPTIONS = PlanOptions.f32Uniform(16);

    private static TestNode state(long id, long elements) {
        return TestNode.of(id, NodeRole.STATE, elements);
    }

    private static TestNode update(long id, long elements, long updated, long... inputs) {
        return TestNode.of(id, NodeRole.OP, elements, inputs).updating(updated);
    }

    /** A cache (2), read (4), updated (5) and read again (6). */
    private static TestGraph cache() {
        return new TestGraph()
                .input(1, 4)
                .parameter(3, 4)
                .node(state(2, 8))
                .op(4, 4, 1, 2)
                .node(update(5, 8, 2, 1))
                .output(6, 4, 4, 5);
    }

    private static MemoryPlan plan(TestGraph graph) {
        PlanResult planned = MemoryPlanner.plan(graph, OPTIONS);
        PlanValidator.validate(planned.plan(), graph, OPTIONS);
        PlanValidator.validate(planned.plan(), planned.buffers(), OPTIONS);
        return planned.plan();
    }

    private static void assertRefused(TestGraph graph, String message) {
        assertThatThrownBy(() -> MemoryPlanner.plan(graph, OPTIONS))
                .isInstanceOf(InvalidGraphException.class)
                .hasMessage(message);
    }

    @Test
    void anUpdateHasTheSlotOfItsState_beforeTheInputs() {
        MemoryPlan plan = plan(cache());

        assertThat(plan.slot(NodeId.of(3))).isPresent();
        assertThat(plan.slots().get(NodeId.of(5)))
                .isEqualTo(plan.slots().get(NodeId.of(2)))
                .isEqualTo(new BufferSlot(16, 32));
        assertThat(plan.value(NodeId.of(5)).orElseThrow().partOf()).hasValue(NodeId.of(2));
        assertThat(plan.value(NodeId.of(2)).orElseThrow().role()).isEqualTo(NodeRole.STATE);
    }

    @Test
    void anUpdateTakesAStep_andItsBytesAreCountedOnce() {
        PlanResult planned = MemoryPlanner.plan(cache(), OPTIONS);

        assertThat(planned.buffers())
                .contains(
                        new LiveBuffer(NodeId.of(2), 0, 3, 32),
                        new LiveBuffer(NodeId.of(5), 1, 1, 32),
                        new LiveBuffer(NodeId.of(6), 2, 3, 16));
        assertThat(planned.lowerBoundBytes()).isEqualTo(16 + 32 + 16 + 2 * 16);
    }

    @Test
    void theUpdatedValueMayBeViewedUpdatedAgainAndReadByTheHost() {
        TestGraph graph = new TestGraph()
                .input(1, 4)
                .node(state(2, 8))
                .view(3, 4, 2, 4)
                .op(4, 4, 3)
                .node(update(5, 8, 2, 1))
                .view(6, 4, 5, 4)
                .op(7, 4, 6, 4)
                .node(update(8, 8, 5, 7).as(NodeRole.OUTPUT))
                .op(9, 1, 8);
        MemoryPlan plan = plan(graph);

        assertThat(plan.slots().get(NodeId.of(8))).isEqualTo(plan.slots().get(NodeId.of(2)));
        assertThat(plan.slots().get(NodeId.of(6))).isEqualTo(plan.slots().get(NodeId.of(3)));
        assertThat(plan.value(NodeId.of(6)).orElseThrow().partOf()).hasValue(NodeId.of(5));
    }

    @Nested
    class Refused {
        @Test
        void anOldValueThatIsReadAfterItsUpdate() {
            String order = " updates it, got this order; read node 3 instead";
            TestGraph updated = new TestGraph()
                    .input(1, 4)
                    .node(state(2, 8))
                    .view(5, 4, 2, 0)
                    .node(update(3, 8, 2, 1));

            assertRefused(
                    RandomGraphs.copy(updated).op(4, 4, 2), "node 4: expected to read node 2 before node 3" + order);
            assertRefused(
                    RandomGraphs.copy(updated).op(4, 4, 5), "node 4: expected to read node 5 before node 3" + order);
            assertRefused(
                    RandomGraphs.copy(updated).view(4, 4, 2, 0),
                    "node 4: expected to read node 2 before node 3" + order);
            assertRefused(
                    RandomGraphs.copy(updated).node(update(4, 8, 3, 1)).op(6, 1, 3),
                    "node 6: expected to read node 3 before node 4 updates it, got this order; read node 4 instead");
            assertRefused(
                    RandomGraphs.copy(updated).node(update(4, 8, 2, 1)),
                    "node 4: expected to update node 2 before node 3 updates it, got this order; update node 3"
                            + " instead");
        }

        @Test
        void anOldValueThatAFusedOpReadsAfterItsUpdate() {
            TestGraph graph = new TestGraph()
                    .input(1, 4)
                    .node(state(2, 8))
                    .fused(4, 8, 2)
                    .node(update(3, 8, 2, 1))
                    .output(5, 8, 4);

            assertRefused(
                    graph,
                    "node 5: expected to read node 2 before node 3 updates it, got this order; read node 3 instead");
        }

        @Test
        void anOutputThatIsUpdated() {
            TestGraph graph = new TestGraph()
                    .node(state(2, 8))
                    .node(update(3, 8, 2).as(NodeRole.OUTPUT))
                    .node(update(4, 8, 3));

            assertRefused(
                    graph,
                    "node 3: expected an output to keep its value to the end, got node 4, which updates it; make the"
                            + " last update the output");
        }

        @Test
        void anUpdateOfWhatIsNoState_orOfOtherElements_orByNoOp() {
            TestGraph graph = new TestGraph().input(1, 8).node(state(2, 8)).view(3, 8, 2, 0);

            assertRefused(
                    RandomGraphs.copy(graph).node(update(4, 8, 1)),
                    "node 4: expected to update a state, or an update of one, got node 1 of role INPUT");
            assertRefused(
                    RandomGraphs.copy(graph).node(update(4, 8, 3)),
                    "node 4: expected to update a state, or an update of one, got node 3, a view");
            assertRefused(
                    RandomGraphs.copy(graph).node(update(4, 8, 9)),
                    "node 4: expected to update a state of an earlier node, got node 9, which is not in the graph");
            assertRefused(
                    RandomGraphs.copy(graph).node(update(4, 7, 2)),
                    "node 4: expected the 8 elements of f32 of node 2, which it updates, got 7 elements of f32");
            assertRefused(
                    RandomGraphs.copy(graph).node(update(4, 8, 2).as(DType.I32)),
                    "node 4: expected the 8 elements of f32 of node 2, which it updates, got 8 elements of i32");
            assertRefused(
                    RandomGraphs.copy(graph).node(update(4, 8, 2).fusedAway()),
                    "node 4: expected an op in memory to update node 2, got a value that the host writes, a fused op"
                            + " or a view");
            assertRefused(
                    RandomGraphs.copy(graph).node(update(4, 8, 2, 1).joining()),
                    "node 4: expected an op in memory to update node 2, got a concatenation");
        }
    }

    @Nested
    class Validator {
        private MemoryPlan scheduled(long... ids) {
            MemoryPlan plan = plan(cache());
            return new MemoryPlan(plan.arenaSize(), plan.slots(), TestNode.ids(ids));
        }

        @Test
        void findsAReaderOfTheOldValueBehindTheUpdate() {
            PlanValidator.validate(scheduled(1, 3, 2, 4, 5, 6), cache(), OPTIONS);
            assertThatThrownBy(() -> PlanValidator.validate(scheduled(1, 3, 2, 5, 4, 6), cache(), OPTIONS))
                    .isInstanceOf(InvalidPlanException.class)
                    .hasMessage("node 2: expected its bytes 16 to 48 to be its own while node 4 runs at step 1, got"
                            + " some of node 5 at 16 to 48");
        }

        @Test
        void findsAnUpdateInASlotOfItsOwn() {
            MemoryPlan plan = plan(cache());
            Map<NodeId, BufferSlot> slots = new LinkedHashMap<>(plan.slots());
            slots.put(NodeId.of(5), new BufferSlot(plan.arenaSize(), 32));
            MemoryPlan wrong = new MemoryPlan(plan.arenaSize() + 32, slots, plan.schedule());

            assertThatThrownBy(() -> PlanValidator.validate(wrong, cache(), OPTIONS))
                    .isInstanceOf(InvalidPlanException.class)
                    .hasMessageStartingWith("node 5: expected the slot of node 2 at 16, which it updates, got offset");
        }
    }

    /** Inserts a state, its updates and readers of all kinds into a random graph. */
    private static TestGraph withStates(SplittableRandom random) {
        TestGraph graph = new TestGraph();
        long next = 10_000_000;
        long elements = 1L + random.nextInt(100);
        graph.node(state(next, elements));
        long current = next++;
        for (TestNode node : RandomGraphs.graph(random, 40).nodes()) {
            graph.node(node);
            switch (random.nextInt(8)) {
                case 0 -> {
                    graph.node(update(next, elements, current, node.id().value()));
                    current = next++;
                }
                case 1, 2 ->
                    graph.op(next++, 1 + random.nextInt(50), current, node.id().value());
                case 3 -> {
                    graph.view(next, elements / 2, current, random.nextLong(elements / 2 + 1));
                    graph.op(next + 1, 10, next);
                    next += 2;
                }
                case 4 -> {
                    graph.fused(next, elements, current, node.id().value());
                    graph.op(next + 1, 5, next);
                    next += 2;
                }
                default -> {}
            }
        }
        return graph;
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.devicearena.plan.Seeds#all")
    void plansOfRandomGraphsWithStatesAreValid_reorderedOrNot(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        TestGraph graph = withStates(random);
        PlanOptions options = RandomGraphs.options(random);

        for (PlanOptions each : List.of(options, options.withReordering())) {
            PlanResult planned = MemoryPlanner.plan(graph, each);
            PlanValidator.validate(planned.plan(), graph, each);
            PlanValidator.validate(planned.plan(), planned.buffers(), each);
            assertThat(planned.plan().arenaSize()).isGreaterThanOrEqualTo(planned.lowerBoundBytes());
        }
    }
}
