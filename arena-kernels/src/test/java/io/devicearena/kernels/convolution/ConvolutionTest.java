package io.devicearena.kernels.convolution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.devicearena.NodeId;
import io.devicearena.kernels.elementwise.Epilogue;
import io.devicearena.kernels.elementwise.Expression;
import io.devicearena.kernels.elementwise.UnaryOperation;
import io.devicearena.kernels.step.StepTrial;
import io.devicearena.kernels.step.StepTrial.Place;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.DoubleUnaryOperator;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Convolutions agree with sums in f64: n products in any order are off by at most (n + 3) u of their magnitudes. */
class ConvolutionTest {
    private static final double U = 0x1p-24;

    /** What a function adds to the error, for values below 100. */
    private static final double FUNCTION = 5e-5;

    /** A function of sums, as an expression and in f64. */
    private record SumFunction(String name, UnaryOperator<Expression> expression, DoubleUnaryOperator exact) {}

    private static final List<SumFunction> FUNCTIONS = List.of(
            new SumFunction("none", x -> x, x -> x),
            new SumFunction("relu", x -> x.clipped(0, Float.MAX_VALUE), x -> Math.max(x, 0)),
            new SumFunction("clip", x -> x.clipped(-0.5f, 0.25f), x -> Math.clamp(x, -0.5, 0.25)),
            new SumFunction("tanh", x -> x.apply(UnaryOperation.TANH), Math::tanh),
            new SumFunction("swish", x -> x.apply(UnaryOperation.SIGMOID).times(x), x -> x / (1 + Math.exp(-x))),
            new SumFunction(
                    "hard-swish", x -> x.hardSigmoid(1 / 6f, 0.5f).times(x), x -> x * Math.clamp(x / 6 + 0.5, 0, 1)));

    private final StepTrial trial = new StepTrial();

    static Stream<Arguments> placesAndSeeds() {
        return Stream.of(Place.HOST, Place.WORKGROUP_MEMORY)
                .flatMap(place ->
                        Stream.iterate(1, seed -> seed <= 24, seed -> seed + 1).map(seed -> Arguments.of(place, seed)));
    }

    /** Sums of an image, and the magnitudes of what they add. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Sums(double[] sums, double[] magnitudes) {
        static Sums of(int elements) {
            return new Sums(new double[elements], new double[elements]);
        }

        void add(int at, double product) {
            sums[at] += product;
            magnitudes[at] += Math.abs(product);
        }
    }

    private static SlidingWindow.Axis axis(SplittableRandom random, int size, boolean isPlain) {
        return isPlain
                ? new SlidingWindow.Axis(size, 1, 0, 0, 1)
                : new SlidingWindow.Axis(
                        size,
                        random.nextInt(1, 4),
                        random.nextInt(0, size),
                        random.nextInt(0, size),
                        random.nextInt(1, 3));
    }

    /** Windows of one element, of the whole image, and of any kind. */
    private static SlidingWindow window(SplittableRandom random, ImageShape input) {
        return switch (random.nextInt(4)) {
            case 0 -> SlidingWindow.of(1, 1);
            case 1 -> SlidingWindow.of(input.height(), input.width());
            default ->
                new SlidingWindow(
                        axis(random, Math.min(random.nextInt(1, 6), (input.height() + 1) / 2), input.height() < 5),
                        axis(random, Math.min(random.nextInt(1, 6), (input.width() + 1) / 2), input.width() < 5));
        };
    }

    private static ImageShape image(SplittableRandom random, int channels) {
        return new ImageShape(
                random.nextInt(1, 3),
                channels,
                random.nextBoolean() ? 1 : random.nextInt(1, 40),
                random.nextInt(1, 60));
    }

    private Epilogue epilogue(SplittableRandom random, ImageShape output, SumFunction function) {
        Epilogue epilogue = random.nextBoolean()
                ? Epilogue.of(trial.floats(StepTrial.random(output.channels(), 5)))
                : Epilogue.NONE;
        if (random.nextBoolean()) {
            epilogue = epilogue.adding(trial.floats(StepTrial.random(output.elements(), 6)));
        }
        return epilogue.then(function.expression);
    }

    private static SumFunction function(SplittableRandom random) {
        return FUNCTIONS.get(random.nextInt(FUNCTIONS.size()));
    }

