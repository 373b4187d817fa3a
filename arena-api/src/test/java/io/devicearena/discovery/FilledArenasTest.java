package io.devicearena.discovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaOptions;
import io.devicearena.BufferSlot;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.testing.ByteArrayArena;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Clauses 19.16 to 19.19: arenas that are filled once for each key and device. */
class FilledArenasTest {
    private static final NodeId WEIGHT = NodeId.of(0);

    private final FilledArenas arenas = new FilledArenas();
    private final AtomicInteger filled = new AtomicInteger();
    private final AtomicInteger freed = new AtomicInteger();

    private static MemoryPlan plan(long bytes) {
        return new MemoryPlan(bytes, Map.of(WEIGHT, new BufferSlot(0, bytes)), List.of(WEIGHT));
    }

    private void fill(DeviceArena arena) {
        arena.writeInputF32(WEIGHT, DType.F32, new float[] {filled.incrementAndGet()});
    }

    private DeviceArena join(String key, MemoryPlan plan, Consumer<DeviceArena> fill) {
        return join(key, ByteArrayArena.byteArray(), plan, fill);
    }

    private DeviceArena join(String key, ArenaDevice device, MemoryPlan plan, Consumer<DeviceArena> fill) {
        return arenas.join(
                key,
                device,
                plan,
                () -> new ByteArrayArena(plan, ArenaOptions.defaults(), freed::incrementAndGet),
                fill);
    }

    private static float first(DeviceArena arena) {
        return arena.readOutputF32(WEIGHT, DType.F32, 1)[0];
    }

    @Test
    void required_19_16_sharedArenaIsFilledOnceForEachKeyAndDevice() {
        ArenaDevice own = ByteArrayArena.byteArray();
        ArenaDevice other = new ArenaDevice(
                own.provider(),
                1,
                own.name(),
                own.description(),
                own.kind(),
                own.priority(),
                own.limits(),
                own.capabilities());
        try (DeviceArena first = join("model", plan(64), this::fill);
                DeviceArena second = join("model", plan(64), this::fill);
                DeviceArena otherKey = join("other model", plan(64), this::fill);
                DeviceArena otherDevice = join("model", other, plan(64), this::fill)) {
            assertThat(filled).hasValue(3);
            assertThat(List.of(first(first), first(second), first(otherKey), first(otherDevice)))
                    .containsExactly(1f, 1f, 2f, 3f);
            second.writeInputF32(WEIGHT, DType.F32, new float[] {5});
            assertThat(first(first)).isEqualTo(5);
            assertThatThrownBy(() -> join("model", plan(32), this::fill))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("arena 'model': expected the plan of the earlier call");
        }
        assertThat(freed).hasValue(3);
    }

    @Test
    void required_19_17_sharedArenaIsFreedWithTheLastAndFilledAgain() {
        DeviceArena first = join("model", plan(64), this::fill);
        DeviceArena second = join("model", plan(64), this::fill);
        first.close();
        assertThat(freed).hasValue(0);
        DeviceArena third = join("model", plan(64), this::fill);
        second.close();
        assertThat(first(third)).isEqualTo(1);
        third.close();
        assertThat(freed).hasValue(1);
        try (DeviceArena again = join("model", plan(32), this::fill)) {
            assertThat(first(again)).isEqualTo(2);
        }
        assertThat(freed).hasValue(2);
    }

    @Test
    void required_19_18_failedFillLeavesTheKeyUnused() {
        for (int round = 1; round < 4; round++) {
            assertThatThrownBy(() -> join("model", plan(64), arena -> {
                        throw new IllegalStateException("no file");
                    }))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("no file");
            assertThat(freed).hasValue(round);
        }
        try (DeviceArena arena = join("model", plan(32), this::fill)) {
            assertThat(first(arena)).isEqualTo(1);
        }
    }

    @Test
    void stochastic_19_19_threadsWaitForTheFill() throws Exception {
        int threads = 4;
        try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
            for (int round = 0; round < 50; round++) {
                CountDownLatch start = new CountDownLatch(threads);
                String key = "model " + round;
                Callable<DeviceArena> join = () -> {
                    start.countDown();
                    start.await();
                    return join(key, plan(64), this::fill);
                };
                List<Future<DeviceArena>> joined = new ArrayList<>();
                for (int i = 0; i < threads; i++) {
                    joined.add(pool.submit(join));
                }
                for (Future<DeviceArena> one : joined) {
                    assertThat(first(one.get())).isEqualTo(round + 1);
                }
                for (Future<DeviceArena> one : joined) {
                    one.get().close();
                }
            }
        }
        assertThat(filled).hasValue(50);
        assertThat(freed).hasValue(50);
    }
}
