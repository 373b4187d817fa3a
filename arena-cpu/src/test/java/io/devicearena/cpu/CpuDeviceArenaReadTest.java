package io.devicearena.cpu;

import static io.devicearena.cpu.TestArenas.MIDDLE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.devicearena.DType;
import io.devicearena.DeviceArena;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class CpuDeviceArenaReadTest {
    private static final byte[] HELD = held();

    /** Random bytes without a NaN in any of the three types: no exponent is full. */
    private static byte[] held() {
        byte[] bytes = TestArenas.randomBytes(new SplittableRandom(5), 96);
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] &= (byte) 0xBB;
        }
        return bytes;
    }

    private static DeviceArena openHeld() {
        DeviceArena arena = TestArenas.open(TestArenas.threeSlots());
        arena.writeBytes(0, MemorySegment.ofArray(HELD));
        return arena;
    }

    private static float[] expected(DType dtype, int elements) {
        float[] all = TestArenas.decoded(dtype, Arrays.copyOfRange(HELD, 32, 64));
        return Arrays.copyOf(all, Math.min(elements, all.length));
    }

    private static Stream<Arguments> typesAndLengths() {
        return Stream.of(DType.F32, DType.F16, DType.BF16)
                .flatMap(dtype ->
                        IntStream.of(0, 1, 3, 8, 9, 16, 17, 40).mapToObj(elements -> Arguments.of(dtype, elements)));
    }

    @ParameterizedTest(name = "{0}, {1} elements")
    @MethodSource("typesAndLengths")
    void aNewArrayHasWhatTheValueHolds(DType dtype, int elements) {
        try (DeviceArena arena = openHeld()) {
            assertThat(arena.readOutputF32(MIDDLE, dtype, elements)).isEqualTo(expected(dtype, elements));
        }
    }

    @ParameterizedTest(name = "{0}, {1} elements")
    @MethodSource("typesAndLengths")
    void anArrayKeepsTheElementsPastThoseRead(DType dtype, int elements) {
        try (DeviceArena arena = openHeld()) {
            float[] destination = new float[elements];
            Arrays.fill(destination, 77);
            float[] wanted = expected(dtype, elements);
            assertThat(arena.readOutputF32(MIDDLE, dtype, destination)).isEqualTo(wanted.length);
            assertThat(destination).startsWith(wanted);
            for (int i = wanted.length; i < elements; i++) {
                assertThat(destination[i]).isEqualTo(77);
            }
        }
    }

    @ParameterizedTest(name = "{0}, {1} elements")
    @MethodSource("typesAndLengths")
    void aSegmentKeepsTheBytesPastThoseReadAtAnyAlignment(DType dtype, int elements) {
        byte[] wanted = TestArenas.encoded(DType.F32, expected(dtype, elements));
        byte[] heap = new byte[elements * 4 + 8];
        try (DeviceArena arena = openHeld();
                Arena memory = Arena.ofConfined()) {
            for (MemorySegment whole : List.of(MemorySegment.ofArray(heap), memory.allocate(heap.length, 16))) {
                for (int shift = 0; shift < 4; shift++) {
                    whole.fill((byte) 0x55);
                    assertThat(arena.readOutputF32(MIDDLE, dtype, whole.asSlice(shift, elements * 4L)))
                            .isEqualTo(wanted.length / 4);
                    byte[] all = TestArenas.filled(heap.length);
                    System.arraycopy(wanted, 0, all, shift, wanted.length);
                    assertThat(whole.toArray(java.lang.foreign.ValueLayout.JAVA_BYTE))
                            .isEqualTo(all);
                }
            }
        }
    }

    @Test
    void fiveElementsOfAPaddedSlotAreReadAsFive() {
        try (DeviceArena arena = TestArenas.openFilled()) {
            arena.setActualLength(MIDDLE, 20);
            arena.writeInputF32(MIDDLE, DType.F32, new float[] {1, 2, 3, 4, 5});
            assertThat(arena.lengthBytes(MIDDLE)).isEqualTo(20);
            assertThat(arena.readOutputF32(MIDDLE, DType.F32, Long.MAX_VALUE)).containsExactly(1, 2, 3, 4, 5);
            float[] eight = new float[8];
            assertThat(arena.readOutputF32(MIDDLE, DType.F32, eight)).isEqualTo(5);
            assertThat(eight).containsExactly(1, 2, 3, 4, 5, 0, 0, 0);
            assertThat(arena.readOutputF32(MIDDLE, DType.F32, MemorySegment.ofArray(eight)))
                    .isEqualTo(5);
        }
    }

    @Test
    void theActualLengthMayGrowAgainUpToTheSlot() {
        try (DeviceArena arena = TestArenas.openFilled()) {
            arena.setActualLength(MIDDLE, 0);
            assertThat(arena.readOutputF32(MIDDLE, DType.F32, 8)).isEmpty();
            arena.setActualLength(MIDDLE, 32);
            assertThat(arena.readOutputF32(MIDDLE, DType.F32, 9)).hasSize(8);
            arena.setActualLength(MIDDLE, 7);
            assertThat(arena.readOutputF32(MIDDLE, DType.F32, 9)).hasSize(1);
            assertThat(arena.readOutputF32(MIDDLE, DType.BF16, 9)).hasSize(3);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, 33, Long.MIN_VALUE, Long.MAX_VALUE})
    void anActualLengthOutsideTheSlotIsRefusedAndChangesNothing(long bytes) {
        try (DeviceArena arena = TestArenas.openFilled()) {
            arena.setActualLength(MIDDLE, 8);
            assertThatThrownBy(() -> arena.setActualLength(MIDDLE, bytes))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("node 2: expected an actual length of 0 to 32 bytes, what its slot holds, got " + bytes
                            + "; plan the value with more elements");
            assertThat(arena.lengthBytes(MIDDLE)).isEqualTo(8);
        }
    }

    @Test
    void moreElementsThanAnArrayHoldsAreRefusedOnlyWhenTheValueHasThem() {
        try (DeviceArena arena = TestArenas.openFilled()) {
            assertThat(arena.readOutputF32(MIDDLE, DType.F32, Long.MAX_VALUE)).hasSize(8);
            assertThatThrownBy(() -> arena.readOutputF32(MIDDLE, DType.F32, -1))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("elements: expected 0 or more, got -1; lengthBytes tells how long a value is");
        }
    }
}
