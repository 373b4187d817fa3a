package io.devicearena.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.DType;
import io.devicearena.conformance.oracle.Casts;
import java.lang.foreign.MemorySegment;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.BitSet;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The kit's oracle is held to one that counts, and that to the table, to the JDK's casts and to exact fractions. */
class CastOracleTest {
    @Test
    void oracleOfTheKitAgrees() {
        for (CastOracle oracle : CastOracle.values()) {
            DType dtype = oracle == CastOracle.F16 ? DType.F16 : DType.BF16;
            int[] bits = IntStream.concat(Arrays.stream(Casts.beside(dtype)), new SplittableRandom(3).ints(1_000_000))
                    .toArray();
            short[] narrow = new short[bits.length];
            for (int i = 0; i < bits.length; i++) {
                narrow[i] = (short) oracle.narrow(bits[i]);
            }
            MemorySegment encoded = Casts.encoded(dtype, MemorySegment.ofArray(bits), bits.length);
            assertThat(encoded.mismatch(MemorySegment.ofArray(narrow))).isNegative();
            int[] wide = IntStream.range(0, 1 << 16).map(oracle::widen).toArray();
            MemorySegment decoded = Casts.decoded(dtype, Casts.patterns());
            assertThat(decoded.mismatch(MemorySegment.ofArray(wide))).isNegative();
        }
    }

    /** Where rounding changes its mind: half way between neighbours, of both signs. */
    @Test
    void everyTieIsAmongTheFloatsThatTheKitWrites() {
        for (CastOracle oracle : CastOracle.values()) {
            DType dtype = oracle == CastOracle.F16 ? DType.F16 : DType.BF16;
            BitSet beside = new BitSet();
            Arrays.stream(Casts.beside(dtype)).filter(bits -> bits >= 0).forEach(beside::set);
            assertThat(IntStream.range(0, oracle.infinity)
                            .map(pattern -> Float.floatToRawIntBits(oracle.tieAbove(pattern)))
                            .filter(tie -> !beside.get(tie) || !beside.get(tie - 1) || !beside.get(tie + 1)))
                    .isEmpty();
        }
    }

    @Test
    void givesTheRowsOfTheTable() {
        assertThat(CastTable.DOWN).hasSizeGreaterThan(40).allSatisfy(row -> {
            assertThat(CastOracle.F16.narrow(row.f32())).isEqualTo(row.f16());
            assertThat(CastOracle.BF16.narrow(row.f32())).isEqualTo(row.bf16());
        });
    }

    @Test
    void agreesWithTheJdkOnF16() {
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 1_000_000; i++) {
            // three of four among the numbers that f16 has
            int bits = i % 4 == 0 ? random.nextInt() : random.nextInt(0x33000000, 0x47800000);
            float value = Float.intBitsToFloat(bits);
            if (!Float.isNaN(value)) {
                assertThat((short) CastOracle.F16.narrow(bits)).isEqualTo(Float.floatToFloat16(value));
            }
        }
    }

    @Test
    void roundsToTheNearestByExactFractions() {
        SplittableRandom random = new SplittableRandom(2);
        for (CastOracle oracle : CastOracle.values()) {
            for (int i = 0; i < 20_000; i++) {
                float value = Math.abs(Float.intBitsToFloat(random.nextInt(0x7F000000)));
                int pattern = oracle.narrow(Float.floatToRawIntBits(value));
                if (pattern < oracle.infinity) {
                    BigDecimal distance = distance(oracle, pattern, value);
                    assertThat(distance).isLessThanOrEqualTo(distance(oracle, pattern + 1, value));
                    if (pattern > 0) {
                        assertThat(distance).isLessThanOrEqualTo(distance(oracle, pattern - 1, value));
                    }
                }
            }
        }
    }

    private static BigDecimal distance(CastOracle oracle, int pattern, float value) {
        return new BigDecimal(oracle.value(pattern))
                .subtract(new BigDecimal(value))
                .abs();
    }
}
