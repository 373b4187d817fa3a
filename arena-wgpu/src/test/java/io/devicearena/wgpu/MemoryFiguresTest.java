package io.devicearena.wgpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.ArenaOptions;
import io.devicearena.Capability;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.NodeId;
import io.devicearena.diagnostics.ArenaMemory;
import io.devicearena.diagnostics.DeviceMemory;
import io.devicearena.diagnostics.MemoryReport;
import io.devicearena.discovery.DeviceArenas;
import io.devicearena.spi.ArenaOverhead;
import io.devicearena.wgpu.testing.TestArenas;
import org.junit.jupiter.api.Test;

/** What the report of the memory says of a device of this backend. */
class MemoryFiguresTest {
    private static final int BYTES = 1 << 16;

    private static DeviceMemory device(DeviceArena arena) {
        return MemoryReport.now().devices().stream()
                .filter(device -> device.device().equals(arena.device()))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void report_hasTheShadowAndTheStaging() {
        try (DeviceArena arena = TestArenas.open(
                TestArenas.plan(0, BYTES), ArenaOptions.defaults().withLabel("figures"))) {
            arena.readOutputF32(NodeId.of(0), DType.F32, new float[BYTES / Float.BYTES]);
            ArenaMemory memory = MemoryReport.now().arenas().stream()
                    .filter(open -> open.label().equals("figures"))
                    .findFirst()
                    .orElseThrow();
            assertThat(memory.bytes()).isEqualTo(BYTES);
            assertThat(memory.segments()).isEqualTo(arena.segments().count());
            boolean shadowed = arena.device().capabilities().contains(Capability.F16_SHADOW);
            assertThat(memory.shadowBytes()).isEqualTo(shadowed ? BYTES / 2 : 0);
            ArenaOverhead expected = DeviceArenas.fit(arena.plan(), ArenaOptions.defaults(), arena.device())
                    .overhead();
            assertThat(expected.shadowBytes()).isEqualTo(memory.shadowBytes());
            assertThat(expected.stagingBytes())
                    .isGreaterThanOrEqualTo(device(arena).stagingBytes());
            assertThat(device(arena).stagingBytes()).isGreaterThanOrEqualTo(BYTES);
            assertThat(device(arena).peakStagingBytes())
                    .isGreaterThanOrEqualTo(device(arena).stagingBytes());
        }
    }

    @Test
    void staging_isFreedWithTheLastArena() {
        long kept;
        try (DeviceArena arena = TestArenas.open(TestArenas.plan(0, BYTES))) {
            arena.readOutputF32(NodeId.of(0), DType.F32, new float[BYTES / Float.BYTES]);
            kept = device(arena).stagingBytes();
        }
        try (DeviceArena arena = TestArenas.open(TestArenas.plan(0, 64))) {
            assertThat(device(arena).stagingBytes()).isLessThan(kept);
            assertThat(device(arena).peakStagingBytes()).isGreaterThanOrEqualTo(kept);
        }
    }
}
