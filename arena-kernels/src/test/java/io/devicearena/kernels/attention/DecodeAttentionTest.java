package io.devicearena.kernels.attention;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.devicearena.NodeId;
import io.devicearena.kernels.step.Near;
import io.devicearena.kernels.step.StepTrial.Place;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** One row attends to what double precision attends to, and leaves its key and value in the caches. */
class DecodeAttentionTest {
    static Stream<Arguments> cases() {
        return Arrays.stream(Place.values())
                .flatMap(place -> Stream.of(
                        // heads, key heads, elements, rows of caches, window, position, splits, neighbours, normed
                        Arguments.of(place, 1, 1, 64, 40, 0, 0, 1, false, true),
                        Arguments.of(place, 4, 1, 256, 40, 33, 100, 2, false, true),
                        Arguments.of(place, 4, 1, 256, 300, 0, 299, 16, false, true),
                        Arguments.of(place, 4, 2, 128, 200, 0, 130, 3, true, false),
                        Arguments.of(place, 3, 3, 64, 64, 20, 10, 4, false, false),
                        Arguments.of(place, 16, 1, 128, 90, 0, 70, 2, true, true),
                        Arguments.of(place, 10, 2, 80, 70, 50, 32_773, 3, false, true),
                        Arguments.of(place, 2, 2, 8, 40, 40, 63, 2, true, false)));
    }

    @ParameterizedTest(name = "{0}: {1}/{2} heads of {3}, {4} rows, window {5}, position {6}, {7} splits")
    @MethodSource("cases")
    void splits_putTogether_areTheAttention(
            Place place,
            int heads,
            int kvHeads,
            int headDim,
            int cacheRows,
            int window,
            int position,
            int splits,
            boolean neighbours,
            boolean normed) {
        AttentionShape shape = new AttentionShape(heads, kvHeads, headDim, cacheRows, window, 0.25f);
        List<Double> divisors = neighbours ? AttentionTrial.divisors(headDim) : List.of();
        Rope rope = new Rope(10_000, headDim, neighbours, divisors);
        AttentionTrial data = new AttentionTrial(shape, rope, normed, 1, 1, position);
        int size = headDim + 4;
        NodeId partials = data.floats(heads * splits * size);
        DecodeAttention step = new DecodeAttention(partials, data.in, shape, rope, data.norms, splits);
        data.trial.run(place, List.of(step));

        float[] got = data.trial.floatsOf(partials);
        for (int h = 0; h < heads; h++) {
            double[] expected = data.attended(0, h);
            double most = -3e38;
            for (int s = 0; s < splits; s++) {
                most = Math.max(most, got[(h * splits + s) * size + headDim]);
            }
            double[] sum = new double[headDim];
            double total = 0;
            for (int s = 0; s < splits; s++) {
                int at = (h * splits + s) * size;
                double share = Math.exp(got[at + headDim] - most);
                total += share * got[at + headDim + 1];
                for (int c = 0; c < headDim; c++) {
                    sum[c] += share * got[at + c];
                }
            }
            for (int c = 0; c < headDim; c++) {
                Near.assertNear(sum[c] / total, expected[c], expected[headDim], "head %d, element %d", h, c);
            }
        }
        for (int i = 0; i < heads * splits; i++) {
            int split = i % splits;
            if (IntStream.rangeClosed(shape.firstSeen(position), position)
                    .noneMatch(p -> p % cacheRows / 32 % splits == split)) {
                assertThat(Arrays.copyOfRange(got, i * size, (i + 1) * size - 4))
                        .as("split without positions")
                        .containsOnly(0);
                assertThat(got[(i + 1) * size - 4]).isEqualTo(-3e38f);
                assertThat(got[(i + 1) * size - 3]).isZero();
            }
        }
        assertCaches(data);
    }

