package io.devicearena.plan;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.devicearena.DType;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.NodeRole;
import io.devicearena.plan.testing.PairwiseOracle;
import io.devicearena.plan.testing.RandomGraphs;
import io.devicearena.plan.testing.TestGraph;
import io.devicearena.plan.testing.TestNode;
import io.devicearena.plan.validation.PlanValidator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Graphs that run one after another: a forward and a backward graph make a training step. */
class PhasedGraphTest {
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

    private static PhasedGraph step(PlanGraph forward, PlanGraph backward) {
        return PhasedGraph.of("forward", forward).then("backward", backward);
    }

    private static FamilyPlan plan(PlanGraph step, PlanOptions options) {
        FamilyPlan family = FamilyPlan.of(Map.of("train", step), options);
        PlanValidator.validate(family, Map.of("train", step));
        return family;
    }

    private static long arenaSize(PlanGraph forward, PlanGraph backward, PlanOptions options) {
        return MemoryPlanner.plan(step(forward, backward), options).plan().arenaSize();
    }

    private static void assertRefused(TestGraph forward, TestGraph backward, String message) {
        assertThatThrownBy(() -> step(forward, backward))
                .isInstanceOf(InvalidGraphException.class)
                .hasMessage(message);
    }

    @Test
    void sharedValues_ofBothPhases_haveOneSlot() {
        FamilyPlan family = plan(step(forward(), backward()), OPTIONS);
        MemoryPlan first = family.plan("train", "forward");
        MemoryPlan second = family.plan("train", "backward");
        List<NodeId> shared =
                first.schedule().stream().filter(second.schedule()::contains).toList();

        assertThat(shared).hasSize(1 + LAYERS + LAYERS / 2);
        assertThat(shared)
                .allSatisfy(id -> assertThat(first.slot(id))
                        .isPresent()
                        .isEqualTo(second.slot(id))
                        .isEqualTo(family.plan("train").slot(id)));
    }

    @Test
    void wholePlan_always_isValid() {
        PhasedGraph step = step(forward(), backward());
        MemoryPlan whole = MemoryPlanner.plan(step, OPTIONS).plan();

        PlanValidator.validate(whole, step, OPTIONS);
        PlanValidator.validate(whole, RandomGraphs.copy(step), OPTIONS);
        PlanValidator.validate(plan(step, OPTIONS).plan("train", "forward"), forward(), OPTIONS);
        assertThat(plan(step, OPTIONS).plan("train")).isEqualTo(whole);
    }

