package io.devicearena.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.BufferSlot;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.plan.testing.PairwiseOracle;
import io.devicearena.plan.testing.RandomGraphs;
import io.devicearena.plan.testing.TestGraph;
import io.devicearena.plan.text.BufferCsv;
import io.devicearena.plan.text.PlanText;
import io.devicearena.plan.validation.PlanValidator;
import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RandomGraphsTest {
    private static final int CORRUPTIONS = 40;

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.devicearena.plan.Seeds#all")
    void plan_ofRandomGraphs_passesValidatorAndOracle(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        TestGraph graph = RandomGraphs.graph(random, 1 + random.nextInt(200));
        PlanOptions options = RandomGraphs.options(random);
        PlanResult planned = MemoryPlanner.plan(graph, options);

        PlanValidator.validate(planned.plan(), graph, options);
        PlanValidator.validate(planned.plan(), planned.buffers(), options);
        assertThat(PairwiseOracle.accepts(planned.plan(), graph, options)).isTrue();
        assertThat(planned.plan().arenaSize()).isGreaterThanOrEqualTo(planned.lowerBoundBytes());
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.devicearena.plan.Seeds#all")
    void lowerBound_withFewerDeclarations_holds(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int graphs = 0; graphs < 10; graphs++) {
            TestGraph graph = RandomGraphs.graph(random, 2 + random.nextInt(20));
            PlanOptions options = PlanOptions.f32Uniform(16);
            PlanResult all = MemoryPlanner.plan(graph, options);
            for (int i = 0; i < 5; i++) {
                TestGraph some = new TestGraph();
                graph.nodes().forEach(node -> some.node(random.nextBoolean() ? node : node.alone()));
                graph.outputs().forEach(output -> some.reads(output.value()));

                assertThat(all.lowerBoundBytes())
                        .isLessThanOrEqualTo(
                                MemoryPlanner.plan(some, options).plan().arenaSize());
            }
        }
    }

    @Test
    void plans_ofRandomGraphsWithConcatenations_areNearTheLowerBound() {
        PlanOptions options = PlanOptions.f32Uniform(16);
        List<Long> far = new ArrayList<>();
        for (long seed = 0; seed < 200; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            TestGraph graph = RandomGraphs.graph(random, 1 + random.nextInt(200));
            PlanResult planned = MemoryPlanner.plan(graph, options);
            if (planned.plan().arenaSize() > 1.1 * planned.lowerBoundBytes()) {
                far.add(seed);
            }
        }

        assertThat(far).as("seeds more than 10 % above the bound, of 200").hasSizeLessThanOrEqualTo(10);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.devicearena.plan.Seeds#all")
    void plan_madeTwice_isEqual(long seed) {
        PlanResult first = plan(seed);

        assertThat(plan(seed)).isEqualTo(first);
        assertThat(PlanText.format(plan(seed).plan())).isEqualTo(PlanText.format(first.plan()));
    }

    private static PlanResult plan(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        TestGraph graph = RandomGraphs.graph(random, 100);
        return MemoryPlanner.plan(graph, RandomGraphs.options(random));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.devicearena.plan.Seeds#all")
    void plan_writtenAsTextAndCsv_readsBack(long seed) throws IOException {
        PlanResult planned = plan(seed);
        StringBuilder csv = new StringBuilder();
        BufferCsv.write(planned, csv);
        PlanResult read = BufferCsv.readPlan(new StringReader(csv.toString()));

        assertThat(PlanText.parse(PlanText.format(planned.plan()))).isEqualTo(planned.plan());
        assertThat(read.plan()).isEqualTo(withoutValues(planned.plan()));
        assertThat(read.buffers()).isEqualTo(planned.buffers());
    }

    /** What a table of buffers has of a plan. */
    private static MemoryPlan withoutValues(MemoryPlan plan) {
        return new MemoryPlan(plan.arenaSize(), plan.slots(), plan.schedule());
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.devicearena.plan.Seeds#all")
    void validator_ofCorruptedPlans_agreesWithTheOracle(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        TestGraph graph = RandomGraphs.graph(random, 2 + random.nextInt(40));
        PlanOptions options = RandomGraphs.options(random);
        MemoryPlan plan = MemoryPlanner.plan(graph, options).plan();
        for (int i = 0; i < CORRUPTIONS && !plan.slots().isEmpty(); i++) {
            MemoryPlan corrupted = corrupted(plan, options, random);

            assertThat(isValid(corrupted, graph, options))
                    .as(() -> PlanText.format(corrupted))
                    .isEqualTo(PairwiseOracle.accepts(corrupted, graph, options));
        }
    }

    @Test
    void corruptions_together_makeValidAndInvalidPlans() {
        SplittableRandom random = new SplittableRandom(1);
        TestGraph graph = RandomGraphs.graph(random, 40);
        PlanOptions options = PlanOptions.f32Uniform(16);
        MemoryPlan plan = MemoryPlanner.plan(graph, options).plan();
        int valid = 0;
        for (int i = 0; i < 400; i++) {
            valid += isValid(corrupted(plan, options, random), graph, options) ? 1 : 0;
        }

        assertThat(valid).isBetween(20, 380);
    }

    private static boolean isValid(MemoryPlan plan, TestGraph graph, PlanOptions options) {
        try {
            PlanValidator.validate(plan, graph, options);
            return true;
        } catch (InvalidPlanException e) {
            return false; // the validator rejects the plan
        }
    }

    /** A plan with one slot shifted, shrunk, grown, dropped or put where another is; often aligned, to get far. */
    private static MemoryPlan corrupted(MemoryPlan plan, PlanOptions options, SplittableRandom random) {
        Map<NodeId, BufferSlot> slots = new LinkedHashMap<>(plan.slots());
        List<NodeId> ids = new ArrayList<>(slots.keySet());
        NodeId id = ids.get(random.nextInt(ids.size()));
        BufferSlot slot = slots.getOrDefault(id, new BufferSlot(0, 0));
        BufferSlot other = slots.getOrDefault(ids.get(random.nextInt(ids.size())), slot);
        long unit = random.nextInt(4) == 0 ? 1 : options.alignment();
        long shift = unit * random.nextInt(1, 8);
        switch (random.nextInt(6)) {
            case 0 -> slots.put(id, new BufferSlot(slot.offset() + shift, slot.size()));
            case 1 -> slots.put(id, new BufferSlot(Math.max(0, slot.offset() - shift), slot.size()));
            case 2 -> slots.put(id, new BufferSlot(slot.offset(), Math.max(0, slot.size() - shift)));
            case 3 -> slots.put(id, new BufferSlot(slot.offset(), slot.size() + shift));
            case 4 -> slots.put(id, new BufferSlot(other.offset(), slot.size()));
            default -> slots.remove(id);
        }
        long end = slots.values().stream().mapToLong(BufferSlot::end).max().orElse(0);
        return new MemoryPlan(end, slots, plan.schedule());
    }
}
