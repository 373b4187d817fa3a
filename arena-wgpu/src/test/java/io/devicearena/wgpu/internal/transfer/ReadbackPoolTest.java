package io.devicearena.wgpu.internal.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.wgpu.internal.gpu.GpuDevice;
import io.devicearena.wgpu.internal.gpu.StagingBuffer;
import io.devicearena.wgpu.testing.TestDevices;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Repeated reads reuse their staging. */
class ReadbackPoolTest {
    private static final long MIB = 1 << 20;

    private final GpuDevice device = TestDevices.first();
    private final ReadbackPool pool = new ReadbackPool(device);

    @AfterEach
    void close() {
        pool.trim();
        device.close();
    }

    private StagingBuffer used(long bytes) {
        StagingBuffer staging = pool.acquire(bytes);
        assertThat(staging.buffer().bytes()).isGreaterThanOrEqualTo(bytes);
        staging.beginMap(bytes);
        staging.awaitMapped();
        pool.release(staging);
        return staging;
    }

    @Test
    void acquire_sameSize_reusesStaging() {
        StagingBuffer small = used(100);
        StagingBuffer page = used(4000);

        assertThat(small.buffer().bytes()).isEqualTo(256);
        assertThat(page.buffer().bytes()).isEqualTo(4096);
        assertThat(used(256)).isSameAs(small);
        assertThat(used(2052)).isSameAs(page);
    }

    @Test
    void acquire_largeSize_reusesTheLastLargeStaging() {
        StagingBuffer large = used(80 * MIB);

        assertThat(large.buffer().bytes()).isEqualTo(80 * MIB);
        assertThat(used(80 * MIB)).isSameAs(large);
        assertThat(used(70 * MIB)).isSameAs(large);
        StagingBuffer larger = used(96 * MIB);
        assertThat(larger).isNotSameAs(large);
        assertThat(used(80 * MIB)).isSameAs(larger);
    }

    @Test
    void acquire_twoReadsAtATime_getDifferentStaging() {
        StagingBuffer one = pool.acquire(80 * MIB);
        StagingBuffer other = pool.acquire(80 * MIB);
        assertThat(one).isNotSameAs(other);
        pool.release(one);
        pool.release(other);
        assertThat(used(80 * MIB)).isSameAs(other);
    }
}
