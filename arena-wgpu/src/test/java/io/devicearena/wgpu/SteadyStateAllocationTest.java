package io.devicearena.wgpu;

import static io.devicearena.wgpu.testing.TestArenas.wgpu;
import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.ArenaOptions;
import io.devicearena.Batch;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.F16ShadowMode;
import io.devicearena.HostMemory;
import io.devicearena.NodeId;
import io.devicearena.conformance.topics.HeapUse;
import io.devicearena.wgpu.ffi.WGPUGlobalReport;
import io.devicearena.wgpu.ffi.WGPUHubReport;
import io.devicearena.wgpu.ffi.WGPURegistryReport;
import io.devicearena.wgpu.ffi.WgpuNative;
import io.devicearena.wgpu.testing.TestArenas;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Repeated writes and reads allocate nothing on the heap and no buffers of the library. */
@Tag("slow")
class SteadyStateAllocationTest {
    private static final NodeId FIRST = NodeId.of(0);
    private static final NodeId SECOND = NodeId.of(1);
    private static final int MEBI = 1 << 20;
    private static final int LARGEST = 20 * MEBI;

    /** The bytes of one attempt, and the most calls. */
    private static final int BYTES = 4 * MEBI;

    private static final int MOST_CALLS = 300;

    /**
     * The JIT compiler finishes some time after the calls that triggered it, and a pool may add staging while all of
     * its staging is in use. So there are several attempts; an allocation per call would show in each of them.
     */
    private static final int ATTEMPTS = 240;

    private static void assertAllocatesNothing(DeviceArena arena, int bytesACall, Runnable call) {
        int calls = Math.clamp(BYTES / bytesACall, 2, MOST_CALLS);
        long bytes = -1;
        Report before = Report.NONE;
        Report after = Report.NONE;
        for (int attempt = 0; attempt < ATTEMPTS && (bytes != 0 || !before.equals(after)); attempt++) {
            arena.flush(); // the library counts finished work until it is polled
            before = Report.of(arena);
            bytes = HeapUse.of(calls, call);
            arena.flush();
            after = Report.of(arena);
        }
        assertThat(bytes).as("bytes allocated in %s calls", calls).isZero();
        assertThat(after).as("what the library holds after %s calls", calls).isEqualTo(before);
    }

    /**
     * The number of objects of the library. An object that is created and released in one call does not show, but to
     * create a buffer allocates on the heap too.
     */
    private record Report(long buffers, long commandBuffers, long bindGroups) {
        static final Report NONE = new Report(-1, -1, -1);

        static Report of(DeviceArena arena) {
            try (Arena memory = Arena.ofConfined()) {
                MemorySegment report = memory.allocate(WGPUGlobalReport.layout());
                WgpuNative.wgpuGenerateReport(wgpu(arena).handles().instance(), report);
                MemorySegment hub = WGPUGlobalReport.hub(report);
                return new Report(
                        WGPURegistryReport.numAllocated(WGPUHubReport.buffers(hub)),
                        WGPURegistryReport.numAllocated(WGPUHubReport.commandBuffers(hub)),
                        WGPURegistryReport.numAllocated(WGPUHubReport.bindGroups(hub)));
            }
        }
    }

    private static Stream<Arguments> typed() {
        Stream<Arguments> shadowed = Stream.of(16, 4100, 70_000, MEBI)
                .flatMap(bytes -> Stream.of(F16ShadowMode.values()).map(mode -> Arguments.of(DType.F32, bytes, mode)));
        Stream<Arguments> narrow = Stream.of(DType.F16, DType.BF16)
                .flatMap(dtype -> Stream.of(16, 4100, 70_000, MEBI)
                        .map(bytes -> Arguments.of(dtype, bytes, F16ShadowMode.ON_WRITE)));
        return Stream.concat(shadowed, narrow);
    }

    @ParameterizedTest(name = "{0}, {1} bytes, shadow {2}")
    @MethodSource("typed")
    void typedWritesAndReadsAllocateNothing(DType dtype, int bytes, F16ShadowMode mode) {
        float[] floats = new float[bytes / dtype.bytes()];
        try (DeviceArena arena = open(mode, 64, bytes);
                Arena memory = Arena.ofConfined()) {
            assertAllocatesNothing(arena, bytes, () -> {
                arena.writeInputF32(FIRST, dtype, floats);
                arena.readOutputF32(FIRST, dtype, floats);
            });
            for (MemorySegment segment :
                    List.of(MemorySegment.ofArray(floats), memory.allocate(4L * floats.length, 4))) {
                assertAllocatesNothing(arena, bytes, () -> {
                    arena.writeInputF32(FIRST, dtype, segment);
                    arena.readOutputF32(FIRST, dtype, segment);
                });
            }
        }
    }

