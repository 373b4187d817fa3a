package io.devicearena.kernels.attention;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.NodeId;
import io.devicearena.kernels.step.Near;
import io.devicearena.kernels.step.StepTrial.Place;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Many rows attend to what double precision attends to, and leave their keys and values in the caches. */
class PrefillAttentionTest {
    static Stream<Arguments> cases() {
        return Arrays.stream(Place.values())
                .flatMap(place -> Stream.of(
                        // heads, key heads, elements, rows of caches, window, position, rows, valid, neighbours, normed
                        Arguments.of(place, 4, 1, 256, 80, 0, 0, 41, 41, false, true),
                        Arguments.of(place, 1, 1, 64, 40, 0, 0, 1, 1, false, false),
                        Arguments.of(place, 4, 2, 128, 100, 33, 150, 37, 35, true, true),
                        Arguments.of(place, 3, 3, 64, 200, 150, 100, 70, 70, false, false),
                        Arguments.of(place, 6, 1, 80, 60, 20, 32_768, 40, 39, false, true),
                        Arguments.of(place, 8, 8, 8, 130, 64, 30, 67, 2, true, false)));
    }

    @ParameterizedTest(name = "{0}: {1}/{2} heads of {3}, {4} rows, window {5}, position {6}, {7} rows, {8} valid")
    @MethodSource("cases")
    void validRows_areAnswered(
            Place place,
            int heads,
            int kvHeads,
            int headDim,
            int cacheRows,
            int window,
            int position,
            int rows,
            int count,
            boolean neighbours,
            boolean normed) {
        AttentionShape shape = new AttentionShape(heads, kvHeads, headDim, cacheRows, window, 0.25f);
        List<Double> divisors = neighbours ? List.of() : AttentionTrial.divisors(headDim);
        Rope rope = new Rope(1_000_000, headDim, neighbours, divisors);
        AttentionTrial data = new AttentionTrial(shape, rope, normed, rows, count, position);
        NodeId rotated = data.floats(rows * shape.queryColumns());
        NodeId out = data.floats(rows * shape.queryColumns());
        RopeAndCache store = new RopeAndCache(rotated, data.in, rows, shape, rope, data.norms);
        data.trial.run(place, List.of(store, new PrefillAttention(out, rotated, data.in, rows, shape)));

        assertRotated(data, rotated, count);
        assertCaches(data, count);
        assertAttended(data, out, count);
        int valid = count * shape.queryColumns();
        assertThat(Arrays.stream(boxed(data.trial.floatsOf(out))).skip(valid)).allMatch(x -> x == 0);
        assertThat(Arrays.stream(boxed(data.trial.floatsOf(rotated))).skip(valid))
                .allMatch(x -> x == 0);
        assertThat(store.reads()).hasSize(normed ? 8 : 6);
        assertThat(store.writes()).containsExactly(data.in.keyCache(), data.in.valueCache(), rotated);
    }

    @ParameterizedTest(name = "{0}: {1}/{2} heads of {3}, {4} rows, window {5}, position {6}, {7} rows, {8} valid")
    @MethodSource("cases")
    void inPlace_theQueriesBecomeTheAnswers(
            Place place,
            int heads,
            int kvHeads,
            int headDim,
            int cacheRows,
            int window,
            int position,
            int rows,
            int count,
            boolean neighbours,
            boolean normed) {
        AttentionShape shape = new AttentionShape(heads, kvHeads, headDim, cacheRows, window, 0.25f);
        Rope rope = new Rope(1_000_000, headDim, neighbours);
        AttentionTrial data = new AttentionTrial(shape, rope, normed, rows, count, position);
        NodeId all = data.in.queries();
        data.trial.run(
                place,
                List.of(
                        new RopeAndCache(all, data.in, rows, shape, rope, data.norms),
                        new PrefillAttention(all, all, data.in, rows, shape)));

        assertAttended(data, all, count);
    }

    private static Float[] boxed(float[] floats) {
        Float[] all = new Float[floats.length];
        Arrays.setAll(all, i -> floats[i]);
        return all;
    }

    private static void assertRotated(AttentionTrial data, NodeId rotated, int count) {
        float[] got = data.trial.floatsOf(rotated);
        AttentionShape shape = data.shape;
        for (int row = 0; row < count; row++) {
            for (int h = 0; h < shape.heads(); h++) {
                double[][] query = data.query(row, h);
                for (int c = 0; c < shape.headDim(); c++) {
                    Near.assertNear(
                            got[row * shape.queryColumns() + h * shape.headDim() + c],
                            query[0][c],
                            data.headTolerance(query[1][c]),
                            "row %d, head %d, element %d",
                            row,
                            h,
                            c);
                }
            }
        }
    }

    private static void assertCaches(AttentionTrial data, int count) {
        AttentionShape shape = data.shape;
        float[] keys = data.trial.floatsOf(data.in.keyCache());
        float[] expectedKeys = data.keyCache.clone();
        float[] expectedValues = data.valueCache.clone();
        for (int row = 0; row < count; row++) {
            for (int h = 0; h < shape.kvHeads(); h++) {
                double[][] key = data.key(row, h);
                int at = (int) shape.inCache(data.position + row, h);
                for (int c = 0; c < shape.headDim(); c++) {
                    Near.assertNear(
                            keys[at + c],
                            key[0][c],
                            data.headTolerance(key[1][c]),
                            "row %d, key head %d, element %d",
                            row,
                            h,
                            c);
                    expectedKeys[at + c] = keys[at + c];
                    expectedValues[at + c] = data.values[row * shape.keyColumns() + h * shape.headDim() + c];
                }
            }
        }
        assertThat(keys).isEqualTo(expectedKeys);
        assertThat(data.trial.floatsOf(data.in.valueCache())).isEqualTo(expectedValues);
    }

    private static void assertAttended(AttentionTrial data, NodeId out, int count) {
        float[] got = data.trial.floatsOf(out);
        AttentionShape shape = data.shape;
        for (int row = 0; row < count; row++) {
            for (int h = 0; h < shape.heads(); h++) {
                double[] expected = data.attended(row, h);
                for (int c = 0; c < shape.headDim(); c++) {
                    Near.assertNear(
                            got[row * shape.queryColumns() + h * shape.headDim() + c],
                            expected[c],
                            expected[shape.headDim()],
                            "row %d, head %d, element %d",
                            row,
                            h,
                            c);
                }
            }
        }
    }
}
