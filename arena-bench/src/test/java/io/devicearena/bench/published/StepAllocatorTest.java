package io.devicearena.bench.published;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The rules of each model, as its source states them. */
class StepAllocatorTest {
    private static final long KIB = 1L << 10;
    private static final long MIB = 1L << 20;

    private final DeviceMemory device = new DeviceMemory();

    @Test
    void bufferForEach_allocatesOfTheDeviceEachTime() {
        device.allocate(1);
        device.allocate(257);

        assertThat(device.allocations()).isEqualTo(2);
        assertThat(device.bytes()).isEqualTo(256 + 512);
    }

    @Test
    void bump_reusesNothingInOneBlock() {
        assertThat(device.append(100)).isZero();
        assertThat(device.append(256)).isEqualTo(256);
        assertThat(device.allocations()).isOne();
    }

    @Nested
    class OnnxRuntime {
        private final StepAllocator memory = new OnnxRuntimeArena(device);

        @Test
        void regions_double_alsoForALargeRequest() {
            memory.allocate(MIB);
            assertThat(device.bytes()).isEqualTo(MIB);
            memory.allocate(1);
            assertThat(device.bytes()).isEqualTo(3 * MIB);
            memory.allocate(5 * MIB);
            assertThat(device.bytes()).isEqualTo(11 * MIB);
            memory.allocate(6 * MIB);
            assertThat(device.bytes()).isEqualTo(19 * MIB);
            assertThat(device.allocations()).isEqualTo(4);
        }

        @Test
        void request_aboveTheLargestDoubling_getsARegionOfItsSize() {
            memory.allocate(1025 * MIB);
            assertThat(device.bytes()).isEqualTo(1025 * MIB);
        }

        @Test
        void block_lessThanTwiceTheRequest_isNotDivided() {
            memory.allocate(600 * KIB);
            memory.allocate(1);
            assertThat(device.allocations()).isEqualTo(2);
        }

        @Test
        void freeNeighbours_join() {
            long first = memory.allocate(256 * KIB);
            long second = memory.allocate(256 * KIB);
            memory.allocate(256);
            memory.free(first);
            memory.free(second);

            assertThat(memory.allocate(512 * KIB)).isEqualTo(first);
            assertThat(device.allocations()).isOne();
        }
    }

    @Nested
    class PyTorch {
        private final StepAllocator memory = new PyTorchCache(device);

        @Test
        void smallRequests_shareSegmentsOf2MiB_inBlocksOf512Bytes() {
            long first = memory.allocate(1);
            assertThat(memory.allocate(513)).isEqualTo(first + 512);
            assertThat(memory.allocate(1)).isEqualTo(first + 512 + 1024);
            assertThat(device.bytes()).isEqualTo(2 * MIB);
        }

        @Test
        void requestsBelow10MiB_shareSegmentsOf20MiB() {
            memory.allocate(MIB + 1);
            memory.allocate(9 * MIB);
            assertThat(device.bytes()).isEqualTo(20 * MIB);
            assertThat(device.allocations()).isOne();
        }

        @Test
        void largerRequests_getAMultipleOf2MiB() {
            memory.allocate(11 * MIB);
            assertThat(device.bytes()).isEqualTo(12 * MIB);
        }

        @Test
        void largeBlock_isDividedWhenMoreThan1MiBIsLeft() {
            memory.free(memory.allocate(20 * MIB));
            long first = memory.allocate(18 * MIB);
            assertThat(memory.allocate(2 * MIB)).isEqualTo(first + 18 * MIB);
            assertThat(device.allocations()).isOne();
        }

        @Test
        void freedSegments_stayForTheNextRequest() {
            memory.free(memory.allocate(30 * MIB));
            memory.allocate(12 * MIB);
            assertThat(device.bytes()).isEqualTo(30 * MIB);
        }
    }

    @Nested
    class Ggml {
        private final StepAllocator memory = new GgmlAllocator(device);

        @Test
        void request_getsTheSmallestFreeBlock_elseTheEnd() {
            long large = memory.allocate(1024);
            memory.allocate(128);
            long small = memory.allocate(512);
            memory.allocate(128);
            memory.free(large);
            memory.free(small);

            assertThat(memory.allocate(300)).isEqualTo(small);
            assertThat(memory.allocate(1025)).isEqualTo(1024 + 128 + 512 + 128);
            assertThat(device.bytes()).isEqualTo(1024 + 128 + 512 + 128 + 1152);
            assertThat(device.allocations()).isOne();
        }
    }
}
