package io.devicearena.plan;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.devicearena.DType;
import io.devicearena.NodeId;
import io.devicearena.NodeRole;
import io.devicearena.plan.testing.TestGraph;
import io.devicearena.plan.testing.TestNode;
import io.devicearena.plan.validation.PlanValidator;
import java.util.List;
import org.junit.jupiter.api.Test;

class InvalidGraphTest {
    private static final PlanOptions OPTIONS = PlanOptions.f32Uniform(64);
    private static final long QUARTER = 1L << 60; // elements of 4 bytes: half of what a long counts

    private static void assertRefused(PlanGraph graph, String message) {
        assertRefused(graph, OPTIONS, message);
    }

    private static void assertRefused(PlanGraph graph, PlanOptions options, String message) {
        assertThatThrownBy(() -> MemoryPlanner.plan(graph, options))
                .isInstanceOf(InvalidGraphException.class)
                .hasMessage(message);
    }

    private static TestNode view(long id, long elements, long parent, long first) {
        return TestNode.of(id, NodeRole.OP, elements).showing(new ViewOf(NodeId.of(parent), first));
    }

    @Test
    void aNodeThatReadsItselfIsACycle() {
        assertRefused(new TestGraph().op(0, 1).op(1, 1, 0, 1), "graph: expected no cycle, got node 1 reads node 1");
    }

    @Test
    void twoNodesThatReadEachOtherAreACycle() {
        assertRefused(
                new TestGraph().op(0, 1).op(1, 1, 0, 2).op(2, 1, 1),
                "graph: expected no cycle, got node 1 reads node 2 reads node 1");
    }

    @Test
    void longCycle_namesItsFirstNodes() {
        TestGraph graph = new TestGraph().op(0, 1, 10);
        for (int i = 1; i <= 10; i++) {
            graph.op(i, 1, i - 1L);
        }

        assertRefused(
                graph,
                "graph: expected no cycle, got node 0 reads node 10 reads node 9 reads node 8 reads node 7 reads node 6"
                        + " reads node 5 reads node 4 reads … (11 nodes in all)");
    }

    @Test
    void cycle_isReportedWithoutTheNodesThatLeadToIt() {
        assertRefused(
                new TestGraph().op(5, 1, 6).op(6, 1, 7).op(7, 1, 6),
                "graph: expected no cycle, got node 6 reads node 7 reads node 6");
    }

    @Test
    void aNodeBeforeItsInputIsOutOfOrder() {
        assertRefused(
                new TestGraph().op(0, 1).op(1, 1, 2).op(2, 1, 0),
                "node 1: expected inputs from earlier nodes, got node 2 of position 2 at position 1; list nodes in execution"
                        + " order");
    }

    @Test
    void veryLongCycle_isReported() {
        int count = 100_000;
        TestGraph graph = new TestGraph().op(0, 1, count - 1L);
        for (int i = 1; i < count; i++) {
            graph.op(i, 1, i - 1L);
        }

        assertThatThrownBy(() -> MemoryPlanner.plan(graph, OPTIONS))
                .isInstanceOf(InvalidGraphException.class)
                .hasMessageEndingWith("reads … (100000 nodes in all)");
    }

    @Test
    void inputsAreNodesOfTheGraph() {
        assertRefused(
                new TestGraph().op(0, 1, 9), "node 0: expected inputs that are nodes of the graph, got node 9; add it");
    }

    @Test
    void idsAreUnique() {
        assertRefused(
                new TestGraph().op(3, 1).op(4, 1).op(3, 1),
                "node 3: expected a unique id, got that of position 0 again at position 2");
    }

    @Test
    void elementsAreNotNegative() {
        assertRefused(new TestGraph().op(0, -1), "node 0: expected 0 or more elements, got -1");
    }

    @Test
    void aViewShowsANode() {
        assertRefused(
                new TestGraph().node(view(0, 1, 9, 0)),
                "node 0: expected a view of an earlier node, got node 9, which is not in the graph");
    }

    @Test
    void aViewShowsAnEarlierNode() {
        assertRefused(
                new TestGraph().node(view(0, 1, 1, 0)).op(1, 1),
                "node 0: expected a view of an earlier node, got node 1");
    }

    @Test
    void aViewDoesNotShowItself() {
        assertRefused(new TestGraph().node(view(0, 1, 0, 0)), "node 0: expected a view of an earlier node, got node 0");
    }

    @Test
    void aViewHasItsParentsType() {
        assertRefused(
                new TestGraph().op(0, 1).node(view(1, 1, 0, 0).as(DType.F16)),
                "node 1: expected a view of its own dtype f16, got node 0 of f32; a cast to another type is an op, not"
                        + " a view");
    }

    @Test
    void aViewIsNoLargerThanItsParent() {
        assertRefused(
                new TestGraph().op(0, 4).view(1, 5, 0, 0),
                "node 1: expected a view within the 4 elements of node 0, got 5 from element 0");
    }

    @Test
    void aViewEndsWithinItsParent() {
        assertRefused(
                new TestGraph().op(0, 4).view(1, 2, 0, 3),
                "node 1: expected a view within the 4 elements of node 0, got 2 from element 3");
        assertRefused(
                new TestGraph().op(0, 4).view(1, 2, 0, Long.MAX_VALUE),
                "node 1: expected a view within the 4 elements of node 0, got 2 from element 9223372036854775807");
    }

    @Test
    void aViewOfAViewEndsWithinThatView() {
        assertRefused(
                new TestGraph().op(0, 8).view(1, 4, 0, 0).view(2, 2, 1, 3),
                "node 2: expected a view within the 4 elements of node 1, got 2 from element 3");
    }

