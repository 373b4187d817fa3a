package io.devicearena.wgpu.internal.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.wgpu.ffi.WgpuNative;
import io.devicearena.wgpu.internal.gpu.Commands;
import io.devicearena.wgpu.internal.gpu.GpuBackends;
import io.devicearena.wgpu.internal.gpu.GpuBuffer;
import io.devicearena.wgpu.internal.gpu.GpuDevice;
import io.devicearena.wgpu.internal.gpu.GpuInstance;
import io.devicearena.wgpu.internal.gpu.StagingBuffer;
import io.devicearena.wgpu.internal.natives.LoadResult;
import io.devicearena.wgpu.internal.natives.WgpuLibrary;
import io.devicearena.wgpu.testing.Needs;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Gathered ranges against the same ranges of an array; on any device, also where the arena itself would not gather. */
class GatherTest {
    private static final int ARENA_BYTES = 1 << 20;
    private static final int WORD = Integer.BYTES;

    private static GpuDevice device() {
        if (!(WgpuLibrary.load() instanceof LoadResult.Loaded)) {
            throw Needs.missing("wgpu-native library");
        }
        GpuInstance instance = GpuInstance.create(GpuBackends.PRIMARY);
        return instance.adapters().stream()
                .findFirst()
                .map(adapter -> GpuDevice.open(instance, adapter))
                .orElseThrow(() -> Needs.missing("wgpu device"));
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4})
    void scatteredRangesComeTogether(long seed) {
        SplittableRandom random = new SplittableRandom(Long.getLong("devicearena.seed", seed));
        byte[] data = new byte[ARENA_BYTES];
        random.nextBytes(data);
        ReadbackLayout layout = new ReadbackLayout();
        int ranges = random.nextInt(4, 20);
        int[] offsets = new int[ranges];
        int[] lengths = new int[ranges];
        for (int i = 0; i < ranges; i++) {
            // descending, so that no range follows the one before
            offsets[i] = ARENA_BYTES - (i + 1) * 40_000 + random.nextInt(1000) * WORD;
            lengths[i] = random.nextInt(1, i == 0 ? 9000 : 3000) * WORD;
            layout.add(offsets[i], lengths[i]);
        }
        try (GpuDevice device = device();
                Arena memory = Arena.ofConfined()) {
            byte[] found = gathered(device, data, layout, memory);
            for (int i = 0; i < ranges; i++) {
                int at = (int) layout.position(i);
                assertThat(Arrays.mismatch(found, at, at + lengths[i], data, offsets[i], offsets[i] + lengths[i]))
                        .as("range %d: %d bytes at %d", i, lengths[i], offsets[i])
                        .isEqualTo(-1);
            }
        }
    }

    private static byte[] gathered(GpuDevice device, byte[] data, ReadbackLayout layout, Arena memory) {
        MemorySegment source = memory.allocateFrom(ValueLayout.JAVA_BYTE, data);
        GpuBuffer arena = device.createBuffer(
                "arena", ARENA_BYTES, WgpuNative.WGPUBufferUsage_Storage() | WgpuNative.WGPUBufferUsage_CopyDst());
        for (int offset = 0; offset < ARENA_BYTES; offset += 64 << 10) {
            device.write(arena, offset, source.address() + offset, 64 << 10);
        }
        StagingBuffer staging = StagingBuffer.forReadback(device, layout.bytes());
        Commands commands = new Commands(device);
        MemorySegment notes = memory.allocate(Gather.JOBS_BYTES, 8);
        byte[] found = new byte[(int) layout.bytes()];
        try (Gather gather = new Gather(device)) {
            int window = gather.windowOf(layout);
            assertThat(window).isZero();
            var group = gather.bind(arena, window);
            commands.begin();
            long jobs = gather.record(commands, group, window, layout, staging.buffer(), notes);
            commands.submit(gather.jobs(), notes.address(), jobs);
            staging.beginMap(layout.bytes());
            staging.awaitMapped();
            MemorySegment.copy(
                    MemorySegment.ofAddress(staging.address()).reinterpret(found.length),
                    ValueLayout.JAVA_BYTE,
                    0,
                    found,
                    0,
                    found.length);
            group.close();
        } finally {
            staging.close();
            arena.close();
        }
        return found;
    }

    @Test
    void fewManyOrLargeRangesAreCopiedInstead() {
        try (GpuDevice device = device();
                Gather gather = new Gather(device)) {
            assertThat(gather.windowOf(layout(3, 64))).isEqualTo(-1);
            assertThat(gather.windowOf(layout(4, 64))).isZero();
            assertThat(gather.windowOf(layout(32, 8192))).isZero();
            assertThat(gather.windowOf(layout(33, 64))).isEqualTo(-1);
            assertThat(gather.windowOf(layout(32, 8196))).isEqualTo(-1);
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
