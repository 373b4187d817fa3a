package io.devicearena.cast;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.DType;
import io.devicearena.testing.NarrowReference;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What values become; {@link ExhaustiveCastTest} has the rest of the 2^32 floats. */
class CastValuesTest {
    private static final int PATTERNS = 1 << 16;

    private static NarrowReference reference(DType dtype) {
        return dtype == DType.F16 ? NarrowReference.F16 : NarrowReference.BF16;
    }

    private static short narrow(DType dtype, int bits) {
        float value = Float.intBitsToFloat(bits);
        return dtype == DType.F16 ? TypedCasts.toF16(value) : TypedCasts.toBf16(value);
    }

    private static int widen(DType dtype, int pattern) {
        float value = dtype == DType.F16 ? TypedCasts.fromF16((short) pattern) : TypedCasts.fromBf16((short) pattern);
        return Float.floatToRawIntBits(value);
    }

    @ParameterizedTest
    @EnumSource(names = {"F16", "BF16"})
    void everyPatternWidensExactlyOneByOne(DType dtype) {
        int[] expected =
                IntStream.range(0, PATTERNS).map(reference(dtype)::widen).toArray();
        int[] actual = IntStream.range(0, PATTERNS).map(p -> widen(dtype, p)).toArray();
        assertThat(actual).isEqualTo(expected);
    }

    @ParameterizedTest
    @EnumSource(names = {"F16", "BF16"})
    void everyPatternWidensExactlyInBulkInEveryKindOfMemory(DType dtype) {
        int[] expected =
                IntStream.range(0, PATTERNS).map(reference(dtype)::widen).toArray();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment[] sources = {
                MemorySegment.ofArray(new short[PATTERNS]),
                MemorySegment.ofArray(new byte[2 * PATTERNS + 1]).asSlice(1),
                arena.allocate(2L * PATTERNS, 64),
                arena.allocate(2L * PATTERNS + 3, 64).asSlice(3),
            };
            MemorySegment[] destinations = {
                MemorySegment.ofArray(new float[PATTERNS]),
                MemorySegment.ofArray(new byte[4 * PATTERNS + 1]).asSlice(1),
                arena.allocate(4L * PATTERNS, 64),
                arena.allocate(4L * PATTERNS + 5, 64).asSlice(5),
            };
            for (MemorySegment src : sources) {
                for (int p = 0; p < PATTERNS; p++) {
                    src.set(ValueLayout.JAVA_SHORT_UNALIGNED, 2L * p, (short) p);
                }
                for (MemorySegment dst : destinations) {
                    TypedCasts.read(src, 0, dtype, dst, 0, PATTERNS);
                    assertThat(bits(dst, PATTERNS)).isEqualTo(expected);
                }
                float[] floats = TypedCasts.readTypedToF32(src, dtype, Long.MAX_VALUE);
                assertThat(bits(MemorySegment.ofArray(floats), PATTERNS)).isEqualTo(expected);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"F16", "BF16"})
    void denseSampleRoundsAsTheReference(DType dtype) {
        int[] sample = sample(reference(dtype));
        short[] expected = new short[sample.length];
        short[] single = new short[sample.length];
        for (int i = 0; i < sample.length; i++) {
            expected[i] = (short) reference(dtype).narrow(sample[i]);
            single[i] = narrow(dtype, sample[i]);
        }
        assertSame(single, expected, sample);

        MemorySegment ints = MemorySegment.ofArray(sample);
        float[] floats = new float[sample.length];
        MemorySegment.copy(ints, 0, MemorySegment.ofArray(floats), 0, ints.byteSize());
        short[] bulk = new short[sample.length];
        TypedCasts.write(MemorySegment.ofArray(bulk), 0, dtype, floats, 0, floats.length);
        assertSame(bulk, expected, sample);

        try (Arena arena = Arena.ofConfined()) {
            MemorySegment src =
                    arena.allocate(4L * sample.length + 1).asSlice(1).copyFrom(ints);
            MemorySegment dst = arena.allocate(2L * sample.length + 1).asSlice(1);
            TypedCasts.write(dst, 0, dtype, src, 0, sample.length);
            MemorySegment.copy(dst, ValueLayout.JAVA_SHORT_UNALIGNED, 0, bulk, 0, bulk.length);
            assertSame(bulk, expected, sample);
        }
    }

