package io.devicearena.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.devicearena.BufferSlot;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.NodeRole;
import io.devicearena.SegmentLayout;
import io.devicearena.plan.testing.RandomGraphs;
import io.devicearena.plan.testing.TestGraph;
import io.devicearena.plan.testing.TestNode;
import io.devicearena.plan.validation.PlanValidator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Several graphs in one arena. */
class FamilyPlanTest {
    private static final PlanOptions OPTIONS = PlanOptions.f32Uniform(64);

    /** A graph with weights 1 and 2 and a state 3, whose other values have sizes of its own. */
    private static TestGraph graph(long elements) {
        return new TestGraph()
                .parameter(1, 100)
                .parameter(2, 50)
                .node(TestNode.of(3, NodeRole.STATE, 40))
                .input(4, elements)
                .op(5, elements, 4, 1)
                .op(6, elements, 5, 2, 3)
                .output(7, 10, 6);
    }

    @Test
    void sharedValuesHaveOneSlot_andTheArenaIsAsLargeAsTheLargestGraph() {
        Map<String, TestGraph> graphs = Map.of("short", graph(100), "long", graph(1_000));
        FamilyPlan family = FamilyPlan.of(graphs, OPTIONS);

        PlanValidator.validate(family, graphs);
        assertThat(family.arenaBytes())
                .isEqualTo(MemoryPlanner.plan(graph(1_000), OPTIONS).plan().arenaSize());
        assertThat(family.sharedBytes()).isEqualTo(448 + 256 + 192);
        for (long id = 1; id <= 3; id++) {
            assertThat(family.plan("short").slot(NodeId.of(id)))
                    .isPresent()
                    .isEqualTo(family.plan("long").slot(NodeId.of(id)))
                    .isEqualTo(family.shared().slot(NodeId.of(id)));
        }
        assertThat(family.shared().slot(NodeId.of(4))).isEmpty();
        assertThat(family.plan("short").slot(NodeId.of(4)).orElseThrow().size()).isEqualTo(448);
        assertThat(family.plan("long").slot(NodeId.of(4)).orElseThrow().size()).isEqualTo(4_032);
    }

