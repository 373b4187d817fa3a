package io.devicearena.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.devicearena.BufferSlot;
import io.devicearena.DType;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.NodeRole;
import io.devicearena.plan.SlotAlias.Reason;
import io.devicearena.plan.placement.PlacementProblem;
import io.devicearena.plan.placement.PlacementStrategy;
import io.devicearena.plan.testing.RandomGraphs;
import io.devicearena.plan.testing.TestGraph;
import io.devicearena.plan.testing.TestNode;
import io.devicearena.plan.testing.ToyExecution;
import io.devicearena.plan.validation.PlanValidator;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Values in one another's slots: where the graph allows it, where it must not happen, and that no result changes. */
class SlotSharingTest {
    private static final PlanOptions OPTIONS = PlanOptions.f32Uniform(16);

    private static PlanResult planned(TestGraph graph, PlanOptions options) {
        PlanResult planned = MemoryPlanner.plan(graph, options);
        PlanValidator.validate(planned.plan(), graph, options);
        PlanValidator.validate(planned.plan(), planned.buffers(), options);
        assertThat(ToyExecution.onThePlan(graph, planned.plan(), options))
                .isEqualTo(ToyExecution.apart(graph, options));
        return planned;
    }

    private static void assertApart(TestGraph graph, PlanOptions options) {
        assertThat(planned(graph, options).aliases()).isEmpty();
    }

    private static SlotAlias pair(long value, long host, Reason reason) {
        return new SlotAlias(NodeId.of(value), NodeId.of(host), reason);
    }

    private static BufferSlot slot(PlanResult planned, long id) {
        return planned.plan().slot(NodeId.of(id)).orElseThrow();
    }

    private static LiveBuffer buffer(PlanResult planned, long id) {
        return planned.buffers().stream()
                .filter(buffer -> buffer.id().equals(NodeId.of(id)))
                .findFirst()
                .orElseThrow();
    }

    // ---- both

    @Test
    void plan_withTwoWaysToShare_usesTheSmaller() {
        TestGraph graph = new TestGraph()
                .op(0, 64)
                .op(1, 64)
                .concatenation(2, 128, 0, 1)
                .op(3, 64, 1)
                .op(4, 4, 3)
                .node(TestNode.of(5, NodeRole.OP, 64, 1, 4).over(1))
                .reads(2)
                .reads(5);
        PlanResult planned = planned(graph, OPTIONS);

        // Were 5 written over 1, that could not lie in 2.
        assertThat(planned.aliases())
                .containsExactly(pair(0, 2, Reason.CONCATENATION), pair(1, 2, Reason.CONCATENATION));
        assertThat(planned.plan().arenaSize()).isEqualTo(512 + 256 + 16);
        assertThat(planned.lowerBoundBytes()).isEqualTo(512 + 256 + 16);
    }

    @Test
    void plan_withAGoodEnoughSize_triesNoOtherWayToShare() {
        AtomicInteger placed = new AtomicInteger();
        PlacementStrategy wasteful = new PlacementStrategy() {
            @Override
            public String name() {
                return "wasteful";
            }

            @Override
            public long[] place(PlacementProblem problem) {
                placed.incrementAndGet();
                long[] offsets = new long[problem.count()];
                long top = problem.origin() + 4096;
                for (int i = 0; i < offsets.length; i++) {
                    offsets[i] = top;
                    top += problem.size(i);
                }
                return offsets;
            }

            @Override
            public boolean isGoodEnough(long bytes) {
                return bytes <= 1 << 20;
            }
        };
        planned(new TestGraph().op(0, 16).inPlace(1, 16, 0).output(2, 16, 1), OPTIONS.withStrategy(wasteful));

        assertThat(placed.get()).isEqualTo(1);
    }

    // ---- in place

