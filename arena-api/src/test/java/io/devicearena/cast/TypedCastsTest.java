package io.devicearena.cast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.devicearena.DType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** How many elements are cast, to where, and what is refused; {@link CastValuesTest} has the values. */
class TypedCastsTest {
    private final Arena shared = Arena.ofShared();

    @AfterEach
    void free() {
        shared.close();
    }

    private static final int BLOCK = CastBlock.ELEMENTS;
    private static final byte UNTOUCHED = 0x5A;

    private static int width(DType dtype) {
        return dtype == DType.F16 || dtype == DType.BF16 ? 2 : 4;
    }

    /** Casts one float with the single forms, which {@link CastValuesTest} checks. */
    private static void put(MemorySegment dst, long offset, DType dtype, float value) {
        switch (dtype) {
            case F16 -> dst.set(ValueLayout.JAVA_SHORT_UNALIGNED, offset, TypedCasts.toF16(value));
            case BF16 -> dst.set(ValueLayout.JAVA_SHORT_UNALIGNED, offset, TypedCasts.toBf16(value));
            default -> dst.set(ValueLayout.JAVA_FLOAT_UNALIGNED, offset, value);
        }
    }

    private static float get(MemorySegment src, long offset, DType dtype) {
        return switch (dtype) {
            case F16 -> TypedCasts.fromF16(src.get(ValueLayout.JAVA_SHORT_UNALIGNED, offset));
            case BF16 -> TypedCasts.fromBf16(src.get(ValueLayout.JAVA_SHORT_UNALIGNED, offset));
            default -> src.get(ValueLayout.JAVA_FLOAT_UNALIGNED, offset);
        };
    }

    private static float[] floats(int n, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        float[] floats = new float[n];
        for (int i = 0; i < n; i++) {
            // half of them any bits at all, half of them of a size that both types hold
            floats[i] = random.nextBoolean()
                    ? Float.intBitsToFloat(random.nextInt())
                    : (float) random.nextDouble(-1000, 1000);
        }
        return floats;
    }

    private static MemorySegment memory(Arena arena, int kind, long bytes) {
        MemorySegment memory = switch (kind) {
            case 0 -> arena.allocate(Math.max(1, bytes), 64).asSlice(0, bytes);
            case 1 -> MemorySegment.ofArray(new byte[(int) bytes]);
            case 2 -> MemorySegment.ofArray(new short[(int) (bytes + 1) / 2]).asSlice(0, bytes);
            case 3 -> MemorySegment.ofArray(new float[(int) (bytes + 3) / 4]).asSlice(0, bytes);
            default -> MemorySegment.ofArray(new double[(int) (bytes + 7) / 8]).asSlice(0, bytes);
        };
        return memory.fill(UNTOUCHED);
    }

    private static byte[] bytes(MemorySegment memory) {
        return memory.toArray(ValueLayout.JAVA_BYTE);
    }

    static Stream<Long> seeds() {
        Long replay = Long.getLong("devicearena.seed");
        return replay == null ? LongStream.range(0, 100).boxed() : Stream.of(replay);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void formsWithOffsetsWriteExactlyTheirElements(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        DType dtype = switch (random.nextInt(3)) {
            case 0 -> DType.F32;
            case 1 -> DType.F16;
            default -> DType.BF16;
        };
        int[] edges = {
            0,
            1,
            2,
            7,
            8,
            9,
            16,
            223,
            224,
            225,
            447,
            448,
            449,
            511,
            512,
            513,
            575,
            576,
            577,
            BLOCK - 1,
            BLOCK,
            BLOCK + 1,
            2 * BLOCK,
            5 * BLOCK + 3
        };
        int n = random.nextBoolean() ? edges[random.nextInt(edges.length)] : random.nextInt(4 * BLOCK);
        int width = width(dtype);
        int at = random.nextInt(9);
        int index = random.nextInt(5);
        float[] source = floats(n + index + 2, seed);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment wide = memory(arena, random.nextInt(5), 4L * source.length + 3);
            MemorySegment.copy(source, 0, wide, ValueLayout.JAVA_FLOAT_UNALIGNED, 3, source.length);
            MemorySegment narrow = memory(arena, random.nextInt(5), (long) width * n + at + 5);

            MemorySegment expected = MemorySegment.ofArray(bytes(narrow));
            for (int i = 0; i < n; i++) {
                put(expected, at + (long) width * i, dtype, source[index + i]);
            }
            TypedCasts.write(narrow, at, dtype, source, index, n);
            assertThat(bytes(narrow)).isEqualTo(bytes(expected));
            narrow.fill(UNTOUCHED);
            TypedCasts.write(narrow, at, dtype, wide, 3 + 4L * index, n);
            assertThat(bytes(narrow)).isEqualTo(bytes(expected));

            float[] back = new float[n + index + 2];
            Arrays.fill(back, -7);
            MemorySegment backBits = MemorySegment.ofArray(back);
            MemorySegment wideExpected = MemorySegment.ofArray(bytes(backBits));
            for (int i = 0; i < n; i++) {
                wideExpected.set(
                        ValueLayout.JAVA_FLOAT_UNALIGNED,
                        4L * (index + i),
                        get(expected, at + (long) width * i, dtype));
            }
            TypedCasts.read(narrow, at, dtype, back, index, n);
            assertThat(bytes(backBits)).isEqualTo(bytes(wideExpected));
            wide.asSlice(3, 4L * back.length).fill((byte) 0);
            byte[] around = bytes(wide);
            MemorySegment.copy(wideExpected, 4L * index, MemorySegment.ofArray(around), 3 + 4L * index, 4L * n);
            TypedCasts.read(narrow, at, dtype, wide, 3 + 4L * index, n);
            assertThat(bytes(wide)).isEqualTo(around);
        }
    }