    @Test
    void aGraphCanBeAddedWhereItFits() {
        Map<String, TestGraph> graphs = new LinkedHashMap<>(Map.of("long", graph(1_000)));
        FamilyPlan family = FamilyPlan.of(graphs, OPTIONS);
        FamilyPlan more = family.with("short", graph(64));
        graphs.put("short", graph(64));

        PlanValidator.validate(more, graphs);
        assertThat(more.shared()).isEqualTo(family.shared());
        assertThat(more.plan("long")).isEqualTo(family.plan("long"));
        assertThatThrownBy(() -> family.with("longer", graph(1_100)))
                .isInstanceOf(InvalidGraphException.class)
                .hasMessageContaining("expected to need at most " + family.arenaBytes() + " bytes")
                .hasMessageContaining("plan the family with more room");
        assertThatThrownBy(() -> family.with("long", graph(1))).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> family.with("other", graph(1).parameter(9, 1)))
                .hasMessageContaining("expected shared values that the family has, got node 9");
        FamilyPlan roomy = FamilyPlan.of(graphs, OPTIONS, 100_000);
        assertThat(roomy.arenaBytes()).isEqualTo(roomy.sharedBytes() + 100_000);
        assertThat(roomy.with("longer", graph(5_000)).arenaBytes()).isEqualTo(roomy.arenaBytes());
    }

    private static void assertRefused(TestGraph other, String message) {
        Map<String, TestGraph> graphs = new LinkedHashMap<>();
        graphs.put("one", graph(10));
        graphs.put("other", other);
        assertThatThrownBy(() -> FamilyPlan.of(graphs, OPTIONS))
                .isInstanceOf(InvalidGraphException.class)
                .hasMessage(message);
        FamilyPlan family = FamilyPlan.of(Map.of("one", graph(10)), OPTIONS, 4_096);
        assertThatThrownBy(() -> family.with("other", other)).hasMessage(message);
    }

    @Test
    void graphsThatDisagreeOnASharedValueAreRefused() {
        String remedy = "; make them the same, or give one another id";
        assertRefused(
                new TestGraph().parameter(1, 101).output(7, 10, 1),
                "node 1: expected one value in all graphs, got 100 elements of f32, role PARAMETER in 'one' and 101"
                        + " elements of f32, role PARAMETER in 'other'" + remedy);
        assertRefused(
                new TestGraph().constant(1, 100),
                "node 1: expected one value in all graphs, got 100 elements of f32, role PARAMETER in 'one' and 100"
                        + " elements of f32, role CONSTANT in 'other'" + remedy);
        assertRefused(
                new TestGraph().input(2, 50),
                "node 2: expected one value in all graphs, got 50 elements of f32, role PARAMETER in 'one' and 50"
                        + " elements of f32, role INPUT in 'other'" + remedy);
    }

    @Test
    void sharedValuesAreLaidOutInTheOrderInWhichTheyFirstAppear_andOthersBehindThem() {
        Map<String, TestGraph> graphs = new LinkedHashMap<>();
        graphs.put(
                "infer",
                new TestGraph().input(0, 6).parameter(1, 5).constant(2, 3).output(11, 2, 0, 1, 2));
        graphs.put(
                "train",
                new TestGraph().parameter(3, 2).constant(2, 3).input(20, 40).output(22, 5, 20, 2, 3));
        FamilyPlan family = FamilyPlan.of(graphs, PlanOptions.f32Uniform(16));

        assertThat(family.shared().slots())
                .containsOnly(
                        Map.entry(NodeId.of(1), new BufferSlot(0, 32)),
                        Map.entry(NodeId.of(2), new BufferSlot(32, 16)),
                        Map.entry(NodeId.of(3), new BufferSlot(48, 16)));
        assertThat(family.sharedBytes()).isEqualTo(64);
        assertThat(family.plan("infer").slot(NodeId.of(0))).contains(new BufferSlot(64, 32));
        assertThat(family.plan("train").slot(NodeId.of(20))).contains(new BufferSlot(64, 160));
        assertThat(family.plan("infer").arenaSize())
                .isLessThan(family.plan("train").arenaSize())
                .isGreaterThan(family.sharedBytes());
        PlanValidator.validate(family, graphs);
    }

    @Test
    void aSharedViewLiesInItsParent_inEveryGraph() {
        TestNode view = TestNode.of(2, NodeRole.PARAMETER, 4).showing(new ViewOf(NodeId.of(1), 4));
        Map<String, TestGraph> graphs = Map.of(
                "one", new TestGraph().parameter(1, 8).node(view),
                "two", new TestGraph().parameter(1, 8).node(view).output(3, 4, 2));
        FamilyPlan family = FamilyPlan.of(graphs, OPTIONS);

        PlanValidator.validate(family, graphs);
        assertThat(family.sharedBytes()).isEqualTo(64);
        assertThat(family.shared().slot(NodeId.of(2))).contains(new BufferSlot(16, 16));
        TestNode moved = TestNode.of(2, NodeRole.PARAMETER, 4).showing(new ViewOf(NodeId.of(1), 0));
        assertThatThrownBy(() ->
                        family.with("three", new TestGraph().parameter(1, 8).node(moved)))
                .isInstanceOf(InvalidGraphException.class)
                .hasMessageContaining("node 2: expected one value in all graphs");
    }

    @Test
    void noSharedValueCrossesTheBoundary() {
        Map<String, TestGraph> graphs = Map.of(
                "one",
                new TestGraph()
                        .parameter(1, 12)
                        .parameter(2, 12)
                        .parameter(3, 4)
                        .op(4, 16, 1, 2, 3));
        FamilyPlan family = FamilyPlan.of(graphs, PlanOptions.f32Uniform(16).withBoundary(64));

        PlanValidator.validate(family, graphs);
        assertThat(family.shared().slot(NodeId.of(2))).contains(new BufferSlot(64, 48));
        assertThat(family.shared().slot(NodeId.of(3))).contains(new BufferSlot(112, 16));
        assertThat(family.plan("one").slot(NodeId.of(4))).contains(new BufferSlot(128, 64));
    }

    @Test
    void aTrainingStepIsAMember() {
        TestGraph forward =
                new TestGraph().parameter(1, 100).input(2, 100).op(3, 100, 1, 2).output(4, 100, 3);
        TestGraph backward = new TestGraph().parameter(1, 100).input(3, 100).output(5, 100, 3, 1);
        Map<String, PlanGraph> graphs =
                Map.of("train", PhasedGraph.of("forward", forward).then("backward", backward), "infer", forward);
        FamilyPlan family = FamilyPlan.of(graphs, OPTIONS);

        PlanValidator.validate(family, graphs);
        assertThat(family.plan("train", "backward").slot(NodeId.of(1)))
                .isPresent()
                .isEqualTo(family.plan("infer").slot(NodeId.of(1)));
    }

    @Test
    void separateWeightsHaveAPlanOfTheirOwn() {
        PlanOptions separate = OPTIONS.withSeparateWeights();
        Map<String, TestGraph> graphs = new LinkedHashMap<>();
        graphs.put("short", graph(100).view(8, 50, 1, 50));
        graphs.put("long", graph(1_000));
        FamilyPlan family = FamilyPlan.of(graphs, separate);

        PlanValidator.validate(family, graphs);
        assertThat(family.weights().arenaSize()).isEqualTo(448 + 256);
        assertThat(family.weights().slots())
                .containsOnly(
                        Map.entry(NodeId.of(1), new BufferSlot(0, 448)),
                        Map.entry(NodeId.of(2), new BufferSlot(448, 256)),
                        Map.entry(NodeId.of(8), new BufferSlot(200, 200)));
        assertThat(family.weights().values()).containsOnlyKeys(TestNode.ids(1, 2, 8));
        assertThat(family.shared().slots()).containsOnly(Map.entry(NodeId.of(3), new BufferSlot(0, 192)));
        assertThat(family.plan("short").slots()).containsOnlyKeys(TestNode.ids(3, 4, 5, 6, 7));
        assertThat(family.plan("short").values()).containsOnlyKeys(TestNode.ids(3, 4, 5, 6, 7));
        assertThat(family.plan("long").arenaSize() + 448 + 256)
                .isEqualTo(MemoryPlanner.plan(graph(1_000), OPTIONS).plan().arenaSize());
        assertThat(MemoryPlanner.plan(graph(1_000), separate))
                .isEqualTo(family.members().get("long"));
        assertThatThrownBy(() -> family.with("other", graph(10).view(9, 50, 1, 0)))
                .isInstanceOf(InvalidGraphException.class)
                .hasMessage("graph 'other': expected shared values that the family has, got node 9 of role OP; plan all"
                        + " graphs anew");
        FamilyPlan together = FamilyPlan.of(graphs, OPTIONS);
        assertThatThrownBy(together::weights)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("weights: expected a family with separate weights, got one that has them in the arena of"
                        + " the graphs; plan it with PlanOptions.withSeparateWeights()");
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.devicearena.plan.Seeds#all")
    void familiesOfRandomGraphsAreRight(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        PlanOptions options = RandomGraphs.options(random);
        TestGraph whole = RandomGraphs.graph(random, 1 + random.nextInt(100));
        Map<String, TestGraph> graphs = new LinkedHashMap<>();
        for (int i = 0; i < 3; i++) { // beginnings of one graph agree on all values
            TestGraph beginning = new TestGraph();
            whole.nodes().subList(0, 1 + random.nextInt(whole.nodes().size())).forEach(beginning::node);
            graphs.put("graph " + i, beginning);
        }
        FamilyPlan family = FamilyPlan.of(graphs, options);

        PlanValidator.validate(family, graphs);
        assertThat(family.members().values().stream()
                        .mapToLong(member -> member.plan().arenaSize())
                        .max())
                .hasValue(family.arenaBytes());
        FamilyPlan separate = FamilyPlan.of(graphs, options.withSeparateWeights());
        PlanValidator.validate(separate, graphs);
        assertThat(separate.weights().arenaSize() + separate.arenaBytes())
                .isLessThanOrEqualTo(family.arenaBytes() + Math.max(options.alignment(), options.boundary()));
    }

    @Test
    void segmentsEndBetweenTheValuesOfEveryGraph() {
        PlanOptions options = OPTIONS.withSegments(2_048);
        Map<String, TestGraph> graphs = Map.of("short", graph(100), "long", graph(500));
        FamilyPlan family = FamilyPlan.of(graphs, options);

        PlanValidator.validate(family, graphs);
        SegmentLayout segments =
                SegmentLayout.of(family.shared().slots(), family.arenaBytes(), 2_048, options.alignment());
        for (PlanResult member : family.members().values()) {
            for (BufferSlot slot : member.plan().slots().values()) {
                assertThat(slot.end()).isLessThanOrEqualTo(segments.end(segments.indexOf(slot.offset())));
            }
        }
    }

    /** A graph of weights and ops, some of them larger than a segment, with views and concatenations. */
    private static TestGraph segmented(SplittableRandom random, long segment, boolean withParts) {
        TestGraph graph = new TestGraph();
        for (int i = 1; i <= 5; i++) { // the same in every graph
            graph.parameter(i, segment / 4 * (i % 3) / 2 + i);
        }
        graph.node(TestNode.of(6, NodeRole.STATE, segment / 4 + 1000));
        long next = 10;
        graph.input(next++, elements(random, segment)).input(next++, elements(random, segment));
        for (int i = 2 + random.nextInt(20); i > 0; i--) {
            long one = next - 1 - random.nextLong(Math.min(4, next - 10));
            long other = next - 1 - random.nextLong(Math.min(4, next - 10));
            long first = elementsOf(graph, one);
            int kind = random.nextInt(withParts ? 6 : 4);
            if (kind == 5 && one != other) {
                graph.concatenation(next++, first + elementsOf(graph, other), one, other);
            } else if (kind == 4) {
                graph.view(next++, first / 2, one, first / 4);
            } else if (kind == 3) {
                graph.inPlace(next++, first, one, other);
            } else {
                graph.op(next++, elements(random, segment), one, other, 1 + random.nextInt(6));
            }
        }
        return graph.reads(next - 1);
    }

    private static long elementsOf(TestGraph graph, long id) {
        return graph.nodes().stream()
                .filter(node -> node.id().value() == id)
                .findFirst()
                .orElseThrow()
                .elements();
    }

    private static long elements(SplittableRandom random, long segment) {
        return random.nextInt(12) == 0
                ? segment / 4 + random.nextLong(segment / 2)
                : 1 + random.nextLong(segment / 4 / (1 + random.nextInt(8)));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.devicearena.plan.Seeds#all")
    void aGraphAddedLater_movesNeitherSlotsNorSegments(long seed) {
        for (long segment : new long[] {64 << 10, 1 << 20}) {
            boolean separate = (seed & 1) == 0;
            SplittableRandom random = new SplittableRandom(seed);
            PlanOptions base = OPTIONS.withSegments(segment);
            PlanOptions options = separate ? base.withSeparateWeights() : base;
            Map<String, TestGraph> graphs = new LinkedHashMap<>();
            graphs.put("first", segmented(random, segment, false));
            graphs.put("second", segmented(random, segment, false));
            FamilyPlan family = FamilyPlan.of(graphs, options, random.nextLong(4) * segment);
            MemoryPlan opened = family.shared();
            PlanValidator.validate(family, graphs);
            for (int i = 0; i < 4; i++) {
                boolean withParts = random.nextBoolean();
                TestGraph graph = segmented(random, segment, withParts && !separate);
                family = added(family, "added " + i, graph, graphs, withParts);
            }
            PlanValidator.validate(family, graphs);
            assertThat(family.shared()).isEqualTo(opened);
            assertThat(family.members().keySet()).isEqualTo(graphs.keySet());
        }
    }

    /** Adds a graph, or leaves it out where it does not fit. */
    private static FamilyPlan added(
            FamilyPlan family, String name, TestGraph graph, Map<String, TestGraph> graphs, boolean withParts) {
        try {
            FamilyPlan more = family.with(name, graph);
            family.members()
                    .forEach((other, member) -> assertThat(more.members()).containsEntry(other, member));
            graphs.put(name, graph);
            return more;
        } catch (InvalidGraphException e) {
            String tooLarge = "graph '" + name + "': expected to need at most " + family.arenaBytes() + " bytes";
            String crossing = "graph '" + name + "': expected values within one segment, got node";
            String message = String.valueOf(e.getMessage());
            assertThat(message).startsWith(withParts && message.startsWith(crossing) ? crossing : tooLarge);
            assertThat(message).containsAnyOf("plan the family with more room", "or open an arena for the graph");
            return family;
        }
    }

    @Test
    void aPartOfALargeValueThatCrossesTheEndOfASegmentIsRefused() {
        PlanOptions options = OPTIONS.withSegments(1_024);
        FamilyPlan family =
                FamilyPlan.of(Map.of("one", new TestGraph().parameter(1, 16).op(2, 600, 1)), options);
        TestGraph crossing = new TestGraph().parameter(1, 16).op(2, 600, 1).view(3, 32, 2, 240);

        assertThatThrownBy(() -> family.with("two", crossing))
                .isInstanceOf(InvalidGraphException.class)
                .hasMessage("graph 'two': expected values within one segment, got node 3 at 1024 to 1152 across the end"
                        + " of a segment at 1088; make the value that it is a part of no larger than a segment of 1024"
                        + " bytes, or open an arena for the graph");
        assertThatThrownBy(() -> FamilyPlan.of(Map.of("two", crossing), options))
                .isInstanceOf(InvalidGraphException.class)
                .hasMessageStartingWith("graph 'two': expected values within one segment");
    }

    @Test
    void aGraphThatTheFamilyHasNotIsRefused() {
        Map<String, TestGraph> graphs = Map.of("short", graph(100));
        FamilyPlan family = FamilyPlan.of(graphs, OPTIONS);

        assertThatThrownBy(() -> PlanValidator.validate(family, Map.of()))
                .isInstanceOf(InvalidPlanException.class)
                .hasMessageContaining("expected the graph 'short'");
        assertThat(family.plan("short").value(NodeId.of(3)).orElseThrow().role())
                .isEqualTo(NodeRole.STATE);
        assertThatThrownBy(() -> family.plan("tall")).hasMessage("graph: expected one of [short], got 'tall'");
        assertThatThrownBy(() -> FamilyPlan.of(Map.<String, PlanGraph>of(), OPTIONS))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("family: expected 1 or more graphs and room of 0 or more bytes, got 0 and 0");
    }
}
