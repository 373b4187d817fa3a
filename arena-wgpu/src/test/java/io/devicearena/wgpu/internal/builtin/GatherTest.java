package io.devicearena.wgpu.internal.builtin;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.wgpu.ffi.WgpuNative;
import io.devicearena.wgpu.internal.gpu.Commands;
import io.devicearena.wgpu.internal.gpu.GpuBindGroup;
import io.devicearena.wgpu.internal.gpu.GpuBuffer;
import io.devicearena.wgpu.internal.gpu.GpuDevice;
import io.devicearena.wgpu.internal.gpu.StagingBuffer;
import io.devicearena.wgpu.testing.TestDevices;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Gathered ranges, compared with the same ranges of an array. Also on devices where the arena itself does not gather.
 */
class GatherTest {
    private static final int ARENA_BYTES = 1 << 20;
    private static final int WORD = Integer.BYTES;

    /** Ranges of an arena, and where they are in staging. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Batch(int[] offsets, int[] lengths, ReadbackLayout layout) {
        static Batch random(SplittableRandom random) {
            int ranges = random.nextInt(4, 20);
            Batch batch = new Batch(new int[ranges], new int[ranges], new ReadbackLayout());
            for (int i = 0; i < ranges; i++) {
                // descending, so that no range follows the one before
                batch.offsets[i] = ARENA_BYTES - (i + 1) * 40_000 + random.nextInt(1000) * WORD;
                batch.lengths[i] = random.nextInt(1, i == 0 ? 9000 : 1200) * WORD;
                batch.layout.add(batch.offsets[i], batch.lengths[i]);
            }
            return batch;
        }

        void assertFound(byte[] found, byte[] data) {
            for (int i = 0; i < offsets.length; i++) {
                int at = (int) layout.position(i);
                int end = offsets[i] + lengths[i];
                assertThat(Arrays.mismatch(found, at, at + lengths[i], data, offsets[i], end))
                        .as("range %d: %d bytes at %d", i, lengths[i], offsets[i])
                        .isEqualTo(-1);
            }
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2})
    void record_scatteredRanges_arriveInAnyStaging(long seed) {
        SplittableRandom random = new SplittableRandom(Long.getLong("devicearena.seed", seed));
        byte[] data = new byte[ARENA_BYTES];
        random.nextBytes(data);
        List<Batch> batches =
                Stream.generate(() -> Batch.random(random)).limit(12).toList();
        try (GpuDevice device = TestDevices.first();
                Arena memory = Arena.ofConfined();
                Gather gather = new Gather(device);
                GpuBuffer arena = filled(device, memory.allocateFrom(ValueLayout.JAVA_BYTE, data));
                StagingBuffer one = StagingBuffer.forReadback(device, Gather.MAX_BYTES, true);
                StagingBuffer other = StagingBuffer.forReadback(device, Gather.MAX_BYTES, true)) {
            GpuBindGroup group = gather.bindArena(arena, 0, memory);
            Commands commands = new Commands(device);
            MemorySegment jobs = memory.allocate(Gather.JOBS_BYTES, 8);
            for (int i = 0; i < 60; i++) {
                // three often, the others in turn
                Batch batch = batches.get(i % 2 == 0 ? random.nextInt(3) : i % batches.size());
                StagingBuffer staging = random.nextBoolean() ? one : other;
                batch.assertFound(gathered(commands, gather, group, batch.layout, staging, jobs), data);
            }
        }
    }

    private static GpuBuffer filled(GpuDevice device, MemorySegment source) {
        GpuBuffer arena = device.createBuffer(
                "arena", ARENA_BYTES, WgpuNative.WGPUBufferUsage_Storage() | WgpuNative.WGPUBufferUsage_CopyDst());
        for (int offset = 0; offset < ARENA_BYTES; offset += 64 << 10) {
            device.queue().write(arena, offset, source.address() + offset, 64 << 10);
        }
        return arena;
    }

    private static byte[] gathered(
            Commands commands,
            Gather gather,
            GpuBindGroup group,
            ReadbackLayout layout,
            StagingBuffer staging,
            MemorySegment list) {
        assertThat(gather.suits(layout, false)).isTrue();
        int jobs = gather.prepare(staging, layout, 0, list);
        try (Commands recording = commands.begin()) {
            gather.record(recording, group, staging, jobs);
            recording.submit();
        }
        staging.beginMap(layout.bytes());
        staging.awaitMapped();
        byte[] found = MemorySegment.ofAddress(staging.address())
                .reinterpret(layout.bytes())
                .toArray(ValueLayout.JAVA_BYTE);
        staging.unmap();
        return found;
    }

    @Test
    void suits_fewManyOrLargeRanges_isFalse() {
        try (GpuDevice device = TestDevices.first();
                Gather gather = new Gather(device)) {
            assertThat(gather.suits(layout(3, 64), false)).isFalse();
            assertThat(gather.suits(layout(4, 64), false)).isTrue();
            assertThat(gather.suits(layout(32, 4096), false)).isTrue();
            assertThat(gather.suits(layout(33, 64), false)).isFalse();
            assertThat(gather.suits(layout(32, 4100), false)).isFalse();
        }
    }

    @Test
    void suits_oneRangeAfterKernels_isTrue() {
        try (GpuDevice device = TestDevices.first();
                Gather gather = new Gather(device)) {
            assertThat(gather.suits(layout(1, 16), true)).isTrue();
            assertThat(gather.suits(layout(33, 64), true)).isFalse();
        }
    }

    private static ReadbackLayout layout(int ranges, int bytes) {
        ReadbackLayout layout = new ReadbackLayout();
        for (int i = 0; i < ranges; i++) {
            layout.add((ranges - i) * 16_384L, bytes);
        }
        return layout;
    }
}