    @ParameterizedTest
    @EnumSource
    void writesAreCutAtTheShortestOfSourceDestinationAndMaximum(DType dtype) {
        int width = width(dtype);
        float[] source = {1, 2, 3, 4, 5};
        MemorySegment wide = MemorySegment.ofArray(Arrays.copyOf(source, 6)).asSlice(0, 5 * 4 + 3);
        long[][] cases = {{5, 9, 5}, {5, 5, 5}, {3, 9, 3}, {9, 2, 2}, {9, 9, 5}, {0, 5, 0}, {5, 0, 0}};
        for (long[] c : cases) {
            long capacity = c[0];
            long maximum = c[1] == 9 ? Long.MAX_VALUE : c[1];
            long count = c[2];
            // one byte more than whole elements, and that byte stays as it is
            MemorySegment dst = memory(shared, 1, capacity * width + 1);
            MemorySegment expected = MemorySegment.ofArray(bytes(dst));
            for (int i = 0; i < count; i++) {
                put(expected, (long) i * width, dtype, source[i]);
            }
            assertThat(TypedCasts.writeTypedFromF32(dst, dtype, source, maximum))
                    .isEqualTo(count);
            assertThat(bytes(dst)).isEqualTo(bytes(expected));
            dst.fill(UNTOUCHED);
            assertThat(TypedCasts.writeTypedFromF32(dst, dtype, wide, maximum)).isEqualTo(count);
            assertThat(bytes(dst)).isEqualTo(bytes(expected));
        }
    }

    @ParameterizedTest
    @EnumSource
    void readsAreCutAtTheShorterOfSourceAndDestination(DType dtype) {
        int width = width(dtype);
        MemorySegment src = memory(shared, 1, 3L * width + 1);
        TypedCasts.writeTypedFromF32(src, dtype, new float[] {1, -2, 0.5f}, 3);

        assertThat(TypedCasts.readTypedToF32(src, dtype, 2)).containsExactly(1, -2);
        assertThat(TypedCasts.readTypedToF32(src, dtype, Long.MAX_VALUE)).containsExactly(1, -2, 0.5f);
        assertThat(TypedCasts.readTypedToF32(src, dtype, 0)).isEmpty();

        float[] longer = {7, 7, 7, 7};
        assertThat(TypedCasts.readTypedToF32(src, dtype, longer)).isEqualTo(3);
        assertThat(longer).containsExactly(1, -2, 0.5f, 7);
        float[] shorter = new float[2];
        assertThat(TypedCasts.readTypedToF32(src, dtype, shorter)).isEqualTo(2);
        assertThat(shorter).containsExactly(1, -2);

        float[] segment = {7, 7, 7};
        assertThat(TypedCasts.readTypedToF32(
                        src, dtype, MemorySegment.ofArray(segment).asSlice(0, 11)))
                .isEqualTo(2);
        assertThat(segment).containsExactly(1, -2, 7);
    }

    @Test
    void copyOfF32MayOverlapItself() {
        float[] floats = {1, 2, 3, 4, 5};
        MemorySegment memory = MemorySegment.ofArray(floats);
        TypedCasts.write(memory, 4, DType.F32, memory, 0, 4);
        assertThat(floats).containsExactly(1, 1, 2, 3, 4);
        TypedCasts.read(memory, 4, DType.F32, floats, 0, 4);
        assertThat(floats).containsExactly(1, 2, 3, 4, 4);
    }

