package io.devicearena.cpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaLimits;
import io.devicearena.ArenaOptions;
import io.devicearena.BufferSlot;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.DeviceKind;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class CpuDeviceArenaLimitsTest {
    private static final String SPLIT =
            "; split the graph into several plans, plan smaller dtypes, or choose a device that holds more";

    private static ArenaDevice device(String provider, long limit) {
        return new ArenaDevice(
                provider,
                0,
                "small host",
                "for a test",
                DeviceKind.HOST,
                0,
                new ArenaLimits(limit, "physical memory", 64, Long.MAX_VALUE),
                Set.of());
    }

    private static DeviceArena open(long limit, long plan, long scratch) {
        return new CpuDeviceArenaProvider()
                .open(
                        device("cpu", limit),
                        TestArenas.withoutSlots(plan),
                        TestArenas.options().withScratchBytes(scratch));
    }

    @Test
    void aPlanOfTheLimitIsOpenedAndOneByteMoreIsNot() {
        try (DeviceArena arena = open(1000, 1000, 0)) {
            assertThat(arena.sizeBytes()).isEqualTo(1000);
        }
        assertThatThrownBy(() -> open(1000, 1001, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "arena: expected at most 1000 bytes (0.00 GiB), the physical memory of 'small host', got 1001"
                                + " bytes (0.00 GiB)" + SPLIT);
    }

    @Test
    void theScratchCountsRoundedUp() {
        try (DeviceArena arena = open(1016, 1000, 1)) {
            assertThat(arena.sizeBytes()).isEqualTo(1016);
        }
        assertThatThrownBy(() -> open(1016, 1000, 17))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "arena: expected at most 1016 bytes (0.00 GiB), the physical memory of 'small host', got 1032"
                                + " bytes (0.00 GiB) (plan 1000, scratch 32)" + SPLIT);
    }

    @Test
    void aPlanLargerThanTheMachineIsToldInBytesAndGib() {
        long machine = TestArenas.device().limits().maxArenaBytes();
        assertThatThrownBy(() -> TestArenas.open(TestArenas.withoutSlots(1L << 50)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(String.format(
                        java.util.Locale.ROOT,
                        "arena: expected at most %d bytes (%.2f GiB), the physical memory of 'host memory', got"
                                + " 1125899906842624 bytes (1048576.00 GiB)%s",
                        machine,
                        machine / (double) (1L << 30),
                        SPLIT));
    }

    @Test
    void aScratchThatOverflowsIsRefused() {
        for (long scratch : List.of(Long.MAX_VALUE, Long.MAX_VALUE - 14, Long.MAX_VALUE - 95)) {
            assertThatThrownBy(() -> open(Long.MAX_VALUE, 96, scratch))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("arena: expected plan and scratch to add up to at most 9223372036854775807 bytes, got"
                            + " plan 96 and scratch " + scratch + "; ask for less scratch");
        }
    }

    @Test
    void aDeviceOfAnotherProviderIsRefused() {
        assertThatThrownBy(() -> new CpuDeviceArenaProvider()
                        .open(device("other", 1000), TestArenas.withoutSlots(1), ArenaOptions.defaults()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("device: expected one of provider 'cpu', got 'small host' of provider 'other'; pass what"
                        + " probe() lists");
    }

    @Test
    @SuppressWarnings("NullAway") // null is what these calls are about
    void openNamesTheArgumentThatIsNull() {
        CpuDeviceArenaProvider provider = new CpuDeviceArenaProvider();
        ArenaDevice device = TestArenas.device();
        MemoryPlan plan = TestArenas.withoutSlots(1);
        ArenaOptions options = ArenaOptions.defaults();
        assertThatThrownBy(() -> provider.open(null, plan, options))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("device");
        assertThatThrownBy(() -> provider.open(device, null, options))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("plan");
        assertThatThrownBy(() -> provider.open(device, plan, null))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("options");
    }

    @Test
    @Tag("slow")
    void offsetsPast31And32BitsReachTheirOwnBytes() {
        long size = 6L << 30;
        long available = HostMemory.availableBytes();
        assumeTrue(
                available >= size + (1L << 30),
                () -> "NOT RUN: offsets past 2^32 need an arena of 6 GiB, and this host has only " + available
                        + " bytes available");
        NodeId at31 = NodeId.of(31);
        NodeId at32 = NodeId.of(32);
        NodeId atEnd = NodeId.of(33);
        Map<NodeId, BufferSlot> slots = Map.of(
                at31, new BufferSlot((1L << 31) - 16, 32),
                at32, new BufferSlot((1L << 32) - 16, 32),
                atEnd, new BufferSlot(size - 32, 32));
        try (DeviceArena arena = TestArenas.open(new MemoryPlan(size, slots, List.of()))) {
            for (NodeId id : slots.keySet()) {
                float[] data = new float[9];
                Arrays.fill(data, (float) id.value());
                assertThat(arena.writeInputF32(id, DType.F32, data)).isEqualTo(8);
            }
            for (NodeId id : slots.keySet()) {
                assertThat(arena.readOutputF32(id, DType.F32, 9)).hasSize(8).containsOnly((float) id.value());
            }
            arena.writeBytes(size - 1, MemorySegment.ofArray(new byte[] {7}));
            byte[] last = new byte[2];
            arena.readBytes(size - 2, MemorySegment.ofArray(last));
            assertThat(last).containsExactly(4, 7); // 33 is 0x42040000
            byte[] first = new byte[64];
            arena.readBytes(0, MemorySegment.ofArray(first));
            assertThat(first).containsOnly(0);

            // one move of more than 2^31 bytes, within the arena
            MemorySegment upper = arena.hostMemory().asSlice(size - (1L << 31) - 5, (1L << 31) + 5);
            arena.writeBytes(0, upper);
            arena.readBytes((1L << 31) + 3, MemorySegment.ofArray(last));
            assertThat(last).containsExactly(4, 7);
        }
    }
}
