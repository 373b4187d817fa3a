package io.devicearena.kernels.elementwise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.devicearena.NodeId;
import io.devicearena.kernels.KernelStep;
import io.devicearena.kernels.elementwise.Expression.Binary;
import io.devicearena.kernels.elementwise.Expression.Constant;
import io.devicearena.kernels.elementwise.Expression.Input;
import io.devicearena.kernels.elementwise.Expression.Select;
import io.devicearena.kernels.elementwise.Expression.Sum;
import io.devicearena.kernels.elementwise.Expression.Unary;
import io.devicearena.kernels.shape.Strided;
import io.devicearena.kernels.step.StepTrial;
import io.devicearena.kernels.step.StepTrial.Place;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class ElementwiseTest {
    // the first four values of a trial
    private static final List<Long> SHAPE = List.of(11L);
    private static final Expression X = Expression.floats(NodeId.of(0), SHAPE);
    private static final Expression Y = Expression.floats(NodeId.of(1), SHAPE);
    private static final Expression I = Expression.ints(NodeId.of(2), SHAPE);
    private static final Expression J = Expression.ints(NodeId.of(3), SHAPE);

    /**
     * Of results of at most 8: an exponential of a device with an error of 3 + 2 |x| ULP, a power with that of its
     * logarithm and exponential, and the functions within 2.4e-7.
     */
    private static final double TOLERANCE = 8 * 0x1p-20;

    private static final float[] FLOATS = {-2, -1.5f, -0.5f, -0f, 0, 0.25f, 0.5f, 1, 1.5f, 2, 2.5f};
    private static final int[] INTS = {-7, -3, -1, 0, 1, 2, 3, 10, 0, -2, 5};

    static Stream<Expression> expressions() {
        Expression positive = X.times(X).plus(Expression.of(0.25f));
        return Stream.of(
                        Stream.of(UnaryOperation.values())
                                .filter(each -> each.accepts(Expression.Type.F32))
                                .map(each -> each == UnaryOperation.LOG || each == UnaryOperation.SQRT
                                        ? positive.apply(each)
                                        : X.apply(each)),
                        Stream.of(UnaryOperation.values())
                                .filter(each -> each.accepts(Expression.Type.I32))
                                .map(I::apply),
                        Stream.of(BinaryOperation.values())
                                .filter(each -> each.accepts(Expression.Type.F32))
                                .map(each -> each == BinaryOperation.POWER
                                        ? positive.apply(each, Y)
                                        : X.apply(each, Y.plus(Expression.of(0.125f)))),
                        Stream.of(BinaryOperation.values())
                                .filter(each -> each.accepts(Expression.Type.I32))
                                .map(each -> I.apply(each, J)),
                        Stream.of(
                                X.apply(BinaryOperation.LESS, Y).select(X, Y.times(X)),
                                I.select(I, J),
                                X.clipped(-1, 1),
                                X.hardSigmoid(0.2f, 0.5f).times(X),
                                X.gelu(),
                                X.times(Expression.of(1024f)).apply(UnaryOperation.SIN),
                                X.times(Expression.of(1024f)).apply(UnaryOperation.COS),
                                X.power(2),
                                X.power(3),
                                positive.power(-0.5f),
                                positive.power(-1),
                                positive.power(0.5f),
                                X.apply(BinaryOperation.POWER, Expression.of(3f)),
                                Expression.of(0.1f).plus(X),
                                Expression.of(-5).plus(I)))
                .flatMap(each -> each);
    }

    static Stream<Arguments> placesAndExpressions() {
        return Stream.of(Place.HOST, Place.SUBGROUPS, Place.CUDA)
                .map(place -> Arguments.of(place, expressions().toList()));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("placesAndExpressions")
    void elementwise_eachOperation_isThatOfTheNumbers(Place place, List<Expression> expressions) {
        StepTrial trial = new StepTrial();
        int n = FLOATS.length;
        float[] second = new float[n];
        int[] other = new int[n];
        for (int i = 0; i < n; i++) {
            second[i] = FLOATS[i * 4 % n];
            other[i] = INTS[i * 3 % n];
        }
        assertThat(List.of(trial.floats(FLOATS), trial.floats(second), trial.ints(INTS), trial.ints(other)))
                .containsExactly(NodeId.of(0), NodeId.of(1), NodeId.of(2), NodeId.of(3));
        List<NodeId> outs =
                expressions.stream().map(_ -> trial.floats(new float[n])).toList();
        List<KernelStep> steps = new ArrayList<>();
        for (int e = 0; e < outs.size(); e++) {
            steps.add(new Elementwise(outs.get(e), SHAPE, expressions.get(e)));
        }
        trial.run(place, steps);

        for (int e = 0; e < outs.size(); e++) {
            for (int i = 0; i < n; i++) {
                double[] numbers = {FLOATS[i], second[i], INTS[i], other[i]};
                double expected = value(expressions.get(e), numbers);
                boolean isFloat = expressions.get(e).type() == Expression.Type.F32;
                double got = isFloat ? trial.floatsOf(outs.get(e))[i] : trial.intsOf(outs.get(e))[i];
                assertThat(got)
                        .as("%s of %s", expressions.get(e), Arrays.toString(numbers))
                        .isCloseTo(expected, within(isFloat ? TOLERANCE : 0));
            }
        }
    }

    /** The value of an expression in f64. */
    private static double value(Expression expression, double[] inputs) {
        return switch (expression) {
            case Input input -> inputs[(int) input.value().id().value()];
            case Sum _ -> throw new AssertionError("no sums");
            case Constant(int bits, Expression.Type type) ->
                type == Expression.Type.F32 ? Float.intBitsToFloat(bits) : bits;
            case Select select -> value(value(select.condition(), inputs) == 0 ? select.no() : select.yes(), inputs);
            case Unary unary -> value(unary.operation(), value(unary.x(), inputs));
            case Binary binary ->
                value(
                        binary.operation(),
                        value(binary.a(), inputs),
                        value(binary.b(), inputs),
                        binary.a().type() == Expression.Type.F32);
        };
    }

    private static double value(UnaryOperation operation, double x) {
        return switch (operation) {
            case ABS -> Math.abs(x);
            case NEGATE -> -x;
            case SIGN -> Math.signum(x);
            case SQRT -> Math.sqrt(x);
            case EXP -> Math.exp(x);
            case LOG -> Math.log(x);
            case SIN -> Math.sin(x);
            case COS -> Math.cos(x);
            case TANH -> Math.tanh(x);
            case SIGMOID -> 1 / (1 + Math.exp(-x));
            case ERF -> erf(x);
            case FLOOR -> Math.floor(x);
            case CEIL -> Math.ceil(x);
            case ROUND -> Math.rint(x);
            case NOT -> x == 0 ? 1 : 0;
            case TO_I32 -> (int) x;
            case TO_F32 -> x;
        };
    }

    /** By its Taylor series, which converges fast for |x| of at most 2.5. */
    private static double erf(double x) {
        double term = x;
        double sum = 0;
        for (int n = 0; n < 60; n++) {
            sum += term / (2 * n + 1);
            term *= -x * x / (n + 1);
        }
        return 2 / Math.sqrt(Math.PI) * sum;
    }

    private static double value(BinaryOperation operation, double a, double b, boolean isFloat) {
        boolean isZero = !isFloat && b == 0;
        return switch (operation) {
            case ADD -> a + b;
            case SUBTRACT -> a - b;
            case MULTIPLY -> a * b;
            case DIVIDE -> isZero ? a : isFloat ? a / b : (int) (a / b);
            case MINIMUM -> Math.min(a, b);
            case MAXIMUM -> Math.max(a, b);
            case POWER -> Math.pow(a, b);
            case REMAINDER -> isZero ? 0 : a % b;
            case MODULO -> isZero ? a : a - b * Math.floor(a / b);
            case EQUAL -> a == b ? 1 : 0;
            case LESS -> a < b ? 1 : 0;
            case LESS_OR_EQUAL -> a <= b ? 1 : 0;
            case AND -> a != 0 && b != 0 ? 1 : 0;
            case OR -> a != 0 || b != 0 ? 1 : 0;
        };
    }

    static Stream<Arguments> placesAndSeeds() {
        return Stream.of(Place.HOST, Place.SUBGROUPS, Place.CUDA)
                .flatMap(place -> Stream.of(1, 2, 3, 4, 5, 6).map(seed -> Arguments.of(place, seed)));
    }

    /** The sum of a dense input and of others that are broadcast along random dimensions; exact in f32. */
    @ParameterizedTest(name = "{0}, seed {1}")
    @MethodSource("placesAndSeeds")
    void elementwise_broadcastInputs_areRepeated(Place place, int seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<Long> shape = random.longs(random.nextInt(1, 6), 1, 9).boxed().collect(Collectors.toList());
        shape.set(0, shape.getFirst() * (seed % 2 == 0 ? 40 : 1));
        int n = (int) shape.stream().mapToLong(Long::longValue).reduce(1, (a, b) -> a * b);
        StepTrial trial = new StepTrial();
        float[] expected = new float[n];
        Expression sum = Expression.of(0.5f);
        for (int k = 0; k < 3; k++) {
            boolean isAll = k == 0;
            List<Long> own = shape.stream()
                    .skip(isAll ? 0 : random.nextInt(shape.size() + 1))
                    .map(extent -> isAll || random.nextBoolean() ? extent : 1L)
                    .toList();
            float[] floats = new float[(int) (long) own.stream().reduce(1L, (a, b) -> a * b)];
            for (int i = 0; i < floats.length; i++) {
                floats[i] = random.nextInt(-100, 100);
            }
            NodeId input = trial.floats(floats);
            sum = sum.plus(Expression.floats(input, own));
            Strided strided = Strided.dense(input, own).broadcast(shape);
            for (int i = 0; i < n; i++) {
                expected[i] += floats[at(i, shape, strided)];
            }
        }
        NodeId out = trial.floats(new float[n]);
        trial.run(place, List.of(new Elementwise(out, shape, sum)));
        for (int i = 0; i < n; i++) {
            assertThat(trial.floatsOf(out)[i]).as("element %d", i).isEqualTo(expected[i] + 0.5f);
        }
    }

    private static int at(int index, List<Long> shape, Strided value) {
        long at = value.first();
        long rest = index;
        for (int d = shape.size() - 1; d >= 0; d--) {
            at += rest % shape.get(d) * value.strides().get(d);
            rest /= shape.get(d);
        }
        return (int) at;
    }

    @ParameterizedTest
    @EnumSource(Place.class)
    void elementwise_inPlace_replacesTheInput(Place place) {
        StepTrial trial = new StepTrial();
        NodeId ints = trial.ints(1, 2, 3, 4, 5);
        NodeId sameBytes = trial.view(ints, 0, 20);
        NodeId unaligned = trial.view(ints, 12, 8);
        Expression half =
                Expression.ints(ints, List.of(5L)).apply(UnaryOperation.TO_F32).times(Expression.of(0.5f));
        Expression two = Expression.floats(unaligned, List.of(2L));
        trial.run(
                place,
                List.of(
                        new Elementwise(sameBytes, List.of(5L), half),
                        new Elementwise(unaligned, List.of(2L), two.plus(two))));

        assertThat(trial.floatsOf(ints)).containsExactly(0.5f, 1, 1.5f, 4, 5);
    }

    @Test
    void elementwise_moreOperationsThanCudaHasRoomFor_isRefused() {
        StepTrial trial = new StepTrial();
        Expression x = Expression.floats(trial.floats(1, 2), List.of(2L));
        Expression sum = x;
        for (int i = 0; i < 49; i++) {
            sum = sum.plus(x);
        }
        Elementwise step = new Elementwise(trial.floats(0, 0), List.of(2L), sum);
        assertThatThrownBy(() -> trial.run(Place.CUDA, List.of(step)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("expression of a kernel in CUDA: expected at most 7 values, 48 operations and 24 numbers,"
                        + " got 1, 49 and 0; make two steps of it");
    }

    @Test
    void withInputs_anExpressionForAValue_joinsThem() {
        Expression joined =
                X.plus(Y).withInputs(input -> input.equals(X) ? Y.times(I.apply(UnaryOperation.TO_F32)) : input);
        assertThat(joined.inputs()).containsExactly((Input) Y, (Input) I);
        assertThat(joined).isEqualTo(Y.times(I.apply(UnaryOperation.TO_F32)).plus(Y));
    }

    @Test
    void elementwise_wrongInputs_areRefused() {
        NodeId out = NodeId.of(1);
        assertThatThrownBy(
                        () -> new Elementwise(out, List.of(4L), Expression.sum().power(2)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "elementwise to node 1: expected an expression of values, got one of the sums of a convolution"
                                + " or product: Binary[operation=MULTIPLY, a=Sum[], b=Sum[]]");
        Expression reversed = new Input(new Strided(out, 3, List.of(4L), List.of(-1L)), Expression.Type.F32);
        assertThatThrownBy(() -> new Elementwise(out, List.of(4L), reversed))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "elementwise to node 1: expected an input that is read element by element, or another output,"
                                + " got strides [-1] of the output itself");
        assertThatThrownBy(() -> X.plus(I))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("ADD: expected two operands of its type, got F32 and I32");
        assertThatThrownBy(() -> I.apply(UnaryOperation.SQRT))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("SQRT: expected an operand of its type, got I32");
        assertThatThrownBy(() -> X.select(X, Y))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("select: expected a condition of I32 and two operands of one type, got F32, F32 and F32");
    }
}
