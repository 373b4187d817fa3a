package io.devicearena.conformance.topics;

import static io.devicearena.conformance.oracle.ExamplePlan.NODE_1;

import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.conformance.oracle.CastOracle;
import io.devicearena.conformance.oracle.CastTable;
import io.devicearena.conformance.oracle.Casts;
import io.devicearena.conformance.oracle.Check;
import io.devicearena.conformance.oracle.ExamplePlan;
import io.devicearena.conformance.oracle.TestData;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Group 3, second part: casts, seen through the arena. Bits are compared, never values, so that the sign of a zero and
 * the payload of a NaN count. What must come out is said by the specification's table and by an oracle that counts
 * units in the last place; {@link Float#floatToFloat16} is the second opinion for F16.
 *
 * <p>Every place where rounding changes its mind is tested: for each pair of neighbouring numbers of a type the float
 * half way between them and the floats just below and above it.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public interface CastConformance extends ConformanceTopic {
    /** F32 is a copy; catches arithmetic that quiets NaNs or flushes subnormals. */
    @Test
    default void required_3_7_f32IsMovedBitForBit() {
        int[] bits = CastTable.DOWN.stream().mapToInt(CastTable.Row::f32).toArray();
        try (DeviceArena arena = open(ExamplePlan.node1(bits.length * 4L))) {
            arena.writeInputF32(NODE_1, DType.F32, MemorySegment.ofArray(bits));
            CastCheck.read("row", arena, DType.F32, bits, bits);
        }
    }

    /** Catches truncation, ties away from zero, clamping, flushed subnormals, and a lost sign of zero. */
    @Test
    default void required_3_8_numbersRoundToTheNearestTiesToEven() {
        for (CastOracle oracle : CastOracle.values()) {
            CastCheck.around("float beside a tie", this, oracle, oracle.smallestNormal, oracle.infinity - 1);
            CastCheck.around("float among the subnormals", this, oracle, 1, oracle.smallestNormal);
            CastCheck.rows(this, oracle, row -> !Float.isNaN(Float.intBitsToFloat(row.f32())));
            CastCheck.readPatterns("zero", this, oracle, new int[] {0x0000, 0x8000});
        }
    }

    /** Catches a NaN cut to an infinity, and one that rounding carries into a number. */
    @Test
    default void required_3_9_nanStaysAQuietNan() {
        for (CastOracle oracle : CastOracle.values()) {
            CastCheck.rows(this, oracle, row -> Float.isNaN(Float.intBitsToFloat(row.f32())));
            int[] nans = IntStream.range(1, 1 << 12)
                    .map(i -> 0x7F800000 + (i << 11) - (i & 1))
                    .toArray();
            CastCheck.write(
                    "NaN",
                    this,
                    oracle,
                    nans,
                    Arrays.stream(nans).map(oracle::narrow).toArray());
        }
    }

    /** Covers both types as a whole; {@code Float.float16ToFloat} is the second opinion for numbers. */
    @Test
    default void required_3_10_everyPatternReadsExactly() {
        int[] patterns = IntStream.range(0, 1 << 16).toArray();
        for (int pattern : patterns) {
            float second = Float.float16ToFloat((short) pattern);
            if (!Float.isNaN(second)) {
                Check.same("oracle for F16 " + pattern, Float.floatToRawIntBits(second), CastOracle.F16.widen(pattern));
            }
        }
        for (CastOracle oracle : CastOracle.values()) {
            CastCheck.readPatterns("pattern", this, oracle, patterns);
            int[] wide = Arrays.stream(patterns).map(oracle::widen).toArray();
            int[] back = Arrays.stream(wide).map(oracle::narrow).toArray();
            CastCheck.write("pattern, widened to", this, oracle, wide, back);
        }
    }

    /** Fast casts work in blocks; catches wrong first and last elements of a block. */
    @Test
    default void required_3_11_everyLengthAndPlaceCastsAlike() {
        int places = 8;
        int most = 67;
        float[] data = TestData.floats(TestData.random(410), most + places, 64);
        MemorySegment all = MemorySegment.ofArray(data);
        try (DeviceArena arena = open(ExamplePlan.node1(most * 4L))) {
            for (DType dtype : TestData.HOST_FLOATS) {
                byte[] alone = Casts.encoded(dtype, data);
                float[] back = Casts.decoded(dtype, alone);
                for (int length = 0; length <= most; length++) {
                    for (int place = 0; place < places; place++) {
                        String what = length + " elements of " + dtype + " from place " + place + " on";
                        arena.writeInputF32(NODE_1, dtype, all.asSlice(place * 4L, length * 4L));
                        byte[] expected =
                                Arrays.copyOfRange(alone, place * dtype.bytes(), (place + length) * dtype.bytes());
                        Check.holds(what + ", written", arena, 0, expected);
                        float[] into = new float[most + places];
                        arena.readOutputF32(
                                NODE_1, dtype, MemorySegment.ofArray(into).asSlice(place * 4L, length * 4L));
                        float[] read = new float[most + places];
                        System.arraycopy(back, place, read, place, length);
                        Check.same(what + ", read", read, into);
                    }
                }
            }
        }
    }
}
