package io.devicearena.kernels.matrix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.devicearena.NodeId;
import io.devicearena.kernels.matrix.PackedWeights.Stored;
import io.devicearena.weights.tensor.TensorType;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every element of every type is what the type's definition says. */
class MatrixTest {
    private static final int COLUMNS = 512;
    private static final NodeId ID = NodeId.of(3);

    static List<Stored> types() {
        return Stored.all();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("types")
    void decode_anyType_givesTheElements(Stored stored) {
        PackedWeights weights = PackedWeights.of(stored, 5, COLUMNS, 42);
        float[] row = new float[COLUMNS + 1];
        for (int r = 0; r < 5; r++) {
            weights.matrix(ID).decode(MemorySegment.ofArray(weights.bytes), (long) r * COLUMNS, COLUMNS, row);
            for (int c = 0; c < COLUMNS; c++) {
                assertThat((double) row[c])
                        .as("row %d column %d", r, c)
                        // three operations, each rounded once
                        .isCloseTo(weights.element(r, c), Offset.offset(3 * 0x1p-24 * weights.magnitude(r, c)));
            }
        }
        assertThat(row[COLUMNS]).isZero();
    }

    @Test
    void whatNoKernelReads_isRefused() {
        assertThatThrownBy(() -> new Matrix(ID, TensorType.IQ2_XS, 4, 256))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("matrix node 3: expected one of [F32, F16, BF16, Q8_0, Q4_0, Q4_1, Q5_0, Q4_K, Q5_K, Q6_K],"
                        + " got IQ2_XS");
        assertThatThrownBy(() -> new Matrix(ID, TensorType.F16, 4, 256, true))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("matrix node 3: expected F32, which has a mirror, got F16");
        assertThatThrownBy(() -> new Matrix(ID, TensorType.Q8_0, 4, 31))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("matrix node 3: expected 1 or more rows, and columns that are a multiple of 32 for Q8_0,"
                        + " got 4 x 31");
    }
}
