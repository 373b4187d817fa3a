package io.devicearena.kernels.matrix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.devicearena.NodeId;
import io.devicearena.kernels.activation.Activation;
import io.devicearena.kernels.matrix.PackedWeights.Stored;
import io.devicearena.kernels.step.Near;
import io.devicearena.kernels.step.StepTrial;
import io.devicearena.kernels.step.StepTrial.Place;
import io.devicearena.weights.tensor.TensorType;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every product is that of double precision, in every place and type, as far as rounding explains: a sum of n
 * products in any order is off by at most (n + k) u Σ|w x|, with u = 2⁻²⁴ and k operations before each product.
 */
class ProductsTest {
    private static final double U = 0x1p-24;

    /** Of a product whose inputs are exact: unpacking takes 3 operations. */
    private static final int EXACT_INPUT = 4;

    /** Of a product of normed rows: a sum of squares is off by n u, the root halves it, there are two norms. */
    private static final int NORMED_INPUT = 40;

    private static final float EPSILON = 1e-6f;

    private static Matrix matrix(StepTrial run, PackedWeights weights) {
        NodeId id = run.bytes(weights.bytes);
        if (weights.isMirrored) {
            run.mirror(id);
        }
        return weights.matrix(id);
    }

    private static void check(float actual, PackedWeights weights, int row, double[] x, int before) {
        double sum = 0;
        double magnitude = 0;
        for (int c = 0; c < x.length; c++) {
            sum += weights.element(row, c) * x[c];
            magnitude += weights.magnitude(row, c) * Math.abs(x[c]);
        }
        Near.assertNear(actual, sum, (x.length + before) * U * magnitude, "row %d", row);
    }

    /** Row by row, since to read one takes longer than to multiply it. */
    private static void checkAll(float[] y, PackedWeights weights, float[] x, int tokens) {
        double[][] own = widened(x, tokens);
        for (int r = 0; r < weights.rows; r++) {
            for (int t = 0; t < tokens; t++) {
                check(y[t * weights.rows + r], weights, r, own[t], EXACT_INPUT);
            }
        }
    }

    private static double[][] widened(float[] all, int rows) {
        double[][] wide = new double[rows][];
        Arrays.setAll(wide, row -> widened(all, row, all.length / rows));
        return wide;
    }

    private static double[] widened(float[] all, int row, int columns) {
        double[] wide = new double[columns];
        Arrays.setAll(wide, c -> all[row * columns + c]);
        return wide;
    }

    private static double[] rms(double[] row, float[] norm) {
        double mean = Arrays.stream(row).map(v -> v * v).sum() / row.length;
        double[] normed = new double[row.length];
        Arrays.setAll(normed, c -> row[c] / Math.sqrt(mean + EPSILON) * norm[c]);
        return normed;
    }

    /** Each case in each place; the places follow one another, which have their weights in common. */
    private static Stream<Arguments> everywhere(Stream<Arguments> cases) {
        return cases.flatMap(rest -> Arrays.stream(Place.values())
                .map(place -> Arguments.of(Stream.concat(Stream.of(place), Arrays.stream(rest.get()))
                        .toArray())));
    }

    static Stream<Arguments> shapes() {
        return everywhere(Stored.all().stream()
                .flatMap(stored -> Stream.of(
                        Arguments.of(stored, 1, 67, 768),
                        Arguments.of(stored, 1, 1_035, 2_304),
                        Arguments.of(stored, 3, 5, 2304),
                        Arguments.of(stored, 37, 70, 256))));
    }

    @ParameterizedTest(name = "{0} {1}: {2} tokens, {3} x {4}")
    @MethodSource("shapes")
    void product_isThatOfDoublePrecision(Place place, Stored stored, int tokens, int rows, int columns) {
        PackedWeights weights = PackedWeights.of(stored, rows, columns, 7);
        float[] x = StepTrial.random(tokens * columns, 8);
        StepTrial run = new StepTrial();
        Matrix matrix = matrix(run, weights);
        NodeId in = run.floats(x);
        NodeId out = run.floats(new float[tokens * rows]);
        float[] y =
                run.run(place, new Product(out, in, matrix, tokens, null), out).getFirst();
        checkAll(y, weights, x, tokens);
    }

