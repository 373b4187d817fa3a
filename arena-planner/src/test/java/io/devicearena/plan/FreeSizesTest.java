package io.devicearena.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.devicearena.ArenaOptions;
import io.devicearena.DeviceArena;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.NodeRole;
import io.devicearena.discovery.DeviceArenas;
import io.devicearena.plan.size.Dimension;
import io.devicearena.plan.size.SizeExpression;
import io.devicearena.plan.testing.FreeGraphs;
import io.devicearena.plan.testing.TestGraph;
import io.devicearena.plan.testing.ToyExecution;
import io.devicearena.plan.validation.PlanValidator;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Graphs with free dimensions: one plan holds at all sizes, and a table has smaller ones. */
class FreeSizesTest {
    private static final PlanOptions OPTIONS = PlanOptions.declared(64);
    private static final ArenaOptions CPU = ArenaOptions.defaults().withProvider("cpu");
    private static final SizeExpression TOKENS = SizeExpression.of(new Dimension("tokens", 1, 512));
    private static final SizeExpression WIDTH = SizeExpression.of(new Dimension("width", 32, 640, 32));

    static LongStream seeds() {
        return Seeds.all();
    }

    private static SizeExpression number(long number) {
        return SizeExpression.of(number);
    }

    private static FreeGraphs.Node node(long id, NodeRole role, SizeExpression size, long... inputs) {
        return FreeGraphs.Node.of(id, role, size, inputs);
    }

    private static FreeGraphs.Node op(long id, SizeExpression size, long... inputs) {
        return node(id, NodeRole.OP, size, inputs);
    }