    @Test
    void invalidArgumentsAreRefusedBeforeAnythingIsWritten() {
        MemorySegment narrow = memory(shared, 1, 8);
        MemorySegment wide = memory(shared, 1, 16);
        float[] floats = {1, 2, 3, 4};
        MemorySegment readOnly = narrow.asReadOnly();

        refused(
                () -> TypedCasts.write(narrow, 0, DType.F16, floats, 0, -1),
                "elements: expected 0 elements or more, got -1");
        refused(
                () -> TypedCasts.write(narrow, -2, DType.F16, floats, 0, 1),
                "dstOffset: expected 0 bytes or more, got -2");
        refused(
                () -> TypedCasts.write(narrow, 0, DType.F16, floats, -1, 1),
                "srcIndex: expected 0 elements or more, got -1");
        refused(
                () -> TypedCasts.write(narrow, 2, DType.F16, floats, 0, 4),
                "dst: expected 4 elements of 2 bytes from byte 2, got a segment of 8 bytes");
        refused(
                () -> TypedCasts.write(narrow, 9, DType.F16, floats, 0, 0),
                "dst: expected 0 elements of 2 bytes from byte 9, got a segment of 8 bytes");
        refused(
                () -> TypedCasts.write(narrow, 0, DType.BF16, floats, 1, 4),
                "src: expected 4 elements from index 1, got an array of 4 elements");
        refused(
                () -> TypedCasts.write(narrow, 0, DType.F32, floats, 0, 3),
                "dst: expected 3 elements of 4 bytes from byte 0, got a segment of 8 bytes");
        refused(
                () -> TypedCasts.write(readOnly, 0, DType.F16, floats, 0, 1),
                "dst: expected a writable segment, got a read-only one");

        refused(
                () -> TypedCasts.write(narrow, 0, DType.F16, wide, 0, -1),
                "elements: expected 0 elements or more, got -1");
        refused(
                () -> TypedCasts.write(narrow, 0, DType.F16, wide, -4, 1),
                "srcOffset: expected 0 bytes or more, got -4");
        refused(
                () -> TypedCasts.write(narrow, 0, DType.F16, wide, 4, 4),
                "src: expected 4 elements of 4 bytes from byte 4, got a segment of 16 bytes");
        refused(
                () -> TypedCasts.write(narrow, 0, DType.I8, wide, 0, Long.MAX_VALUE),
                "dst: expected 9223372036854775807 elements of 4 bytes from byte 0, got a segment of 8 bytes");
        refused(
                () -> TypedCasts.write(readOnly, 0, DType.BF16, wide, 0, 1),
                "dst: expected a writable segment, got a read-only one");

        refused(
                () -> TypedCasts.read(narrow, 1, DType.BF16, floats, 0, 4),
                "src: expected 4 elements of 2 bytes from byte 1, got a segment of 8 bytes");
        refused(
                () -> TypedCasts.read(narrow, 0, DType.BF16, floats, Integer.MAX_VALUE, 1),
                "dst: expected 1 elements from index 2147483647, got an array of 4 elements");
        refused(
                () -> TypedCasts.read(narrow, 0, DType.BF16, floats, -1, 1),
                "dstIndex: expected 0 elements or more, got -1");
        refused(
                () -> TypedCasts.read(narrow, 0, DType.F16, wide, Long.MAX_VALUE, 1),
                "dst: expected 1 elements of 4 bytes from byte 9223372036854775807, got a segment of 16 bytes");
        refused(
                () -> TypedCasts.read(narrow, 0, DType.F16, wide.asReadOnly(), 0, 1),
                "dst: expected a writable segment, got a read-only one");

        refused(
                () -> TypedCasts.writeTypedFromF32(narrow, DType.F16, floats, -1),
                "maxElements: expected 0 elements or more, got -1");
        refused(
                () -> TypedCasts.writeTypedFromF32(narrow, DType.F16, wide, -1),
                "maxElements: expected 0 elements or more, got -1");
        refused(() -> TypedCasts.readTypedToF32(narrow, DType.F16, -1), "n: expected 0 elements or more, got -1");

        assertThat(bytes(narrow)).containsOnly(UNTOUCHED);
        assertThat(bytes(wide)).containsOnly(UNTOUCHED);
        assertThat(floats).containsExactly(1, 2, 3, 4);
    }

    private static void refused(ThrowingCallable call, String message) {
        assertThatThrownBy(call).isInstanceOf(IllegalArgumentException.class).hasMessage(message);
    }

    @Test
    void closedSegmentIsRefused() {
        MemorySegment closed;
        try (Arena arena = Arena.ofConfined()) {
            closed = arena.allocate(4096);
        }
        for (int n : new int[] {1, 1000}) {
            assertThatThrownBy(() -> TypedCasts.write(closed, 0, DType.F16, new float[n], 0, n))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("Already closed");
        }
    }
}