    @Test
    void inPlaceOp_asLastUseOfAnInput_reusesItsSlot() {
        TestGraph graph =
                new TestGraph().input(0, 4).op(1, 16, 0).inPlace(2, 16, 1).output(3, 4, 2);
        PlanResult planned = planned(graph, OPTIONS);

        assertThat(planned.aliases()).containsExactly(pair(2, 1, Reason.IN_PLACE));
        assertThat(slot(planned, 2)).isEqualTo(slot(planned, 1)).isEqualTo(new BufferSlot(16, 64));
        assertThat(planned.plan().arenaSize()).isEqualTo(16 + 64 + 16);
        assertThat(planned.lowerBoundBytes()).isEqualTo(16 + 64 + 16);
    }

    @Test
    void reusedInput_always_endsAtTheStepOfTheOp() {
        TestGraph graph =
                new TestGraph().op(0, 16).inPlace(1, 16, 0).inPlace(2, 16, 1).output(3, 4, 2);
        PlanResult planned = planned(graph, OPTIONS);

        assertThat(buffer(planned, 0)).isEqualTo(new LiveBuffer(NodeId.of(0), 0, 1, 64));
        assertThat(buffer(planned, 1)).isEqualTo(new LiveBuffer(NodeId.of(1), 1, 2, 64));
        assertThat(buffer(planned, 2)).isEqualTo(new LiveBuffer(NodeId.of(2), 2, 4, 64));
        assertThat(planned.plan().arenaSize()).isEqualTo(80);
    }

    @Test
    void inPlaceOp_withSeveralInputs_reusesTheFirstThatFits() {
        TestGraph graph = new TestGraph()
                .op(0, 16)
                .op(1, 16)
                .node(TestNode.of(2, NodeRole.OP, 16, 0, 1).over(0, 1))
                .output(3, 4, 2, 0);

        assertThat(planned(graph, OPTIONS).aliases()).containsExactly(pair(2, 1, Reason.IN_PLACE));
    }

    @Test
    void inPlaceOp_readingAnInputTwice_reusesItsSlot() {
        TestGraph graph = new TestGraph().op(0, 16).inPlace(1, 16, 0, 0).output(2, 16, 1);

        assertThat(planned(graph, OPTIONS).aliases()).containsExactly(pair(1, 0, Reason.IN_PLACE));
    }

    @Test
    void inPlaceOp_onAViewOfTheWhole_reusesItsSlot() {
        TestGraph graph =
                new TestGraph().op(0, 16).view(1, 16, 0, 0).inPlace(2, 16, 1).output(3, 16, 2);

        assertThat(planned(graph, OPTIONS).aliases()).containsExactly(pair(2, 0, Reason.IN_PLACE));
    }

    @Test
    void input_readLater_keepsItsSlot() {
        assertApart(new TestGraph().op(0, 16).inPlace(1, 16, 0).output(2, 16, 1, 0), OPTIONS);
    }

    @Test
    void input_readByTheHost_keepsItsSlot() {
        assertApart(new TestGraph().op(0, 16).inPlace(1, 16, 0).reads(0).reads(1), OPTIONS);
        assertApart(new TestGraph().output(0, 16).inPlace(1, 16, 0), OPTIONS);
    }

    @Test
    void persistentValue_always_keepsItsSlot() {
        assertApart(new TestGraph().input(0, 16).inPlace(1, 16, 0), OPTIONS);
        assertApart(new TestGraph().parameter(0, 16).view(1, 16, 0, 0).inPlace(2, 16, 1), OPTIONS);
    }

    @Test
    void input_withAViewReadLater_keepsItsSlot() {
        assertApart(new TestGraph().op(0, 16).view(1, 4, 0, 8).inPlace(2, 16, 0).output(3, 16, 2, 1), OPTIONS);
    }

    @Test
    void input_alsoReadThroughAView_keepsItsSlot() {
        assertApart(new TestGraph().op(0, 16).view(1, 4, 0, 8).inPlace(2, 16, 0, 1), OPTIONS);
        assertApart(
                new TestGraph()
                        .op(0, 16)
                        .view(1, 16, 0, 0)
                        .node(TestNode.of(2, NodeRole.OP, 16, 0, 1).over(0, 1)),
                OPTIONS);
    }

