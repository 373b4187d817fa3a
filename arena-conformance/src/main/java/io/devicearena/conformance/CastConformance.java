package io.devicearena.conformance;

import static io.devicearena.conformance.ExamplePlan.NODE_1;

import io.devicearena.DType;
import io.devicearena.DeviceArena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Group 4: casts, seen through the arena. Bits are compared, never values, so that the sign of a zero and the payload
 * of a NaN count. What must come out is said by the specification's table and by an oracle that counts units in the
 * last place; {@link Float#floatToFloat16} is the second opinion for F16.
 *
 * <p>Every place where rounding changes its mind is tested: for each pair of neighbouring numbers of a type the float
 * half way between them and the floats just below and above it.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public interface CastConformance extends ConformanceTopic {
    /** F32 is a copy; catches arithmetic that quiets NaNs or flushes subnormals. */
    @Test
    default void required_4_1_f32IsMovedBitForBit() {
        int[] bits = CastTable.DOWN.stream().mapToInt(CastTable.Row::f32).toArray();
        try (DeviceArena arena = open(ExamplePlan.node1(bits.length * 4L))) {
            arena.writeInputF32(NODE_1, DType.F32, MemorySegment.ofArray(bits));
            CastCheck.read("row", arena, DType.F32, bits, bits);
        }
    }

    /** Catches rounding half away from zero, and adding half without checking the last bit. */
    @Test
    default void required_4_2_tiesRoundToEven() {
        for (CastOracle oracle : CastOracle.values()) {
            // all ties between normal numbers, with both signs
            int[] ties = CastCheck.bothSigns(IntStream.range(oracle.smallestNormal, oracle.infinity - 1)
                    .map(pattern -> Float.floatToRawIntBits(oracle.tieAbove(pattern))));
            int[] even = CastCheck.bothPatternSigns(IntStream.range(oracle.smallestNormal, oracle.infinity - 1)
                    .map(pattern -> pattern + (pattern & 1)));
            CastCheck.write("tie", this, oracle, ties, even);
        }
    }

    /** Catches truncation and rounding towards zero, above all a BF16 made by dropping 16 bits. */
    @Test
    default void required_4_3_roundingGoesToTheNearest() {
        CastCheck.rows(this, 0x3EAAAAAB, 0x3F800FFF, 0x3F801001, 0x3F807FFF, 0x3F808001);
        for (CastOracle oracle : CastOracle.values()) {
            IntStream normal = IntStream.range(oracle.smallestNormal, oracle.infinity - 1);
            int[] near = CastCheck.bothSigns(normal.flatMap(pattern -> CastCheck.aroundTie(oracle, pattern)));
            normal = IntStream.range(oracle.smallestNormal, oracle.infinity - 1);
            int[] nearest = CastCheck.bothPatternSigns(normal.flatMap(pattern -> IntStream.of(pattern, pattern + 1)));
            CastCheck.write("float beside a tie", this, oracle, near, nearest);
        }
    }

    /** Catches clamping to the largest number, and exponents that wrap around. */
    @Test
    default void required_4_4_overflowBecomesInfinity() {
        CastCheck.rows(
                this,
                0x477FE000,
                0x477FEFFF,
                0x477FF000,
                0xC77FF000,
                0x7F7F0000,
                0x7F7F7FFF,
                0x7F7F8000,
                0xFF7F8000,
                0x7F7FFFFF,
                0x7F800000,
                0xFF800000);
    }

    /** Catches hardware and compilers that flush subnormals to zero. */
    @Test
    default void required_4_5_subnormalsAreKept() {
        for (CastOracle oracle : CastOracle.values()) {
            // from the first that is not rounded to zero: zeros are the next clause's
            IntStream subnormal = IntStream.range(1, oracle.smallestNormal);
            int[] around = subnormal
                    .flatMap(pattern -> IntStream.concat(
                            IntStream.of(Float.floatToRawIntBits((float) oracle.value(pattern))),
                            IntStream.concat(
                                    IntStream.of(Float.floatToRawIntBits(oracle.tieAbove(pattern))),
                                    CastCheck.aroundTie(oracle, pattern))))
                    .toArray();
            int[] expected = IntStream.range(1, oracle.smallestNormal)
                    .flatMap(pattern -> IntStream.of(pattern, pattern + (pattern & 1), pattern, pattern + 1))
                    .toArray();
            CastCheck.write("float among the subnormals", this, oracle, around, expected);

            int[] patterns = IntStream.range(1, oracle.smallestNormal).toArray();
            CastCheck.readPatterns("subnormal", this, oracle, patterns);
        }
    }

    /** A plain comparison does not see the sign of a zero. */
    @Test
    default void required_4_6_zerosKeepTheirSign() {
        CastCheck.rows(this, 0x00000000, 0x80000000, 0xB3000000, 0x80000001);
        for (CastOracle oracle : CastOracle.values()) {
            CastCheck.readPatterns("zero", this, oracle, new int[] {0x0000, 0x8000});
        }
    }

    /** Catches a NaN cut to an infinity, and one that rounding carries into a number. */
    @Test
    default void required_4_7_nanStaysAQuietNan() {
        CastCheck.rows(
                this, 0x7FC00000, 0x7F800001, 0x7F802000, 0x7F810000, 0x7FA00000, 0xFFD55555, 0x7FFFFFFF, 0xFFFFFFFF);
        for (CastOracle oracle : CastOracle.values()) {
            int[] nans = IntStream.range(1, 1 << 12)
                    .map(i -> 0x7F800000 + (i << 11) - (i & 1))
                    .toArray();
            int[] expected = Arrays.stream(nans).map(oracle::narrow).toArray();
            CastCheck.write("NaN", this, oracle, nans, expected);
        }
    }

    /** Covers the whole type; {@code Float.float16ToFloat} is the second opinion for numbers. */
    @Test
    default void required_4_8_everyF16ReadsExactly() {
        for (int pattern = 0; pattern < 1 << 16; pattern++) {
            float second = Float.float16ToFloat((short) pattern);
            if (!Float.isNaN(second)) {
                Check.same("oracle for F16 " + pattern, Float.floatToRawIntBits(second), CastOracle.F16.widen(pattern));
            }
        }
        CastCheck.everyPattern(this, CastOracle.F16);
    }

    /** Covers the whole type, as 4.8 does for F16. */
    @Test
    default void required_4_9_everyBf16ReadsExactly() {
        CastCheck.everyPattern(this, CastOracle.BF16);
    }

    /** Fast casts work in blocks; catches wrong first and last elements of a block. */
    @Test
    default void required_4_10_everyLengthAndPlaceCastsAlike() {
        int places = 8;
        int most = 67;
        float[] data = TestData.floats(TestData.random(410), most + places, 64);
        MemorySegment all = MemorySegment.ofArray(data);
        try (DeviceArena arena = open(ExamplePlan.node1(most * 4L))) {
            for (DType dtype : TestData.HOST_FLOATS) {
                byte[] alone = CastCheck.encoded(dtype, data);
                float[] back = CastCheck.decoded(dtype, alone);
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

    /** A device may not use the library's casts, and no table has every case. Random data may miss a rare one. */
    @Test
    default void stochastic_4_11_randomBitsCastAsTheReferenceDoes() {
        SplittableRandom random = TestData.random(411);
        int[] bits = random.ints(Iterations.of(1 << 20)).toArray();
        for (CastOracle oracle : CastOracle.values()) {
            int[] expected = Arrays.stream(bits).map(oracle::narrow).toArray();
            CastCheck.write("random float (seed " + TestData.seed(411) + ")", this, oracle, bits, expected);
        }
    }
}
