package io.devicearena.wgpu.internal.arena;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.devicearena.ArenaOutOfMemoryException;
import io.devicearena.SegmentLayout;
import io.devicearena.wgpu.ffi.WgpuNative;
import io.devicearena.wgpu.internal.gpu.GpuBuffer;
import io.devicearena.wgpu.internal.gpu.GpuDevice;
import io.devicearena.wgpu.testing.TestDevices;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SegmentAllocatorTest {
    private static final SegmentLayout FIVE = SegmentLayout.of(Map.of(), 4500, 1024, 256);

    private final List<GpuBuffer> made = new ArrayList<>();
    private final List<String> labels = new ArrayList<>();

    /** Allocates buffers of a device until a number of them is made. */
    private SegmentAllocator.BufferFactory failingAt(GpuDevice device, int most) {
        return (label, bytes) -> {
            if (made.size() == most) {
                throw new ArenaOutOfMemoryException("the device is full");
            }
            GpuBuffer buffer = device.createBuffer(label, bytes, WgpuNative.WGPUBufferUsage_CopyDst());
            labels.add(label);
            made.add(buffer);
            return buffer;
        };
    }

    private long alive() {
        return made.stream().filter(buffer -> buffer.handle().scope().isAlive()).count();
    }

    @Test
    void segments_allFit_areNamedByTheirNumber() {
        try (GpuDevice device = TestDevices.first()) {
            SegmentAllocator.Segments all = new SegmentAllocator(failingAt(device, 99), "weights", FIVE, 0).allocate();

            assertThat(all.shadow()).isNull();
            assertThat(all.arena().count()).isEqualTo(5);
            assertThat(all.arena().start(4)).isEqualTo(4096);
            assertThat(all.arena().buffer(4).bytes()).isEqualTo(512);
            assertThat(labels).startsWith("weights (segment 1 of 5)").endsWith("weights (segment 5 of 5)");
            all.arena().close();
            assertThat(alive()).isZero();
        }
    }

    @ParameterizedTest(name = "segment {0}")
    @ValueSource(ints = {0, 1, 2, 3, 4})
    void memoryEndsAtASegment_nothingStays(int most) {
        try (GpuDevice device = TestDevices.first()) {
            SegmentAllocator allocator = new SegmentAllocator(failingAt(device, most), "weights", FIVE, 0);

            assertThatThrownBy(allocator::allocate)
                    .isInstanceOf(ArenaOutOfMemoryException.class)
                    .hasMessage("arena 'weights': expected memory for 4500 bytes in 5 segments, got " + 1024 * most
                            + " bytes in " + most + " buffers, which are free again; an arena of " + 1024 * most
                            + " bytes would have fitted")
                    .hasRootCauseMessage("the device is full");
            assertThat(made).hasSize(most);
            assertThat(alive()).isZero();
        }
    }

    @Test
    void memoryEndsAtAShadow_theArenaThatFitsHasOne() {
        try (GpuDevice device = TestDevices.first()) {
            SegmentAllocator allocator = new SegmentAllocator(failingAt(device, 3), "weights", FIVE, 2250);

            assertThatThrownBy(allocator::allocate)
                    .isInstanceOf(ArenaOutOfMemoryException.class)
                    .hasMessage("arena 'weights': expected memory for 4500 bytes and an f16 shadow of 2250 in 5"
                            + " segments, got 2560 bytes in 3 buffers, which are free again; an arena of 1024 bytes"
                            + " would have fitted");
            assertThat(alive()).isZero();
        }
    }

    @Test
    void memoryEndsAtTheOnlySegment_theDeviceSaysWhy() {
        try (GpuDevice device = TestDevices.first()) {
            SegmentLayout one = SegmentLayout.of(Map.of(), 100, 1024, 256);
            SegmentAllocator allocator = new SegmentAllocator(failingAt(device, 0), "weights", one, 0);

            assertThatThrownBy(allocator::allocate).hasMessage("the device is full");
        }
    }

    @Test
    void shadowThatEndsEarly_hasFewerSegments() {
        try (GpuDevice device = TestDevices.first()) {
            SegmentAllocator.Segments all =
                    new SegmentAllocator(failingAt(device, 99), "weights", FIVE, 600).allocate();

            assertThat(labels)
                    .contains("weights (f16 shadow) (segment 2 of 5)")
                    .doesNotContain("weights (f16 shadow) (segment 3 of 5)");
            assertThat(made).hasSize(7);
            all.arena().close();
            Objects.requireNonNull(all.shadow()).close();
            assertThat(alive()).isZero();
        }
    }
}
