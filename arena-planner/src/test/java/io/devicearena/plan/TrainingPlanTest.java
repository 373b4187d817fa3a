package io.devicearena.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.devicearena.BufferSlot;
import io.devicearena.DType;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.NodeRole;
import io.devicearena.plan.testing.PairwiseOracle;
import io.devicearena.plan.testing.RandomGraphs;
import io.devicearena.plan.testing.TestGraph;
import io.devicearena.plan.testing.TestNode;
import io.devicearena.plan.validation.PlanValidator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TrainingPlanTest {
    private static final PlanOptions OPTIONS = PlanOptions.f32Uniform(16);
    private static final int LAYERS = 12;
    private static final long ELEMENTS = 64;
    private static final long LOSS = 99;

    /** Layer i reads weight i and activation 100 + i, and makes activation 101 + i. */
    private static TestGraph forward() {
        TestGraph graph = new TestGraph().input(100, ELEMENTS);
        for (int i = 0; i < LAYERS; i++) {
            graph.parameter(i, 8);
        }
        for (int i = 0; i < LAYERS; i++) {
            graph.op(101 + i, ELEMENTS, 100 + i, i);
        }
        return graph.output(LOSS, 1, 100 + LAYERS);
    }

    /** Gradients 200 + i of the activations, from the last to the first; only even layers read their activation. */
    private static TestGraph backward() {
        TestGraph graph = new TestGraph().input(LOSS, 1);
        for (int i = 0; i < LAYERS; i++) {
            graph.parameter(i, 8);
        }
        for (int i = 0; i < LAYERS; i += 2) {
            graph.input(101 + i, ELEMENTS);
        }
        graph.op(200 + LAYERS, ELEMENTS, LOSS);
        for (int i = LAYERS - 1; i >= 0; i--) {
            if (i % 2 == 0) {
                graph.op(200 + i, ELEMENTS, 201 + i, i, 101 + i);
            } else {
                graph.op(200 + i, ELEMENTS, 201 + i, i);
            }
        }
        return graph.reads(200);
    }

    private static void assertRefused(TestGraph forward, TestGraph backward, String message) {
        assertThatThrownBy(() -> TrainingPlan.of(forward, backward, OPTIONS))
                .isInstanceOf(InvalidGraphException.class)
                .hasMessage(message);
    }

    @Test
    void sharedValues_ofBothPlans_haveOneSlot() {
        TrainingPlan plan = TrainingPlan.of(forward(), backward(), OPTIONS);
        List<NodeId> shared = plan.forward().schedule().stream()
                .filter(plan.backward().schedule()::contains)
                .toList();

        assertThat(shared).hasSize(1 + LAYERS + LAYERS / 2);
        assertThat(shared)
                .allSatisfy(id -> assertThat(plan.forward().slot(id))
                        .isPresent()
                        .isEqualTo(plan.backward().slot(id))
                        .isEqualTo(plan.whole().plan().slot(id)));
    }

    @Test
    void wholePlan_always_isValid() {
        TrainingPlan plan = TrainingPlan.of(forward(), backward(), OPTIONS);
        PlanGraph joined = TrainingPlan.joined(forward(), backward());

        PlanValidator.validate(plan.whole().plan(), joined, OPTIONS);
        PlanValidator.validate(plan.forward(), forward(), OPTIONS);
    }

    @Test
    void eachPlan_always_hasTheSlotsAndScheduleOfItsGraph() {
        TrainingPlan plan = TrainingPlan.of(forward(), backward(), OPTIONS);

        assertCutFor(forward(), plan.forward(), plan);
        assertCutFor(backward(), plan.backward(), plan);
    }

    private static void assertCutFor(TestGraph graph, MemoryPlan cut, TrainingPlan plan) {
        List<NodeId> ids = graph.nodes().stream().map(TestNode::id).toList();
        assertThat(cut.schedule()).isEqualTo(ids);
        assertThat(cut.slots()).containsOnlyKeys(ids);
        assertThat(cut.arenaSize()).isEqualTo(plan.whole().plan().arenaSize());
    }

    @Test
    void activation_notReadByBackward_isNotKept() {
        TestGraph keepingAll = forward();
        for (int i = 0; i < LAYERS; i++) {
            keepingAll.reads(101 + i);
        }
        long kept =
                TrainingPlan.of(forward(), backward(), OPTIONS).whole().plan().arenaSize();
        long all =
                TrainingPlan.of(keepingAll, backward(), OPTIONS).whole().plan().arenaSize();

        assertThat(kept).isLessThanOrEqualTo(all - 4 * ELEMENTS * (LAYERS / 2 - 2));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.devicearena.plan.Seeds#all")
    void trainingPlan_ofRandomGraphs_isValid(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        TestGraph forward = RandomGraphs.graph(random, 1 + random.nextInt(60));
        TestGraph backward = RandomGraphs.backward(random, forward);
        PlanOptions options = RandomGraphs.options(random);
        TrainingPlan plan = TrainingPlan.of(forward, backward, options);
        TestGraph joined = RandomGraphs.copy(TrainingPlan.joined(forward, backward));

        PlanValidator.validate(plan, forward, backward, options);
        assertThat(PairwiseOracle.accepts(plan.whole().plan(), joined, options)).isTrue();
        PlanValidator.validate(plan.forward(), forward, options);
        assertThat(plan.backward().slots())
                .containsOnlyKeys(backward.nodes().stream()
                        .filter(node -> !node.isFused())
                        .map(TestNode::id)
                        .toList());
    }

    @Test
    void trainingPlan_withAWeightLayout_followsIt() {
        WeightLayout layout = WeightLayout.of(List.of(backward(), forward()), OPTIONS);
        TrainingPlan plan = TrainingPlan.of(forward(), backward(), OPTIONS.withWeights(layout));

        for (long weight = 0; weight < LAYERS; weight++) {
            assertThat(plan.backward().slot(NodeId.of(weight))).isPresent().isEqualTo(layout.slot(NodeId.of(weight)));
        }
    }

    @Test
    void outputs_ofBothGraphs_liveToTheEnd() {
        TestGraph forward = new TestGraph().op(1, 4).op(2, 4, 1).reads(1);
        TestGraph backward = new TestGraph().input(2, 4).op(3, 4, 2).op(4, 4, 3).reads(3);
        PlanGraph joined = TrainingPlan.joined(forward, backward);

        assertThat(joined.outputs()).containsExactly(NodeId.of(1), NodeId.of(3));
        assertThat(joined.nodes()).extracting(PlanNode::id).isEqualTo(TestNode.ids(1, 2, 3, 4));
    }

    @Test
    void value_madeByBothGraphs_isInvalid() {
        assertRefused(
                new TestGraph().op(1, 4),
                new TestGraph().op(1, 4),
                "node 1: expected to be made by one of the two graphs, got ops of both; give the backward graph's value"
                        + " an id of its own");
    }

    @Test
    void sharedValue_ofDifferentSizes_isInvalid() {
        assertRefused(
                new TestGraph().op(1, 4),
                new TestGraph().input(1, 5),
                "node 1: expected the same value in both graphs, got 4 elements of f32 and 5 of f32");
        assertRefused(
                new TestGraph().op(1, 4),
                new TestGraph().node(TestNode.of(1, NodeRole.INPUT, 4).as(DType.BF16)),
                "node 1: expected the same value in both graphs, got 4 elements of f32 and 4 of bf16");
    }

    @Test
    void sharedView_ofDifferentBytes_isInvalid() {
        TestNode weightsView = TestNode.of(2, NodeRole.INPUT, 4).showing(ViewOf.whole(NodeId.of(1)));
        assertRefused(
                new TestGraph().parameter(1, 4).op(2, 4, 1),
                new TestGraph().parameter(1, 4).node(weightsView).output(9, 4, 2),
                "node 2: expected a view of the same bytes in both graphs, got a value of its own in the forward and a"
                        + " view of node 1 from element 0 on in the backward graph; leave the view out of the backward"
                        + " graph, which can read the value as an input");

        TestGraph forward = new TestGraph().parameter(1, 4).node(weightsView);
        TestGraph backward = new TestGraph().parameter(1, 4).node(weightsView).output(9, 4, 2);
        TrainingPlan plan = TrainingPlan.of(forward, backward, OPTIONS);
        PlanValidator.validate(plan, forward, backward, OPTIONS);
    }

    @Test
    void fusedValue_readByBackward_isInvalid() {
        assertRefused(
                new TestGraph().op(0, 4).fused(1, 4, 0).output(2, 4, 1),
                new TestGraph().input(1, 4).output(3, 4, 1),
                "node 1: expected a value in memory, since the backward graph reads it, got one that the forward graph"
                        + " fuses away");
    }

    @Test
    void valueReadByBackward_thatIsNoNodeOfIt_isInvalid() {
        assertRefused(
                new TestGraph().op(1, 4),
                new TestGraph().op(2, 4, 1),
                "node 2: expected inputs that are nodes of the graph, got node 1; add it");
    }

    @Test
    void forwardGraph_withAFault_isInvalid() {
        assertRefused(
                new TestGraph().op(1, 4, 9),
                new TestGraph().op(2, 4),
                "node 1: expected inputs that are nodes of the graph, got node 9; add it");
    }

    // ---- a deep network, with what its backward graph reads given by the kind of layer

    private static final int DEPTH = 50;
    private static final long WIDE = 4096;

    /** Fifty layers of three ops: a product with a weight, a normalization and a ReLU in place of it. */
    private static TestGraph deepForward() {
        TestGraph graph = new TestGraph().input(1000, WIDE);
        for (int i = 0; i < DEPTH; i++) {
            graph.parameter(i, 256);
        }
        for (int i = 0; i < DEPTH; i++) {
            graph.op(2000 + i, WIDE, 1000 + i, i);
            graph.op(3000 + i, WIDE, 2000 + i);
            graph.inPlace(1001 + i, WIDE, 3000 + i);
        }
        return graph.output(LOSS, 1, 1000 + DEPTH);
    }

    /**
     * The product's gradient reads the layer's input, a ReLU's its output: that is the same value as the next one's
     * input.
     */
    private static TestGraph deepBackward() {
        TestGraph graph = new TestGraph().input(LOSS, 1).input(1000, WIDE);
        for (int i = 0; i < DEPTH; i++) {
            graph.parameter(i, 256).input(1001 + i, WIDE);
        }
        graph.op(4000 + DEPTH, WIDE, LOSS);
        for (int i = DEPTH - 1; i >= 0; i--) {
            graph.inPlace(5000 + i, WIDE, 4001 + i, 1001 + i);
            graph.op(6000 + i, 256, 5000 + i, 1000 + i);
            graph.reads(6000 + i);
            graph.op(4000 + i, WIDE, 5000 + i, i);
        }
        return graph;
    }

    @Test
    void deepNetwork_keepsOnlyWhatBackwardReads() {
        TestGraph forward = deepForward();
        TestGraph backward = deepBackward();
        TrainingPlan plan = TrainingPlan.of(forward, backward, OPTIONS);
        PlanValidator.validate(plan, forward, backward, OPTIONS);
        TestGraph keepingAll = deepForward();
        for (int i = 0; i < DEPTH; i++) {
            keepingAll.reads(2000 + i).reads(3000 + i);
        }
        TrainingPlan all = TrainingPlan.of(keepingAll, backward, OPTIONS);
        PlanValidator.validate(all, keepingAll, backward, OPTIONS);

        long value = 4 * WIDE;
        long weights = 4 * 256 * DEPTH;
        // the input, 50 activations, weights and gradients of weights, and two values on the way
        assertThat(plan.whole().plan().arenaSize())
                .isEqualTo(plan.whole().lowerBoundBytes())
                .isBetween(51 * value + weights, 53 * value + 2 * weights + 64);
        assertThat(all.whole().plan().arenaSize()).isGreaterThan(151 * value + weights);
    }

    @Test
    void reorderedTrainingPlan_always_runsForwardFirst() {
        PlanOptions reordering = OPTIONS.withReordering();
        SplittableRandom random = new SplittableRandom(7);
        for (int i = 0; i < 40; i++) {
            TestGraph forward = RandomGraphs.graph(random, 1 + random.nextInt(60));
            TestGraph backward = RandomGraphs.backward(random, forward);
            TrainingPlan plan = TrainingPlan.of(forward, backward, reordering);

            PlanValidator.validate(plan, forward, backward, reordering);
            assertThat(plan.whole().plan().arenaSize())
                    .isLessThanOrEqualTo(TrainingPlan.of(forward, backward, OPTIONS)
                            .whole()
                            .plan()
                            .arenaSize());
        }
    }

    @Test
    void validate_ofPlansThatDisagree_isRejected() {
        TestGraph forward = new TestGraph().parameter(0, 4).op(1, 4, 0).op(2, 4, 1);
        TestGraph backward = new TestGraph().parameter(0, 4).input(2, 4).op(3, 4, 2, 0);
        TrainingPlan plan = TrainingPlan.of(forward, backward, OPTIONS);
        MemoryPlan moved = new MemoryPlan(
                plan.backward().arenaSize(),
                Map.of(
                        NodeId.of(0), new BufferSlot(16, 16),
                        NodeId.of(2), new BufferSlot(32, 16),
                        NodeId.of(3), new BufferSlot(16, 16)),
                plan.backward().schedule());
        MemoryPlan larger = new MemoryPlan(
                plan.forward().arenaSize() + 16,
                plan.forward().slots(),
                plan.forward().schedule());

        assertPairRefused(
                new TrainingPlan(plan.whole(), plan.forward(), moved),
                forward,
                backward,
                "backward: expected node 0 in the slot of the whole plan, 16 bytes at 0, got 16 bytes at 16");
        assertPairRefused(
                new TrainingPlan(plan.whole(), larger, plan.backward()),
                forward,
                backward,
                "forward: expected an arena of 48 bytes as the whole plan has, got 64");
    }

    @Test
    void validate_ofBackwardBeforeForward_isRejected() {
        TestGraph forward = new TestGraph().parameter(0, 4).op(1, 4, 0).op(2, 4, 0);
        TestGraph backward = new TestGraph().parameter(0, 4).input(1, 4).op(3, 4, 1, 0);
        PlanResult whole = TrainingPlan.of(forward, backward, OPTIONS).whole();
        MemoryPlan apart = new MemoryPlan(
                64,
                Map.of(
                        NodeId.of(0), new BufferSlot(0, 16),
                        NodeId.of(1), new BufferSlot(16, 16),
                        NodeId.of(2), new BufferSlot(32, 16),
                        NodeId.of(3), new BufferSlot(48, 16)),
                TestNode.ids(0, 1, 3, 2));
        TrainingPlan mixed = new TrainingPlan(
                new PlanResult(apart, List.of(), whole.lowerBoundBytes(), "by hand", List.of()),
                cut(apart, 0, 1, 2),
                cut(apart, 0, 1, 3));

        assertPairRefused(
                mixed, forward, backward, "node 3: expected all of the forward graph to run before it, got 1 of 2");
    }

    private static MemoryPlan cut(MemoryPlan whole, long... ids) {
        Map<NodeId, BufferSlot> slots = new HashMap<>();
        TestNode.ids(ids).forEach(id -> slots.put(id, whole.slot(id).orElseThrow()));
        return new MemoryPlan(whole.arenaSize(), slots, TestNode.ids(ids));
    }

    private static void assertPairRefused(TrainingPlan plan, TestGraph forward, TestGraph backward, String message) {
        assertThatThrownBy(() -> PlanValidator.validate(plan, forward, backward, OPTIONS))
                .isInstanceOf(InvalidPlanException.class)
                .hasMessage(message);
    }
}
