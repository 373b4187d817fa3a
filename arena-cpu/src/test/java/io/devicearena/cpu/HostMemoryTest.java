package io.devicearena.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class HostMemoryTest {
    @Test
    void availableMemoryAndFreeSwapAreAdded() {
        assertThat(HostMemory.availableBytes(List.of(
                        "MemTotal:       24604096 kB",
                        "MemFree:         1000000 kB",
                        "MemAvailable:   23000000 kB",
                        "SwapTotal:       2000000 kB",
                        "SwapFree:        1500000 kB",
                        "HugePages_Total:       0")))
                .isEqualTo(24_500_000L * 1024);
    }

    @Test
    void systemWithoutFiguresHasNoLimit() {
        assertThat(HostMemory.availableBytes(List.of())).isEqualTo(Long.MAX_VALUE);
        assertThat(HostMemory.availableBytes(List.of("MemFree: 5 kB", "SwapFree: 5 kB")))
                .isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void linesOfAnotherFormAreSkipped() {
        assertThat(HostMemory.availableBytes(List.of(
                        "MemAvailable: many kB",
                        "MemAvailable: 7 kB",
                        "SwapFree: -3 kB",
                        "SwapFree: 99999999999999999999 kB",
                        "XMemAvailable: 9 kB",
                        "")))
                .isEqualTo(7 * 1024);
    }

    @Test
    void machineHasMemory() {
        assertThat(HostMemory.totalBytes()).isPositive();
        assertThat(HostMemory.availableBytes()).isPositive();
    }
}