    private static void assertCaches(AttentionTrial data) {
        AttentionShape shape = data.shape;
        float[] keys = data.trial.floatsOf(data.in.keyCache());
        float[] values = data.trial.floatsOf(data.in.valueCache());
        float[] otherKeys = data.keyCache.clone();
        float[] otherValues = data.valueCache.clone();
        for (int h = 0; h < shape.kvHeads(); h++) {
            double[][] key = data.key(0, h);
            int at = (int) shape.inCache(data.position, h);
            for (int c = 0; c < shape.headDim(); c++) {
                Near.assertNear(
                        keys[at + c], key[0][c], data.headTolerance(key[1][c]), "key head %d, element %d", h, c);
                otherKeys[at + c] = keys[at + c];
                otherValues[at + c] = data.values[h * shape.headDim() + c];
            }
        }
        assertThat(keys).isEqualTo(otherKeys);
        assertThat(values).isEqualTo(otherValues);
    }

    @Test
    void step_itsValues_areThoseOfThePlan() {
        AttentionShape shape = new AttentionShape(2, 1, 64, 10, 0, 1);
        Rope rope = new Rope(10_000, 64, false);
        AttentionTrial data = new AttentionTrial(shape, rope, true, 1, 1, 3);
        NodeId partials = data.floats(2 * 66);
        DecodeAttention step = new DecodeAttention(partials, data.in, shape, rope, data.norms, 1);

        assertThat(step.reads()).hasSize(8);
        assertThat(step.writes()).containsExactly(data.in.keyCache(), data.in.valueCache(), partials);
    }

    @Test
    void dimensions_outOfRange_areRefused() {
        assertThatThrownBy(() -> new AttentionShape(3, 2, 64, 10, 0, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("attention: expected 1 or more key heads, and query heads that are a multiple of them,"
                        + " got 2 and 3");
        assertThatThrownBy(() -> new AttentionShape(2, 2, 260, 10, 0, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("headDim: expected a multiple of 8 from 8 to 256, got 260");
        assertThatThrownBy(() -> new AttentionShape(2, 2, 64, 10, 11, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("attention: expected 1 to 1048576 rows of a cache, and a window of 0 to these,"
                        + " got 10 and 11");
        assertThatThrownBy(() -> new AttentionShape(2, 2, 64, 10, 0, Float.NaN))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("scoreScale: expected a finite number, got NaN");
        assertThatThrownBy(() -> new Rope(1, 64, false))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("base: expected a finite number above 1, got 1.0");
        assertThatThrownBy(() -> new Rope(10_000, 64, false, List.of(1.0, 2.0)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("divisors: expected none or 32, one for each pair, got 2");
        assertThatThrownBy(() -> new Rope(10_000, 8, false, List.of(1.0, 2.0, 3.0, 0.0)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("divisors: expected finite numbers of 9.765625E-4 or more, got 0.0");
        AttentionShape shape = new AttentionShape(2, 1, 64, 10, 0, 1);
        Rope rope = new Rope(10_000, 64, false);
        AttentionTrial data = new AttentionTrial(shape, rope, false, 1, 1, 3);
        NodeId partials = data.floats(2 * 66);
        Rope other = new Rope(10_000, 128, false);
        assertThatThrownBy(() -> new DecodeAttention(partials, data.in, shape, other, null, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("rope: expected heads of 64 elements, got 128");
        assertThatThrownBy(() -> new DecodeAttention(partials, data.in, shape, rope, null, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("splits: expected 1 or more, got 0");
        assertThatThrownBy(() -> new HeadNorms(partials, partials, -1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("epsilon: expected a finite number, 0 or more, got -1.0");
        assertThatThrownBy(() -> new RopeAndCache(partials, data.in, 11, shape, rope, null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("rows: expected 1 to 10, the rows of a cache, got 11");
        assertThatThrownBy(() -> new PrefillAttention(partials, partials, data.in, 0, shape))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("rows: expected 1 to 10, the rows of a cache, got 0");
    }
}
