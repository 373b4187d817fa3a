package io.devicearena.diagnostics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.devicearena.ArenaOptions;
import io.devicearena.BufferSlot;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.ExecutionCheckException;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.NodeRole;
import io.devicearena.PlanValue;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Steps of an engine that computes on the host; {@link PlantedBugsTest} has the mistakes that are found. */
class HostStepsTest {
    private static final NodeId WEIGHT = NodeId.of(0);
    private static final NodeId MADE = NodeId.of(1);

    private final AtomicInteger runs = new AtomicInteger();

    private static MemoryPlan plan(NodeId id, String name, NodeRole role) {
        return new MemoryPlan(
                16,
                Map.of(id, new BufferSlot(0, 16)),
                List.of(id),
                Map.of(id, new PlanValue(name, role, DType.F32, List.of(4L), Optional.empty())));
    }

    private static final MemoryPlan GRAPH = plan(MADE, "made", NodeRole.OUTPUT);

    @Test
    void withoutChecks_theWorkRunsAndNothingElse() {
        try (DeviceArena arena = TestProvider.open(GRAPH, ArenaOptions.defaults())) {
            HostSteps.run(arena, "made", List.of(NodeId.of(99)), List.of(WEIGHT), runs::incrementAndGet);
            assertThat(runs).hasValue(1);
        }
    }

    @Test
    void weightsOfAnotherArena_areReadAsItsOwn() {
        ArenaOptions options = ArenaOptions.defaults().withChecks();
        try (DeviceArena weights = TestProvider.open(plan(WEIGHT, "weight", NodeRole.PARAMETER), options);
                DeviceArena arena = TestProvider.open(GRAPH, options.withWeights(weights))) {
            Runnable step = () -> HostSteps.run(
                    arena,
                    "made",
                    List.of(WEIGHT),
                    List.of(MADE),
                    () -> arena.unwrap(MemorySegment.class).orElseThrow().fill((byte) 0));
            assertThatThrownBy(step::run)
                    .isExactlyInstanceOf(ExecutionCheckException.class)
                    .hasMessage("step 'made': expected node 0 'weight' to be written before it is read, got no write of"
                            + " its bytes 0 to 16; load it before the first run");
            weights.writeInputF32(WEIGHT, DType.F32, new float[4]);
            step.run();
            assertThat(arena.readOutputF32(MADE, DType.F32, 4)).containsOnly(0);
        }
    }

    @Test
    void aClosedArenaIsRefused() {
        DeviceArena arena = TestProvider.open(GRAPH, ArenaOptions.defaults());
        arena.close();
        assertThatThrownBy(() -> HostSteps.run(arena, "made", List.of(), List.of(MADE), runs::incrementAndGet))
                .isExactlyInstanceOf(IllegalStateException.class)
                .hasMessage("device arena 'device arena' is closed; open a new one");
        assertThat(runs).hasValue(0);
    }

    @Test
    @SuppressWarnings("NullAway") // null is what these calls are about
    void nullIsNamed() {
        List<NodeId> none = List.of();
        try (DeviceArena arena = TestProvider.open(GRAPH, ArenaOptions.defaults())) {
            assertThatThrownBy(() -> HostSteps.run(arena, null, none, none, runs::incrementAndGet))
                    .isInstanceOf(NullPointerException.class)
                    .hasMessage("label");
            assertThatThrownBy(() -> HostSteps.run(arena, "a", null, none, runs::incrementAndGet))
                    .isInstanceOf(NullPointerException.class)
                    .hasMessage("reads");
            assertThatThrownBy(() -> HostSteps.run(arena, "a", none, null, runs::incrementAndGet))
                    .isInstanceOf(NullPointerException.class)
                    .hasMessage("writes");
            assertThatThrownBy(() -> HostSteps.run(arena, "a", none, none, null))
                    .isInstanceOf(NullPointerException.class)
                    .hasMessage("work");
        }
        assertThat(runs).hasValue(0);
    }
}
