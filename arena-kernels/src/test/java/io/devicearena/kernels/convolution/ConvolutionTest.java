package io.devicearena.kernels.convolution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.devicearena.NodeId;
import io.devicearena.kernels.elementwise.Epilogue;
import io.devicearena.kernels.elementwise.Expression;
import io.devicearena.kernels.elementwise.UnaryOperation;
import io.devicearena.kernels.step.Near;
import io.devicearena.kernels.step.StepTrial;
import io.devicearena.kernels.step.StepTrial.Place;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.DoubleUnaryOperator;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
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
        return Stream.of(Place.HOST, Place.WORKGROUP_MEMORY, Place.CUDA)
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

    /** The shape of images, or of signals if they have the height 1. */
    private static List<Long> list(ImageShape shape, boolean isSignal) {
        List<Long> all = Stream.of(shape.batch(), shape.channels(), shape.height(), shape.width())
                .map(Long::valueOf)
                .collect(Collectors.toList());
        if (isSignal) {
            all.remove(2);
        }
        return all;
    }

    /** A function of sums with or without a bias and a residual. */
    private Expression end(SplittableRandom random, ConvolutionShape shape, SumFunction function) {
        Expression sum = Expression.sum();
        ImageShape output = shape.out();
        if (random.nextBoolean()) {
            NodeId bias = trial.floats(StepTrial.random(output.channels(), 5));
            List<Long> ofChannels =
                    new ArrayList<>(Collections.nCopies(shape.output().size() - 1, 1L));
            ofChannels.set(0, (long) output.channels());
            sum = sum.plus(Expression.floats(bias, ofChannels));
        }
        if (random.nextBoolean()) {
            NodeId residual = trial.floats(StepTrial.random(output.elements(), 6));
            sum = sum.plus(Expression.floats(residual, shape.output()));
        }
        return function.expression.apply(sum);
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
        SlidingWindow window = window(random, input);
        ImageShape output = new ImageShape(
                input.batch(), out, places(window.y(), input.height()), places(window.x(), input.width()));
        boolean isSignal = input.height() == 1 && random.nextBoolean();
        ConvolutionShape shape = new ConvolutionShape(list(input, isSignal), list(output, isSignal), groups, window);
        float[] x = StepTrial.random(input.elements(), seed);
        float[] w = StepTrial.random(shape.weights(), seed + 100);
        NodeId result = trial.floats(new float[output.elements()]);
        NodeId inputId = trial.floats(x);
        NodeId weights = trial.floats(w);
        SumFunction function = function(random);
        Expression end = end(random, shape, function);
        Convolution step = new Convolution(result, inputId, weights, shape, end);

        check(trial.run(place, step, result).getFirst(), sums(shape, x, w), output, end, function, shape.depth());
    }

    private static int places(SlidingWindow.Axis axis, int length) {
        return (length + axis.before() + axis.after() - axis.span()) / axis.stride() + 1;
    }

    private static Sums sums(ConvolutionShape shape, float[] x, float[] w) {
        ImageShape input = shape.in();
        ImageShape output = shape.out();
        SlidingWindow.Axis y = shape.window().y();
        SlidingWindow.Axis z = shape.window().x();
        int inGroup = shape.inGroup();
        int outGroup = shape.outGroup();
        Sums all = Sums.of(output.elements());
        for (int i = 0; i < output.elements(); i++) {
            int ox = i % output.width();
            int oy = i / output.width() % output.height();
            int channel = i / output.pixels() % output.channels();
            int image = i / output.pixels() / output.channels();
            int left = ox * z.stride() - z.before();
            int weight = channel * shape.depth();
            for (int c = 0; c < inGroup; c++) {
                int plane = image * input.channels() + channel / outGroup * inGroup + c;
                for (int ky = 0; ky < y.size(); ky++) {
                    int iy = oy * y.stride() + ky * y.dilation() - y.before();
                    for (int kx = 0; kx < z.size(); kx++, weight++) {
                        int ix = left + kx * z.dilation();
                        if (iy >= 0 && iy < input.height() && ix >= 0 && ix < input.width()) {
                            int at = (plane * input.height() + iy) * input.width() + ix;
                            all.add(i, (double) x[at] * w[weight]);
                        }
                    }
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
        ImageShape output =
                new ImageShape(input.batch(), out, length(random, y, input.height()), length(random, x, input.width()));
        ConvolutionShape shape =
                new ConvolutionShape(list(input, false), list(output, false), groups, new SlidingWindow(y, x));
        float[] values = StepTrial.random(input.elements(), seed);
        float[] w = StepTrial.random(shape.weights(), seed + 100);
        NodeId result = trial.floats(new float[output.elements()]);
        SumFunction function = function(random);
        Expression end = end(random, shape, function);
        TransposedConvolution step =
                new TransposedConvolution(result, trial.floats(values), trial.floats(w), shape, end);

        Sums sums = transposedSums(shape, values, w);
        check(trial.run(place, step, result).getFirst(), sums, output, end, function, shape.depth());
    }

    private static SlidingWindow.Axis transposedAxis(SplittableRandom random) {
        int size = random.nextInt(1, 5);
        int before = random.nextInt(0, size);
        return new SlidingWindow.Axis(
                size, random.nextInt(1, 4), before, random.nextInt(0, size - before), random.nextInt(1, 3));
    }

    /** What the places cover without the padding, and some more. */
    private static int length(SplittableRandom random, SlidingWindow.Axis axis, int places) {
        int more = random.nextInt(0, Math.max(axis.stride(), axis.dilation()));
        return (places - 1) * axis.stride() + axis.span() - axis.before() - axis.after() + more;
    }

    private static Sums transposedSums(ConvolutionShape shape, float[] x, float[] w) {
        ImageShape input = shape.in();
        ImageShape output = shape.out();
        SlidingWindow.Axis y = shape.window().y();
        SlidingWindow.Axis z = shape.window().x();
        int taps = shape.window().taps();
        int inGroup = shape.inGroup();
        int outGroup = shape.outGroup();
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

    private void check(float[] got, Sums all, ImageShape output, Expression end, SumFunction function, int depth) {
        for (Expression.Input input : end.inputs()) {
            float[] floats = trial.floatsOf(input.value().id());
            for (int i = 0; i < got.length; i++) {
                int channel = i / output.pixels() % output.channels();
                all.add(i, floats[floats.length == output.elements() ? i : channel]);
            }
        }
        for (int i = 0; i < got.length; i++) {
            double tolerance =
                    1.2 * (depth + 3) * U * all.magnitudes[i] + (function.name.equals("none") ? 0 : FUNCTION);
            Near.assertNear(
                    got[i],
                    function.exact.applyAsDouble(all.sums[i]),
                    tolerance,
                    "element %d of %s, %s after %s",
                    i,
                    output,
                    function.name,
                    end);
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
    void same_anyStride_padsTheLeast() {
        List<Long> image = List.of(1L, 1L, 5L, 6L);
        SlidingWindow window = SlidingWindow.of(2, 4).strides(2, 3).dilations(1, 2);
        assertThat(window.autoPad("SAME_UPPER", image, List.of(1L, 1L, 3L, 2L))).isEqualTo(window.pads(0, 2, 1, 2));
        assertThat(window.autoPad("SAME_LOWER", image, List.of(1L, 1L, 3L, 2L))).isEqualTo(window.pads(1, 2, 0, 2));
        assertThat(window.autoPad("NOTSET", image, List.of(1L, 1L, 3L, 2L))).isEqualTo(window);
        assertThat(SlidingWindow.of(3).strides(2).pads(1, 2).dilations(3))
                .isEqualTo(new SlidingWindow(
                        new SlidingWindow.Axis(1, 1, 0, 0, 1), new SlidingWindow.Axis(3, 2, 1, 2, 3)));
        assertThat(window.strides().pads().dilations()).isEqualTo(window);
    }

    @Test
    void whatDoesNotFit_isRefused() {
        NodeId a = NodeId.of(1);
        NodeId b = NodeId.of(2);
        NodeId w = NodeId.of(3);
        List<Long> input = List.of(1L, 4L, 3L, 5L);
        List<Long> output = List.of(1L, 2L, 1L, 3L);
        SlidingWindow window = SlidingWindow.of(3, 3);
        ConvolutionShape shape = new ConvolutionShape(input, output, 2, window);
        assertThatThrownBy(() -> new ConvolutionShape(List.of(1L, 0L, 3L), output, 1, window))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("images: expected [batch, channels, width] or [batch, channels, height, width], each 1 or"
                        + " more, got [1, 0, 3]");
        assertThatThrownBy(() -> new ConvolutionShape(input, List.of(1024L, 1024L, 1024L, 2L), 1, window))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("images: expected fewer than 2^31 elements, got [1024, 1024, 1024, 2]");
        assertThatThrownBy(() -> window.strides(0, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("window: expected a size, stride and dilation of 1 or more, and padding of 0 or more, got"
                        + " size 3, stride 0, dilation 1, padding 0 and 0");
        ConvolutionShape dilated = new ConvolutionShape(input, output, 1, window.dilations(2, 1));
        assertThatThrownBy(() -> new Convolution(a, b, w, dilated, Expression.sum()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(
                        "convolution: expected as many places of the window as it has on ImageShape[batch=1,"
                                + " channels=4, height=3, width=5], got ImageShape[batch=1, channels=2, height=1, width=3] for");
        assertThatThrownBy(() -> new ConvolutionShape(input, List.of(1L, 3L, 1L, 3L), 2, window))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "convolution: expected as many images as results, and groups that divide the channels, got 2"
                                + " groups from [1, 4, 3, 5] to [1, 3, 1, 3]");
        assertThatThrownBy(() -> new Convolution(a, a, b, shape, Expression.sum()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("convolution: expected another value as output than the input node 1");
        ConvolutionShape backwards = new ConvolutionShape(output, List.of(1L, 4L, 3L, 6L), 2, window);
        assertThatThrownBy(() -> new TransposedConvolution(a, b, w, backwards, Expression.sum()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("transposed-convolution: expected output padding of 0 to 0, got 1");
        Convolution step = new Convolution(
                a,
                b,
                w,
                shape,
                Expression.sum()
                        .plus(Expression.floats(NodeId.of(4), List.of(2L, 1L, 1L)))
                        .plus(Expression.floats(a, output)));
        assertThat(step.reads()).isEqualTo(Arrays.asList(b, w, NodeId.of(4), a));
        assertThat(step.writes()).containsExactly(a);
    }

    @Test
    void endsThatDoNotFit_areRefused() {
        List<Long> output = List.of(1L, 2L, 1L, 3L);
        Expression ofRow = Expression.sum().plus(Expression.floats(NodeId.of(4), List.of(3L)));
        assertThat(Epilogue.fits(ofRow, output, 1)).isFalse();
        assertThat(Epilogue.fits(ofRow, output, 3)).isTrue();
        assertThat(Epilogue.fits(Expression.sum().apply(UnaryOperation.TO_I32), output, 1))
                .isFalse();
        Expression many = Expression.sum();
        for (int i = 0; i <= Epilogue.MOST_INPUTS; i++) {
            many = many.plus(Expression.floats(NodeId.of(i), output));
        }
        assertThat(Epilogue.fits(many, output, 1)).isFalse();
        ConvolutionShape shape = new ConvolutionShape(List.of(1L, 4L, 3L, 5L), output, 2, SlidingWindow.of(3, 3));
        assertThatThrownBy(() -> new Convolution(NodeId.of(1), NodeId.of(2), NodeId.of(3), shape, ofRow))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(
                        "epilogue: expected an expression of floats with at most 4 values, each with the"
                                + " shape [1, 2, 1, 3] or an element for each place of dimension 1 of it, got Binary[operation=ADD");
    }
}
