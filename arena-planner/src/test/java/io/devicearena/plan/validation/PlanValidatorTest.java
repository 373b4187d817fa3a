package io.devicearena.plan.validation;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.devicearena.BufferSlot;
import io.devicearena.DType;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.NodeRole;
import io.devicearena.plan.InvalidPlanException;
import io.devicearena.plan.LiveBuffer;
import io.devicearena.plan.PlanOptions;
import io.devicearena.plan.testing.TestGraph;
import io.devicearena.plan.testing.TestNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PlanValidatorTest {
    private static final PlanOptions OPTIONS = PlanOptions.f32Uniform(16);

    /** Slots by id, offset and size in turn. */
    private static MemoryPlan plan(long... idOffsetSize) {
        Map<NodeId, BufferSlot> slots = new LinkedHashMap<>();
        long end = 0;
        for (int i = 0; i < idOffsetSize.length; i += 3) {
            BufferSlot slot = new BufferSlot(idOffsetSize[i + 1], idOffsetSize[i + 2]);
            slots.put(NodeId.of(idOffsetSize[i]), slot);
            end = Math.max(end, slot.end());
        }
        return new MemoryPlan(end, slots, List.of());
    }

    private static void assertRefused(MemoryPlan plan, TestGraph graph, PlanOptions options, String message) {
        assertThatThrownBy(() -> PlanValidator.validate(plan, graph, options))
                .isInstanceOf(InvalidPlanException.class)
                .hasMessage(message);
    }

    private static void assertRefused(MemoryPlan plan, List<LiveBuffer> buffers, PlanOptions options, String message) {
        assertThatThrownBy(() -> PlanValidator.validate(plan, buffers, options))
                .isInstanceOf(InvalidPlanException.class)
                .hasMessage(message);
    }

    private static TestGraph chain() {
        return new TestGraph().op(0, 4).op(1, 4, 0).op(2, 4, 0, 1);
    }

    private static LiveBuffer buffer(long id, long lower, long upper, long size) {
        return new LiveBuffer(NodeId.of(id), lower, upper, size);
    }

    @Test
    void values_liveTogether_mayNotOverlap() {
        assertRefused(
                plan(0, 0, 16, 1, 0, 16, 2, 32, 16),
                chain(),
                OPTIONS,
                "node 0: expected its bytes 0 to 16 to be its own while node 1 runs at step 1, got some of node 1 at 0"
                        + " to 16");
    }

    @Test
    void anOverlapOfOneByteIsFound() {
        assertRefused(
                plan(0, 0, 17, 1, 16, 16, 2, 32, 16),
                chain(),
                PlanOptions.f32Uniform(1),
                "node 0: expected its bytes 0 to 17 to be its own while node 1 runs at step 1, got some of node 1 at 16"
                        + " to 32");
    }

    @Test
    void aValueWrittenInTheMiddleOfALongerOneIsFound() {
        assertRefused(
                plan(0, 0, 48, 1, 16, 16, 2, 48, 16),
                chain(),
                OPTIONS,
                "node 0: expected its bytes 0 to 48 to be its own while node 1 runs at step 1, got some of node 1 at 16"
                        + " to 32");
    }

    @Test
    void anOpMayNotWriteOverItsOwnInput() {
        assertRefused(
                plan(0, 0, 16, 1, 16, 16, 2, 16, 16),
                chain(),
                OPTIONS,
                "node 1: expected its bytes 16 to 32 to be its own while node 2 runs at step 2, got some of node 2 at 16"
                        + " to 32");
    }

    @Test
    void values_neverLiveTogether_mayShareBytes() {
        TestGraph graph = new TestGraph().op(0, 4).op(1, 4, 0).op(2, 4, 1).op(3, 4, 2);

        assertThatCode(() -> PlanValidator.validate(plan(0, 0, 16, 1, 16, 16, 2, 0, 16, 3, 16, 16), graph, OPTIONS))
                .doesNotThrowAnyException();
    }

    @Test
    void everyValueInMemoryNeedsASlot() {
        assertRefused(plan(0, 0, 16, 2, 16, 16), chain(), OPTIONS, "node 1: expected a slot of 16 bytes, got none");
    }

    @Test
    void aSlotHoldsItsValue() {
        assertRefused(
                plan(0, 0, 16, 1, 16, 15, 2, 32, 16),
                chain(),
                OPTIONS,
                "node 1: expected a slot of at least 16 bytes, got 15");
    }

    @Test
    void aSlotBeginsAtAMultipleOfTheAlignment() {
        assertRefused(
                plan(0, 0, 16, 1, 24, 16, 2, 48, 16),
                chain(),
                OPTIONS,
                "node 1: expected an offset that is a multiple of 16, got 24");
    }

    @Test
    void aSlotCrossesNoMultipleOfTheBoundary() {
        assertRefused(
                plan(0, 0, 16, 1, 16, 32, 2, 48, 16),
                chain(),
                OPTIONS.withBoundary(32),
                "node 1: expected a slot that crosses no multiple of 32 bytes, got offset 16 and size 32");
    }

    @Test
    void aSlotMayEndAtAMultipleOfTheBoundary() {
        assertThatCode(() ->
                        PlanValidator.validate(plan(0, 0, 16, 1, 16, 16, 2, 32, 32), chain(), OPTIONS.withBoundary(32)))
                .doesNotThrowAnyException();
    }

    @Test
    void aViewIsWhereItsRowsAre() {
        TestGraph graph = new TestGraph().op(0, 8).view(1, 4, 0, 4);

        assertRefused(
                plan(0, 0, 32, 1, 0, 16),
                graph,
                OPTIONS,
                "node 1: expected a view of 16 bytes at offset 16 within node 0 at 0 of 32 bytes, got offset 0 and size"
                        + " 16");
    }

    @Test
    void aViewHoldsItsRows() {
        TestGraph graph = new TestGraph().op(0, 8).view(1, 4, 0, 0);

        assertRefused(
                plan(0, 0, 32, 1, 0, 12),
                graph,
                OPTIONS,
                "node 1: expected a view of 16 bytes at offset 0 within node 0 at 0 of 32 bytes, got offset 0 and size"
                        + " 12");
    }

    @Test
    void aViewEndsWhereItsParentDoes() {
        TestGraph graph = new TestGraph().op(0, 8).view(1, 4, 0, 4);

        assertRefused(
                plan(0, 0, 32, 1, 16, 32),
                graph,
                OPTIONS,
                "node 1: expected a view of 16 bytes at offset 16 within node 0 at 0 of 32 bytes, got offset 16 and size"
                        + " 32");
    }

    @Test
    void aViewOfRowsDoesNotReachIntoTheNextRows() {
        TestGraph graph = new TestGraph().op(0, 10).view(1, 5, 0, 0);

        assertRefused(
                plan(0, 0, 48, 1, 0, 32),
                graph,
                OPTIONS,
                "node 1: expected a view of 20 bytes at offset 0 within node 0 at 0 of 48 bytes, got offset 0 and size"
                        + " 32");
    }

    @Test
    void aViewOfTheLastRowsMayHaveTheirPadding() {
        TestGraph graph = new TestGraph().op(0, 10).view(1, 5, 0, 5);

        assertThatCode(() -> PlanValidator.validate(plan(0, 0, 48, 1, 20, 28), graph, OPTIONS))
                .doesNotThrowAnyException();
    }

    @Test
    void aValueReadThroughAViewIsFoundOverwritten() {
        TestGraph graph = new TestGraph().op(0, 8).view(1, 4, 0, 4).op(2, 4).op(3, 4, 1);

        assertRefused(
                plan(0, 0, 32, 1, 16, 16, 2, 16, 16, 3, 32, 16),
                graph,
                OPTIONS,
                "node 0: expected its bytes 0 to 32 to be its own while node 3 runs at step 2, got some of node 2 at 16"
                        + " to 32");
    }

    @Test
    void aFusedOpHasNoSlot() {
        TestGraph graph = new TestGraph().op(0, 4).fused(1, 4, 0).op(2, 4, 1);

        assertRefused(
                plan(0, 0, 16, 1, 16, 16, 2, 32, 16),
                graph,
                OPTIONS,
                "node 1: expected no slot for a fused op, got offset 16");
    }

    @Test
    void aValueReadThroughFusedOpsIsFoundOverwritten() {
        TestGraph graph =
                new TestGraph().op(0, 4).fused(1, 4, 0).fused(2, 4, 1).op(3, 4).op(4, 4, 2);

        assertRefused(
                plan(0, 0, 16, 3, 0, 16, 4, 16, 16),
                graph,
                OPTIONS,
                "node 0: expected its bytes 0 to 16 to be its own while node 4 runs at step 2, got some of node 3 at 0"
                        + " to 16");
    }

    @Test
    void anOutputIsNotOverwrittenAfterItsStep() {
        TestGraph graph = new TestGraph().op(0, 4).output(1, 4, 0).op(2, 4, 0);

        assertRefused(
                plan(0, 0, 16, 1, 16, 16, 2, 16, 16),
                graph,
                OPTIONS,
                "node 1: expected its bytes 16 to 32 to be its own at the end, got some of node 2 at 16 to 32");
    }

    @Test
    void anInputIsNotOverwritten() {
        TestGraph graph = new TestGraph().input(0, 4).op(1, 4, 0).op(2, 4, 1);

        assertRefused(
                plan(0, 0, 16, 1, 16, 16, 2, 0, 16),
                graph,
                OPTIONS,
                "node 0: expected its bytes 0 to 16 to be its own at the end, got some of node 2 at 0 to 16");
    }

    @Test
    void inputsDoNotShareBytes() {
        TestGraph graph = new TestGraph().input(0, 4).parameter(1, 4);

        assertRefused(
                plan(0, 0, 16, 1, 0, 16),
                graph,
                OPTIONS,
                "node 0: expected its bytes 0 to 16 to be its own at the end, got some of node 1 at 0 to 16");
    }

    @Test
    void aValueWithoutBytesMayBeAnywhere() {
        TestGraph graph = new TestGraph().input(0, 8).op(1, 0, 0).output(2, 4, 1);

        assertThatCode(() -> PlanValidator.validate(plan(0, 0, 32, 1, 16, 0, 2, 32, 16), graph, OPTIONS))
                .doesNotThrowAnyException();
    }

    @Test
    void buffers_liveTogether_mayNotOverlap() {
        assertRefused(
                plan(0, 0, 32, 1, 16, 16, 2, 0, 16),
                List.of(buffer(0, 0, 2, 32), buffer(1, 1, 3, 16), buffer(2, 2, 3, 16)),
                OPTIONS,
                "node 0 and node 1: expected no byte in common, got offset 0, size 32, live range [0, 2) and offset 16, size 16,"
                        + " live range [1, 3)");
    }

    @Test
    void buffersThatFollowEachOtherMayShareBytes() {
        assertThatCode(() -> PlanValidator.validate(
                        plan(0, 0, 16, 1, 0, 16), List.of(buffer(0, 0, 2, 16), buffer(1, 2, 3, 16)), OPTIONS))
                .doesNotThrowAnyException();
    }

    @Test
    void everyBufferNeedsASlot() {
        assertRefused(
                plan(0, 0, 16),
                List.of(buffer(0, 0, 1, 16), buffer(1, 1, 2, 16)),
                OPTIONS,
                "node 1: expected a slot of 16 bytes, got none");
    }

    @Test
    void aBuffersSlotIsLargeEnough() {
        assertRefused(
                plan(0, 0, 15),
                List.of(buffer(0, 0, 1, 16)),
                OPTIONS,
                "node 0: expected a slot of at least 16 bytes, got 15");
    }

    @Test
    void aBuffersSlotIsAligned() {
        assertRefused(
                plan(0, 8, 16),
                List.of(buffer(0, 0, 1, 16)),
                OPTIONS,
                "node 0: expected an offset that is a multiple of 16, got 8");
    }

    @Test
    void aBuffersSlotCrossesNoMultipleOfTheBoundary() {
        assertRefused(
                plan(0, 16, 32),
                List.of(buffer(0, 0, 1, 32)),
                OPTIONS.withBoundary(32),
                "node 0: expected a slot that crosses no multiple of 32 bytes, got offset 16 and size 32");
    }

    @Test
    void buffer_neverLive_mayLieAtAnyMultiple() {
        assertThatCode(() -> PlanValidator.validate(
                        plan(0, 0, 32, 1, 20, 12), List.of(buffer(0, 0, 1, 32), buffer(1, 0, 0, 12)), OPTIONS))
                .doesNotThrowAnyException();
    }

    @Test
    void inPlaceOp_asLastUse_mayOverwriteItsInput() {
        TestGraph graph = new TestGraph().op(0, 4).inPlace(1, 4, 0).op(2, 4, 1);

        assertThatCode(() -> PlanValidator.validate(plan(0, 0, 16, 1, 0, 16, 2, 16, 16), graph, OPTIONS))
                .doesNotThrowAnyException();
    }

    @Test
    void input_readAfterItsSlotIsReused_isFound() {
        TestGraph graph = new TestGraph().op(0, 4).inPlace(1, 4, 0).op(2, 4, 1, 0);

        assertRefused(
                plan(0, 0, 16, 1, 0, 16, 2, 16, 16),
                graph,
                OPTIONS,
                "node 0: expected its bytes 0 to 16 to be its own while node 2 runs at step 2, got some of node 1 at 0"
                        + " to 16");
    }

    @Test
    void graphInput_whoseSlotIsReused_isFound() {
        assertRefused(
                plan(0, 0, 16, 1, 0, 16),
                new TestGraph().input(0, 4).inPlace(1, 4, 0),
                OPTIONS,
                "node 0: expected its bytes 0 to 16 to be its own at the end, got some of node 1 at 0 to 16");
    }

    @Test
    void anOpWrittenOverAnInputAtAnotherOffsetIsFound() {
        TestGraph graph = new TestGraph().op(0, 8).inPlace(1, 4, 0);

        assertRefused(
                plan(0, 0, 32, 1, 16, 16),
                graph,
                OPTIONS,
                "node 0: expected its bytes 0 to 32 to be its own while node 1 runs at step 1, got some of node 1 at 16"
                        + " to 32");
    }

    @Test
    void anOpWrittenOverAnInputWithFewerOrNarrowerElementsIsFound() {
        TestGraph fewer = new TestGraph().op(0, 3).inPlace(1, 4, 0);
        TestGraph narrower = new TestGraph()
                .node(TestNode.of(0, NodeRole.OP, 4).as(DType.F16))
                .inPlace(1, 4, 0);
        String message =
                "node 0: expected its bytes 0 to 16 to be its own while node 1 runs at step 1, got some of node 1"
                        + " at 0 to 16";

        assertRefused(plan(0, 0, 16, 1, 0, 16), fewer, OPTIONS, message);
        assertRefused(plan(0, 0, 16, 1, 0, 16), narrower, PlanOptions.declared(16), message);
    }

    @Test
    void input_alsoReadThroughAnotherView_isFound() {
        TestGraph graph = new TestGraph().op(0, 8).view(1, 4, 0, 4).inPlace(2, 8, 0, 1);

        assertRefused(
                plan(0, 0, 32, 1, 16, 16, 2, 0, 32),
                graph,
                OPTIONS,
                "node 0: expected its bytes 0 to 32 to be its own while node 2 runs at step 1, got some of node 2 at 0"
                        + " to 32");
    }

    @Test
    void input_alsoReadThroughAFusedOp_isFound() {
        TestGraph graph = new TestGraph().op(0, 4).fused(1, 4, 0).inPlace(2, 4, 0, 1);

        assertRefused(
                plan(0, 0, 16, 2, 0, 16),
                graph,
                OPTIONS,
                "node 0: expected its bytes 0 to 16 to be its own while node 2 runs at step 1, got some of node 2 at 0"
                        + " to 16");
    }

    private static TestGraph joined() {
        return new TestGraph().op(0, 4).op(1, 4).concatenation(2, 8, 0, 1).op(3, 4, 2, 0, 1);
    }

    @Test
    void partsOfAConcatenationMayBeWhereItHasThem() {
        assertThatCode(() -> PlanValidator.validate(plan(0, 0, 16, 1, 16, 16, 2, 0, 32, 3, 32, 16), joined(), OPTIONS))
                .doesNotThrowAnyException();
    }

    @Test
    void partsInTheWrongOrderAreFound() {
        assertRefused(
                plan(0, 16, 16, 1, 0, 16, 2, 0, 32, 3, 32, 16),
                joined(),
                OPTIONS,
                "node 0: expected its bytes 16 to 32 to be its own while node 2 runs at step 2, got some of node 2 at 0"
                        + " to 32");
    }

    @Test
    void twoPartsInOnePlaceAreFound() {
        assertRefused(
                plan(0, 0, 16, 1, 0, 16, 2, 0, 32, 3, 32, 16),
                joined(),
                OPTIONS,
                "node 0: expected its bytes 0 to 16 to be its own while node 2 runs at step 2, got some of node 1 at 0"
                        + " to 16");
    }

    @Test
    void partOfAnUndeclaredConcatenation_isFound() {
        TestGraph graph = new TestGraph().op(0, 4).op(1, 4).op(2, 8, 0, 1);

        assertRefused(
                plan(0, 0, 16, 1, 16, 16, 2, 0, 32),
                graph,
                OPTIONS,
                "node 0: expected its bytes 0 to 16 to be its own while node 2 runs at step 2, got some of node 2 at 0"
                        + " to 32");
    }

    @Test
    void part_readAfterItsConcatenationIsReused_isFound() {
        TestGraph graph = new TestGraph()
                .op(0, 4)
                .op(1, 4)
                .concatenation(2, 8, 0, 1)
                .inPlace(3, 8, 2)
                .op(4, 4, 3, 1);

        assertRefused(
                plan(0, 0, 16, 1, 16, 16, 2, 0, 32, 3, 0, 32, 4, 32, 16),
                graph,
                OPTIONS,
                "node 1: expected its bytes 16 to 32 to be its own while node 4 runs at step 4, got some of node 3 at 0"
                        + " to 32");
    }

    @Test
    void concatenation_isNoPartOfItsParts() {
        // After step 2 the first bytes are node 3's: node 0 would be found there, the concatenation is not.
        TestGraph graph = new TestGraph()
                .op(0, 4)
                .op(1, 4)
                .concatenation(2, 8, 0, 1)
                .op(3, 4)
                .op(4, 4, 2, 3);

        assertRefused(
                plan(0, 0, 16, 1, 16, 16, 2, 0, 32, 3, 0, 16, 4, 32, 16),
                graph,
                OPTIONS,
                "node 2: expected its bytes 0 to 32 to be its own while node 4 runs at step 4, got some of node 3 at 0"
                        + " to 16");
    }

    @Test
    void partsOfPartsMayBeWhereTheOutermostConcatenationHasThem() {
        TestGraph graph = new TestGraph()
                .op(0, 4)
                .op(1, 4)
                .concatenation(2, 8, 0, 1)
                .op(3, 4)
                .concatenation(4, 12, 3, 2)
                .op(5, 4, 4, 0, 1, 2, 3);

        assertThatCode(() -> PlanValidator.validate(
                        plan(0, 16, 16, 1, 32, 16, 2, 16, 32, 3, 0, 16, 4, 0, 48, 5, 48, 16), graph, OPTIONS))
                .doesNotThrowAnyException();
    }
}
