package io.devicearena.wgpu.internal.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class GpuAdapterTest {
    private static final int NVIDIA = 0x10de;
    private static final int INTEL = 0x8086;

    @Test
    void subgroupSize_notReportedForNvidia_isThatOfAWarp() {
        assertThat(GpuAdapter.subgroupSize(0, NVIDIA)).isEqualTo(32);
    }

    @Test
    void subgroupSize_notReportedForAnother_isUnknown() {
        assertThat(GpuAdapter.subgroupSize(0, INTEL)).isZero();
    }

    @Test
    void subgroupSize_reported_isThatOne() {
        assertThat(GpuAdapter.subgroupSize(16, INTEL)).isEqualTo(16);
        assertThat(GpuAdapter.subgroupSize(64, NVIDIA)).isEqualTo(64);
    }
}