    static Stream<Arguments> unusualShapes() {
        return everywhere(Stream.of(
                Arguments.of(TensorType.Q8_0, 8_201, 96),
                Arguments.of(TensorType.Q5_0, 8_201, 640),
                Arguments.of(TensorType.Q6_K, 8_201, 768),
                Arguments.of(TensorType.Q4_K, 37, 2_048),
                Arguments.of(TensorType.Q4_K, 1_024, 2_048),
                Arguments.of(TensorType.Q5_0, 4_231, 2_080),
                Arguments.of(TensorType.Q8_0, 1_025, 16_416),
                Arguments.of(TensorType.Q8_0, 9, 8_192)));
    }

    /** Many rows, and few long ones, are shared out in ways of their own. */
    @ParameterizedTest(name = "{0} {1}: {2} x {3}")
    @MethodSource("unusualShapes")
    void product_ofManyRowsOrFewLongOnes_isThatOfDoublePrecision(Place place, TensorType type, int rows, int columns) {
        PackedWeights weights = PackedWeights.of(type, rows, columns, 7);
        float[] x = StepTrial.random(columns, 8);
        StepTrial run = new StepTrial();
        Matrix matrix = weights.matrix(run.bytes(weights.bytes));
        NodeId in = run.floats(x);
        NodeId out = run.floats(new float[rows]);
        float[] y = run.run(place, new Product(out, in, matrix, 1, null), out).getFirst();
        double[] own = widened(x, 0, columns);
        for (int r = 0; r < rows; r++) {
            check(y[r], weights, r, own, EXACT_INPUT);
        }
    }

    static Stream<Arguments> roundedShapes() {
        return shapes().filter(shape ->
                shape.get()[0] != Place.CUDA && Product.multipliesRounded(((Stored) shape.get()[1]).type()));
    }

    /** The input is off by at most half a step, the 254th part of the largest of its block. */
    @ParameterizedTest(name = "{0} {1}: {2} tokens, {3} x {4}")
    @MethodSource("roundedShapes")
    void roundedProduct_isOffByHalfAStepOfEachElement(Place place, Stored stored, int tokens, int rows, int columns) {
        PackedWeights weights = PackedWeights.of(stored, rows, columns, 7);
        float[] x = StepTrial.random(tokens * columns, 8);
        Arrays.fill(x, 32, 64, 0);
        float[] y = rounded(place, weights, x, tokens);
        double[][] own = widened(x, tokens);
        double[][] largest = new double[tokens][columns];
        for (int t = 0; t < tokens; t++) {
            double[] row = own[t];
            double[] most = largest[t];
            Arrays.setAll(most, c -> c % 32 == 0 ? largestOfBlock(row, c) : most[c - 1]);
        }
        for (int r = 0; r < rows; r++) {
            for (int t = 0; t < tokens; t++) {
                double sum = 0;
                double bound = 0;
                for (int c = 0; c < columns; c++) {
                    double most = largest[t][c];
                    sum += weights.element(r, c) * own[t][c];
                    bound += Math.abs(weights.element(r, c)) * most / 254 * (1 + 1e-5)
                            + weights.magnitude(r, c) * most * (columns + EXACT_INPUT) * U;
                }
                Near.assertNear(y[t * rows + r], sum, bound, "row %d", r);
            }
        }
    }

    /** Integers of blocks whose largest is 127 are multiples of the step. */
    @ParameterizedTest(name = "{0} {1}: {2} tokens, {3} x {4}")
    @MethodSource("roundedShapes")
    void roundedProduct_multiplesOfTheStep_areExact(Place place, Stored stored, int tokens, int rows, int columns) {
        PackedWeights weights = PackedWeights.of(stored, rows, columns, 7);
        SplittableRandom random = new SplittableRandom(9);
        float[] x = new float[tokens * columns];
        for (int i = 0; i < x.length; i++) {
            x[i] = i % 32 == 31 ? -127 : random.nextInt(-127, 128);
        }
        float[] y = rounded(place, weights, x, tokens);
        checkAll(y, weights, x, tokens);
    }

