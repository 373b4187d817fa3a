package io.devicearena.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.devicearena.ArenaOptions;
import io.devicearena.BufferSlot;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.testing.ByteArrayBackend;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Several plans on the memory of one arena, and arenas that use the weights of another. */
class ArenaViewTest {
    private static final NodeId A = NodeId.of(0);
    private static final NodeId B = NodeId.of(1);

    private final AtomicInteger freed = new AtomicInteger();

    private static MemoryPlan plan(long size, NodeId id, long offset, long bytes) {
        return new MemoryPlan(size, Map.of(id, new BufferSlot(offset, bytes)), List.of(id));
    }

    private DeviceArena open(MemoryPlan plan, ArenaOptions options) {
        return ByteArrayBackend.open(plan, options, freed::incrementAndGet);
    }

    private DeviceArena open() {
        return open(plan(128, A, 0, 64), ArenaOptions.defaults().withScratchBytes(16));
    }

    @Test
    void aViewHasTheBytes_withValuesAndLengthsOfItsOwn() {
        try (DeviceArena arena = open();
                DeviceArena view = arena.view(plan(96, B, 32, 64));
                DeviceArena same = view.view(plan(128, A, 64, 64))) {
            arena.writeInputF32(A, DType.F32, new float[] {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15});
            view.setActualLength(B, 8);

            assertThat(view.readOutputF32(B, DType.F32, 16)).containsExactly(8, 9);
            assertThat(view.hasBuffer(A)).isFalse();
            assertThat(same.readOutputF32(A, DType.F32, 16)).hasSize(16).containsOnly(0);
            assertThat(arena.readOutputF32(A, DType.F32, 16)).hasSize(16);
            assertThat(view.sizeBytes()).isEqualTo(144);
            assertThat(view.scratchOffset()).isEqualTo(128);
        }
        assertThat(freed).hasValue(1);
    }

    @Test
    void memoryLivesUntilTheLastIsClosed_inAnyOrder() {
        DeviceArena arena = open();
        DeviceArena view = arena.view(plan(96, B, 32, 64));
        DeviceArena nested = view.view(plan(96, A, 32, 64));

        arena.close();
        arena.close();
        assertThatThrownBy(() -> arena.readOutputF32(A, DType.F32, 1)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> arena.view(plan(1, A, 0, 1))).isInstanceOf(IllegalStateException.class);
        view.writeInputF32(B, DType.F32, new float[] {5});
        view.close();
        assertThat(freed).hasValue(0);
        assertThat(nested.readOutputF32(A, DType.F32, 1)).containsExactly(5);
        nested.close();
        assertThat(freed).hasValue(1);
    }

    @Test
    void memoryThatIsFree_isNotUsedAgain() {
        ByteArrayBackend backend =
                new ByteArrayBackend(plan(1, A, 0, 1), ArenaOptions.defaults(), freed::incrementAndGet);
        SharedMemory memory = new SharedMemory(backend, Observation.OBSERVER.watch(1, false));
        memory.use();
        memory.release();
        assertThat(freed).hasValue(0);
        memory.release();
        assertThat(freed).hasValue(1);
        assertThatThrownBy(memory::use)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("memory of an arena: expected it in use, got it freed; open a new arena");
        assertThat(freed).hasValue(1);
    }

    @Test
    void aLargerPlanIsRefused() {
        try (DeviceArena arena = open()) {
            assertThatThrownBy(() -> arena.view(plan(129, B, 0, 1)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("view: expected a plan of at most 128 bytes, what the plan of this arena has, got 129;"
                            + " plan the graphs together, or open an arena for it");
        }
    }

    private static float[] weightsOf(DeviceArena arena) {
        OpenArena weights =
                arena.unwrap(OpenArena.class).flatMap(OpenArena::weightsInFront).orElseThrow();
        return weights.arena().readOutputF32(A, DType.F32, 2);
    }

    @Test
    void weightsLiveUntilTheirLastUserIsClosed() {
        DeviceArena weights = open(plan(64, A, 0, 64), ArenaOptions.defaults());
        weights.writeInputF32(A, DType.F32, new float[] {1, 2});
        ArenaOptions options = ArenaOptions.defaults().withWeights(weights);
        DeviceArena first = open(plan(64, B, 0, 64), options);
        DeviceArena second = open(plan(32, B, 0, 32), options);
        DeviceArena view = first.view(plan(64, B, 32, 32));

        weights.close();
        assertThat(weightsOf(first)).containsExactly(1, 2);
        first.close();
        assertThat(weightsOf(view)).containsExactly(1, 2);
        view.close();
        assertThat(freed).hasValue(1);
        assertThat(weightsOf(second)).containsExactly(1, 2);
        second.close();
        assertThat(freed).hasValue(3);
    }

    @Test
    void memoryIsFreed_whenTheWeightsCannotBeHeld() {
        DeviceArena weights = open();
        weights.close();

        assertThatThrownBy(
                        () -> open(plan(64, B, 0, 64), ArenaOptions.defaults().withWeights(weights)))
                .isInstanceOf(IllegalStateException.class);
        assertThat(freed).hasValue(1);
    }
}
