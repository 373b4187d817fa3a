package io.devicearena.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.conformance.oracle.CastOracle;
import io.devicearena.conformance.oracle.CastTable;
import java.math.BigDecimal;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The oracle is held to the table, to the JDK's own f16 casts, and to exact fractions. */
class CastOracleTest {
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