    @Test
    void input_alsoReadThroughAFusedOp_keepsItsSlot() {
        assertApart(new TestGraph().op(0, 16).fused(1, 16, 0).fused(2, 16, 1).inPlace(3, 16, 0, 2), OPTIONS);
    }

    @Test
    void slot_ofAnotherSize_isNotReused() {
        assertApart(new TestGraph().op(0, 16).inPlace(1, 8, 0), OPTIONS);
        assertApart(new TestGraph().op(0, 16).inPlace(1, 17, 0), OPTIONS);
        assertApart(
                new TestGraph().op(0, 15).inPlace(1, 16, 0), OPTIONS); // the same 64 bytes, but not as many elements
    }

    @Test
    void value_ofAnotherElementSize_reusesNoSlot() {
        TestGraph graph = new TestGraph()
                .node(TestNode.of(0, NodeRole.OP, 16).as(DType.F32))
                .node(TestNode.of(1, NodeRole.OP, 15, 0).as(DType.F16).over(0));

        assertApart(graph, PlanOptions.declared(64));
        assertThat(planned(graph, PlanOptions.f32Uniform(64)).aliases()).containsExactly(pair(1, 0, Reason.IN_PLACE));
    }

    @Test
    void viewOfSomeRows_asInput_isNotReused() {
        assertApart(new TestGraph().op(0, 16).view(1, 8, 0, 0).inPlace(2, 8, 1), OPTIONS);
    }

    @Test
    void viewOrFusedOp_always_reusesNoSlot() {
        TestGraph graph = new TestGraph()
                .op(0, 16)
                .node(TestNode.of(1, NodeRole.OP, 16, 0)
                        .showing(ViewOf.whole(NodeId.of(0)))
                        .over(0))
                .node(TestNode.of(2, NodeRole.OP, 16, 1).fusedAway().over(1))
                .output(3, 8, 2);

        assertApart(graph, OPTIONS);
    }

    @Test
    void inPlaceInput_thatIsNoInput_isInvalid() {
        TestGraph other = new TestGraph()
                .op(0, 4)
                .op(1, 4)
                .node(TestNode.of(2, NodeRole.OP, 4, 0).over(1));
        TestGraph none =
                new TestGraph().op(0, 4).node(TestNode.of(2, NodeRole.OP, 4, 0).over(7));

        assertThatThrownBy(() -> MemoryPlanner.plan(other, OPTIONS))
                .isInstanceOf(InvalidGraphException.class)
                .hasMessage("node 2: expected to take the slot of one of its inputs, got node 1");
        assertThatThrownBy(() -> MemoryPlanner.plan(none, OPTIONS))
                .isInstanceOf(InvalidGraphException.class)
                .hasMessage("node 2: expected to take the slot of one of its inputs, got node 7, which is not in the"
                        + " graph");
    }

    // ---- concatenations

    @Test
    void partsOfAConcatenation_ifTheyFit_lieInItsSlot() {
        TestGraph graph =
                new TestGraph().op(0, 16).op(1, 32).concatenation(2, 48, 0, 1).output(3, 1, 2);
        PlanResult planned = planned(graph, OPTIONS);

        assertThat(planned.aliases())
                .containsExactly(pair(0, 2, Reason.CONCATENATION), pair(1, 2, Reason.CONCATENATION));
        assertThat(slot(planned, 2)).isEqualTo(new BufferSlot(0, 192));
        assertThat(slot(planned, 0)).isEqualTo(new BufferSlot(0, 64));
        assertThat(slot(planned, 1)).isEqualTo(new BufferSlot(64, 128));
        assertThat(planned.plan().arenaSize()).isEqualTo(192 + 16);
    }

