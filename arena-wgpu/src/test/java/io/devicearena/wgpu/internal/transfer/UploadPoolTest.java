package io.devicearena.wgpu.internal.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.wgpu.internal.gpu.GpuDevice;
import io.devicearena.wgpu.internal.gpu.StagingBuffer;
import io.devicearena.wgpu.testing.TestDevices;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Repeated runs with inputs reuse their staging, and the pool keeps a bounded amount. */
class UploadPoolTest {
    private static final long MIB = 1 << 20;

    private final GpuDevice device = TestDevices.first();
    private final UploadPool pool = new UploadPool(device);

    @AfterEach
    void close() {
        pool.trim();
        device.close();
    }

    private StagingBuffer used(long bytes) {
        StagingBuffer staging = pool.acquire(bytes);
        assertThat(staging.buffer().bytes()).isGreaterThanOrEqualTo(bytes);
        assertThat(staging.isMapped()).isTrue();
        staging.unmap();
        pool.release(staging);
        device.flush();
        return staging;
    }

    @Test
    void acquire_similarSize_reusesStaging() {
        StagingBuffer first = used(700_000);

        assertThat(first.buffer().bytes()).isEqualTo(MIB);
        assertThat(used(MIB)).isSameAs(first);
        assertThat(used(3 * MIB)).isNotSameAs(first);
        assertThat(used(200_000)).isNotSameAs(first);
        assertThat(used(MIB)).isSameAs(first);
    }

    @Test
    void release_moreThanThePoolKeeps_closesTheOldest() {
        StagingBuffer oldest = used(100 * MIB);
        used(20 * MIB);
        StagingBuffer newest = used(UploadPool.KEPT_BYTES - 40 * MIB);

        assertThat(used(UploadPool.KEPT_BYTES - 40 * MIB)).isSameAs(newest);
        assertThat(used(100 * MIB)).isNotSameAs(oldest);
    }

    @Test
    void acquire_twoAtATime_getDifferentStaging() {
        StagingBuffer one = pool.acquire(MIB);
        StagingBuffer other = pool.acquire(MIB);
        assertThat(one).isNotSameAs(other);
        one.close();
        other.close();
    }
}
