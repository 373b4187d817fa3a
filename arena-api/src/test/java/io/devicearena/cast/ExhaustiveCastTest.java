package io.devicearena.cast;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.testing.NarrowReference;
import io.devicearena.DType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * All 2^32 floats, down to both types, single and in bulk; takes a minute or so and is left out of the usual build.
 *
 * <p>Run it with {@code mvn -pl arena-api test -Dgroups=exhaustive -DexcludedGroups=}.
 */
@Tag("exhaustive")
class ExhaustiveCastTest {
    private static final int CHUNK = 1 << 20;

    @ParameterizedTest
    @EnumSource(names = {"F16", "BF16"})
    void everyFloatRoundsAsTheReference(DType dtype) {
        NarrowReference reference = dtype == DType.F16 ? NarrowReference.F16 : NarrowReference.BF16;
        long wrong = IntStream.range(0, (int) ((1L << 32) / CHUNK))
                .parallel()
                .mapToLong(chunk -> wrongIn(chunk * CHUNK, dtype, reference))
                .sum();
        assertThat(wrong).isZero();
    }

    /** Counts the floats that come out wrong in a chunk, which is in order of magnitude and has one sign. */
    private static long wrongIn(int first, DType dtype, NarrowReference reference) {
        float[] floats = new float[CHUNK];
        for (int i = 0; i < CHUNK; i++) {
            floats[i] = Float.intBitsToFloat(first + i);
        }
        short[] bulk = new short[CHUNK];
        TypedCasts.write(MemorySegment.ofArray(bulk), 0, dtype, floats, 0, CHUNK);
        short[] fromSegment = new short[CHUNK];
        MemorySegment segment = MemorySegment.ofArray(floats);
        assertThat(segment.get(ValueLayout.JAVA_INT, 0)).isEqualTo(first);
        TypedCasts.write(MemorySegment.ofArray(fromSegment), 0, dtype, segment, 0, CHUNK);
        short[] toNative;
        short[] nativeToNative;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment narrow = arena.allocate(2L * CHUNK, 2);
            TypedCasts.write(narrow, 0, dtype, floats, 0, CHUNK);
            toNative = narrow.toArray(ValueLayout.JAVA_SHORT);
            MemorySegment wide = arena.allocate(4L * CHUNK, 4).copyFrom(segment);
            TypedCasts.write(narrow.fill((byte) 0), 0, dtype, wide, 0, CHUNK);
            nativeToNative = narrow.toArray(ValueLayout.JAVA_SHORT);
        }

        int sign = (first >>> 16) & 0x8000;
        int magnitude = reference.narrow(first) & 0x7FFF;
        long wrong = 0;
        for (int i = 0; i < CHUNK; i++) {
            float value = floats[i];
            int expected;
            if (Float.isNaN(value)) {
                expected = reference.narrowNan(first + i);
            } else {
                // the floats ascend, so the answer only ever moves on to the next neighbours
                while (Math.abs(value) > reference.largest[magnitude]) {
                    magnitude++;
                }
                expected = sign | magnitude;
            }
            int single = dtype == DType.F16 ? TypedCasts.toF16(value) : TypedCasts.toBf16(value);
            if ((short) expected != single
                    || bulk[i] != single
                    || fromSegment[i] != single
                    || toNative[i] != single
                    || nativeToNative[i] != single) {
                wrong++;
            }
        }
        return wrong;
    }
}
