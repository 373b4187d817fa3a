package io.devicearena.cpu;

import static io.devicearena.cpu.TestArenas.LEFT;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.devicearena.Batch;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Calls that repeat at every step allocate nothing on the heap. */
@Tag("slow")
class CpuDeviceArenaAllocationTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int CALLS = 20_000;

    /** Compilation ends some time after the calls that trigger it, so there are several attempts. */
    private static final int ATTEMPTS = 40;

    private static Stream<Arguments> typesAndLengths() {
        return Stream.of(DType.F32, DType.F16, DType.BF16)
                .flatMap(dtype -> Stream.of(8, 100).map(elements -> Arguments.of(dtype, elements)));
    }

    private static void assertAllocatesNothing(Runnable call) {
        long least = Long.MAX_VALUE;
        for (int attempt = 0; attempt < ATTEMPTS && least > 0; attempt++) {
            long before = THREADS.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < CALLS; i++) {
                call.run();
            }
            least = Math.min(least, THREADS.getCurrentThreadAllocatedBytes() - before);
        }
        assertThat(least).as("bytes allocated in %s calls", CALLS).isZero();
    }

    @ParameterizedTest(name = "{0}, {1} elements")
    @MethodSource("typesAndLengths")
    void typedArraysAllocateNothing(DType dtype, int elements) {
        float[] floats = new float[elements];
        try (DeviceArena arena = TestArenas.open(TestArenas.oneSlot((long) elements * dtype.bytes()))) {
            assertAllocatesNothing(() -> {
                arena.writeInputF32(LEFT, dtype, floats);
                arena.readOutputF32(LEFT, dtype, floats);
            });
        }
    }

    @ParameterizedTest(name = "{0}, {1} elements")
    @MethodSource("typesAndLengths")
    void typedSegmentsAllocateNothing(DType dtype, int elements) {
        try (DeviceArena arena = TestArenas.open(TestArenas.oneSlot((long) elements * dtype.bytes()));
                Arena memory = Arena.ofConfined()) {
            for (MemorySegment floats :
                    List.of(memory.allocate(elements * 4L, 4), MemorySegment.ofArray(new float[elements]))) {
                assertAllocatesNothing(() -> {
                    arena.writeInputF32(LEFT, dtype, floats);
                    arena.readOutputF32(LEFT, dtype, floats);
                });
            }
        }
    }

    @ParameterizedTest(name = "{0}, {1} elements")
    @MethodSource("typesAndLengths")
    void typedSegmentsThatAreCutAllocateNothing(DType dtype, int elements) {
        try (DeviceArena arena = TestArenas.open(TestArenas.oneSlot((long) elements * dtype.bytes()));
                Arena memory = Arena.ofConfined()) {
            MemorySegment floats = memory.allocate(elements * 4L + 40, 4);
            arena.setActualLength(LEFT, (elements - 3L) * dtype.bytes());
            assertAllocatesNothing(() -> {
                arena.writeInputF32(LEFT, dtype, floats);
                arena.readOutputF32(LEFT, dtype, floats);
            });
        }
    }

    @Test
    void rawRangesAllocateNothing() {
        try (DeviceArena arena = TestArenas.open(TestArenas.withoutSlots(1001));
                Arena memory = Arena.ofConfined()) {
            for (MemorySegment bytes : List.of(memory.allocate(501), MemorySegment.ofArray(new byte[501]))) {
                assertAllocatesNothing(() -> {
                    arena.writeBytes(333, bytes);
                    arena.readBytes(77, bytes);
                });
            }
        }
    }

    @ParameterizedTest(name = "{0}, {1} elements")
    @MethodSource("typesAndLengths")
    void batchesAllocateNothing(DType dtype, int elements) {
        try (DeviceArena arena = TestArenas.open(TestArenas.oneSlot((long) elements * dtype.bytes()));
                Arena memory = Arena.ofConfined()) {
            Batch batch = Batch.builder()
                    .floats(LEFT, dtype, new float[elements])
                    .floats(LEFT, dtype, memory.allocate(elements * 4L, 4))
                    .floats(LEFT, dtype, new float[elements + 5])
                    .bytes(3, memory.allocate(5))
                    .build();
            assertAllocatesNothing(() -> arena.readBatch(batch));
        }
    }
}