    @Test
    void eachPhase_always_hasTheSlotsAndScheduleOfItsGraph() {
        FamilyPlan family = plan(step(forward(), backward()), OPTIONS);

        assertCutFor(forward(), family.plan("train", "forward"), family);
        assertCutFor(backward(), family.plan("train", "backward"), family);
        assertThatThrownBy(() -> family.plan("train", "update"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("phase: expected one of [forward, backward], got 'update'");
        assertThatThrownBy(() -> family.plan("infer", "forward"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("graph: expected one of [train], got 'infer'");
    }

    private static void assertCutFor(TestGraph graph, MemoryPlan cut, FamilyPlan family) {
        List<NodeId> ids = graph.nodes().stream().map(TestNode::id).toList();
        assertThat(cut.schedule()).isEqualTo(ids);
        assertThat(cut.slots()).containsOnlyKeys(ids);
        assertThat(cut.arenaSize()).isEqualTo(family.plan("train").arenaSize());
    }

    @Test
    void activation_notReadByBackward_isNotKept() {
        TestGraph keepingAll = forward();
        for (int i = 0; i < LAYERS; i++) {
            keepingAll.reads(101 + i);
        }
        long kept = arenaSize(forward(), backward(), OPTIONS);
        long all = arenaSize(keepingAll, backward(), OPTIONS);

        assertThat(kept).isLessThanOrEqualTo(all - 4 * ELEMENTS * (LAYERS / 2 - 2));
    }

    @Test
    void aThirdPhase_updatesWeightsWithGradients() {
        TestNode weight = TestNode.of(1, NodeRole.STATE, 64);
        TestGraph forward = new TestGraph().node(weight).input(2, 64).op(3, 64, 2, 1);
        TestGraph backward = new TestGraph().node(weight).input(3, 64).op(4, 64, 3, 1);
        TestGraph update = new TestGraph()
                .node(weight)
                .input(4, 64)
                .node(TestNode.of(5, NodeRole.OP, 64, 1, 4).updating(1));
        PhasedGraph step = step(forward, backward).then("update", update);
        TestGraph infer = new TestGraph().node(weight).input(2, 64).output(3, 64, 2, 1);
        Map<String, PlanGraph> graphs = new LinkedHashMap<>(Map.of("train", step));
        graphs.put("infer", infer);
        FamilyPlan family = FamilyPlan.of(graphs, OPTIONS);

        PlanValidator.validate(family, graphs);
        assertThat(step.phases()).containsOnlyKeys("forward", "backward", "update");
        assertThat(family.plan("train", "update").slot(NodeId.of(5)))
                .isPresent()
                .isEqualTo(family.plan("infer").slot(NodeId.of(1)));
        assertThatThrownBy(() -> step.then("update", new TestGraph().op(9, 1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("phase 'update': expected a name that no phase has, got one of"
                        + " [forward, backward, update]");
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.devicearena.plan.Seeds#all")
    void phases_ofRandomGraphs_areValid(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        TestGraph forward = RandomGraphs.graph(random, 1 + random.nextInt(60));
        TestGraph backward = RandomGraphs.backward(random, forward);
        PlanOptions options = RandomGraphs.options(random);
        PhasedGraph step = step(forward, backward);
        FamilyPlan family = plan(step, options);

        assertThat(PairwiseOracle.accepts(family.plan("train"), RandomGraphs.copy(step), options))
                .isTrue();
        PlanValidator.validate(family.plan("train", "forward"), forward, options);
        assertThat(family.plan("train", "backward").slots())
                .containsOnlyKeys(backward.nodes().stream()
                        .filter(node -> !node.isFused())
                        .map(TestNode::id)
                        .toList());
    }

    @Test
    void outputs_ofBothGraphs_liveToTheEnd() {
        TestGraph forward = new TestGraph().op(1, 4).op(2, 4, 1).reads(1);
        TestGraph backward = new TestGraph().input(2, 4).op(3, 4, 2).op(4, 4, 3).reads(3);
        PlanGraph joined = step(forward, backward);

        assertThat(joined.outputs()).containsExactly(NodeId.of(1), NodeId.of(3));
        assertThat(joined.nodes()).extracting(PlanNode::id).isEqualTo(TestNode.ids(1, 2, 3, 4));
    }

    @Test
    void value_madeByBothGraphs_isInvalid() {
        assertRefused(
                new TestGraph().op(1, 4),
                new TestGraph().op(1, 4),
                "node 1: expected to be made by one phase, got ops of 'backward' and of a phase before it; give the"
                        + " value of 'backward' an id of its own");
    }

    @Test
    void sharedValue_ofDifferentSizes_isInvalid() {
        assertRefused(
                new TestGraph().op(1, 4),
                new TestGraph().input(1, 5),
                "node 1: expected the same value in all phases, got 4 elements of f32 and in 'backward' 5 of f32");
        assertRefused(
                new TestGraph().op(1, 4),
                new TestGraph().node(TestNode.of(1, NodeRole.INPUT, 4).as(DType.BF16)),
                "node 1: expected the same value in all phases, got 4 elements of f32 and in 'backward' 4 of bf16");
    }

    @Test
    void sharedView_ofDifferentBytes_isInvalid() {
        TestNode weightsView = TestNode.of(2, NodeRole.INPUT, 4).showing(ViewOf.whole(NodeId.of(1)));
        assertRefused(
                new TestGraph().parameter(1, 4).op(2, 4, 1),
                new TestGraph().parameter(1, 4).node(weightsView).output(9, 4, 2),
                "node 2: expected a view of the same bytes in all phases, got a value of its own and in 'backward' a"
                        + " view of node 1 from element 0 on; leave the view out of 'backward', which can read the"
                        + " value as an input");

        TestGraph forward = new TestGraph().parameter(1, 4).node(weightsView);
        TestGraph backward = new TestGraph().parameter(1, 4).node(weightsView).output(9, 4, 2);
        plan(step(forward, backward), OPTIONS);
    }

    @Test
    void fusedValue_readByBackward_isInvalid() {
        assertRefused(
                new TestGraph().op(0, 4).fused(1, 4, 0).output(2, 4, 1),
                new TestGraph().input(1, 4).output(3, 4, 1),
                "node 1: expected a value in memory, since 'backward' reads it, got one that a phase before it fuses"
                        + " away");
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
        PlanResult kept =
                requireNonNull(plan(step(forward, backward), OPTIONS).members().get("train"));
        TestGraph keepingAll = deepForward();
        for (int i = 0; i < DEPTH; i++) {
            keepingAll.reads(2000 + i).reads(3000 + i);
        }
        FamilyPlan all = plan(step(keepingAll, backward), OPTIONS);

        long value = 4 * WIDE;
        long weights = 4 * 256 * DEPTH;
        // the input, 50 activations, weights and gradients of weights, and two values on the way
        assertThat(kept.plan().arenaSize())
                .isEqualTo(kept.lowerBoundBytes())
                .isBetween(51 * value + weights, 53 * value + 2 * weights + 64);
        assertThat(all.arenaBytes()).isGreaterThan(151 * value + weights);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.devicearena.plan.Seeds#all")
    void reorderedPhases_neverNeedMore(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        TestGraph forward = RandomGraphs.graph(random, 1 + random.nextInt(60));
        TestGraph backward = RandomGraphs.backward(random, forward);
        FamilyPlan family = plan(step(forward, backward), OPTIONS.withReordering());

        assertThat(family.arenaBytes()).isLessThanOrEqualTo(arenaSize(forward, backward, OPTIONS));
    }

    @Test
    void reorderedThirdPhase_runsLast() {
        PlanOptions reordering = OPTIONS.withReordering();
        SplittableRandom random = new SplittableRandom(8);
        for (int i = 0; i < 2; i++) {
            TestGraph forward = RandomGraphs.graph(random, 1 + random.nextInt(40));
            TestGraph backward = RandomGraphs.backward(random, forward);
            TestGraph update = new TestGraph().input(3_000_000, 9);
            for (int k = 0; k < 8; k++) {
                update.op(2_000_000 + k, 1 + random.nextInt(50), k == 0 ? 3_000_000 : 2_000_000 + random.nextInt(k));
            }
            FamilyPlan family = plan(step(forward, backward).then("update", update), reordering);

            List<NodeId> schedule =
                    requireNonNull(family.members().get("train")).plan().schedule();
            assertThat(schedule.subList(schedule.size() - 8, schedule.size()))
                    .as("the last values of graph %d", i)
                    .containsExactlyInAnyOrder(LongStream.range(2_000_000, 2_000_008)
                            .mapToObj(NodeId::of)
                            .toArray(NodeId[]::new));
        }
    }
}
