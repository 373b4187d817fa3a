package io.devicearena.kernels.matrix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.abort;

import io.devicearena.kernels.packed.DirectRows;
import io.devicearena.kernels.step.StepTrial;
import io.devicearena.weights.tensor.TensorType;
import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.FloatVector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Rows that are multiplied as they are packed give the sums of double precision, within the roundings of f32. */
class DirectRowsTest {
    private static final int ROWS = 7;
    private static final int COLUMNS = 768;

    @ParameterizedTest(name = "{0}")
    @EnumSource(names = {"Q8_0", "Q4_1", "Q5_0", "Q4_K", "Q6_K"})
    void multiply_packedRows_givesTheSumsOfTheirElements(TensorType type) {
        int floats = FloatVector.SPECIES_PREFERRED.length();
        if (floats != 8 && floats != 16) {
            assertThat(DirectRows.of(type)).isEmpty();
            abort("products are not multiplied: expected vectors of 8 or 16 floats, this processor has " + floats);
        }
        PackedWeights weights = PackedWeights.of(type, ROWS, COLUMNS, 42);
        MemorySegment bytes = MemorySegment.ofArray(weights.bytes);
        float[] x = StepTrial.random(COLUMNS, 7);
        float[] products = new float[ROWS - 2];
        DirectRows rows = DirectRows.of(type).orElseThrow();
        int blocks = COLUMNS / type.blockElements();
        for (int r = 0; r < products.length; r++) {
            products[r] = rows.multiply(bytes, (r + 2) * type.rowBytes(COLUMNS), blocks, x);
            double expected = 0;
            double magnitude = 0;
            for (int c = 0; c < COLUMNS; c++) {
                expected += weights.element(r + 2, c) * x[c];
                magnitude += weights.magnitude(r + 2, c) * Math.abs(x[c]);
            }
            // a product takes part in at most this many roundings: those of its lane, its scale and the last sum
            double roundings = COLUMNS / 8.0 + 8;
            assertThat((double) products[r])
                    .as("row %d", r + 2)
                    .isCloseTo(expected, within(roundings * 0x1p-24 * magnitude));
        }
    }

    @Test
    void of_aTypeWithoutThem_isEmpty() {
        assertThat(DirectRows.of(TensorType.Q4_0)).isEmpty();
        assertThat(DirectRows.of(TensorType.Q5_K)).isEmpty();
    }
}
