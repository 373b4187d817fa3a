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

    @Test
    void graphsThatDisagreeOnASharedValueAreRefused() {
        TestGraph other = new TestGraph().parameter(1, 101).output(7, 10, 1);

        assertThatThrownBy(() -> FamilyPlan.of(Map.of("one", graph(10), "other", other), OPTIONS))
                .isInstanceOf(InvalidGraphException.class)
                .hasMessageContaining("node 1: expected");
    }

    @Test
    void aTrainingStepIsAMember() {
        TestGraph forward =
                new TestGraph().parameter(1, 100).input(2, 100).op(3, 100, 1, 2).output(4, 100, 3);
        TestGraph backward = new TestGraph().parameter(1, 100).input(3, 100).output(5, 100, 3, 1);
        Map<String, PlanGraph> graphs = Map.of("train", TrainingPlan.joined(forward, backward), "infer", forward);
        FamilyPlan family = FamilyPlan.of(graphs, OPTIONS);

        PlanValidator.validate(family, graphs);
        assertThat(family.plan("train").slot(NodeId.of(1)))
                .isEqualTo(family.plan("infer").slot(NodeId.of(1)));
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
        assertThat(family.members().values())
                .allSatisfy(member -> assertThat(member.plan().arenaSize()).isEqualTo(family.arenaBytes()));
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

    @Test
    void aMovedSharedValueIsFound() {
        Map<String, TestGraph> graphs = Map.of("short", graph(100));
        FamilyPlan family = FamilyPlan.of(graphs, OPTIONS);
        MemoryPlan plan = family.plan("short");

        assertThatThrownBy(() -> PlanValidator.validate(family, Map.of()))
                .isInstanceOf(InvalidPlanException.class)
                .hasMessageContaining("expected the graph 'short'");
        assertThat(plan.value(NodeId.of(3)).orElseThrow().role()).isEqualTo(NodeRole.STATE);
        assertThatThrownBy(() -> family.plan("tall")).hasMessage("graph: expected one of [short], got 'tall'");
    }
}
