package io.devicearena.wgpu.segments;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.ArenaOptions;
import io.devicearena.DeviceArena;
import io.devicearena.wgpu.testing.TestArenas;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Transfers over several segments; runs with small segments, which a property forces. */
@EnabledIfSystemProperty(named = "devicearena.wgpu.segmentBytes", matches = "\\d+")
class SegmentTransfersTest {
    private static final long SEGMENT = TestArenas.device().limits().maxSegmentBytes();

    @Test
    void emptyRangesAtEnds_areAccepted() {
        try (DeviceArena arena = TestArenas.open(TestArenas.plan(0, 2 * SEGMENT))) {
            MemorySegment none = MemorySegment.ofArray(new byte[0]);
            for (long offset : new long[] {0, SEGMENT, 2 * SEGMENT}) {
                arena.writeBytes(offset, none);
                arena.readBytes(offset, MemorySegment.ofArray(new byte[0]));
                assertThat(arena.<Long>withBytes(offset, 0, MemorySegment::byteSize))
                        .isZero();
            }
        }
    }

    @Test
    void scratch_acrossTheEndOfASegment_holdsItsBytes() {
        ArenaOptions options = ArenaOptions.defaults().withScratchBytes(SEGMENT);
        try (DeviceArena arena = TestArenas.open(TestArenas.plan(0, SEGMENT / 2), options)) {
            byte[] bytes = new byte[(int) SEGMENT];
            Arrays.fill(bytes, (byte) 7);
            arena.writeBytes(arena.scratchOffset(), MemorySegment.ofArray(bytes));
            byte[] found = new byte[(int) (SEGMENT + SEGMENT / 2)];
            arena.readBytes(0, MemorySegment.ofArray(found));

            assertThat(arena.segments().count()).isEqualTo(2);
            Arrays.fill(found, (int) (SEGMENT / 2), found.length, (byte) (found[found.length - 1] - 7));
            assertThat(found).containsOnly(0);
        }
    }

    /** A range that crosses is read completely, or the call says that the arena is closed. */
    @Test
    void close_whileRangesThatCrossAreInFlight_readsAllOrNothing() throws Exception {
        byte[] ones = new byte[(int) (5 * SEGMENT)];
        Arrays.fill(ones, (byte) 1);
        AtomicInteger complete = new AtomicInteger();
        try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
            for (int round = 0; round < 20; round++) {
                DeviceArena arena = TestArenas.open(TestArenas.plan(0, ones.length));
                arena.writeBytes(0, MemorySegment.ofArray(ones));
                Future<?> reading = threads.submit(() -> readUntilClosed(arena, ones, complete));
                Future<?> writing = threads.submit(() -> {
                    while (!isClosed(() -> arena.writeBytes(0, MemorySegment.ofArray(ones)))) {
                        Thread.onSpinWait();
                    }
                });
                int before = complete.get();
                while (complete.get() == before && !reading.isDone()) {
                    Thread.onSpinWait();
                }
                arena.close();
                reading.get();
                writing.get();
            }
        }
        assertThat(complete.get()).isGreaterThanOrEqualTo(20);
    }

    private static void readUntilClosed(DeviceArena arena, byte[] expected, AtomicInteger complete) {
        byte[] found = new byte[expected.length];
        while (!isClosed(() -> arena.readBytes(0, MemorySegment.ofArray(found)))) {
            assertThat(found).isEqualTo(expected);
            Arrays.fill(found, (byte) 0);
            complete.incrementAndGet();
        }
    }

    private static boolean isClosed(Runnable call) {
        try {
            call.run();
            return false;
        } catch (IllegalStateException e) {
            assertThat(e).hasMessageContaining("is closed; open a new one");
            return true;
        }
    }
}
