package io.devicearena.kernels.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.kernels.packed.RowTile;
import io.devicearena.weights.tensor.TensorType;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Words of eight small numbers hold what the elements are that are unpacked one by one. */
class RowTileTest {
    private static final int COLUMNS = 512;

    @ParameterizedTest(name = "{0}")
    @EnumSource(names = {"Q8_0", "Q4_0", "Q4_1", "Q5_0", "Q4_K", "Q5_K", "Q6_K"})
    void copyRow_ofATile_givesTheElementsOfTheRow(TensorType type) {
        PackedWeights weights = PackedWeights.of(type, 7, COLUMNS, 42);
        MemorySegment bytes = MemorySegment.ofArray(weights.bytes);
        RowTile tile = new RowTile();
        tile.load(type, bytes, 3 * type.rowBytes(COLUMNS), 4, COLUMNS);
        tile.load(type, bytes, 2 * type.rowBytes(COLUMNS), 5, COLUMNS);
        float[] expected = new float[COLUMNS];
        float[] actual = new float[COLUMNS];
        for (int r = 0; r < 5; r++) {
            type.decode(bytes, (r + 2) * type.rowBytes(COLUMNS), COLUMNS, expected, 0);
            tile.copyRow(r, actual);
            assertThat(actual).as("row %d", r + 2).isEqualTo(expected);
        }
    }
}