    @ParameterizedTest(name = "{0}, seed {1}")
    @MethodSource("placesAndSeeds")
    void convolution_anyShape_isTheSumOfItsProducts(Place place, int seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int groups = random.nextInt(3) == 0 ? random.nextInt(1, 9) : 1;
        boolean isDepthwise = random.nextInt(3) == 0;
        int in = groups * (isDepthwise ? 1 : random.nextInt(1, 20));
        int out = groups * (isDepthwise ? 1 : random.nextInt(1, 40));
        ImageShape input = image(random, in);
        ConvolutionShape shape = new ConvolutionShape(input, out, groups, window(random, input));
        ImageShape output = shape.output();
        float[] x = StepTrial.random(input.elements(), seed);
        float[] w = StepTrial.random(shape.weights(), seed + 100);
        NodeId result = trial.floats(new float[output.elements()]);
        NodeId inputId = trial.floats(x);
        NodeId weights = trial.floats(w);
        SumFunction function = function(random);
        Epilogue epilogue = epilogue(random, output, function);
        Convolution step = new Convolution(result, inputId, weights, shape, epilogue);

        check(trial.run(place, step, result).getFirst(), sums(shape, x, w), output, epilogue, function, shape.depth());
    }

    private static Sums sums(ConvolutionShape shape, float[] x, float[] w) {
        ImageShape input = shape.input();
        ImageShape output = shape.output();
        SlidingWindow.Axis y = shape.window().y();
        SlidingWindow.Axis z = shape.window().x();
        int inGroup = input.channels() / shape.groups();
        int outGroup = shape.outChannels() / shape.groups();
        Sums all = Sums.of(output.elements());
        for (int i = 0; i < output.elements(); i++) {
            int ox = i % output.width();
            int oy = i / output.width() % output.height();
            int channel = i / output.pixels() % output.channels();
            int image = i / output.pixels() / output.channels();
            for (int k = 0; k < shape.depth(); k++) {
                int c = channel / outGroup * inGroup + k / shape.window().taps();
                int iy = oy * y.stride() + k / z.size() % y.size() * y.dilation() - y.before();
                int ix = ox * z.stride() + k % z.size() * z.dilation() - z.before();
                if (iy >= 0 && iy < input.height() && ix >= 0 && ix < input.width()) {
                    int at = ((image * input.channels() + c) * input.height() + iy) * input.width() + ix;
                    all.add(i, (double) x[at] * w[channel * shape.depth() + k]);
                }
            }
        }
        return all;
    }

    @ParameterizedTest(name = "{0}, seed {1}")
    @MethodSource("placesAndSeeds")
    void transposedConvolution_anyShape_isTheSumOfItsProducts(Place place, int seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int groups = random.nextInt(1, 4);
        ImageShape input = new ImageShape(
                random.nextInt(1, 3), groups * random.nextInt(1, 9), random.nextInt(1, 14), random.nextInt(1, 20));
        int out = groups * random.nextInt(1, 12);
        SlidingWindow.Axis y = transposedAxis(random);
        SlidingWindow.Axis x = transposedAxis(random);
        TransposedShape shape =
                new TransposedShape(input, out, groups, new SlidingWindow(y, x), more(random, y), more(random, x));
        ImageShape output = shape.output();
        float[] values = StepTrial.random(input.elements(), seed);
        float[] w = StepTrial.random(shape.weights(), seed + 100);
        NodeId result = trial.floats(new float[output.elements()]);
        SumFunction function = function(random);
        Epilogue epilogue = epilogue(random, output, function);
        TransposedConvolution step =
                new TransposedConvolution(result, trial.floats(values), trial.floats(w), shape, epilogue);

        int depth = input.channels() / groups * shape.window().taps();
        check(trial.run(place, step, result).getFirst(), sums(shape, values, w), output, epilogue, function, depth);
    }

    private static SlidingWindow.Axis transposedAxis(SplittableRandom random) {
        int size = random.nextInt(1, 5);
        int before = random.nextInt(0, size);
        return new SlidingWindow.Axis(
                size, random.nextInt(1, 4), before, random.nextInt(0, size - before), random.nextInt(1, 3));
    }

    private static int more(SplittableRandom random, SlidingWindow.Axis axis) {
        return random.nextInt(0, Math.max(axis.stride(), axis.dilation()));
    }

    private static Sums sums(TransposedShape shape, float[] x, float[] w) {
        ImageShape input = shape.input();
        ImageShape output = shape.output();
        SlidingWindow.Axis y = shape.window().y();
        SlidingWindow.Axis z = shape.window().x();
        int taps = shape.window().taps();
        int inGroup = input.channels() / shape.groups();
        int outGroup = shape.outChannels() / shape.groups();
        Sums all = Sums.of(output.elements());
        for (int i = 0; i < input.elements(); i++) {
            int iy = i / input.width() % input.height();
            int channel = i / input.pixels() % input.channels();
            int image = i / input.pixels() / input.channels();
            for (int k = 0; k < outGroup * taps; k++) {
                int oy = iy * y.stride() + k / z.size() % y.size() * y.dilation() - y.before();
                int ox = i % input.width() * z.stride() + k % z.size() * z.dilation() - z.before();
                if (oy >= 0 && oy < output.height() && ox >= 0 && ox < output.width()) {
                    int o = channel / inGroup * outGroup + k / taps;
                    int at = ((image * output.channels() + o) * output.height() + oy) * output.width() + ox;
                    all.add(at, (double) x[i] * w[channel * outGroup * taps + k]);
                }
            }
        }
        return all;
    }