    /** How much less exact a product is: half a percent, where inputs and weights have no outliers. */
    @ParameterizedTest(name = "{0}")
    @EnumSource(value = Place.class, names = "CUDA", mode = EnumSource.Mode.EXCLUDE)
    void roundedProduct_normalInput_isOffByHalfAPercent(Place place) {
        int rows = 128;
        int columns = 4096;
        PackedWeights weights = PackedWeights.of(TensorType.Q8_0, rows, columns, 7);
        float[] x = new float[columns];
        SplittableRandom random = new SplittableRandom(10);
        for (int c = 0; c < columns; c++) {
            x[c] = (float) random.nextGaussian();
        }
        float[] y = rounded(place, weights, x, 1);
        double squares = 0;
        double squaresOff = 0;
        for (int r = 0; r < rows; r++) {
            double sum = 0;
            for (int c = 0; c < columns; c++) {
                sum += weights.element(r, c) * x[c];
            }
            squares += sum * sum;
            squaresOff += (y[r] - sum) * (y[r] - sum);
        }
        assertThat(Math.sqrt(squaresOff / squares)).isBetween(0.004, 0.006);
    }

    private static float[] rounded(Place place, PackedWeights weights, float[] x, int tokens) {
        StepTrial trial = new StepTrial();
        Matrix matrix = weights.matrix(trial.bytes(weights.bytes));
        NodeId in = trial.floats(x);
        NodeId bytes = trial.bytes(new byte[(int) RoundRows.bytes(tokens, weights.columns)]);
        NodeId out = trial.floats(new float[tokens * weights.rows]);
        trial.run(
                place,
                List.of(
                        new RoundRows(bytes, in, tokens, weights.columns),
                        new Product(out, bytes, matrix, tokens, null).rounded()));
        return trial.floatsOf(out);
    }

    private static double largestOfBlock(double[] x, int c) {
        int first = c / 32 * 32;
        return Arrays.stream(x, first, first + 32).map(Math::abs).max().orElseThrow();
    }

