package io.devicearena.wgpu;

import static io.devicearena.wgpu.testing.TestArenas.wgpu;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.NodeId;
import io.devicearena.wgpu.testing.TestArenas;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Arenas on one device share the device and nothing else. */
class SharedDeviceTest {
    private static final NodeId FIRST = NodeId.of(0);

    private static DeviceArena open() {
        return TestArenas.open(TestArenas.plan(0, 64));
    }

    private static void write(DeviceArena arena, float value) {
        arena.writeInputF32(FIRST, DType.F32, new float[] {value});
    }

    private static float read(DeviceArena arena) {
        return arena.readOutputF32(FIRST, DType.F32, 1)[0];
    }

    @Test
    void open_twoArenas_shareTheDeviceNotTheBuffers() {
        try (DeviceArena one = open();
                DeviceArena other = open()) {
            assertThat(wgpu(one).handles().device())
                    .isEqualTo(wgpu(other).handles().device());
            assertThat(wgpu(one).handles().queue())
                    .isEqualTo(wgpu(other).handles().queue());
            assertThat(wgpu(one).handles().arena())
                    .isNotEqualTo(wgpu(other).handles().arena());
            write(one, 1);
            write(other, 2);
            assertThat(read(one)).isEqualTo(1);
            assertThat(read(other)).isEqualTo(2);
        }
    }

    @Test
    @SuppressWarnings("try") // closed early on purpose
    void close_oneArena_othersKeepTheirBytes() {
        try (DeviceArena kept = open()) {
            write(kept, 1); // waits for the next submission, with a write to the arena that is closed
            try (DeviceArena closed = open()) {
                write(closed, 2);
                closed.close();
                assertThatThrownBy(() -> write(closed, 3)).isExactlyInstanceOf(IllegalStateException.class);
            }
            assertThat(read(kept)).isEqualTo(1);
            kept.flush();
            try (DeviceArena late = open()) {
                assertThat(wgpu(late).handles().device())
                        .isEqualTo(wgpu(kept).handles().device());
                assertThat(read(late)).isZero();
            }
            write(kept, 4);
            assertThat(read(kept)).isEqualTo(4);
        }
    }

    @Test
    void open_andCloseArenas_othersKeepWorking() throws InterruptedException, ExecutionException {
        int threads = 4;
        int rounds = 30;
        try (DeviceArena kept = open();
                ExecutorService pool = Executors.newFixedThreadPool(threads)) {
            List<Callable<Void>> calls = new ArrayList<>();
            for (int thread = 0; thread < threads; thread++) {
                float mine = thread;
                calls.add(() -> {
                    for (int round = 0; round < rounds; round++) {
                        try (DeviceArena arena = open()) {
                            write(arena, mine + round);
                            assertThat(read(arena)).isEqualTo(mine + round);
                            write(arena, -1); // still waiting when it is closed
                        }
                    }
                    return null;
                });
            }
            List<Future<Void>> running = new ArrayList<>();
            for (Callable<Void> call : calls) {
                running.add(pool.submit(call));
            }
            for (int round = 0; round < rounds; round++) {
                write(kept, round);
                assertThat(read(kept)).isEqualTo(round);
            }
            for (Future<Void> each : running) {
                each.get();
            }
        }
    }
}
