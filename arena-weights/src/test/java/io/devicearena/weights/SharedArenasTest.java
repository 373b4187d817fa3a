package io.devicearena.weights;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaOptions;
import io.devicearena.BufferSlot;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.discovery.DeviceArenas;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Clauses 16.7 to 16.10: arenas that are filled once for each key and device. Each test has keys of its own. */
class SharedArenasTest {
    private static final NodeId WEIGHT = NodeId.of(0);
    private static final ArenaOptions CPU = ArenaOptions.defaults().withProvider("cpu");

    private final AtomicInteger filled = new AtomicInteger();
    private final List<MemorySegment> memories = new ArrayList<>();

    private static MemoryPlan plan(long bytes) {
        return new MemoryPlan(bytes, Map.of(WEIGHT, new BufferSlot(0, bytes)), List.of(WEIGHT));
    }

    private void fill(DeviceArena arena) {
        memories.add(arena.unwrap(MemorySegment.class).orElseThrow());
        arena.writeInputF32(WEIGHT, DType.F32, new float[] {filled.incrementAndGet()});
    }

    private DeviceArena open(String key, MemoryPlan plan) {
        return SharedArenas.open(key, plan, CPU, this::fill);
    }

    private static float first(DeviceArena arena) {
        return arena.readOutputF32(WEIGHT, DType.F32, 1)[0];
    }

    private long freed() {
        return memories.stream().filter(memory -> !memory.scope().isAlive()).count();
    }

    @Test
    void required_16_7_sharedArenaIsFilledOnceForEachKeyAndDevice() {
        ArenaDevice own = DeviceArenas.choose(CPU);
        ArenaDevice other = new ArenaDevice(
                own.provider(),
                1,
                own.name(),
                own.description(),
                own.kind(),
                own.priority(),
                own.limits(),
                own.capabilities());
        try (DeviceArena first = open("16", plan(64));
                DeviceArena second = open("16", plan(64));
                DeviceArena otherKey = open("16, other", plan(64));
                DeviceArena otherDevice =
                        SharedArenas.open("16", other, plan(64), () -> DeviceArenas.open(plan(64), CPU), this::fill)) {
            assertThat(filled).hasValue(3);
            assertThat(List.of(first(first), first(second), first(otherKey), first(otherDevice)))
                    .containsExactly(1f, 1f, 2f, 3f);
            second.writeInputF32(WEIGHT, DType.F32, new float[] {5});
            assertThat(first(first)).isEqualTo(5);
            assertThatThrownBy(() -> open("16", plan(32)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("arena '16': expected the plan of the earlier call, " + plan(64) + ", got another one, "
                            + plan(32) + "; use a key of its own for other content");
        }
        assertThat(freed()).isEqualTo(3);
    }

    @Test
    void required_16_8_sharedArenaIsFreedWithTheLastAndFilledAgain() {
        DeviceArena first = open("17", plan(64));
        DeviceArena second = open("17", plan(64));
        first.close();
        assertThat(freed()).isZero();
        DeviceArena third = open("17", plan(64));
        second.close();
        assertThat(first(third)).isEqualTo(1);
        third.close();
        assertThat(freed()).isEqualTo(1);
        try (DeviceArena again = open("17", plan(32))) {
            assertThat(first(again)).isEqualTo(2);
        }
        assertThat(freed()).isEqualTo(2);
    }

    @Test
    void required_16_9_failedFillLeavesTheKeyUnused() {
        for (int round = 1; round < 4; round++) {
            assertThatThrownBy(() -> SharedArenas.open("18", plan(64), CPU, arena -> {
                        fill(arena);
                        throw new IllegalStateException("no file");
                    }))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("no file");
            assertThat(freed()).isEqualTo(round);
        }
        try (DeviceArena arena = open("18", plan(32))) {
            assertThat(first(arena)).isEqualTo(4);
        }
    }

    @Test
    void stochastic_16_10_threadsWaitForTheFill() throws Exception {
        int threads = 4;
        try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
            for (int round = 0; round < 50; round++) {
                CountDownLatch start = new CountDownLatch(threads);
                String key = "19, " + round;
                Callable<DeviceArena> join = () -> {
                    start.countDown();
                    start.await();
                    return open(key, plan(64));
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
        assertThat(freed()).isEqualTo(50);
    }
}
