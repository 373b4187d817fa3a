package io.devicearena.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.devicearena.ArenaOptions;
import io.devicearena.Batch;
import io.devicearena.DeviceArena;
import io.devicearena.MemoryPlan;
import io.devicearena.Transfer;
import io.devicearena.testing.ByteArrayBackend;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Fills, copies and deferred writes, by the defaults of the SPI. */
class DeviceSideTest {
    /** More than the defaults move at a time. */
    private static final int BYTES = (1 << 20) + 7;

    private final DeviceArena arena =
            ByteArrayBackend.open(new MemoryPlan(BYTES, Map.of(), List.of()), ArenaOptions.defaults(), () -> {});

    private final byte[] expected = new byte[BYTES];

    private void writeDifferentBytes() {
        for (int i = 0; i < BYTES; i++) {
            expected[i] = (byte) (i * 31 + (i >> 8) * 17 + (i >> 16));
        }
        arena.writeBytes(0, MemorySegment.ofArray(expected));
    }

    private void assertBytes() {
        byte[] read = new byte[BYTES];
        arena.readBytes(0, MemorySegment.ofArray(read));
        assertThat(Arrays.mismatch(read, expected)).isEqualTo(-1);
    }

    @Test
    void fill_anyRange_leavesTheRest() {
        writeDifferentBytes();
        for (int[] range : new int[][] {{0, 1}, {3, 6}, {BYTES - 5, 5}, {1, 600_001}}) {
            arena.fillBytes(range[0], range[1], (byte) -range[1]);
            Arrays.fill(expected, range[0], range[0] + range[1], (byte) -range[1]);
            assertBytes();
        }
    }

    @Test
    void copy_alsoOfOverlappingRanges_isThatOfTheBytesBefore() {
        writeDifferentBytes();
        int[][] copies = {{0, 700_001, 300_000}, {5, 0, 900_001}, {0, 3, 900_001}, {2, 300_003, 700_000}, {4, 4, 9}};
        for (int[] copy : copies) {
            arena.copyBytes(copy[0], copy[1], copy[2]);
            System.arraycopy(expected, copy[0], expected, copy[1], copy[2]);
            assertBytes();
        }
    }

    @Test
    void badRangesAreRefused_andEmptyOnesDoNothing() {
        String range = "range: expected one within the arena of " + BYTES + " bytes, got offset ";
        String remedy = "; sizeBytes is the size of plan and scratch together";
        assertThatThrownBy(() -> arena.fillBytes(BYTES - 1, 2, (byte) 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(range + (BYTES - 1) + " and length 2" + remedy);
        assertThatThrownBy(() -> arena.copyBytes(0, -1, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(range + "-1 and length 1" + remedy);
        assertThatThrownBy(() -> arena.copyBytes(Long.MAX_VALUE, 0, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> arena.copyBytes(0, 0, -1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("length: expected 0 or more bytes, got -1");
        arena.fillBytes(BYTES, 0, (byte) 1);
        arena.copyBytes(BYTES, 0, 0);
        assertBytes();
        arena.close();
        assertThatThrownBy(() -> arena.fillBytes(0, 1, (byte) 0)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> arena.copyBytes(0, 1, 1)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void deferredWrite_isSeenAtOnce_andItsFenceIsDone() {
        byte[] source = {1, 2, 3};
        Transfer fence = arena.beginWrite(
                Batch.builder().bytes(5, MemorySegment.ofArray(source)).build());
        System.arraycopy(source, 0, expected, 5, 3);
        assertBytes();
        fence.await();
        assertThat(fence.state()).isEqualTo(Transfer.State.DONE);
        assertThat(fence.await(Duration.ZERO)).isTrue();
        assertThatThrownBy(() -> fence.await(Duration.ofNanos(-1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("timeout: expected 0 or more, got PT-0.000000001S");
        source[0] = 9;
        assertBytes();
    }
}
