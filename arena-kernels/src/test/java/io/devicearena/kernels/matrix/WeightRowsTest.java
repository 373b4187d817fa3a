package io.devicearena.kernels.matrix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every element of every format is what the format's definition says. */
class WeightRowsTest {
    private static final int COLUMNS = 512;

    @ParameterizedTest(name = "{0}")
    @EnumSource(WeightFormat.class)
    void unpack_anyFormat_givesTheElements(WeightFormat format) {
        PackedWeights weights = new PackedWeights(format, 5, COLUMNS, 42);
        float[] row = new float[COLUMNS + 2];
        for (int r = 0; r < 5; r++) {
            WeightRows.unpack(
                    format, MemorySegment.ofArray(weights.bytes), r * format.rowBytes(COLUMNS), COLUMNS, row, 1);
            for (int c = 0; c < COLUMNS; c++) {
                assertThat((double) row[c + 1])
                        .as("row %d column %d", r, c)
                        // three operations, each rounded once
                        .isCloseTo(weights.element(r, c), Offset.offset(3 * 0x1p-24 * weights.magnitude(r, c)));
            }
        }
        assertThat(row[0]).isZero();
        assertThat(row[COLUMNS + 1]).isZero();
    }

    @Test
    void unpack_partOfABlock_isRefused() {
        assertThatThrownBy(() -> WeightRows.unpack(
                        WeightFormat.Q8_0, MemorySegment.ofArray(new byte[34]), 0, 31, new float[32], 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("columns: expected a multiple of 32 for Q8_0, got 31");
    }
}
