package io.devicearena.wgpu.internal.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.wgpu.internal.gpu.GpuDevice;
import io.devicearena.wgpu.internal.gpu.StagingBuffer;
import io.devicearena.wgpu.testing.TestDevices;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Repeated reads, and repeated runs with inputs, reuse their staging, and a pool keeps a bounded amount. */
class StagingPoolTest {
    private static final long MIB = 1 << 20;

    private final GpuDevice device = TestDevices.first();
    private final StagingPool reads = new StagingPool(device, true);
    private final StagingPool uploads = new StagingPool(device, false);

    @AfterEach
    void close() {
        reads.trim();
        uploads.trim();
        device.close();
    }

    private StagingBuffer read(long bytes) {
        StagingBuffer staging = reads.acquire(bytes);
        assertThat(staging.buffer().bytes()).isGreaterThanOrEqualTo(bytes);
        staging.beginMap(bytes);
        staging.awaitMapped();
        reads.release(staging);
        return staging;
    }

    private StagingBuffer upload(long bytes) {
        StagingBuffer staging = uploads.acquire(bytes);
        assertThat(staging.buffer().bytes()).isGreaterThanOrEqualTo(bytes);
        assertThat(staging.isMapped()).isTrue();
        staging.unmap();
        uploads.release(staging);
        device.flush();
        return staging;
    }

    @Test
    void acquire_readOfSimilarSize_reusesStaging() {
        StagingBuffer small = read(100);
        StagingBuffer page = read(4000);

        assertThat(small.buffer().bytes()).isEqualTo(256);
        assertThat(page.buffer().bytes()).isEqualTo(4096);
        assertThat(read(256)).isSameAs(small);
        assertThat(read(2052)).isSameAs(page);
    }

    @Test
    void acquire_largeRead_isNotRoundedAndReused() {
        StagingBuffer large = read(80 * MIB);

        assertThat(large.buffer().bytes()).isEqualTo(80 * MIB);
        assertThat(read(80 * MIB)).isSameAs(large);
        assertThat(read(70 * MIB)).isSameAs(large);
        StagingBuffer larger = read(96 * MIB);
        assertThat(larger).isNotSameAs(large);
        assertThat(read(80 * MIB)).isSameAs(larger);
    }

    @Test
    void acquire_twoReadsAtATime_getDifferentStaging() {
        StagingBuffer one = reads.acquire(80 * MIB);
        StagingBuffer other = reads.acquire(80 * MIB);
        assertThat(one).isNotSameAs(other);
        reads.release(one);
        reads.release(other);
        assertThat(read(80 * MIB)).isSameAs(other);
    }

    @Test
    void acquire_uploadOfSimilarSize_reusesStaging() {
        StagingBuffer first = upload(700_000);

        assertThat(first.buffer().bytes()).isEqualTo(MIB);
        assertThat(upload(MIB)).isSameAs(first);
        assertThat(upload(3 * MIB)).isNotSameAs(first);
        assertThat(upload(200_000)).isNotSameAs(first);
        assertThat(upload(MIB)).isSameAs(first);
    }

    @Test
    void release_moreThanThePoolKeeps_closesTheOldest() {
        StagingBuffer oldest = upload(100 * MIB);
        upload(20 * MIB);
        StagingBuffer newest = upload(StagingPool.KEPT_BYTES - 40 * MIB);

        assertThat(upload(StagingPool.KEPT_BYTES - 40 * MIB)).isSameAs(newest);
        assertThat(upload(100 * MIB)).isNotSameAs(oldest);
    }

    @Test
    void release_oneThatIsLargerThanThePoolKeeps_keepsItAlone() {
        StagingBuffer small = read(MIB);
        StagingBuffer large = read(StagingPool.KEPT_BYTES + MIB);

        assertThat(read(StagingPool.KEPT_BYTES + MIB)).isSameAs(large);
        assertThat(read(MIB)).isNotSameAs(small);
    }

    @Test
    void acquire_twoUploadsAtATime_getDifferentStaging() {
        StagingBuffer one = uploads.acquire(MIB);
        StagingBuffer other = uploads.acquire(MIB);
        assertThat(one).isNotSameAs(other);
        one.close();
        other.close();
    }
}
