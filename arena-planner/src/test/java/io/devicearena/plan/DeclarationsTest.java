package io.devicearena.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.devicearena.plan.placement.PlacementStrategy;
import io.devicearena.plan.strategy.PlacementStrategies;
import io.devicearena.plan.testing.RandomGraphs;
import io.devicearena.plan.testing.TestGraph;
import io.devicearena.plan.testing.TestNode;
import io.devicearena.plan.testing.ToyExecution;
import io.devicearena.plan.validation.PlanValidator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Declarations never make a plan larger, nor one that does not open, whatever the options. */
class DeclarationsTest {
    private static final PlanOptions SEGMENTS = PlanOptions.f32Uniform(8).withSegments(2360);

    /** The planned size, or empty if the options refuse the graph; a plan is accepted and computes the right values. */
    private static Optional<Long> planned(TestGraph graph, PlanOptions options) {
        PlanResult planned;
        try {
            planned = MemoryPlanner.plan(graph, options);
        } catch (InvalidGraphException e) {
            assertThat(e).hasMessageContaining("; make it a copy in place of a view, or what it shows no larger");
            return Optional.empty();
        }
        PlanValidator.validate(planned.plan(), graph, options);
        assertThat(ToyExecution.onThePlan(graph, planned.plan(), options))
                .isEqualTo(ToyExecution.apart(graph, options));
        return Optional.of(planned.plan().arenaSize());
    }

    private static TestGraph changed(TestGraph graph, UnaryOperator<TestNode> change) {
        TestGraph changed = new TestGraph();
        graph.nodes().forEach(node -> changed.node(change.apply(node)));
        graph.outputs().forEach(output -> changed.reads(output.value()));
        return changed;
    }

    private static TestNode withoutConcatenation(TestNode node) {
        return node.isConcatenation() ? node.alone().over(node.inPlaceInputs()) : node;
    }

    private static TestNode withoutInPlace(TestNode node) {
        return node.isConcatenation() ? node : node.alone();
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.devicearena.plan.Seeds#all")
    void declarations_neverEnlargeOrPreventAPlan(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int graphs = 0; graphs < 20; graphs++) {
            TestGraph graph = RandomGraphs.graph(random, 2 + random.nextInt(24));
            PlanOptions options = PlanOptions.f32Uniform(16)
                    .withStrategy(random.nextBoolean() ? PlacementStrategies.fast() : PlacementStrategies.balanced());
            options = random.nextBoolean() ? options.withReordering() : options;
            options = random.nextBoolean() ? options.withSegments(16L * random.nextInt(8, 60)) : options;
            Optional<Long> declared = planned(graph, options);

            for (UnaryOperator<TestNode> change : List.<UnaryOperator<TestNode>>of(
                    TestNode::alone, DeclarationsTest::withoutConcatenation, DeclarationsTest::withoutInPlace)) {
                Optional<Long> fewer = planned(changed(graph, change), options);
                assertThat(declared.isPresent() || fewer.isEmpty()).isTrue();
                if (fewer.isPresent()) {
                    assertThat(declared.orElseThrow()).isLessThanOrEqualTo(fewer.get());
                }
            }
        }
    }

    @Test
    void reordering_withAConcatenation_isNoLargerThanWithout() {
        TestGraph graph = new TestGraph()
                .op(4, 16)
                .op(5, 16)
                .op(7, 112)
                .op(8, 64)
                .concatenation(9, 208, 5, 4, 8, 7)
                .op(10, 80)
                .op(11, 48)
                .op(13, 64, 9)
                .op(14, 208, 10, 8)
                .op(21, 48, 11)
                .op(23, 208, 14);

        assertThat(planned(graph, PlanOptions.f32Uniform(16).withReordering())).contains(1664L);
    }

    @Test
    void segments_ofAViewLargerThanOne_areRefused() {
        TestGraph graph = new TestGraph().op(0, 192).view(1, 159, 0, 29);

        assertThatThrownBy(() ->
                        MemoryPlanner.plan(graph, PlanOptions.f32Uniform(16).withSegments(624)))
                .isInstanceOf(InvalidGraphException.class)
                .hasMessage("node 1: expected a slot larger than a segment, to begin at a multiple of 16 (segments have"
                        + " at most 624 bytes), got 636 bytes at 116; make it a copy in place of a view, or what it"
                        + " shows no larger than a segment");
    }

    @Test
    void segments_thatAConcatenationWouldPrevent_areThoseOfAPlanWithout() {
        TestGraph graph = new TestGraph()
                .op(0, 506)
                .op(1, 506)
                .concatenation(2, 1012, 0, 1)
                .view(3, 513, 2, 0);

        assertThat(planned(graph, SEGMENTS)).isPresent();
        assertThat(MemoryPlanner.plan(graph, SEGMENTS).aliases()).isEmpty();
        FamilyPlan family = FamilyPlan.of(Map.of("all", graph), SEGMENTS);
        PlanValidator.validate(family, Map.of("all", graph));
    }

    private long nextId;

    /** Two convolutions, each with an activation that may be written over it. */
    private long convolutions(TestGraph graph, long elements, long input) {
        long shown = input;
        for (int i = 0; i < 2; i++) {
            graph.op(nextId, elements, shown).inPlace(nextId + 1, elements, nextId);
            shown = nextId + 1;
            nextId += 2;
        }
        return shown;
    }

    private long op(TestGraph graph, long elements, long input) {
        graph.op(nextId, elements, input);
        return nextId++;
    }

    /** A network whose levels halve; what each level makes on the way down is joined with what comes up. */
    private TestGraph uNet(int levels, long size) {
        nextId = 1;
        TestGraph graph = new TestGraph().input(0, size);
        long[] skips = new long[levels];
        long last = 0;
        for (int level = 0; level < levels; level++) {
            skips[level] = convolutions(graph, (2 * size) >> level, last);
            last = op(graph, size >> level, skips[level]);
        }
        last = op(graph, (2 * size) >> levels, last);
        for (int level = levels - 1; level >= 0; level--) {
            long up = op(graph, (2 * size) >> level, last);
            graph.concatenation(nextId, (4 * size) >> level, skips[level], up);
            last = convolutions(graph, (2 * size) >> level, nextId++);
        }
        return graph.reads(last);
    }

    @ParameterizedTest(name = "{0} levels")
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
    void uNet_ofAnyDepth_reachesTheLowerBound(int levels) {
        TestGraph graph = uNet(levels, 1 << 14);
        for (PlacementStrategy strategy : List.of(PlacementStrategies.fast(), PlacementStrategies.balanced())) {
            PlanOptions options = PlanOptions.f32Uniform(64).withStrategy(strategy);
            PlanResult planned = MemoryPlanner.plan(graph, options);

            PlanValidator.validate(planned.plan(), graph, options);
            assertThat(planned.lowerBoundBytes()).isEqualTo(458_752);
            assertThat(planned.plan().arenaSize()).isEqualTo(458_752);
        }
    }
}