    @Test
    void aViewDoesNotShowAFusedOp() {
        assertRefused(
                new TestGraph().fused(0, 4).view(1, 4, 0, 0),
                "node 1: expected a view and what it shows to be in memory, got node 0 fused away");
    }

    @Test
    void aViewIsNotFused() {
        assertRefused(
                new TestGraph().op(0, 4).node(view(1, 4, 0, 0).fusedAway()),
                "node 1: expected a view and what it shows to be in memory, got node 1 fused away");
    }

    @Test
    void input_asViewOfAnOp_isInvalid() {
        assertRefused(
                new TestGraph().op(0, 4).node(view(1, 4, 0, 0).as(NodeRole.INPUT)),
                "node 1: expected an input, parameter or constant to be a view of another such value, got a view of"
                        + " node 0, which an op makes");
    }

    @Test
    void anInputIsNotFused() {
        assertRefused(
                new TestGraph().node(TestNode.of(0, NodeRole.INPUT, 1).fusedAway()),
                "node 0: expected only an op to be fused, got role INPUT");
    }

    @Test
    void anOutputIsNotFused() {
        assertRefused(
                new TestGraph().node(TestNode.of(0, NodeRole.OUTPUT, 1).fusedAway()),
                "node 0: expected only an op to be fused, got role OUTPUT");
        assertRefused(
                new TestGraph().fused(0, 1).reads(0),
                "outputs: expected values in memory, got node 0, which is fused away");
    }

    @Test
    void outputsAreNodesOfTheGraph() {
        assertRefused(
                new TestGraph().op(0, 1).reads(7),
                "outputs: expected nodes of the graph, got node 7, which is not in it");
    }

    @Test
    void aValueHasNoMoreBytesThanALongCounts() {
        assertRefused(
                new TestGraph().op(0, Long.MAX_VALUE),
                "node 0: expected a size of at most 9223372036854775743 bytes, got 9223372036854775807 elements of 4"
                        + " bytes");
    }

    @Test
    void opsTogetherHaveNoMoreBytesThanALongCounts() {
        assertRefused(
                new TestGraph().op(0, QUARTER).op(7, QUARTER),
                "node 7: expected all values to add up to at most 9223372036854775807 bytes, got 4611686018427387904 on"
                        + " top of 4611686018427387904");
    }

    @Test
    void inputsTogetherHaveNoMoreBytesThanALongCounts() {
        assertRefused(
                new TestGraph().input(0, QUARTER).parameter(7, QUARTER),
                "node 0: expected all values to add up to at most 9223372036854775807 bytes, got 4611686018427387904 on"
                        + " top of 4611686018427387904");
    }

    @Test
    void inputsAndOpsTogetherHaveNoMoreBytesThanALongCounts() {
        assertRefused(
                new TestGraph().input(0, QUARTER).op(7, QUARTER, 0),
                "node 7: expected all values to add up to at most 9223372036854775807 bytes, got 4611686018427387904 on"
                        + " top of 4611686018427387904");
    }

    @Test
    void gapBeforeTheBoundary_countsInTheTotal() {
        assertRefused(
                new TestGraph().input(0, QUARTER).input(1, 1).input(2, QUARTER),
                OPTIONS.withBoundary(1L << 62),
                "node 2: expected all values to add up to at most 9223372036854775807 bytes, got 4611686018427387840 on"
                        + " top of 4611686018427387968");
    }

    @Test
    void noValueIsLargerThanTheBoundary() {
        String message = "node 5: expected at most the boundary of 128 bytes that no slot may cross, got 192";

        assertRefused(new TestGraph().input(5, 33), OPTIONS.withBoundary(128), message);
        assertRefused(new TestGraph().op(1, 1).op(5, 33), OPTIONS.withBoundary(128), message);
    }

    @Test
    void validator_ofAnInvalidGraph_rejectsItToo() {
        TestGraph graph = new TestGraph().op(0, 1, 9);

        assertThatThrownBy(() -> PlanValidator.validate(
                        MemoryPlanner.plan(new TestGraph(), OPTIONS).plan(), graph, OPTIONS))
                .isInstanceOf(InvalidGraphException.class)
                .hasMessage("node 0: expected to read values of earlier nodes, got node 9");
    }

    @Test
    void message_ofANamedNode_hasItsName() {
        assertRefused(new NamedGraph(), "node 4 'conv1': expected 0 or more elements, got -3");
    }

    /** A graph of one node with a name. */
    private record NamedGraph() implements PlanGraph {
        @Override
        public List<PlanNode> nodes() {
            return List.of(new NamedNode());
        }
    }

    private record NamedNode() implements PlanNode {
        @Override
        public NodeId id() {
            return NodeId.of(4);
        }

        @Override
        public String name() {
            return "conv1";
        }

        @Override
        public NodeRole role() {
            return NodeRole.OP;
        }

        @Override
        public DType dtype() {
            return DType.F32;
        }

        @Override
        public long elements() {
            return -3;
        }

        @Override
        public List<NodeId> inputs() {
            return List.of();
        }
    }

    @Test
    void controlDependency_onALaterNode_isInvalid() {
        assertRefused(
                new TestGraph().node(TestNode.of(0, NodeRole.OP, 1).after(1)).op(1, 1),
                "node 0: expected control dependencies on earlier nodes, got node 1 of position 1 at position 0");
        assertRefused(
                new TestGraph().node(TestNode.of(0, NodeRole.OP, 1).after(9)),
                "node 0: expected control dependencies on earlier nodes, got node 9, which is not in the graph");
    }
}