    private void check(float[] got, Sums all, ImageShape output, Epilogue epilogue, SumFunction function, int depth) {
        for (int i = 0; i < got.length; i++) {
            for (Epilogue.Input input : epilogue.inputs()) {
                int channel = i / output.pixels() % output.channels();
                all.add(i, trial.floatsOf(input.id())[input.isOfChannel() ? channel : i]);
            }
            double tolerance =
                    1.2 * (depth + 3) * U * all.magnitudes[i] + (function.name.equals("none") ? 0 : FUNCTION);
            assertThat((double) got[i])
                    .as("element %d of %s, %s after %s", i, output, function.name, epilogue)
                    .isCloseTo(function.exact.applyAsDouble(all.sums[i]), within(tolerance));
        }
    }

    @Test
    void batchNormalization_foldedIntoWeights_givesTheSame() {
        float[] scale = {2, -1};
        float[] shift = {0.5f, 3};
        float[] mean = {1, -2};
        float[] variance = {4, 0.25f};
        float[] w = StepTrial.random(2 * 3, 1);
        float[] folded = w.clone();
        float[] bias = {0.5f, 1};
        new BatchNormalization(scale, shift, mean, variance, 1e-5f).foldInto(folded, 1, bias);
        float[] x = StepTrial.random(3, 2);
        for (int c = 0; c < 2; c++) {
            double before = c == 0 ? 0.5 : 1;
            double after = bias[c];
            for (int k = 0; k < 3; k++) {
                before += (double) x[k] * w[3 * c + k];
                after += (double) x[k] * folded[3 * c + k];
            }
            double expected = scale[c] * (before - mean[c]) / Math.sqrt(variance[c] + 1e-5) + shift[c];
            assertThat(after).isCloseTo(expected, within(1e-6));
        }
        float[] inner = {1, 2, 3, 4};
        new BatchNormalization(scale, shift, mean, variance, 0).foldInto(inner, 2, new float[2]);
        assertThat(inner).containsExactly(1, -4, 3, -8);
        assertThatThrownBy(
                        () -> new BatchNormalization(scale, shift, mean, variance, 0).foldInto(inner, 3, new float[2]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("batch normalisation, weights: expected a multiple of 6 numbers, got 4");
        assertThatThrownBy(() -> new BatchNormalization(scale, shift, mean, new float[3], 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("batch normalisation, variance: expected 2 numbers, got 3");
    }

    @Test
    void whatDoesNotFit_isRefused() {
        NodeId a = NodeId.of(1);
        NodeId b = NodeId.of(2);
        ImageShape input = new ImageShape(1, 4, 3, 5);
        SlidingWindow window = SlidingWindow.of(3, 3);
        ConvolutionShape shape = new ConvolutionShape(input, 2, 2, window);
        assertThatThrownBy(() -> new ImageShape(1, 0, 3, 5))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("images: expected dimensions of 1 or more, got 1 x 0 x 3 x 5");
        assertThatThrownBy(() -> new ImageShape(1024, 1024, 1024, 2))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("images: expected fewer than 2^31 elements, got 1024 x 1024 x 1024 x 2");
        assertThatThrownBy(() -> window.strides(0, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("window: expected a size, stride and dilation of 1 or more, and padding of 0 or more, got"
                        + " size 3, stride 0, dilation 1, padding 0 and 0");
        assertThatThrownBy(() -> new ConvolutionShape(input, 2, 1, window.dilations(2, 1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("window: expected at least 5 elements with padding, got 3");
        assertThatThrownBy(() -> new ConvolutionShape(input, 3, 2, window))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("convolution: expected groups that divide the channels, got 2 groups of 4 and 3 channels");
        assertThatThrownBy(() -> new Convolution(a, a, b, shape, Epilogue.NONE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("convolution: expected another value as output than the input node 1");
        assertThatThrownBy(() -> new TransposedShape(input, 2, 2, window, 0, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("transposed convolution: expected output padding of 0 to 0, got 1");
        assertThatThrownBy(() -> Epilogue.NONE.then(sum -> sum.plus(Expression.floats(1))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("epilogue: expected the 1 inputs of its expression and at most 4, got 0");
        assertThatThrownBy(() -> Epilogue.NONE.then(sum -> sum.apply(UnaryOperation.TO_I32)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("epilogue: expected an expression of floats, got Unary[operation=TO_I32, x=Input[number=0,"
                        + " type=F32]]");
        Convolution step = new Convolution(
                a, b, NodeId.of(3), shape, Epilogue.of(NodeId.of(4)).adding(a));
        assertThat(step.reads()).isEqualTo(Arrays.asList(b, NodeId.of(3), NodeId.of(4), a));
        assertThat(step.writes()).containsExactly(a);
    }
}