    /** Ops make what they would make with bytes of their own, at sizes that the validator did not choose. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void randomGraph_atRandomSizes_keepsItsResults(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        FreeGraphs.Graph graph = FreeGraphs.random(random, 5 + random.nextInt(60));
        long alignment = 1L << random.nextInt(8);
        PlanOptions typed = random.nextBoolean() ? PlanOptions.declared(alignment) : PlanOptions.f32Uniform(alignment);
        PlanOptions options = random.nextInt(4) == 0 ? typed.withReordering() : typed;
        Map<String, Long> lower = FreeGraphs.sizes(graph, random);
        Map<String, PlanGraph> table = FamilyPlan.table(graph, lower.isEmpty() ? List.of() : List.of(lower));
        FamilyPlan family = FamilyPlan.of(table, options);

        PlanValidator.validate(family, table);
        for (int i = 0; i < 4; i++) {
            Map<String, Long> sizes = FreeGraphs.sizes(graph, random);
            MemoryPlan plan = family.at(sizes).plan();
            TestGraph fixed = FreeGraphs.at(graph, sizes);
            assertThat(ToyExecution.onThePlan(fixed, plan, options)).isEqualTo(ToyExecution.apart(fixed, options));
            assertThat(plan.arenaSize()).isLessThanOrEqualTo(family.arenaBytes());
        }
    }

    private static FreeGraphs.Graph attention() {
        return FreeGraphs.graph(
                node(0, NodeRole.PARAMETER, number(512 * 64)),
                node(1, NodeRole.INPUT, TOKENS.times(number(64))),
                op(2, TOKENS.times(number(64))).showing(0, number(0)),
                op(3, TOKENS.times(number(64)), 1, 2),
                op(4, TOKENS.times(TOKENS), 3),
                node(5, NodeRole.OUTPUT, TOKENS.times(TOKENS), 4).over(4));
    }

    @Test
    void plan_atASmallerSize_hasTheSameOffsets() {
        FamilyPlan family = FamilyPlan.of(Map.of("model", attention()), OPTIONS);
        MemoryPlan most = family.plan("model");
        MemoryPlan plan = family.at("model", Map.of("tokens", 17L)).plan();

        assertThat(most.arenaSize())
                .isEqualTo(MemoryPlanner.plan(attention().at(Map.of("tokens", 512L)), OPTIONS)
                        .plan()
                        .arenaSize());
        plan.slots()
                .forEach((id, slot) -> assertThat(slot.offset())
                        .isEqualTo(most.slot(id).orElseThrow().offset()));
        assertThat(plan.value(NodeId.of(5)).orElseThrow().shape()).containsExactly(17L * 17);
        assertThat(plan.slot(NodeId.of(1)).orElseThrow().size()).isEqualTo(17 * 64 * 4);
    }

    @Test
    void concatenation_ofAlignedParts_movesThemWithTheSize() {
        FreeGraphs.Graph graph = FreeGraphs.graph(
                op(0, WIDTH.times(number(3))),
                op(1, WIDTH, 0),
                op(2, WIDTH.times(number(4)), 0, 1).joining(),
                node(3, NodeRole.OUTPUT, WIDTH.times(number(4)), 2));
        FamilyPlan family = FamilyPlan.of(Map.of("model", graph), OPTIONS);
        long whole = family.plan("model").slot(NodeId.of(2)).orElseThrow().offset();

        assertThat(MemoryPlanner.plan(graph, OPTIONS).aliases()).hasSize(2);
        for (long width : new long[] {32, 64, 640}) {
            MemoryPlan plan = family.at("model", Map.of("width", width)).plan();
            assertThat(plan.slot(NodeId.of(1)).orElseThrow().offset()).isEqualTo(whole + 3 * width * 4);
        }
        PlanValidator.validate(family, Map.of("model", graph));
    }

    @Test
    void concatenation_ofPartsThatAreNotAlwaysAligned_copiesThem() {
        FreeGraphs.Graph graph = FreeGraphs.graph(
                op(0, TOKENS),
                op(1, TOKENS, 0),
                op(2, TOKENS.times(number(2)), 0, 1).joining(),
                node(3, NodeRole.OUTPUT, number(1), 2));

        assertThat(MemoryPlanner.plan(graph, OPTIONS).aliases()).isEmpty();
        assertThat(MemoryPlanner.plan(graph.at(Map.of("tokens", 512L)), OPTIONS).aliases())
                .hasSize(2);
    }

    @Test
    void inPlace_ofSizesThatAreEqualAtTheBoundOnly_isNotUsed() {
        FreeGraphs.Graph graph =
                FreeGraphs.graph(op(0, TOKENS), op(1, number(512), 0).over(0), node(2, NodeRole.OUTPUT, number(1), 1));

        assertThat(MemoryPlanner.plan(graph, OPTIONS).aliases()).isEmpty();
        PlanValidator.validate(FamilyPlan.of(Map.of("model", graph), OPTIONS), Map.of("model", graph));
    }

    @Test
    void table_usesTheSmallestPlanThatCovers_andSharesWeights() {
        Map<String, PlanGraph> table =
                FamilyPlan.table(attention(), List.of(Map.of("tokens", 64L), Map.of("tokens", 8L)));
        FamilyPlan family = FamilyPlan.of(table, OPTIONS);

        assertThat(family.members().keySet()).containsExactly("tokens=64", "tokens=8", "tokens=512");
        assertThat(family.arenaBytes()).isEqualTo(family.plan("tokens=512").arenaSize());
        PlanValidator.validate(family, table);
        for (long[] row : new long[][] {{1, 8}, {8, 8}, {9, 64}, {64, 64}, {65, 512}, {512, 512}}) {
            Map<String, Long> sizes = Map.of("tokens", row[0]);
            assertThat(family.at(sizes).plan())
                    .isEqualTo(family.at("tokens=" + row[1], sizes).plan());
        }
        assertThat(family.at(Map.of("tokens", 8L)).plan().arenaSize())
                .isEqualTo(MemoryPlanner.plan(attention().at(Map.of("tokens", 8L)), OPTIONS)
                        .plan()
                        .arenaSize());
        assertThatThrownBy(() -> family.at(Map.of("tokens", 513L)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("sizes: expected those of one of the graphs [tokens=64, tokens=8, tokens=512], got"
                        + " {tokens=513}; plan with larger upper bounds");
        assertThatThrownBy(() -> FamilyPlan.table(attention(), List.of(Map.of("batch", 2L))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("table: expected dimensions of [tokens], got [batch]");
        assertThatThrownBy(() -> family.at("tokens=8", Map.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("sizes: expected one for each of [tokens], got []");
    }

    @Test
    void setActualLengths_ofASmallerSize_setsAllValues() {
        FamilyPlan family = FamilyPlan.of(Map.of("model", attention()), OPTIONS);
        try (DeviceArena arena = DeviceArenas.open(family.plan("model"), CPU)) {
            family.setActualLengths(arena, "model", Map.of("tokens", 17L));

            assertThat(arena.lengthBytes(NodeId.of(0))).isEqualTo(512 * 64 * 4);
            assertThat(arena.lengthBytes(NodeId.of(1))).isEqualTo(17 * 64 * 4);
            assertThat(arena.lengthBytes(NodeId.of(2))).isEqualTo(17 * 64 * 4);
            assertThat(arena.lengthBytes(NodeId.of(5))).isEqualTo(17 * 17 * 4);
        }
    }

    @Test
    void setActualLengths_whereAValueMoves_isRefusedAndSetsNothing() {
        FreeGraphs.Graph graph = FreeGraphs.graph(
                op(0, TOKENS.times(number(2))),
                op(1, TOKENS, 0).showing(0, TOKENS),
                node(2, NodeRole.OUTPUT, TOKENS, 1));
        FamilyPlan family = FamilyPlan.of(Map.of("model", graph), OPTIONS);
        try (DeviceArena arena = DeviceArenas.open(family.plan("model"), CPU)) {
            assertThatThrownBy(() -> family.setActualLengths(arena, "model", Map.of("tokens", 16L)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("node 1: expected 64 bytes at 64 in the plan of the arena, got 2048 at 2048;"
                            + " make a view of the arena for the plan at these sizes");
            assertThat(arena.lengthBytes(NodeId.of(0))).isEqualTo(4096);
            try (DeviceArena view =
                    arena.view(family.at("model", Map.of("tokens", 16L)).plan())) {
                assertThat(view.lengthBytes(NodeId.of(1))).isEqualTo(64);
                assertThat(view.byteOffset(NodeId.of(1))).hasValue(64);
            }
        }
    }

    @Test
    void validator_ofAGraphThatIsLargerBetweenTheBounds_findsTheSize() {
        SizeExpression n = SizeExpression.of(new Dimension("n", 1, 9));
        FreeGraphs.Graph planned = FreeGraphs.graph(node(0, NodeRole.OUTPUT, n.times(n)));
        FreeGraphs.Graph larger =
                FreeGraphs.graph(node(0, NodeRole.OUTPUT, n.times(number(10)).minus(number(9))));
        FamilyPlan family = FamilyPlan.of(Map.of("model", planned), PlanOptions.declared(4));

        assertThatThrownBy(() -> PlanValidator.validate(family, Map.of("model", larger)))
                .isInstanceOf(InvalidPlanException.class)
                .hasMessageMatching("model at \\{n=\\d}: node 0: expected a slot of at least \\d+ bytes, got \\d+");
    }

    private static void assertRefused(String message, FreeGraphs.Node... nodes) {
        assertThatThrownBy(() -> MemoryPlanner.plan(FreeGraphs.graph(nodes), OPTIONS))
                .isInstanceOf(InvalidGraphException.class)
                .hasMessage(message);
    }

    @Test
    void sizesThatCannotBePlanned_areRefusedWithTheWayOut() {
        String remedy =
                "; none may shrink when a free dimension grows, and those of parameters, constants and states are"
                        + " fixed: give the value its largest size";
        assertRefused(
                "node 0: expected dimensions of 0 or more, got the shape [tokens + -2]" + remedy,
                op(0, TOKENS.minus(number(2))));
        assertRefused(
                "node 0: expected dimensions of 0 or more, got the shape [tokens]" + remedy,
                node(0, NodeRole.STATE, TOKENS));
        assertRefused(
                "node 1: expected the dimension 'tokens' with the same bounds in all values, got 1 to 512 and 1 to 8",
                op(0, TOKENS),
                op(1, SizeExpression.of(new Dimension("tokens", 1, 8))));
        assertRefused(
                "node 1: expected a view within the 512 elements of node 0, got tokens from element 1",
                op(0, number(512)),
                op(1, TOKENS).showing(0, number(1)));
        assertRefused(
                "node 1: expected a concatenation of inputs of 2 * tokens elements in all, got tokens + 512",
                op(0, TOKENS),
                op(2, number(512)),
                op(1, TOKENS.times(number(2)), 0, 2).joining());
    }

    @Test
    void validation_ofManyDimensions_isBounded() {
        List<FreeGraphs.Node> nodes = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            nodes.add(op(i, SizeExpression.of(new Dimension("d" + i, 1, 2))));
        }
        Map<String, PlanGraph> graphs = Map.of("model", FreeGraphs.graph(nodes.toArray(FreeGraphs.Node[]::new)));

        PlanValidator.validate(FamilyPlan.of(graphs, OPTIONS), graphs);
    }

    @Test
    void phases_withFreeSizes_keepTheirOffsetsAtAllSizes() {
        FreeGraphs.Graph forward = FreeGraphs.graph(
                node(0, NodeRole.INPUT, TOKENS),
                op(1, TOKENS.times(number(2)), 0),
                node(2, NodeRole.OUTPUT, TOKENS, 1));
        FreeGraphs.Graph backward =
                FreeGraphs.graph(node(1, NodeRole.INPUT, TOKENS.times(number(2))), node(3, NodeRole.OUTPUT, TOKENS, 1));
        PhasedGraph step = PhasedGraph.of("forward", forward).then("backward", backward);
        Map<String, PlanGraph> graphs = new LinkedHashMap<>(FamilyPlan.table(step, List.of(Map.of("tokens", 16L))));
        FamilyPlan family = FamilyPlan.of(graphs, OPTIONS);

        PlanValidator.validate(family, graphs);
        assertThat(family.plan("tokens=16", "backward").schedule()).hasSize(2);
    }
}