    @ParameterizedTest
    @EnumSource(names = {"F32", "F16", "BF16", "Q4_1", "Q6_K"})
    void roundedProduct_otherWeights_areRefused(TensorType type) {
        Matrix matrix = new Matrix(NodeId.of(3), type, 4, 256);
        Product step = new Product(NodeId.of(1), NodeId.of(2), matrix, 1, null);
        assertThatThrownBy(step::rounded)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("matrix node 3: expected Q8_0, Q4_0, Q5_0, Q4_K or Q5_K for a rounded input, got " + type
                        + "; leave the input as it is");
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(Place.class)
    void product_columnsThatTilesDoNotDivide_areAllCounted(Place place) {
        PackedWeights weights = PackedWeights.of(TensorType.F32, 33, 264, 7);
        float[] x = StepTrial.random(40 * 264, 8);
        StepTrial run = new StepTrial();
        Matrix matrix = matrix(run, weights);
        NodeId in = run.floats(x);
        NodeId cursor = run.ints(0, 40, 0, 0);
        NodeId out = run.floats(new float[40 * 33]);
        float[] y =
                run.run(place, new Product(out, in, matrix, 40, cursor), out).getFirst();
        for (int i = 0; i < y.length; i++) {
            check(y[i], weights, i % 33, widened(x, i / 33, 264), EXACT_INPUT);
        }
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(Place.class)
    void product_fewValidRows_computesThem(Place place) {
        PackedWeights weights = PackedWeights.of(TensorType.Q8_0, 40, 256, 7);
        float[] x = StepTrial.random(80 * 256, 8);
        StepTrial run = new StepTrial();
        Matrix matrix = matrix(run, weights);
        NodeId in = run.floats(x);
        NodeId cursor = run.ints(100, 3, 0, 0);
        NodeId out = run.floats(new float[80 * 40]);
        float[] y =
                run.run(place, new Product(out, in, matrix, 80, cursor), out).getFirst();
        for (int i = 0; i < 3 * 40; i++) {
            check(y[i], weights, i % 40, widened(x, i / 40, 256), EXACT_INPUT);
        }
        // a square of tokens beyond the valid ones is left out
        assertThat(y[70 * 40]).isZero();
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(Place.class)
    void largeSquares_areThatOfDoublePrecision(Place place) {
        int tokens = 130;
        int rows = 128 * 64 + 3;
        PackedWeights weights = PackedWeights.of(TensorType.F16, rows, 24, 7);
        float[] x = StepTrial.random(tokens * 24, 8);
        StepTrial run = new StepTrial();
        Matrix matrix = matrix(run, weights);
        NodeId in = run.floats(x);
        NodeId out = run.floats(new float[tokens * rows]);
        float[] y =
                run.run(place, new Product(out, in, matrix, tokens, null), out).getFirst();
        for (int t = 0; t < tokens; t += 3) {
            for (int r = t % 7; r < rows; r += 7) {
                check(y[t * rows + r], weights, r, widened(x, t, 24), EXACT_INPUT);
            }
        }
    }

    static Stream<Arguments> normedShapes() {
        return everywhere(Stream.of(
                Arguments.of(1, 37, 256),
                Arguments.of(2, 37, 256),
                Arguments.of(37, 37, 256),
                Arguments.of(1, 1_031, 2_304)));
    }

    @ParameterizedTest(name = "{0}, {1} tokens, {2} x {3}")
    @MethodSource("normedShapes")
    void normedProduct_threeTypes_addsNormsAndMultiplies(Place place, int tokens, int rows, int columns) {
        PackedWeights[] weights = {
            PackedWeights.of(TensorType.Q5_0, rows, columns, 1),
            PackedWeights.of(TensorType.Q4_K, 5, columns, 2),
            PackedWeights.of(TensorType.Q8_0, 9, columns, 3)
        };
        float[] residual = StepTrial.random(tokens * columns, 4);
        float[] update = StepTrial.random(tokens * columns, 5);
        float[] norm = StepTrial.random(columns, 6);
        float[] post = StepTrial.random(columns, 7);
        StepTrial run = new StepTrial();
        NodeId joint = run.floats(new float[tokens * (rows + 5)]);
        NodeId single = run.floats(new float[tokens * 9]);
        NodeId sum = run.floats(new float[tokens * columns]);
        NormedRows normed = NormedRows.of(run.floats(residual), run.floats(norm), EPSILON, columns, tokens)
                .adding(run.floats(update), run.floats(post), sum);
        NormedProduct step = new NormedProduct(
                normed,
                List.of(
                        new ProductPart(matrix(run, weights[0]), joint, rows + 5, 0, null),
                        new ProductPart(matrix(run, weights[1]), joint, rows + 5, rows, null),
                        ProductPart.whole(matrix(run, weights[2]), single)));
        List<float[]> all = run.run(place, step, joint, single, sum);
        for (int t = 0; t < tokens; t++) {
            double[] added = rms(widened(update, t, columns), post);
            for (int c = 0; c < columns; c++) {
                added[c] += residual[t * columns + c];
                Near.assertNear(
                        all.get(2)[t * columns + c],
                        added[c],
                        (columns + NORMED_INPUT) * U * (Math.abs(added[c]) + 2),
                        "column %d",
                        c);
            }
            double[] x = rms(added, norm);
            for (int r = 0; r < rows; r++) {
                check(all.get(0)[t * (rows + 5) + r], weights[0], r, x, columns + NORMED_INPUT);
            }
            for (int r = 0; r < 5; r++) {
                check(all.get(0)[t * (rows + 5) + rows + r], weights[1], r, x, columns + NORMED_INPUT);
            }
            for (int r = 0; r < 9; r++) {
                check(all.get(1)[t * 9 + r], weights[2], r, x, columns + NORMED_INPUT);
            }
        }
        assertThat(step.reads()).hasSize(7);
        assertThat(step.writes()).containsExactly(sum, joint, single);
    }

    @ParameterizedTest(name = "{0}, {1} tokens, {2} x {3}")
    @MethodSource("normedShapes")
    void normedProduct_someWithBiases_addsThem(Place place, int tokens, int rows, int columns) {
        PackedWeights[] weights = {
            PackedWeights.of(TensorType.Q4_1, rows, columns, 1), PackedWeights.of(TensorType.Q8_0, 9, columns, 2)
        };
        float[] residual = StepTrial.random(tokens * columns, 3);
        float[] norm = StepTrial.random(columns, 4);
        float[] bias = StepTrial.random(rows, 5);
        StepTrial run = new StepTrial();
        NodeId first = run.floats(new float[tokens * rows]);
        NodeId second = run.floats(new float[tokens * 9]);
        NodeId added = run.floats(bias);
        NormedProduct step = new NormedProduct(
                NormedRows.of(run.floats(residual), run.floats(norm), EPSILON, columns, tokens),
                List.of(
                        ProductPart.whole(matrix(run, weights[0]), first).withBias(added),
                        ProductPart.whole(matrix(run, weights[1]), second)));
        List<float[]> all = run.run(place, step, first, second);
        for (int t = 0; t < tokens; t++) {
            double[] x = rms(widened(residual, t, columns), norm);
            for (int r = 0; r < rows; r++) {
                // two more roundings, of numbers that are below the magnitude
                check(all.get(0)[t * rows + r] - bias[r], weights[0], r, x, columns + NORMED_INPUT);
            }
            for (int r = 0; r < 9; r++) {
                check(all.get(1)[t * 9 + r], weights[1], r, x, columns + NORMED_INPUT);
            }
        }
        assertThat(step.reads()).hasSize(5).contains(added);
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(Place.class)
    void normedProduct_fewValidRows_computesThem(Place place) {
        PackedWeights weights = PackedWeights.of(TensorType.Q8_0, 40, 256, 7);
        float[] residual = StepTrial.random(140 * 256, 8);
        float[] norm = StepTrial.random(256, 9);
        StepTrial run = new StepTrial();
        Matrix matrix = matrix(run, weights);
        NodeId normed = run.floats(new float[140 * 40]);
        NodeId gated = run.floats(new float[140 * 40]);
        NormedRows rows = NormedRows.of(run.floats(residual), run.floats(norm), EPSILON, 256, 140)
                .validOf(run.ints(100, 3, 0, 0));
        run.run(
                place,
                List.of(
                        new NormedProduct(rows, List.of(ProductPart.whole(matrix, normed))),
                        new NormedGatedProduct(gated, rows, matrix, matrix, Activation.SILU)));
        float[] y = run.floatsOf(normed);
        float[] z = run.floatsOf(gated);
        for (int i = 0; i < 3 * 40; i++) {
            double[] x = rms(widened(residual, i / 40, 256), norm);
            check(y[i], weights, i % 40, x, 256 + NORMED_INPUT);
            assertThat(z[i]).isNotZero();
        }
        // a square of tokens beyond the valid ones is left out
        assertThat(y[139 * 40]).isZero();
        assertThat(z[139 * 40]).isZero();
    }

    static Stream<Arguments> lastRows() {
        return everywhere(Stream.of(Arguments.of(70, 640), Arguments.of(1_030, 2_080)));
    }

    @ParameterizedTest(name = "{0}, {1} x {2}")
    @MethodSource("lastRows")
    void normedProduct_lastRow_multipliesOnlyThat(Place place, int count, int columns) {
        PackedWeights weights = PackedWeights.of(TensorType.Q8_0, count, columns, 1);
        float[] residual = StepTrial.random(8 * columns, 4);
        float[] update = StepTrial.random(8 * columns, 5);
        float[] norm = StepTrial.random(columns, 6);
        StepTrial run = new StepTrial();
        NodeId out = run.floats(new float[count]);
        NodeId sum = run.floats(new float[8 * columns]);
        NormedRows rows = NormedRows.of(run.floats(residual), run.floats(norm), EPSILON, columns, 8)
                .adding(run.floats(update), null, sum)
                .lastOf(run.ints(12, 6, 0, 0));
        NormedProduct step = new NormedProduct(rows, List.of(ProductPart.whole(matrix(run, weights), out)));
        float[] y = run.run(place, step, out).getFirst();
        double[] added = widened(residual, 5, columns);
        Arrays.setAll(added, c -> added[c] + update[5 * columns + c]);
        double[] x = rms(added, norm);
        for (int r = 0; r < count; r++) {
            check(y[r], weights, r, x, columns + NORMED_INPUT);
        }
    }

    static Stream<Arguments> gatedShapes() {
        return everywhere(Arrays.stream(Activation.values())
                .flatMap(function -> Stream.of(
                        Arguments.of(function, 1, 41, TensorType.Q6_K, 256),
                        Arguments.of(function, 37, 41, TensorType.Q6_K, 256),
                        Arguments.of(function, 1, 1_033, TensorType.Q5_K, 2_304))));
    }

    @ParameterizedTest(name = "{0} {1}, {2} tokens, {3} x {5} of {4}")
    @MethodSource("gatedShapes")
    void gatedProducts_areTheGateTimesTheOther(
            Place place, Activation function, int tokens, int rows, TensorType type, int columns) {
        PackedWeights gate = PackedWeights.of(type, rows, columns, 1);
        PackedWeights up = PackedWeights.of(TensorType.Q5_K, rows, columns, 2);
        float[] residual = StepTrial.random(tokens * columns, 4);
        float[] norm = StepTrial.random(columns, 6);
        StepTrial run = new StepTrial();
        NodeId out = run.floats(new float[tokens * rows]);
        NodeId in = run.floats(residual);
        Matrix gates = matrix(run, gate);
        Matrix ups = matrix(run, up);
        NormedRows normed = NormedRows.of(in, run.floats(norm), EPSILON, columns, tokens);
        float[] plain = run.run(place, new GatedProduct(out, in, gates, ups, function, tokens), out)
                .getFirst();
        float[] fused = run.run(place, new NormedGatedProduct(out, normed, gates, ups, function), out)
                .getFirst();
        double[][] x = widened(residual, tokens);
        double[][] scaled = Arrays.stream(x).map(row -> rms(row, norm)).toArray(double[][]::new);
        for (int r = 0; r < rows; r++) {
            for (int t = 0; t < tokens; t++) {
                checkGated(plain[t * rows + r], gate, up, r, x[t], function, EXACT_INPUT);
                checkGated(fused[t * rows + r], gate, up, r, scaled[t], function, columns + NORMED_INPUT);
            }
        }
    }

    /** The functions rise by at most 1.2 for each 1, and their own error is below 2e-6. */
    private static void checkGated(
            float actual, PackedWeights gate, PackedWeights up, int row, double[] x, Activation function, int before) {
        double[] sums = new double[2];
        double[] bounds = new double[2];
        for (int c = 0; c < x.length; c++) {
            sums[0] += gate.element(row, c) * x[c];
            sums[1] += up.element(row, c) * x[c];
            bounds[0] += gate.magnitude(row, c) * Math.abs(x[c]) * (x.length + before) * U;
            bounds[1] += up.magnitude(row, c) * Math.abs(x[c]) * (x.length + before) * U;
        }
        double open = function.apply((float) sums[0]);
        double openBound = 1.2 * bounds[0] + 2e-6 * (1 + Math.abs(sums[0]));
        double bound = openBound * (Math.abs(sums[1]) + bounds[1]) + Math.abs(open) * bounds[1];
        Near.assertNear(actual, open * sums[1], bound, "row %d", row);
    }

    static Stream<Arguments> splits() {
        return everywhere(Stream.of(Arguments.of(3, 3, 21), Arguments.of(16, 5, 21), Arguments.of(33, 2, 1_025)));
    }

    @ParameterizedTest(name = "{0}: {1} heads, {2} splits")
    @MethodSource("splits")
    void attentionProduct_putsTheSplitsTogether(Place place, int heads, int splits, int rows) {
        int headDim = 64;
        PackedWeights weights = PackedWeights.of(TensorType.Q8_0, rows, heads * headDim, 1);
        float[] partials = StepTrial.random(heads * splits * (headDim + 4), 4);
        double[] x = new double[heads * headDim];
        for (int h = 0; h < heads; h++) {
            double total = 0;
            for (int s = 0; s < splits; s++) {
                int at = (h * splits + s) * (headDim + 4);
                partials[at + headDim] = 10 * s - 5f * h;
                partials[at + headDim + 1] = h == 1 && s == 2 ? 0 : 1 + s;
                if (h == 1 && s == 2) {
                    partials[at + headDim] = -1e30f;
                }
                total += Math.exp(partials[at + headDim]) * partials[at + headDim + 1];
            }
            for (int c = 0; c < headDim; c++) {
                for (int s = 0; s < splits; s++) {
                    int at = (h * splits + s) * (headDim + 4);
                    x[h * headDim + c] += Math.exp(partials[at + headDim]) * partials[at + c] / total;
                }
            }
        }
        StepTrial run = new StepTrial();
        NodeId out = run.floats(new float[rows]);
        AttentionProduct step =
                new AttentionProduct(out, run.floats(partials), matrix(run, weights), heads, headDim, splits);
        float[] y = run.run(place, step, out).getFirst();
        for (int r = 0; r < rows; r++) {
            check(y[r], weights, r, x, 200);
        }
    }

    @Test
    void normedProduct_columnsThatDiffer_areRefused() {
        Matrix matrix = new Matrix(NodeId.of(3), TensorType.F32, 4, 16);
        NormedRows rows = NormedRows.of(NodeId.of(1), NodeId.of(2), EPSILON, 32, 1);
        List<ProductPart> parts = List.of(ProductPart.whole(matrix, NodeId.of(4)));
        assertThatThrownBy(() -> new NormedProduct(rows, parts))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("matrix node 3: expected 32 columns, a multiple of 8, got 16");
    }
}
