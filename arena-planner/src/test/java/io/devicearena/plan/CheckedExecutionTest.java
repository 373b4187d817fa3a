package io.devicearena.plan;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.devicearena.ArenaOptions;
import io.devicearena.DeviceArena;
import io.devicearena.ExecutionCheckException;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.NodeRole;
import io.devicearena.diagnostics.HostSteps;
import io.devicearena.discovery.DeviceArenas;
import io.devicearena.plan.testing.RandomGraphs;
import io.devicearena.plan.testing.TestGraph;
import io.devicearena.plan.testing.TestNode;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The checking mode of an arena finds nothing wrong with an execution that follows a plan of the planner. */
class CheckedExecutionTest {
    /** An engine of ops that fill their values with bytes. */
    private static final class Engine implements AutoCloseable {
        private final Map<NodeId, TestNode> nodes = new HashMap<>();
        private final MemoryPlan plan;
        private final DeviceArena arena;
        private final MemorySegment memory;

        Engine(TestGraph graph, MemoryPlan plan) {
            graph.nodes().forEach(node -> nodes.put(node.id(), node));
            this.plan = plan;
            this.arena = DeviceArenas.open(
                    plan, ArenaOptions.defaults().withProvider("cpu").withChecks());
            this.memory = arena.unwrap(MemorySegment.class).orElseThrow();
        }

        void run(int filled, DeviceArena with) {
            for (TestNode node : nodes.values()) {
                if (node.role().isPersistent() && node.view().isEmpty()) {
                    with.writeValueBytes(node.id(), 0, bytes(node.id(), filled));
                }
            }
            plan.schedule().forEach(id -> step(id, filled, with));
        }

        void step(NodeId id, int filled, DeviceArena with) {
            TestNode node = node(id);
            if (!node.role().isPersistent() && node.view().isEmpty() && !node.isFused()) {
                HostSteps.run(with, node.name(), reads(node), List.of(id), () -> {
                    MemorySegment made = bytes(id, filled);
                    MemorySegment.copy(
                            made, 0, memory, plan.slot(id).orElseThrow().offset(), made.byteSize());
                });
            }
        }

        /** What an op reads, and the fused ops that run in it. */
        private List<NodeId> reads(TestNode node) {
            List<NodeId> reads = new ArrayList<>();
            for (NodeId id : node.inputs()) {
                if (node(id).isFused()) {
                    reads.addAll(reads(node(id)));
                } else {
                    reads.add(id);
                }
            }
            return reads;
        }

        private MemorySegment bytes(NodeId id, int filled) {
            byte[] bytes = new byte[Math.toIntExact(plan.value(id).orElseThrow().bytes())];
            return MemorySegment.ofArray(bytes).fill((byte) filled);
        }

        private TestNode node(NodeId id) {
            return Objects.requireNonNull(nodes.get(id));
        }

        @Override
        public void close() {
            arena.close();
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.devicearena.plan.Seeds#all")
    void anExecutionThatFollowsItsPlanHasNoFinding(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        TestGraph graph = RandomGraphs.graph(random, 60);
        PlanOptions options = PlanOptions.declared(1L << random.nextInt(9));
        if (random.nextBoolean()) {
            options = options.withReordering();
        }
        MemoryPlan plan = MemoryPlanner.plan(graph, options.withGuardBytes(random.nextInt(2) * 64L))
                .plan();
        try (Engine engine = new Engine(graph, plan)) {
            for (int run = 1; run <= 3; run++) {
                engine.run(run, engine.arena);
                for (NodeId output : graph.outputs()) {
                    byte[] read = new byte
                            [Math.toIntExact(plan.value(output).orElseThrow().bytes())];
                    engine.arena.readValueBytes(output, 0, MemorySegment.ofArray(read));
                }
            }
        }
    }

    @Test
    void statesAreUpdatedInEachRun() {
        TestGraph graph = new TestGraph()
                .node(TestNode.of(1, NodeRole.STATE, 8))
                .input(2, 8)
                .op(3, 8, 2)
                .view(4, 8, 1, 0)
                .node(TestNode.of(5, NodeRole.OP, 8, 1, 3).updating(1))
                .node(TestNode.of(6, NodeRole.OP, 8, 5, 3).updating(5))
                .output(7, 8, 6);
        MemoryPlan plan = MemoryPlanner.plan(graph, PlanOptions.f32Uniform(16)).plan();
        try (Engine engine = new Engine(graph, plan)) {
            for (int run = 1; run <= 3; run++) {
                engine.run(run, engine.arena);
                engine.arena.readValueBytes(NodeId.of(1), 0, MemorySegment.ofArray(new byte[32]));
            }
            assertThatThrownBy(() -> engine.step(NodeId.of(5), 4, engine.arena))
                    .isInstanceOf(ExecutionCheckException.class)
                    .hasMessage("step 'node 5': expected the order of the schedule, got node 5 (position 4 of 7) after"
                            + " node 7 (position 6); run the steps in the order of MemoryPlan.schedule(), and begin"
                            + " each run with node 3");
        }
    }

    @Test
    void phasesPassValuesOn() {
        TestGraph forward = new TestGraph().input(1, 8).op(2, 8, 1).output(3, 8, 2);
        TestGraph backward =
                new TestGraph().input(2, 8).input(3, 8).op(4, 8, 2, 3).output(5, 8, 4);
        PhasedGraph step = PhasedGraph.of("forward", forward).then("backward", backward);
        FamilyPlan family = FamilyPlan.of(Map.of("train", step), PlanOptions.f32Uniform(16));
        try (Engine engine = new Engine(forward, family.plan("train", "forward"));
                DeviceArena view = engine.arena.view(family.plan("train", "backward"))) {
            for (int run = 1; run <= 3; run++) {
                engine.run(run, engine.arena);
                HostSteps.run(view, "4", List.of(NodeId.of(2), NodeId.of(3)), List.of(NodeId.of(4)), () -> {
                    long offset = view.byteOffset(NodeId.of(4)).orElseThrow();
                    engine.memory.asSlice(offset, 32).fill((byte) 1);
                });
            }
        }
    }

    @Test
    void graphsOfAFamilyRunOneAfterTheOther() {
        TestGraph small =
                new TestGraph().parameter(1, 8).input(2, 8).op(3, 8, 1, 2).output(4, 8, 3);
        TestGraph large =
                new TestGraph().parameter(1, 8).input(2, 64).op(3, 64, 1, 2).output(4, 64, 3);
        FamilyPlan family = FamilyPlan.of(Map.of("small", small, "large", large), PlanOptions.f32Uniform(16));
        try (Engine one = new Engine(small, family.plan("small"));
                Engine other = new Engine(large, family.plan("large"));
                DeviceArena view = other.arena.view(family.plan("small"))) {
            for (int run = 1; run <= 3; run++) {
                one.run(run, one.arena);
                other.run(run, other.arena);
                view.writeValueBytes(NodeId.of(2), 0, MemorySegment.ofArray(new byte[32]));
                assertThatThrownBy(() -> other.step(NodeId.of(3), 1, other.arena))
                        .isInstanceOf(ExecutionCheckException.class)
                        .hasMessageContaining("of another graph, written by a write of the host");
            }
        }
    }
}
