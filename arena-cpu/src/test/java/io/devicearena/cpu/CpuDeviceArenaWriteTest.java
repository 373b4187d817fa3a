package io.devicearena.cpu;

import static io.devicearena.cpu.TestArenas.MIDDLE;
import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.DType;
import io.devicearena.DeviceArena;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A slot of 32 bytes between two others, all filled with 0x55: what is written, and what is not. */
class CpuDeviceArenaWriteTest {
    private static final List<DType> TYPES = List.of(DType.F32, DType.F16, DType.BF16);

    private static Stream<Arguments> typesAndLengths() {
        return TYPES.stream()
                .flatMap(dtype -> IntStream.of(0, 1, 2, 5, 7, 8, 9, 15, 16, 17, 100, 5000)
                        .mapToObj(elements -> Arguments.of(dtype, elements)));
    }

    private static float[] floats(int elements) {
        return TestArenas.randomFloats(new SplittableRandom(elements), elements);
    }

    /** The slot's new bytes in the middle, its neighbours as they were. */
    private static byte[] expected(DType dtype, float[] data) {
        byte[] bytes = encodedBytes(dtype, data);
        byte[] all = TestArenas.filled(96);
        System.arraycopy(bytes, 0, all, 32, Math.min(32, bytes.length));
        return all;
    }

    private static byte[] encodedBytes(DType dtype, float[] data) {
        return TestArenas.encoded(dtype, data);
    }

    private static long countOf(DType dtype, int elements) {
        return Math.min(elements, 32 / dtype.bytes());
    }

    @ParameterizedTest(name = "{0}, {1} elements")
    @MethodSource("typesAndLengths")
    void anArrayIsCutToItsSlot(DType dtype, int elements) {
        try (DeviceArena arena = TestArenas.openFilled()) {
            float[] data = floats(elements);
            assertThat(arena.writeInputF32(MIDDLE, dtype, data)).isEqualTo(countOf(dtype, elements));
            assertThat(TestArenas.bytesOf(arena)).isEqualTo(expected(dtype, data));
        }
    }

    @ParameterizedTest(name = "{0}, {1} elements")
    @MethodSource("typesAndLengths")
    void aHeapSegmentIsCutToItsSlot(DType dtype, int elements) {
        float[] data = floats(elements);
        write(dtype, data, MemorySegment.ofArray(data));
        write(dtype, data, MemorySegment.ofArray(data).asReadOnly());
    }

    @ParameterizedTest(name = "{0}, {1} elements")
    @MethodSource("typesAndLengths")
    void aNativeSegmentIsCutToItsSlot(DType dtype, int elements) {
        float[] data = floats(elements);
        try (Arena memory = Arena.ofConfined()) {
            MemorySegment source = memory.allocate(elements * 4L + 1, 16);
            MemorySegment.copy(MemorySegment.ofArray(data), 0, source, 0, elements * 4L);
            write(dtype, data, source.asSlice(0, elements * 4L));
            write(dtype, data, source.asSlice(0, elements * 4L).asReadOnly());
        }
    }

    @ParameterizedTest(name = "{0}, {1} elements")
    @MethodSource("typesAndLengths")
    void anUnalignedSegmentIsCutToItsSlot(DType dtype, int elements) {
        float[] data = floats(elements);
        byte[] heap = new byte[elements * 4 + 3];
        try (Arena memory = Arena.ofConfined()) {
            for (MemorySegment whole : List.of(MemorySegment.ofArray(heap), memory.allocate(heap.length, 16))) {
                for (int shift = 1; shift <= 3; shift++) {
                    MemorySegment source = whole.asSlice(shift, elements * 4L);
                    source.copyFrom(MemorySegment.ofArray(data));
                    write(dtype, data, source);
                }
            }
        }
    }

    private static void write(DType dtype, float[] data, MemorySegment source) {
        try (DeviceArena arena = TestArenas.openFilled()) {
            assertThat(arena.writeInputF32(MIDDLE, dtype, source)).isEqualTo(countOf(dtype, data.length));
            assertThat(TestArenas.bytesOf(arena)).isEqualTo(expected(dtype, data));
        }
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(names = {"F32", "F16", "BF16"})
    void aSlotThatIsNoMultipleOfAnElementKeepsItsLastBytes(DType dtype) {
        try (DeviceArena arena = TestArenas.open(TestArenas.oneSlot(31))) {
            arena.writeBytes(0, MemorySegment.ofArray(TestArenas.filled(31)));
            float[] ones = new float[40];
            Arrays.fill(ones, 1);
            int whole = 31 / dtype.bytes();
            assertThat(arena.writeInputF32(TestArenas.LEFT, dtype, ones)).isEqualTo(whole);
            assertThat(arena.readOutputF32(TestArenas.LEFT, dtype, 40))
                    .hasSize(whole)
                    .containsOnly(1f);
            assertThat(TestArenas.bytesOf(arena)).endsWith(TestArenas.filled(31 - whole * dtype.bytes()));
        }
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(names = {"F32", "F16", "BF16"})
    void aLongSlotIsWrittenToItsEnd(DType dtype) {
        float[] data = TestArenas.randomFloats(new SplittableRandom(11), 50_001);
        try (DeviceArena arena = TestArenas.open(TestArenas.oneSlot(50_001L * dtype.bytes()))) {
            assertThat(arena.writeInputF32(TestArenas.LEFT, dtype, data)).isEqualTo(50_001);
            byte[] held = encodedBytes(dtype, data);
            assertThat(TestArenas.bytesOf(arena)).isEqualTo(held);
            assertThat(arena.readOutputF32(TestArenas.LEFT, dtype, 50_001)).isEqualTo(TestArenas.decoded(dtype, held));
        }
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(names = {"F32", "F16", "BF16"})
    void theActualLengthEndsReadsAndNotWrites(DType dtype) {
        try (DeviceArena arena = TestArenas.openFilled()) {
            arena.setActualLength(MIDDLE, 4);
            int capacity = 32 / dtype.bytes();
            assertThat(arena.writeInputF32(MIDDLE, dtype, new float[100])).isEqualTo(capacity);
            assertThat(arena.readOutputF32(MIDDLE, dtype, 100)).hasSize(4 / dtype.bytes());
        }
    }
}
