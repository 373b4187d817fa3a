package io.devicearena.cpu;

import static io.devicearena.cpu.TestArenas.LEFT;
import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.ReadBatch;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Many threads on one arena; the time limit only ends a run that hangs. */
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CpuDeviceArenaThreadsTest {
    /** Runs the tasks at once, each in a thread of its own, and throws what any of them threw. */
    private static void together(List<Callable<?>> tasks) throws Exception {
        CyclicBarrier start = new CyclicBarrier(tasks.size());
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            List<Future<?>> running = new ArrayList<>();
            for (Callable<?> task : tasks) {
                running.add(threads.submit(() -> {
                    start.await();
                    return task.call();
                }));
            }
            for (Future<?> one : running) {
                one.get();
            }
        }
    }

    @ParameterizedTest(name = "{0} threads")
    @ValueSource(ints = {2, 8})
    void closersAtOnceAllReturnWithTheMemoryFreed(int threads) throws Exception {
        for (int round = 0; round < 100; round++) {
            DeviceArena arena = TestArenas.open(TestArenas.threeSlots());
            MemorySegment memory = arena.hostMemory();
            List<Callable<?>> closers = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                closers.add(() -> {
                    arena.close();
                    assertThat(memory.scope().isAlive()).isFalse();
                    return true;
                });
            }
            together(closers);
        }
    }

    @Test
    void callsThatRaceWithCloseWorkOrSayClosed() throws Exception {
        for (int round = 0; round < 250; round++) {
            DeviceArena arena = TestArenas.open(TestArenas.oneSlot(40_000));
            int worked = round;
            together(List.of(
                    () -> untilClosed(new Writer(arena, DType.F32)),
                    () -> untilClosed(new Writer(arena, worked % 2 == 0 ? DType.F16 : DType.BF16)),
                    () -> untilClosed(new Reader(arena)),
                    () -> {
                        for (int i = 0; i < worked % 7; i++) {
                            arena.writeBytes(i, MemorySegment.ofArray(new byte[39_000]));
                        }
                        arena.close();
                        return true;
                    }));
        }
    }

    /** Calls until the arena says closed; anything else that is thrown ends the test. */
    private static boolean untilClosed(Runnable call) {
        while (true) {
            try {
                call.run();
            } catch (IllegalStateException e) {
                assertThat(e).hasMessage(TestArenas.CLOSED);
                return true;
            }
        }
    }

    private static final class Writer implements Runnable {
        private final DeviceArena arena;
        private final DType dtype;
        private final float[] floats = new float[9_000];
        private final MemorySegment memory = MemorySegment.ofArray(floats);

        Writer(DeviceArena arena, DType dtype) {
            this.arena = arena;
            this.dtype = dtype;
        }

        @Override
        public void run() {
            arena.writeInputF32(LEFT, dtype, floats);
            arena.writeInputF32(LEFT, dtype, memory);
            arena.writeBytes(1, memory);
            arena.setActualLength(LEFT, 39_999);
        }
    }

    private static final class Reader implements Runnable {
        private final DeviceArena arena;
        private final float[] floats = new float[9_000];
        private final MemorySegment memory = MemorySegment.ofArray(floats);
        private final ReadBatch batch = ReadBatch.builder()
                .output(LEFT, DType.BF16, new float[9_000])
                .bytes(7, MemorySegment.ofArray(new byte[30_001]))
                .build();

        Reader(DeviceArena arena) {
            this.arena = arena;
        }

        @Override
        public void run() {
            arena.readOutputF32(LEFT, DType.F16, floats);
            arena.readOutputF32(LEFT, DType.F32, memory);
            arena.readBytes(3, memory);
            arena.readBatch(batch);
            arena.beginRead(batch).await();
        }
    }

    @Test
    void writersOfAdjacentOddRangesLoseNothing() throws Exception {
        int threads = 4;
        int[] lengths = {1, 3, 5, 7};
        int period = 16;
        int periods = 512;
        byte[] model = new byte[period * periods];
        try (DeviceArena arena = TestArenas.open(TestArenas.withoutSlots(model.length))) {
            List<Callable<?>> writers = new ArrayList<>();
            int begin = 0;
            for (int i = 0; i < threads; i++) {
                int shift = begin;
                int length = lengths[i];
                int seed = i;
                writers.add(() -> {
                    SplittableRandom random = new SplittableRandom(seed);
                    byte[] got = new byte[length];
                    for (int round = 0; round < 20; round++) {
                        for (int at = shift; at < model.length; at += period) {
                            byte[] data = TestArenas.randomBytes(random, length);
                            arena.writeBytes(at, MemorySegment.ofArray(data));
                            System.arraycopy(data, 0, model, at, length);
                            arena.readBytes(at, MemorySegment.ofArray(got));
                            assertThat(got).isEqualTo(data);
                        }
                    }
                    return true;
                });
                begin += length;
            }
            together(writers);
            assertThat(TestArenas.bytesOf(arena)).isEqualTo(model);
        }
    }

    @Test
    void whatOneThreadWroteAnotherReadsOnceItWasTold() throws Exception {
        CyclicBarrier written = new CyclicBarrier(2);
        CyclicBarrier read = new CyclicBarrier(2);
        try (DeviceArena arena = TestArenas.open(TestArenas.threeSlots())) {
            together(List.of(
                    () -> {
                        for (int round = 0; round < 500; round++) {
                            arena.writeInputF32(LEFT, DType.F32, new float[] {round, -round});
                            written.await();
                            read.await();
                        }
                        return true;
                    },
                    () -> {
                        for (int round = 0; round < 500; round++) {
                            written.await();
                            assertThat(arena.readOutputF32(LEFT, DType.F32, 2)).containsExactly(round, -round);
                            read.await();
                        }
                        return true;
                    }));
        }
    }

    @Test
    void aLengthThatChangesWhileItIsReadIsOneOfThoseSet() throws Exception {
        try (DeviceArena arena = TestArenas.open(TestArenas.threeSlots())) {
            arena.setActualLength(LEFT, 20);
            together(List.of(
                    () -> {
                        for (int i = 0; i < 20_000; i++) {
                            arena.setActualLength(LEFT, i % 2 == 0 ? 32 : 20);
                        }
                        return true;
                    },
                    () -> {
                        for (int i = 0; i < 20_000; i++) {
                            assertThat(arena.lengthBytes(LEFT)).isIn(20L, 32L);
                            assertThat(arena.readOutputF32(LEFT, DType.F32, 9).length)
                                    .isIn(5, 8);
                        }
                        return true;
                    }));
        }
    }
}
