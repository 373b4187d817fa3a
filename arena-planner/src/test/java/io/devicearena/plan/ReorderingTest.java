package io.devicearena.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.NodeRole;
import io.devicearena.plan.internal.graph.ArrayGraph;
import io.devicearena.plan.internal.graph.SlotSizes;
import io.devicearena.plan.internal.schedule.MemoryAwareScheduler;
import io.devicearena.plan.strategy.PlacementStrategies;
import io.devicearena.plan.testing.RandomGraphs;
import io.devicearena.plan.testing.TestGraph;
import io.devicearena.plan.testing.TestNode;
import io.devicearena.plan.testing.ToyExecution;
import io.devicearena.plan.validation.PlanValidator;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ReorderingTest {
    private static final PlanOptions GIVEN = PlanOptions.f32Uniform(16);
    private static final PlanOptions OPTIONS = GIVEN.withReordering();

    private static PlanResult planned(TestGraph graph, PlanOptions options) {
        PlanResult planned = MemoryPlanner.plan(graph, options);
        PlanValidator.validate(planned.plan(), graph, options);
        PlanValidator.validate(planned.plan(), planned.buffers(), options);
        assertThat(ToyExecution.onThePlan(graph, planned.plan(), options))
                .isEqualTo(ToyExecution.apart(graph, options));
        return planned;
    }

    /** Branches that each blow up and end in a few elements, begun all before one is finished. */
    private static TestGraph branches(int count) {
        TestGraph graph = new TestGraph().input(0, 16);
        for (int i = 0; i < count; i++) {
            graph.op(100 + i, 1024, 0);
        }
        for (int i = 0; i < count; i++) {
            graph.op(200 + i, 16, 100 + i);
        }
        long[] ends = new long[count];
        for (int i = 0; i < count; i++) {
            ends[i] = 200L + i;
        }
        return graph.output(300, 16, ends);
    }

    @Test
    void branches_whenReordered_runOneAfterTheOther() {
        PlanResult planned = planned(branches(8), OPTIONS);

        assertThat(planned.plan().schedule())
                .isNotEqualTo(planned(branches(8), GIVEN).plan().schedule());
        assertThat(planned.plan().arenaSize()).isEqualTo(64 + 4096 + 8 * 64);
        assertThat(planned(branches(8), GIVEN).plan().arenaSize()).isGreaterThan(8 * 4096);
    }

    @Test
    void schedule_withoutReordering_isTheGivenOrder() {
        List<NodeId> given = branches(8).nodes().stream().map(TestNode::id).toList();

        assertThat(planned(branches(8), GIVEN).plan().schedule()).isEqualTo(given);
    }

    @Test
    void schedule_thatIsOptimal_stays() {
        TestGraph chain = new TestGraph().input(0, 16).op(1, 16, 0).op(2, 16, 1).output(3, 16, 2);

        assertThat(reordered(chain)).isEmpty();
        assertThat(planned(chain, OPTIONS).plan().schedule()).isEqualTo(TestNode.ids(0, 1, 2, 3));
    }

    @Test
    void controlDependency_whenReordered_stays() {
        TestGraph graph = new TestGraph().input(0, 16);
        for (int i = 0; i < 8; i++) {
            graph.op(100 + i, 1024, 0);
        }
        for (int i = 0; i < 8; i++) {
            graph.node(TestNode.of(200 + i, NodeRole.OP, 16, 100 + i).after(107)); // all wait for the last branch
        }
        graph.output(300, 16, 200, 201, 202, 203, 204, 205, 206, 207);

        List<NodeId> schedule = planned(graph, OPTIONS).plan().schedule();
        assertThat(schedule.subList(0, 9)).contains(NodeId.of(107));
        assertThat(schedule.indexOf(NodeId.of(107))).isLessThan(schedule.indexOf(NodeId.of(200)));
    }

    /** Neither view reads what it shows: that it shows it is all that keeps it behind. */
    @Test
    void viewOfAView_whenReordered_staysBehindIt() {
        TestGraph graph = new TestGraph()
                .input(0, 16)
                .op(1, 16, 0)
                .node(TestNode.of(2, NodeRole.OP, 16).showing(new ViewOf(NodeId.of(1), 0)))
                .node(TestNode.of(3, NodeRole.OP, 16).showing(new ViewOf(NodeId.of(2), 0)))
                .op(4, 16, 3)
                .output(5, 16, 2);

        List<NodeId> schedule = planned(graph, OPTIONS).plan().schedule();
        assertThat(schedule.indexOf(NodeId.of(2))).isLessThan(schedule.indexOf(NodeId.of(3)));
    }

    /** What a fused node reads is written once, not once for each of its readers: those would be 100 million pairs. */
    @Test
    void fusedOp_withManyReadersAndInputs_keepsItsOrder() {
        int many = 10_000;
        TestGraph graph = new TestGraph().input(0, 16);
        long[] read = new long[many];
        for (int i = 0; i < many; i++) {
            read[i] = 1L + i;
            graph.op(read[i], 16, 0);
        }
        graph.fused(many + 1L, 16, read);
        for (int i = 0; i < many; i++) {
            graph.op(many + 2L + i, 16, many + 1L);
        }

        assertThat(reordered(graph)).isEmpty(); // all that is read is live to the end
    }

    @Test
    void fusedOp_withoutReaders_readsWhereItStands() {
        TestGraph graph = new TestGraph()
                .input(0, 16)
                .op(1, 1024, 0)
                .op(2, 16, 1)
                .op(3, 1024, 0)
                .op(4, 16, 3)
                .output(5, 16, 2, 4)
                .fused(6, 16, 1);

        PlanResult reordered = planned(graph, OPTIONS);
        assertThat(reordered.plan().schedule().indexOf(NodeId.of(6)))
                .isLessThan(reordered.plan().schedule().indexOf(NodeId.of(3)));
        assertThat(reordered.plan().arenaSize()).isEqualTo(64 + 4096 + 2 * 64);
    }

    @Test
    void reorder_twice_isEqual() {
        SplittableRandom random = new SplittableRandom(11);
        TestGraph graph = RandomGraphs.graph(random, 30);

        assertThat(MemoryPlanner.plan(graph, OPTIONS)).isEqualTo(MemoryPlanner.plan(graph, OPTIONS));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.devicearena.plan.Seeds#all")
    void reorder_ofRandomGraphs_isValidAndNeverLarger(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        TestGraph graph = RandomGraphs.graph(random, 1 + random.nextInt(80));
        PlanOptions options = RandomGraphs.options(random);
        PlanResult reordered = planned(graph, options.withReordering());
        PlanResult given = MemoryPlanner.plan(graph, options);

        assertThat(reordered.plan().arenaSize())
                .isLessThanOrEqualTo(given.plan().arenaSize());
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.devicearena.plan.Seeds#all")
    void reorder_ofSmallGraphs_isOptimal(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < 100; i++) {
            TestGraph graph = smallGraph(random, 2 + random.nextInt(6));

            assertThat(reorderedBound(graph))
                    .as("graph %d: %s", i, graph.nodes())
                    .isEqualTo(leastBound(graph, new ArrayList<>(), new HashSet<>()));
        }
    }

    /** Two inputs, and ops of all kinds that the search counts exactly: any but concatenations. */
    private static TestGraph smallGraph(SplittableRandom random, int ops) {
        TestGraph graph = new TestGraph().input(0, 16).input(1, 16);
        for (int id = 2; id < 2 + ops; id++) {
            TestNode a = graph.nodes().get(random.nextInt(id));
            int b = random.nextInt(id);
            long elements = 16L * random.nextInt(1, 20);
            int kind = random.nextInt(8);
            if (kind == 0) {
                graph.fused(id, elements, a.id().value(), b);
                continue;
            }
            graph.node(
                    switch (kind) {
                        case 1 -> view(id, a, b);
                        case 2 ->
                            TestNode.of(id, NodeRole.OP, a.elements(), a.id().value(), b)
                                    .over(a.id().value());
                        case 3 ->
                            TestNode.of(id, NodeRole.OP, elements, a.id().value())
                                    .after(b);
                        case 4, 5 -> TestNode.of(id, NodeRole.OP, elements, a.id().value());
                        default -> TestNode.of(id, NodeRole.OP, elements, a.id().value(), b);
                    });
            if (random.nextInt(3) == 0) {
                graph.reads(id);
            }
        }
        return graph;
    }

    /** A view of a node, and a read of another; an op without inputs where the node is not in memory. */
    private static TestNode view(int id, TestNode shown, int read) {
        TestNode node = TestNode.of(id, NodeRole.OP, shown.elements(), read);
        return shown.isFused() ? node : node.showing(new ViewOf(shown.id(), 0));
    }

    private static Optional<ArrayGraph> reordered(PlanGraph graph) {
        return MemoryAwareScheduler.reorder(GraphReader.sizes(graph, GIVEN)).stream()
                .findFirst();
    }

    /** The planner takes the best of the given order and of those that the scheduler offers. */
    private static long reorderedBound(PlanGraph graph) {
        SlotSizes sizes = GraphReader.sizes(graph, GIVEN);
        return Stream.concat(
                        Stream.of(sizes),
                        MemoryAwareScheduler.reorder(sizes).stream().map(sizes::of))
                .mapToLong(ReorderingTest::bound)
                .min()
                .orElseThrow();
    }

    private static long bound(PlanGraph graph) {
        return bound(GraphReader.sizes(graph, GIVEN));
    }

    private static long bound(SlotSizes sizes) {
        SharedLayout layout = new SharedLayout(GIVEN, false);
        layout.add("graph", sizes);
        return new GraphPlanner(sizes, GIVEN, layout).lowerBound();
    }

    /** The least bound of all orders, tried one by one. */
    private static long leastBound(TestGraph graph, List<TestNode> ran, Set<NodeId> done) {
        if (ran.size() == graph.nodes().size()) {
            TestGraph ordered = new TestGraph();
            ran.forEach(ordered::node);
            graph.outputs().forEach(id -> ordered.reads(id.value()));
            return bound(ordered);
        }
        long least = Long.MAX_VALUE;
        for (TestNode node : graph.nodes()) {
            if (!done.contains(node.id()) && mayRun(node, done)) {
                ran.add(node);
                done.add(node.id());
                least = Math.min(least, leastBound(graph, ran, done));
                ran.removeLast();
                done.remove(node.id());
                if (node.role().isPersistent()) {
                    break; // it is there from the start, wherever it stands
                }
            }
        }
        return least;
    }

    private static boolean mayRun(TestNode node, Set<NodeId> done) {
        return done.containsAll(node.inputs())
                && done.containsAll(node.controlDependencies())
                && node.view().stream().allMatch(view -> done.contains(view.parent()));
    }

    /**
     * What is kept is live to the end, so what frees most runs first, though nothing leads from one to the other.
     */
    @Test
    void reorder_ofUnconnectedParts_ordersThemToo() {
        TestGraph graph = new TestGraph()
                .input(0, 16)
                .op(1, 1600, 0)
                .op(2, 16000, 0)
                .op(3, 16, 2)
                .reads(1)
                .reads(3);

        PlanResult planned = planned(graph, OPTIONS);
        assertThat(planned.plan().schedule()).isEqualTo(TestNode.ids(0, 2, 3, 1));
        assertThat(planned.plan().arenaSize()).isEqualTo(64 + 64_000 + 64);
    }

    /** Each part ends in one value, but a value of two parts before, which is as small, is read as well. */
    @Test
    void reorder_ofARowOfSmallParts_isOptimal() {
        TestGraph graph = new TestGraph().input(0, 16).op(1, 16, 0).op(2, 16, 1);
        long last = 2;
        long before = 1;
        for (int part = 0; part < 200; part++) {
            long id = 10L * (part + 1);
            for (int k = 0; k < 4; k++) {
                graph.op(id + k, 1024, last);
            }
            for (int k = 0; k < 4; k++) {
                graph.op(id + 4 + k, 16, id + k);
            }
            graph.op(id + 8, 16, id + 4, id + 5, id + 6, id + 7, before);
            before = last;
            last = id + 8;
        }
        graph.reads(last);

        // the input, the last branch, what all four end in, and the two values that go on
        assertThat(reorderedBound(graph)).isEqualTo(64 + 4096 + 4 * 64 + 2 * 64);
    }

    @Test
    void reorder_ofFifteenHundredNodes_isNeverLarger() {
        SplittableRandom random = new SplittableRandom(3);
        TestGraph graph = new TestGraph().input(0, 16);
        for (int i = 1; i <= 1_500; i++) {
            graph.op(i, 16L * random.nextInt(1, 50), Math.max(0, i - 1 - random.nextInt(40)), random.nextInt(i));
        }
        PlanResult reordered = planned(graph, OPTIONS);

        assertThat(reordered.plan().arenaSize())
                .isLessThanOrEqualTo(MemoryPlanner.plan(graph, GIVEN).plan().arenaSize());
    }

    // ---- the validator plays the schedule

    private static MemoryPlan withSchedule(MemoryPlan plan, long... ids) {
        return new MemoryPlan(plan.arenaSize(), plan.slots(), TestNode.ids(ids));
    }

    @Test
    void validator_always_executesTheSchedule() {
        TestGraph graph = new TestGraph().op(0, 16).op(1, 16, 0).op(2, 16).output(3, 16, 1, 2);
        MemoryPlan plan = MemoryPlanner.plan(graph, GIVEN.withStrategy(PlacementStrategies.fast()))
                .plan(); // node 2 takes the bytes of node 0

        assertThat(plan.slot(NodeId.of(2))).isEqualTo(plan.slot(NodeId.of(0)));
        assertThatThrownBy(() -> PlanValidator.validate(withSchedule(plan, 0, 2, 1, 3), graph, GIVEN))
                .isInstanceOf(InvalidPlanException.class)
                .hasMessage(
                        "node 0: expected its bytes 64 to 128 to be its own while node 1 runs at step 2, got some of"
                                + " node 2 at 64 to 128");
    }

    @Test
    void validator_ofAnIncompleteOrInvalidSchedule_rejectsIt() {
        TestGraph graph = new TestGraph()
                .op(0, 16)
                .op(1, 16, 0)
                .node(TestNode.of(2, NodeRole.OP, 16).after(1));
        MemoryPlan plan = MemoryPlanner.plan(graph, GIVEN).plan();

        assertThatCode(() -> PlanValidator.validate(withSchedule(plan), graph, GIVEN))
                .doesNotThrowAnyException();
        assertThatThrownBy(() -> PlanValidator.validate(withSchedule(plan, 0, 1), graph, GIVEN))
                .isInstanceOf(InvalidPlanException.class)
                .hasMessage("schedule: expected all 3 nodes of the graph, got 2");
        assertThatThrownBy(() -> PlanValidator.validate(withSchedule(plan, 0, 1, 2, 3), graph, GIVEN))
                .isInstanceOf(InvalidPlanException.class)
                .hasMessage("schedule: expected nodes of the graph, got node 3");
        assertThatThrownBy(() -> PlanValidator.validate(withSchedule(plan, 1, 0, 2), graph, GIVEN))
                .isInstanceOf(InvalidPlanException.class)
                .hasMessage("schedule: expected an order in which the graph can run; node 1: expected to read"
                        + " values of earlier nodes, got node 0");
        assertThatThrownBy(() -> PlanValidator.validate(withSchedule(plan, 0, 2, 1), graph, GIVEN))
                .isInstanceOf(InvalidPlanException.class)
                .hasMessage("schedule: expected an order in which the graph can run; node 2: expected to run after"
                        + " values of earlier nodes, got node 1");
    }
}
