package io.devicearena.kernels.tile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.devicearena.kernels.step.StepTrial;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Vectors and plain loops both give the sums of products, which are off by at most n u of their magnitudes. */
class TilesTest {
    static Stream<Arguments> tilesAndSeeds() {
        return Stream.of(PlainTiles.TILES, Tiles.best())
                .flatMap(tiles -> Stream.of(1, 2, 3, 4, 5).map(seed -> Arguments.of(tiles, seed)));
    }

    @ParameterizedTest(name = "{0}, seed {1}")
    @MethodSource("tilesAndSeeds")
    void sums_anyDepth_areThoseOfProducts(Tiles tiles, int seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int depth = random.nextInt(1, 40);
        int[] offsets = random.ints(depth, 0, 100).toArray();
        float[] left = StepTrial.random(Tiles.ROWS * depth + 1, seed);
        float[] right = StepTrial.random(500, seed + 10);
        int count = tiles.columns() * random.nextInt(1, 8);
        float[] row = new float[count + 3];
        float[] rows = new float[Tiles.ROWS * count];
        tiles.row(left, 1, right, 7, offsets, row, 2, count);
        for (int c = 0; c < count; c += tiles.columns()) {
            tiles.rows(left, 1, right, 7 + c, offsets, rows, c, count);
        }
        for (int c = 0; c < count; c++) {
            check(row[2 + c], left, 1, 1, right, 7 + c, offsets);
            for (int r = 0; r < Tiles.ROWS; r++) {
                check(rows[r * count + c], left, 1 + r, Tiles.ROWS, right, 7 + c, offsets);
            }
        }
        assertThat(Arrays.asList(row[0], row[1], row[count + 2])).containsOnly(0f);
    }

    private static void check(float got, float[] left, int at, int step, float[] right, int column, int[] offsets) {
        double sum = 0;
        for (int k = 0; k < offsets.length; k++) {
            sum += (double) left[at + k * step] * right[column + offsets[k]];
        }
        assertThat((double) got).isCloseTo(sum, within(offsets.length * 0x1p-23));
    }
}
