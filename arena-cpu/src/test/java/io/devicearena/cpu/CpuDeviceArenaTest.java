package io.devicearena.cpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.devicearena.DeviceArena;
import io.devicearena.spi.memory.SystemMemory;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the conformance kit cannot see: the host memory behind the arena, and moves within it. */
class CpuDeviceArenaTest {
    @Test
    void arenaIsWrittenFromItselfWhereRangesOverlap() {
        byte[] model = new byte[37];
        new SplittableRandom(3).nextBytes(model);
        try (DeviceArena arena = TestArenas.open(TestArenas.withoutSlots(37))) {
            arena.writeBytes(0, MemorySegment.ofArray(model));
            arena.writeBytes(3, TestArenas.memory(arena).asSlice(0, 30));
            System.arraycopy(model, 0, model, 3, 30);
            assertThat(TestArenas.bytesOf(arena)).isEqualTo(model);
        }
    }

    @Test
    @Tag("slow")
    void moveOfMoreThan2GiBIsExact() {
        long length = (1L << 31) + 5;
        long size = length + 64;
        long available = SystemMemory.freeBytes().orElse(Long.MAX_VALUE);
        assumeTrue(
                available >= size + (1L << 30),
                () -> "NOT RUN: needs an arena of 2 GiB, and this host has only " + available + " bytes available");
        try (DeviceArena arena = TestArenas.open(TestArenas.withoutSlots(size))) {
            arena.writeBytes(size - 2, MemorySegment.ofArray(new byte[] {4, 7}));
            arena.writeBytes(0, TestArenas.memory(arena).asSlice(64, length));
            byte[] last = new byte[2];
            arena.readBytes(length - 2, MemorySegment.ofArray(last));
            assertThat(last).containsExactly(4, 7);
        }
    }

    @Tag("slow")
    @ParameterizedTest(name = "{0} threads")
    @ValueSource(ints = {2, 8})
    @Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void close_onSeveralThreads_returnsWithTheMemoryFreed(int threads) throws Exception {
        for (int round = 0; round < 100; round++) {
            DeviceArena arena = TestArenas.open(TestArenas.threeSlots());
            MemorySegment memory = TestArenas.memory(arena);
            CyclicBarrier start = new CyclicBarrier(threads);
            try (ExecutorService closers = Executors.newCachedThreadPool()) {
                List<Future<Boolean>> alive = new ArrayList<>();
                for (int i = 0; i < threads; i++) {
                    alive.add(closers.submit(() -> {
                        start.await();
                        arena.close();
                        return memory.scope().isAlive();
                    }));
                }
                for (Future<Boolean> one : alive) {
                    assertThat(one.get()).isFalse();
                }
            }
        }
    }

    @Test
    void droppedArena_isFreedAndLogged() throws InterruptedException {
        CountDownLatch logged = new CountDownLatch(1);
        AtomicReference<String> line = new AtomicReference<>("");
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord entry) {
                if (entry.getMessage().contains("'dropped'")) {
                    line.set(entry.getLevel() + " " + entry.getMessage());
                    logged.countDown();
                }
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        Logger logger = Logger.getLogger("io.devicearena");
        logger.addHandler(handler);
        logger.setUseParentHandlers(false);
        try {
            MemorySegment memory = memoryOfADroppedArena();
            for (int attempt = 0; attempt < 100 && logged.getCount() > 0; attempt++) {
                System.gc();
                if (logged.await(100, TimeUnit.MILLISECONDS)) {
                    break;
                }
            }
            assertThat(line)
                    .hasValue("WARNING device arena 'dropped' of 96 bytes on 'host memory' was dropped without close;"
                            + " its memory is freed now. Add the artifact arena-diagnostics and set the property"
                            + " devicearena.leaks to all to see where it was opened");
            assertThat(memory.scope().isAlive()).isFalse();
        } finally {
            logger.setUseParentHandlers(true);
            logger.removeHandler(handler);
        }
    }

    private static MemorySegment memoryOfADroppedArena() {
        return TestArenas.memory(
                TestArenas.open(TestArenas.threeSlots(), TestArenas.options().withLabel("dropped")));
    }
}