    @Test
    void part_inItsConcatenation_endsAtTheStepOfThat() {
        TestGraph graph =
                new TestGraph().op(0, 16).op(1, 32).concatenation(2, 48, 0, 1).output(3, 1, 2);
        PlanResult planned = planned(graph, OPTIONS);

        assertThat(buffer(planned, 0)).isEqualTo(new LiveBuffer(NodeId.of(0), 0, 2, 64));
        assertThat(buffer(planned, 1)).isEqualTo(new LiveBuffer(NodeId.of(1), 1, 2, 128));
        assertThat(buffer(planned, 2)).isEqualTo(new LiveBuffer(NodeId.of(2), 2, 4, 192));
    }

    @Test
    void inputOfAPart_deadBeforeALaterPart_liesWhereThatWillBe() {
        // As in a network for texts in pictures: 0 is read by both branches, 1 by the first of them only.
        TestGraph graph = new TestGraph()
                .op(0, 32)
                .op(1, 16, 0)
                .op(2, 32, 1)
                .op(3, 32, 0)
                .concatenation(4, 64, 3, 2)
                .output(5, 1, 4);
        PlanResult planned = planned(graph, OPTIONS);

        assertThat(planned.aliases())
                .containsExactly(pair(2, 4, Reason.CONCATENATION), pair(3, 4, Reason.CONCATENATION));
        assertThat(slot(planned, 1).offset()).isEqualTo(slot(planned, 3).offset());
        assertThat(buffer(planned, 1)).isEqualTo(new LiveBuffer(NodeId.of(1), 1, 3, 64));
        assertThat(planned.plan().arenaSize())
                .isEqualTo(planned.lowerBoundBytes())
                .isEqualTo((32 + 64) * 4);
    }

    @Test
    void inputOfAPart_stillReadWhenTheLaterPartIsWritten_keepsItsSlot() {
        TestGraph graph = new TestGraph()
                .op(0, 32)
                .op(1, 16, 0)
                .op(2, 32, 1)
                .op(3, 32, 0, 1)
                .concatenation(4, 64, 3, 2)
                .output(5, 1, 4);
        PlanResult planned = planned(graph, OPTIONS);

        assertThat(planned.plan().arenaSize()).isEqualTo((32 + 16 + 64) * 4);
    }

    @Test
    void part_readAfterTheConcatenation_liesInItsSlot() {
        TestGraph graph = new TestGraph()
                .op(0, 16)
                .op(1, 16)
                .concatenation(2, 32, 0, 1)
                .op(3, 1, 2)
                .op(4, 16)
                .output(5, 1, 0, 3, 4);
        PlanResult planned = planned(graph, OPTIONS);

        assertThat(planned.aliases()).hasSize(2);
        assertThat(buffer(planned, 2).endStep()).isEqualTo(6);
    }

    @Test
    void lowerBound_ofAPartReadAfterItsConcatenationEnds_countsThePartAgain() {
        TestGraph graph = new TestGraph()
                .op(0, 16)
                .op(1, 16)
                .concatenation(2, 32, 0, 1)
                .op(3, 1, 2)
                .op(4, 64)
                .output(5, 1, 0, 4);
        PlanResult planned = planned(graph, OPTIONS);

        // At the last step: the part 0, and 4 and 5.
        assertThat(planned.lowerBoundBytes()).isEqualTo(64 + 256 + 16);
        assertThat(planned.plan().arenaSize()).isEqualTo(64 + 256 + 16);
    }

    @Test
    void lowerBound_ofAPartOfTwoConcatenations_leavesItOutUntilBothHaveEnded() {
        TestGraph graph = new TestGraph()
                .op(0, 16)
                .op(1, 16)
                .concatenation(2, 32, 0, 1)
                .concatenation(3, 32, 0, 1)
                .op(4, 1, 2, 3);
        PlanResult planned = planned(graph.reads(4), OPTIONS);

        assertThat(planned.lowerBoundBytes()).isEqualTo(128 + 128 + 16);
        assertThat(planned.plan().arenaSize()).isEqualTo(128 + 128 + 16);
    }