    /**
     * Every 1009th float, and all within 4 of a border between two neighbours, of a power of two or of a NaN payload.
     */
    private static int[] sample(NarrowReference reference) {
        IntStream spread = IntStream.range(0, (int) ((1L << 32) / 1009)).map(i -> i * 1009);
        IntStream borders =
                IntStream.range(0, reference.infinity).map(m -> Float.floatToRawIntBits(reference.largest[m]));
        IntStream powers = IntStream.range(0, 256).map(e -> e << 23);
        IntStream payloads = IntStream.rangeClosed(0, 23).map(b -> b == 23 ? 0x7FFFFFFB : 0x7F800000 | (1 << b));
        IntStream close = IntStream.concat(borders, IntStream.concat(powers, payloads))
                .flatMap(b -> IntStream.rangeClosed(b - 4, b + 4))
                .flatMap(b -> IntStream.of(b, b ^ 0x80000000));
        return IntStream.concat(spread, close).toArray();
    }

    private static void assertSame(short[] actual, short[] expected, int[] sample) {
        int mismatch = Arrays.mismatch(actual, expected);
        assertThat(mismatch)
                .as(() -> String.format(
                        Locale.ROOT,
                        "first wrong answer: f32 bits 0x%08x gave 0x%04x, expected 0x%04x",
                        sample[mismatch],
                        actual[mismatch] & 0xFFFF,
                        expected[mismatch] & 0xFFFF))
                .isEqualTo(-1);
    }

    private static int[] bits(MemorySegment floats, int n) {
        int[] bits = new int[n];
        MemorySegment.copy(floats, ValueLayout.JAVA_INT_UNALIGNED, 0, bits, 0, n);
        return bits;
    }

    @ParameterizedTest
    @CsvSource({
        // f32 bits, f16 bits
        "0x00000000, 0x0000",
        "0x80000000, 0x8000",
        "0x3F800000, 0x3C00",
        "0x477FE000, 0x7BFF",
        "0x477FEFFF, 0x7BFF",
        "0x477FF000, 0x7C00",
        "0x47800000, 0x7C00", // 65504, 65520, 65536
        "0x33800000, 0x0001",
        "0x33000000, 0x0000",
        "0x33000001, 0x0001",
        "0x33C00000, 0x0002", // 2^-24 and ties
        "0x387FC000, 0x03FF",
        "0x387FE000, 0x0400",
        "0x7F800000, 0x7C00",
        "0xFF800000, 0xFC00",
        "0x7F800001, 0x7E00",
        "0xFFA02000, 0xFF01",
        "0x7FFFFFFF, 0x7FFF",
    })
    void roundsToF16(String f32, String f16) {
        assertThat(TypedCasts.toF16(Float.intBitsToFloat((int) (long) Long.decode(f32))))
                .isEqualTo((short) (int) Integer.decode(f16));
    }

    @ParameterizedTest
    @CsvSource({
        // f32 bits, bf16 bits
        "0x80000000, 0x8000",
        "0x3F808000, 0x3F80",
        "0x3F808001, 0x3F81",
        "0x3F818000, 0x3F82",
        "0x7F7F7FFF, 0x7F7F",
        "0x7F7F8000, 0x7F80",
        "0x00008000, 0x0000",
        "0x00008001, 0x0001",
        "0x00018000, 0x0002",
        "0x7F800000, 0x7F80",
        "0x7F800001, 0x7FC0",
        "0xFFA10000, 0xFFE1",
        "0xFFFFFFFF, 0xFFFF",
    })
    void roundsToBf16(String f32, String bf16) {
        assertThat(TypedCasts.toBf16(Float.intBitsToFloat((int) (long) Long.decode(f32))))
                .isEqualTo((short) (int) Integer.decode(bf16));
    }

    @Test
    void nanAtAnyIndexOfABlockLeavesItsNeighboursAlone() {
        for (DType dtype : new DType[] {DType.F16, DType.BF16}) {
            for (int at = 0; at < 70; at++) {
                float[] floats = new float[70];
                Arrays.fill(floats, 1.0f);
                floats[at] = Float.intBitsToFloat(0xFFFFFFFF);
                short[] narrow = new short[70];
                TypedCasts.write(MemorySegment.ofArray(narrow), 0, dtype, floats, 0, 70);
                short[] expected = new short[70];
                Arrays.fill(expected, (short) reference(dtype).narrow(Float.floatToRawIntBits(1.0f)));
                expected[at] = (short) 0xFFFF;
                assertThat(narrow).isEqualTo(expected);
            }
        }
    }
}
