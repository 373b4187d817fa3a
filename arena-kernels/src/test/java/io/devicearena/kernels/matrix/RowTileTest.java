package io.devicearena.kernels.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.kernels.packed.BlockFormat;
import io.devicearena.kernels.packed.RowTile;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Words of eight small numbers hold what the elements are that are unpacked one by one. */
class RowTileTest {
    private static final int COLUMNS = 512;

    @ParameterizedTest(name = "{0}")
    @EnumSource(BlockFormat.class)
    void copyRow_ofATile_givesTheElementsOfTheRow(BlockFormat blocks) {
        WeightFormat format = WeightFormat.valueOf(blocks.name());
        PackedWeights weights = new PackedWeights(format, 7, COLUMNS, 42);
        MemorySegment bytes = MemorySegment.ofArray(weights.bytes);
        RowTile tile = new RowTile();
        tile.load(blocks, bytes, 3 * format.rowBytes(COLUMNS), 4, COLUMNS);
        tile.load(blocks, bytes, 2 * format.rowBytes(COLUMNS), 5, COLUMNS);
        float[] expected = new float[COLUMNS];
        float[] actual = new float[COLUMNS];
        for (int r = 0; r < 5; r++) {
            WeightRows.unpack(format, bytes, (r + 2) * format.rowBytes(COLUMNS), COLUMNS, expected, 0);
            tile.copyRow(r, actual);
            assertThat(actual).as("row %d", r + 2).isEqualTo(expected);
        }
    }
}