    @Test
    void concatenations_nested_lieInOneSlot() {
        TestGraph graph = new TestGraph()
                .op(0, 16)
                .op(1, 16)
                .concatenation(2, 32, 0, 1)
                .op(3, 16, 2)
                .concatenation(4, 48, 2, 3)
                .op(5, 16, 4)
                .concatenation(6, 64, 4, 5)
                .output(7, 1, 6);
        PlanResult planned = planned(graph, OPTIONS);

        assertThat(planned.aliases()).hasSize(6);
        assertThat(planned.plan().arenaSize()).isEqualTo(4 * 64 + 16);
    }

    @Test
    void part_writtenInPlace_liesInTheConcatenation() {
        TestGraph graph = new TestGraph()
                .op(0, 16)
                .op(1, 16)
                .inPlace(2, 16, 1)
                .concatenation(3, 32, 0, 2)
                .inPlace(4, 32, 3)
                .output(5, 1, 4);
        PlanResult planned = planned(graph, OPTIONS);

        assertThat(planned.aliases())
                .containsExactly(
                        pair(0, 3, Reason.CONCATENATION),
                        pair(2, 1, Reason.IN_PLACE),
                        pair(2, 3, Reason.CONCATENATION),
                        pair(4, 3, Reason.IN_PLACE));
        assertThat(planned.plan().arenaSize()).isEqualTo(128 + 16);
    }

    @Test
    void part_readAfterTheConcatenationIsReused_keepsItsSlot() {
        TestGraph graph = new TestGraph()
                .op(0, 16)
                .op(1, 16)
                .concatenation(2, 32, 0, 1)
                .inPlace(3, 32, 2)
                .output(4, 1, 3, 0);

        assertThat(planned(graph, OPTIONS).aliases())
                .containsExactly(pair(1, 2, Reason.CONCATENATION), pair(3, 2, Reason.IN_PLACE));
    }

    @Test
    void value_twiceInAConcatenation_isAPartOnce() {
        TestGraph graph = new TestGraph().op(0, 16).concatenation(1, 32, 0, 0).output(2, 1, 1);

        assertThat(planned(graph, OPTIONS).aliases()).containsExactly(pair(0, 1, Reason.CONCATENATION));
    }

    @Test
    void value_inTwoConcatenations_isAPartOfOne() {
        TestGraph graph = new TestGraph()
                .op(0, 16)
                .op(1, 16)
                .concatenation(2, 32, 0, 1)
                .concatenation(3, 32, 1, 0)
                .output(4, 1, 2, 3);

        assertThat(planned(graph, OPTIONS).aliases())
                .containsExactly(pair(0, 2, Reason.CONCATENATION), pair(1, 2, Reason.CONCATENATION));
    }

    @Test
    void persistentValueOrViewOfRows_inAConcatenation_keepsItsSlot() {
        TestGraph graph = new TestGraph()
                .input(0, 16)
                .op(1, 32)
                .view(2, 16, 1, 16)
                .fused(3, 16, 1)
                .concatenation(4, 48, 0, 2, 3)
                .output(5, 1, 4);

        assertApart(graph, OPTIONS);
    }

    @Test
    void part_offTheAlignmentOrWithoutItsPadding_keepsItsSlot() {
        TestGraph graph = new TestGraph()
                .op(0, 5)
                .op(1, 8)
                .op(2, 3)
                .concatenation(3, 16, 0, 1, 2)
                .output(4, 1, 3);

        assertApart(graph, OPTIONS);
        assertThat(planned(graph, PlanOptions.f32Uniform(4)).aliases()).hasSize(3);
    }

    @Test
    void lastPart_always_mayUseThePaddingOfTheConcatenation() {
        TestGraph graph =
                new TestGraph().op(0, 8).op(1, 5).concatenation(2, 13, 0, 1).output(3, 1, 2);

        assertThat(planned(graph, OPTIONS).aliases()).hasSize(2);
    }

