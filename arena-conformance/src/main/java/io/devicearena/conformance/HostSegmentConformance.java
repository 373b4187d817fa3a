package io.devicearena.conformance;

import io.devicearena.ArenaOptions;
import io.devicearena.Batch;
import io.devicearena.DeviceArena;
import io.devicearena.HostMemory;
import io.devicearena.MemoryPlan;
import io.devicearena.Transfer;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Group 21: host memory of the device, deferred writes, fills and copies.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public interface HostSegmentConformance extends ConformanceTopic {
    /** Not a power of two, and no multiple of a word. */
    private static int size() {
        return (1 << 20) + 13;
    }

    /** Around a cache line, the usual staging of small writes, and the end. */
    private static int[] lengths() {
        return new int[] {1, 3, 4, 63, 65_535, 65_536, 65_537, 65_540, (1 << 20) - 1, 1 << 20, (1 << 20) + 1};
    }

    private DeviceArena openFilled(byte[] model) {
        DeviceArena arena = open(new MemoryPlan(model.length, Map.of(), List.of()), ArenaOptions.defaults());
        arena.writeBytes(0, MemorySegment.ofArray(model));
        return arena;
    }

    /** Catches memory that is not zeroed, is shorter, or is confined to one thread. */
    @Test
    default void required_21_1_hostMemoryIsZeroedAndAsLongAsRequested() {
        try (DeviceArena arena = openExample()) {
            IntStream more = IntStream.of(16, 256, 512, 1024, 2048, 4095, 4096, 4097, 5000, 8192, 20_000, 50_001);
            for (int length : IntStream.concat(Arrays.stream(lengths()), more).toArray()) {
                try (HostMemory host = arena.allocateHost(length)) {
                    Check.same("byteSize", (long) length, host.byteSize());
                    Check.same("open", true, host.isOpen());
                    MemorySegment segment = host.segment();
                    Check.same("size of the segment", (long) length, segment.byteSize());
                    Check.same("read-only", false, segment.isReadOnly());
                    Check.same(
                            "accessible by another thread",
                            true,
                            segment.isAccessibleBy(Thread.ofPlatform().unstarted(() -> {})));
                    Check.same("new host memory", 0, new byte[length], segment.toArray(ValueLayout.JAVA_BYTE));
                    segment.fill((byte) 0x5A); // the next memory must not show it
                }
            }
        }
    }

    /** Catches a write that leaves out ends, moves neighbours, or reads the memory after the call. */
    @Test
    default void required_21_2_hostMemoryIsASourceAtAnyPlace() {
        byte[] model = TestData.bytes(301, size());
        try (DeviceArena arena = openFilled(model);
                HostMemory host = arena.allocateHost(size())) {
            for (int length : lengths()) {
                for (int position = 0; position < 3; position++) {
                    int offset = (position * 5 + length) % (size() - length + 1);
                    byte[] data = TestData.bytes(302L + length + position, length);
                    int from = Math.min(position, size() - length);
                    MemorySegment.copy(MemorySegment.ofArray(data), 0, host.segment(), from, length);
                    arena.writeBytes(offset, host.segment().asSlice(from, length));
                    host.segment().fill((byte) 0xEE);
                    System.arraycopy(data, 0, model, offset, length);
                }
            }
            Check.holds("arena after writes from host memory", arena, 0, model);
        }
    }

    /** Catches a read into host memory that lands elsewhere, or past its destination. */
    @Test
    default void required_21_3_hostMemoryIsADestination() {
        byte[] model = TestData.bytes(303, size());
        try (DeviceArena arena = openFilled(model);
                HostMemory host = arena.allocateHost(size())) {
            for (int length : lengths()) {
                host.segment().fill((byte) 0x11);
                int offset = size() - length;
                int from = Math.min(7, size() - length);
                arena.readBytes(offset, host.segment().asSlice(from, length));
                byte[] expected = TestData.filled(size(), 0x11);
                System.arraycopy(model, offset, expected, from, length);
                Check.same(
                        "host memory after a read", 0, expected, host.segment().toArray(ValueLayout.JAVA_BYTE));
            }
        }
    }

    /** Catches memory that stays accessible, and an arena that closes with it. */
    @Test
    default void required_21_4_closedHostMemoryIsRefused() {
        try (DeviceArena arena = openExample()) {
            HostMemory host = arena.allocateHost(64);
            MemorySegment segment = host.segment();
            host.close();
            host.close();
            Check.same("open", false, host.isOpen());
            Check.assertClosed("segment() of closed host memory", host::segment);
            Check.assertClosed("access to closed host memory", () -> segment.get(ValueLayout.JAVA_BYTE, 0));
            Check.assertClosed("a write from closed host memory", () -> arena.writeBytes(0, segment));
            arena.writeBytes(0, MemorySegment.ofArray(new byte[8]));
        }
    }

    /** Catches memory that outlives its device. */
    @Test
    default void required_21_5_hostMemoryEndsWithItsArena() {
        DeviceArena arena = openExample();
        HostMemory host = arena.allocateHost(64);
        MemorySegment segment = host.segment();
        arena.close();
        Check.same("open", false, host.isOpen());
        Check.assertClosed("segment() after close", host::segment);
        Check.assertClosed("access after close", () -> segment.get(ValueLayout.JAVA_BYTE, 0));
        host.close();
    }

    /** Catches a size of 0 that becomes memory, and a negative one that overflows. */
    @Test
    default void required_21_6_sizesThatAreNotPositiveAreRefused() {
        try (DeviceArena arena = openExample()) {
            for (long bytes : new long[] {0, -1, Long.MIN_VALUE}) {
                Check.assertInvalid("host memory of " + bytes + " bytes", () -> arena.allocateHost(bytes), bytes);
            }
        }
    }

    /** Catches a deferred write that is seen late, takes bytes of a later time, or never ends. */
    @Test
    default void required_21_7_deferredWritesAreSeenAtOnce() {
        byte[] model = TestData.bytes(304, size());
        try (DeviceArena arena = openFilled(model);
                HostMemory host = arena.allocateHost(size())) {
            for (int length : lengths()) {
                byte[] data = TestData.bytes(305L + length, length);
                MemorySegment.copy(MemorySegment.ofArray(data), 0, host.segment(), 0, length);
                byte[] few = TestData.bytes(306L + length, 9);
                int at = size() - length;
                Transfer write = arena.beginWrite(Batch.builder()
                        .bytes(at, host.segment().asSlice(0, length))
                        .bytes(3, MemorySegment.ofArray(few))
                        .build());
                System.arraycopy(data, 0, model, at, length);
                System.arraycopy(few, 0, model, 3, few.length);
                Check.holds("arena behind a deferred write", arena, 0, model);
                write.await();
                Check.same("state", Transfer.State.DONE, write.state());
                Check.same("await with a limit", true, write.await(Duration.ZERO));
                host.segment().fill((byte) 0x77);
                Check.holds("arena after its source changed", arena, 0, model);
                Check.assertInvalid("a negative limit", () -> write.await(Duration.ofNanos(-1)));
            }
        }
    }

    /** Catches a deferred batch that is half written before its error. */
    @Test
    default void required_21_8_deferredBatchesAreCheckedBeforeTheFirstByte() {
        byte[] model = TestData.bytes(307, 64);
        try (DeviceArena arena = openFilled(model)) {
            Batch batch = Batch.builder()
                    .bytes(0, MemorySegment.ofArray(TestData.filled(8, 1)))
                    .bytes(60, MemorySegment.ofArray(TestData.filled(8, 2)))
                    .build();
            Check.assertInvalid("a region past the end", () -> arena.beginWrite(batch));
            Check.holds("arena after a refused batch", arena, 0, model);
        }
    }

    /** Catches fills that round their ends to words. */
    @Test
    default void required_21_9_fillsChangeExactlyTheirRange() {
        byte[] model = TestData.bytes(308, size());
        try (DeviceArena arena = openFilled(model)) {
            for (int length : lengths()) {
                int offset = (size() - length) / 2;
                arena.fillBytes(offset, length, (byte) -length);
                Arrays.fill(model, offset, offset + length, (byte) -length);
                Check.holds("arena after a fill with bytes", arena, 0, model);
            }
            arena.fillBytes(size(), 0, (byte) 1);
            Check.holds("arena after a fill of no byte", arena, 0, model);
        }
    }

    /** Catches copies of overlapping ranges that read what they wrote. */
    @Test
    default void required_21_10_copiesAreOfTheBytesBefore() {
        byte[] model = TestData.bytes(309, size());
        int end = size();
        int[][] copies = {
            {0, 4, 1 << 20}, {8, 0, 1 << 20}, {1, 2, end - 2}, {3, 0, end - 3}, {0, end - 65_537, 65_537}, {5, 5, 99}
        };
        try (DeviceArena arena = openFilled(model)) {
            for (int[] copy : copies) {
                arena.copyBytes(copy[0], copy[1], copy[2]);
                System.arraycopy(model, copy[0], model, copy[1], copy[2]);
                Check.holds("arena after a copy from " + copy[0] + " to " + copy[1], arena, 0, model);
            }
            arena.copyBytes(end, 0, 0);
            Check.holds("arena after a copy of no byte", arena, 0, model);
        }
    }

    /** Catches range checks that overflow. */
    @Test
    default void required_21_11_badFillsAndCopiesAreRefused() {
        byte[] model = TestData.bytes(310, 64);
        try (DeviceArena arena = openFilled(model)) {
            long[][] ranges = {{60, 8}, {-4, 8}, {0, -4}, {Long.MAX_VALUE, 4}, {4, Long.MAX_VALUE - 3}};
            for (long[] range : ranges) {
                String what = range[1] + " bytes at " + range[0];
                Class<IllegalArgumentException> how = IllegalArgumentException.class;
                Check.assertRefused(how, "fillBytes of " + what, () -> arena.fillBytes(range[0], range[1], (byte) 1));
                Check.assertRefused(how, "copyBytes from " + what, () -> arena.copyBytes(range[0], 0, range[1]));
                Check.assertRefused(how, "copyBytes to " + what, () -> arena.copyBytes(0, range[0], range[1]));
            }
            Check.holds("arena after refused calls", arena, 0, model);
        }
    }
}
