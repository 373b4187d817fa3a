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
        return Stream.of(new PlainTiles(), new PlainRow(), Tiles.best(false), Tiles.best(true))
                .flatMap(tiles -> Stream.of(1, 2, 3, 4, 5).map(seed -> Arguments.of(tiles, seed)));
    }

    @ParameterizedTest(name = "{0}, seed {1}")
    @MethodSource("tilesAndSeeds")
    void sums_anyDepth_areThoseOfProducts(Tiles tiles, int seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int depth = random.nextInt(1, 40);
        int[] offsets = random.ints(depth, 0, 100).toArray();
        float[] left = StepTrial.random(tiles.rows() * depth + 1, seed);
        float[] right = StepTrial.random(1000, seed + 10);
        int pitch = tiles.columns() + 3;
        float[] sums = new float[tiles.rows() * pitch + 2];
        tiles.multiply(left, 1, right, 7, offsets, sums, 2, pitch);
        for (int r = 0; r < tiles.rows(); r++) {
            for (int c = 0; c < tiles.columns(); c++) {
                check(sums[2 + r * pitch + c], left, 1 + r, tiles.rows(), right, 7 + c, offsets);
            }
            assertThat(Arrays.copyOfRange(sums, r * pitch + tiles.columns() + 2, (r + 1) * pitch + 2))
                    .containsOnly(0f);
        }
        assertThat(Arrays.asList(sums[0], sums[1])).containsOnly(0f);
    }

    private static void check(float got, float[] left, int at, int step, float[] right, int column, int[] offsets) {
        double sum = 0;
        for (int k = 0; k < offsets.length; k++) {
            sum += (double) left[at + k * step] * right[column + offsets[k]];
        }
        assertThat((double) got).isCloseTo(sum, within(offsets.length * 0x1p-23));
    }
}