    @Test
    void concatenation_thatWouldLiveTooLong_isCopied() {
        // The first input waits while 1 is large; a slot of 2 x 1024 elements would wait with it.
        TestGraph graph = new TestGraph()
                .op(0, 1024)
                .op(1, 8192)
                .op(2, 16, 1)
                .op(3, 1024, 2)
                .concatenation(4, 2048, 0, 3)
                .output(5, 1, 4);

        assertThat(planned(graph, OPTIONS).aliases()).containsExactly(pair(3, 4, Reason.CONCATENATION));
    }

    @Test
    void concatenation_ofOtherElements_isInvalid() {
        assertThatThrownBy(() -> MemoryPlanner.plan(new TestGraph().op(0, 4).concatenation(1, 9, 0, 0), OPTIONS))
                .isInstanceOf(InvalidGraphException.class)
                .hasMessage("node 1: expected a concatenation of inputs of 9 elements in all, got 8");
        TestGraph mixed = new TestGraph()
                .node(TestNode.of(0, NodeRole.OP, 4).as(DType.F16))
                .concatenation(1, 4, 0);
        assertThatThrownBy(() -> MemoryPlanner.plan(mixed, OPTIONS))
                .isInstanceOf(InvalidGraphException.class)
                .hasMessage("node 1: expected a concatenation of inputs of its own dtype f32, got node 0 of f16");
    }

    // ---- properties

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.devicearena.plan.Seeds#all")
    void sharing_ofRandomGraphs_changesNoResult(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < 20; i++) {
            TestGraph graph = RandomGraphs.graph(random, 1 + random.nextInt(150));
            planned(graph, RandomGraphs.options(random));
        }
    }

    @Test
    void randomGraphs_together_shareInBothWays() {
        SplittableRandom random = new SplittableRandom(5);
        int inPlace = 0;
        int parts = 0;
        for (int i = 0; i < 20; i++) {
            for (SlotAlias pair : planned(RandomGraphs.graph(random, 150), RandomGraphs.options(random))
                    .aliases()) {
                inPlace += pair.reason() == Reason.IN_PLACE ? 1 : 0;
                parts += pair.reason() == Reason.CONCATENATION ? 1 : 0;
            }
        }

        assertThat(inPlace).isGreaterThan(40);
        assertThat(parts).isGreaterThan(40);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.devicearena.plan.Seeds#all")
    void sharing_always_needsNoMoreBytes(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        TestGraph graph = RandomGraphs.graph(random, 1 + random.nextInt(150));
        TestGraph undeclared = new TestGraph();
        graph.nodes()
                .forEach(node -> undeclared.node(new TestNode(
                        node.id(),
                        node.role(),
                        node.dtype(),
                        node.elements(),
                        node.inputs(),
                        node.view(),
                        node.isFused())));
        graph.outputs().forEach(id -> undeclared.reads(id.value()));
        PlanOptions options = RandomGraphs.options(random);
        PlanResult with = MemoryPlanner.plan(graph, options);
        PlanResult without = MemoryPlanner.plan(undeclared, options);

        assertThat(with.plan().arenaSize()).isLessThanOrEqualTo(without.plan().arenaSize());
        assertThat(with.lowerBoundBytes()).isLessThanOrEqualTo(without.lowerBoundBytes());
    }

    @Test
    void toyExecution_ofAPlanWithAFalseAlias_differs() {
        TestGraph graph = new TestGraph().input(0, 4).op(1, 4, 0).output(2, 4, 1, 0);
        MemoryPlan wrong = new MemoryPlan(
                32,
                Map.of(
                        NodeId.of(0), new BufferSlot(0, 16),
                        NodeId.of(1), new BufferSlot(16, 16),
                        NodeId.of(2), new BufferSlot(16, 16)),
                TestNode.ids(0, 1, 2));

        assertThat(ToyExecution.onThePlan(graph, wrong, OPTIONS)).isNotEqualTo(ToyExecution.apart(graph, OPTIONS));
    }
}
