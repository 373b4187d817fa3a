package io.devicearena.kernels.product;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.devicearena.NodeId;
import io.devicearena.kernels.elementwise.Expression;
import io.devicearena.kernels.step.Near;
import io.devicearena.kernels.step.StepTrial;
import io.devicearena.kernels.step.StepTrial.Place;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Products agree with sums in f64: n products in any order are off by at most (n + 3) u of their magnitudes. */
class MatrixProductTest {
    private static final double U = 0x1p-24;

    private final StepTrial trial = new StepTrial();

    static Stream<Arguments> placesAndSeeds() {
        return Stream.of(Place.values())
                .flatMap(place ->
                        Stream.iterate(1, seed -> seed <= 16, seed -> seed + 1).map(seed -> Arguments.of(place, seed)));
    }

    private static int size(SplittableRandom random) {
        return random.nextInt(4) == 0 ? random.nextInt(1, 4) : random.nextInt(1, 150);
    }

    @ParameterizedTest(name = "{0}, seed {1}")
    @MethodSource("placesAndSeeds")
    void product_anySizeAndLayout_isTheSumOfItsProducts(Place place, int seed) {
        SplittableRandom random = new SplittableRandom(seed);
        ProductShape shape = new ProductShape(
                size(random),
                size(random),
                size(random),
                random.nextBoolean(),
                random.nextBoolean(),
                batch(random.nextInt(4)));
        float[] left = StepTrial.random((int) shape.leftElements(), seed);
        float[] right = StepTrial.random((int) shape.rightElements(), seed + 100);
        float[] bias = StepTrial.random(shape.columns(), seed + 200);
        float[] added = StepTrial.random((int) shape.outElements(), seed + 300);
        NodeId out = trial.floats(added);
        boolean isInPlace = random.nextBoolean();
        Expression biased = Expression.sum().plus(Expression.floats(trial.floats(bias), List.of((long) bias.length)));
        Expression residual = Expression.floats(out, List.of((long) added.length / bias.length, (long) bias.length));
        MatrixProduct step = new MatrixProduct(
                out,
                trial.floats(left),
                trial.floats(right),
                random.nextBoolean(),
                shape,
                (isInPlace ? biased.plus(residual) : biased).clipped(-1, 3));

        float[] got = trial.run(place, step, out).getFirst();
        for (int i = 0; i < got.length; i += 1 + got.length / 5000) {
            check(got[i], shape, left, right, i, bias[i % shape.columns()], isInPlace ? added[i] : 0);
        }
    }

    /** No axis, one that both operands have, two of which each has one, and four. */
    private static List<ProductShape.Axis> batch(int kind) {
        return switch (kind) {
            case 0 -> List.of();
            case 1 -> List.of(new ProductShape.Axis(3, 1, 1));
            case 2 -> List.of(new ProductShape.Axis(2, 1, 0), new ProductShape.Axis(3, 0, 1));
            default ->
                List.of(
                        new ProductShape.Axis(2, 1, 2),
                        new ProductShape.Axis(1, 0, 0),
                        new ProductShape.Axis(2, 0, 1),
                        new ProductShape.Axis(2, 2, 0));
        };
    }

    private static void check(
            float got, ProductShape shape, float[] left, float[] right, int i, float bias, float added) {
        int column = i % shape.columns();
        int row = i / shape.columns() % shape.rows();
        int rest = i / shape.columns() / shape.rows();
        int a = 0;
        int b = 0;
        for (ProductShape.Axis axis : shape.batch().reversed()) {
            a += rest % axis.size() * axis.leftStep() * shape.rows() * shape.depth();
            b += rest % axis.size() * axis.rightStep() * shape.depth() * shape.columns();
            rest /= axis.size();
        }
        double sum = (double) bias + added;
        double magnitude = Math.abs(bias) + Math.abs(added);
        for (int k = 0; k < shape.depth(); k++) {
            int l = shape.isLeftTransposed() ? k * shape.rows() + row : row * shape.depth() + k;
            int r = shape.isRightTransposed() ? column * shape.depth() + k : k * shape.columns() + column;
            double product = (double) left[a + l] * right[b + r];
            sum += product;
            magnitude += Math.abs(product);
        }
        Near.assertNear(
                got,
                Math.min(Math.max(sum, -1), 3),
                1.2 * (shape.depth() + 3) * U * magnitude,
                "element %d of %s",
                i,
                shape);
    }

    @Test
    void of_shapes_isTheRuleOfNumPy() {
        assertThat(ProductShape.of(List.of(5L), List.of(5L, 7L)))
                .isEqualTo(new ProductShape(1, 7, 5, false, false, List.of()));
        assertThat(ProductShape.of(List.of(2L, 3L, 5L), List.of(5L)))
                .isEqualTo(new ProductShape(6, 1, 5, false, false, List.of()));
        assertThat(ProductShape.of(List.of(2L, 1L, 4L, 5L), List.of(3L, 5L, 7L)))
                .isEqualTo(new ProductShape(
                        4,
                        7,
                        5,
                        false,
                        false,
                        List.of(new ProductShape.Axis(2, 1, 0), new ProductShape.Axis(3, 0, 1))));
        assertThat(ProductShape.of(List.of(3L, 5L, 4L), true, List.of(2L, 3L, 7L, 5L), true))
                .isEqualTo(new ProductShape(
                        4, 7, 5, true, true, List.of(new ProductShape.Axis(2, 0, 3), new ProductShape.Axis(3, 1, 1))));
    }

    @Test
    void whatDoesNotFit_isRefused() {
        NodeId a = NodeId.of(1);
        NodeId b = NodeId.of(2);
        assertThatThrownBy(() -> ProductShape.of(List.of(2L, 0L), List.of(0L, 4L)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("product: expected sizes of 1 or more, got 2 x 0 times 0 x 4");
        assertThatThrownBy(() -> ProductShape.of(List.of(2L, 3L), List.of(4L, 3L)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "product: expected as many columns of the left matrix as rows of the right one, got [2, 3] and"
                                + " [4, 3]");
        assertThatThrownBy(() -> ProductShape.of(List.of(2L, 3L, 4L), List.of(3L, 4L, 4L)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("product: expected batches that are broadcast to each other, got [2] and [3]");
        ProductShape.Axis axis = new ProductShape.Axis(1, 0, 0);
        assertThatThrownBy(() -> new ProductShape(2, 4, 3, false, false, List.of(axis, axis, axis, axis, axis)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("product: expected at most 4 axes of products, got 5");
        assertThatThrownBy(() -> new ProductShape.Axis(2, -1, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("axis of products: expected a size of 1 or more and steps of 0 or more, got 2, -1 and 0");
        ProductShape two = ProductShape.of(List.of(2L, 2L), List.of(2L, 2L));
        assertThatThrownBy(() -> new MatrixProduct(b, a, b, true, two, Expression.sum()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("matrix-product: expected another value as output than the input node 2");
        MatrixProduct square = new MatrixProduct(a, b, b, false, two, Expression.sum());
        assertThat(square.reads()).containsExactly(b);
        assertThat(square.writes()).containsExactly(a);
    }
}