    @ParameterizedTest(name = "shadow {0}")
    @MethodSource("modes")
    void valuesOfManyPiecesAllocateNothing(F16ShadowMode mode) {
        float[] floats = new float[LARGEST / Float.BYTES];
        try (DeviceArena arena = open(mode, 0, LARGEST)) {
            assertAllocatesNothing(arena, LARGEST, () -> {
                arena.writeInputF32(FIRST, DType.F32, floats);
                arena.readOutputF32(FIRST, DType.F32, floats);
            });
        }
    }

    private static F16ShadowMode[] modes() {
        return F16ShadowMode.values();
    }

    @ParameterizedTest(name = "{0} bytes")
    @ValueSource(ints = {1, 2, 3, 16, 4099, 70_001, MEBI, MEBI + 3, LARGEST - 1})
    void rawRangesAtOddOffsetsAllocateNothing(int bytes) {
        try (DeviceArena arena = open(F16ShadowMode.ON_WRITE, 0, LARGEST + 8);
                Arena memory = Arena.ofConfined()) {
            for (MemorySegment segment : List.of(MemorySegment.ofArray(new byte[bytes]), memory.allocate(bytes))) {
                assertAllocatesNothing(arena, bytes, () -> {
                    arena.writeBytes(5, segment);
                    arena.readBytes(3, segment);
                });
            }
        }
    }

    @ParameterizedTest(name = "{0} bytes")
    @ValueSource(ints = {4100, 70_001, MEBI, LARGEST})
    void write_ofHostMemoryOfTheDevice_allocatesNothing(int bytes) {
        try (DeviceArena arena = open(F16ShadowMode.ON_WRITE, 0, LARGEST + 8);
                HostMemory host = arena.allocateHost(bytes)) {
            assertAllocatesNothing(arena, bytes, () -> {
                arena.writeBytes(4, host.segment());
                arena.readBytes(4, host.segment());
            });
        }
    }

    @Test
    void write_oddCountCastByDevice_allocatesNothing() {
        float[] floats = new float[7];
        try (DeviceArena arena = open(F16ShadowMode.ON_WRITE, 0, 64)) {
            assertAllocatesNothing(arena, 28, () -> arena.writeInputF32(FIRST, DType.F32, floats));
        }
    }

    @Test
    void write_pendingWrites_allocateNothing() {
        float[] floats = new float[4];
        try (DeviceArena arena = open(F16ShadowMode.ON_WRITE, 0, 16, 1024, 16)) {
            assertAllocatesNothing(arena, 32, () -> {
                for (int i = 0; i < 100; i++) {
                    arena.writeInputF32(FIRST, DType.F32, floats);
                    arena.writeInputF32(SECOND, DType.F32, floats);
                }
                arena.flush();
            });
        }
    }

    @Test
    void flush_nothingPending_allocatesNothing() {
        try (DeviceArena arena = open(F16ShadowMode.OFF, 0, 16)) {
            assertAllocatesNothing(arena, 1, arena::flush);
        }
    }

    @Test
    void batchesThatWereBuiltOnceAllocateNothing() {
        try (DeviceArena arena = open(F16ShadowMode.ON_WRITE, 0, MEBI, MEBI + 64, MEBI);
                Arena memory = Arena.ofConfined()) {
            Batch.Builder builder = Batch.builder()
                    .floats(FIRST, DType.F32, new float[MEBI / Float.BYTES])
                    .floats(SECOND, DType.F16, new float[5])
                    .floats(SECOND, DType.BF16, memory.allocate(400, 4))
                    .floats(FIRST, DType.F32, MemorySegment.ofArray(new float[3]));
            for (int i = 0; i < 20; i++) { // more than the initial size of the layout
                builder.bytes(40_003L * i + 1, memory.allocate(5 + i));
            }
            Batch batch = builder.build();
            assertAllocatesNothing(arena, MEBI, () -> arena.readBatch(batch));
        }
    }

    private static DeviceArena open(F16ShadowMode mode, long... offsetsAndSizes) {
        return TestArenas.open(
                TestArenas.plan(offsetsAndSizes), ArenaOptions.defaults().withF16Shadow(mode));
    }
}
