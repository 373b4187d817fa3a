package io.devicearena.kernels.catalog;

import static java.util.Objects.requireNonNull;

import io.devicearena.NodeId;
import io.devicearena.kernels.KernelStep;
import io.devicearena.kernels.activation.Activation;
import io.devicearena.kernels.activation.Clip;
import io.devicearena.kernels.attention.AttentionInputs;
import io.devicearena.kernels.attention.AttentionShape;
import io.devicearena.kernels.attention.DecodeAttention;
import io.devicearena.kernels.attention.FullAttention;
import io.devicearena.kernels.attention.HeadNorms;
import io.devicearena.kernels.attention.PrefillAttention;
import io.devicearena.kernels.attention.Rope;
import io.devicearena.kernels.attention.RopeAndCache;
import io.devicearena.kernels.convolution.Convolution;
import io.devicearena.kernels.convolution.ConvolutionShape;
import io.devicearena.kernels.convolution.Interpolation;
import io.devicearena.kernels.convolution.Pool;
import io.devicearena.kernels.convolution.Resize;
import io.devicearena.kernels.convolution.SlidingWindow;
import io.devicearena.kernels.convolution.TransposedConvolution;
import io.devicearena.kernels.elementwise.BinaryOperation;
import io.devicearena.kernels.elementwise.Elementwise;
import io.devicearena.kernels.elementwise.Expression;
import io.devicearena.kernels.elementwise.UnaryOperation;
import io.devicearena.kernels.linear.Linear;
import io.devicearena.kernels.linear.LinearPart;
import io.devicearena.kernels.matrix.AttentionProduct;
import io.devicearena.kernels.matrix.Embedding;
import io.devicearena.kernels.matrix.GatedProduct;
import io.devicearena.kernels.matrix.Matrix;
import io.devicearena.kernels.matrix.NormedGatedProduct;
import io.devicearena.kernels.matrix.NormedProduct;
import io.devicearena.kernels.matrix.NormedRows;
import io.devicearena.kernels.matrix.Product;
import io.devicearena.kernels.matrix.ProductPart;
import io.devicearena.kernels.matrix.RoundRows;
import io.devicearena.kernels.norm.LayerNorm;
import io.devicearena.kernels.norm.RmsNorm;
import io.devicearena.kernels.norm.Softmax;
import io.devicearena.kernels.product.MatrixProduct;
import io.devicearena.kernels.product.ProductShape;
import io.devicearena.kernels.reduction.Reduce;
import io.devicearena.kernels.reduction.Reduction;
import io.devicearena.kernels.sampling.ArgMax;
import io.devicearena.kernels.sampling.TopKTopP;
import io.devicearena.kernels.shape.Concat;
import io.devicearena.kernels.shape.Gather;
import io.devicearena.kernels.shape.Pad;
import io.devicearena.kernels.shape.Strided;
import io.devicearena.kernels.shape.StridedCopy;
import io.devicearena.weights.tensor.TensorType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Examples of each step, one for each form of its kernels; the first form is the one that is printed. */
final class StepExamples {
    private static final NodeId OUT = NodeId.of(0);
    private static final NodeId IN = NodeId.of(1);
    private static final NodeId WEIGHT = NodeId.of(2);
    private static final NodeId MORE = NodeId.of(3);
    private static final NodeId CURSOR = NodeId.of(4);
    private static final NodeId SUM = NodeId.of(5);
    private static final NodeId UPDATE = NodeId.of(7);
    private static final NodeId OTHER_OUT = NodeId.of(8);
    private static final AttentionInputs HEADS =
            new AttentionInputs(CURSOR, NodeId.of(10), NodeId.of(11), NodeId.of(12), NodeId.of(13), NodeId.of(14));
    private static final float EPSILON = 1e-6f;
    private static final int COLUMNS = 1024;

    /** Rows for workgroups that multiply single rows, and for tiles of 32, 64 and 128. */
    private static final int[] ROWS = {1, 3, 70, 1024, 4096};

    private static final List<Long> IMAGES = List.of(2L, 16L, 32L, 32L);
    private static final List<Long> LARGE_IMAGES = List.of(2L, 16L, 64L, 64L);
    private static final List<Long> SHAPE = List.of(4L, 32L, 64L);
    private static final List<Long> ONES = List.of(1L, 1L, 1L, 1L, 1L, 1L);

    static final Map<String, Example> ALL = new StepExamples().all;

    private final Map<String, Example> all = new TreeMap<>();

    private StepExamples() {
        addElements();
        addShapes();
        addRows();
        addAttention();
        for (TensorType format : Matrix.TYPES) {
            addProducts(format, new Matrix(NodeId.of(6), format, 4096, COLUMNS));
        }
        addConvolutions();
    }

    /**
     * A step.
     *
     * @param forms its forms for each type of weights, or for null if it has none
     */
    record Example(String about, Map<@Nullable TensorType, List<KernelStep>> forms) {
        List<TensorType> formats() {
            return forms.keySet().stream().filter(Objects::nonNull).toList();
        }

        KernelStep first(@Nullable TensorType format) {
            return requireNonNull(forms.get(format)).getFirst();
        }
    }

    static Example of(String step) {
        Example example = ALL.get(step);
        if (example == null) {
            throw new IllegalArgumentException("step: expected one of " + ALL.keySet() + ", got '" + step + "'");
        }
        return example;
    }

    private void add(String about, KernelStep... forms) {
        add(about, null, forms);
    }

    /** Adds forms to those of the step that has their name. */
    private void add(String about, @Nullable TensorType format, KernelStep... forms) {
        all.computeIfAbsent(forms[0].label().replace(' ', '-'), name -> new Example(about, new LinkedHashMap<>()))
                .forms
                .computeIfAbsent(format, any -> new ArrayList<>())
                .addAll(List.of(forms));
    }

    /** One of several inputs, and one for each operation. */
    private void addElements() {
        add("elements limited to a range", new Clip(OUT, IN, COLUMNS, 0, 6));
        Expression scale = Expression.floats(WEIGHT, List.of(32L, 1L));
        Expression x = Expression.floats(IN, SHAPE);
        addExpression(x.times(scale)
                .plus(Expression.ints(MORE, List.of()).select(Expression.of(1f), x.gelu()))
                .clipped(0, 6));
        for (NodeId in : List.of(IN, OUT)) {
            for (Expression operand : List.of(Expression.floats(in, SHAPE), Expression.ints(in, SHAPE))) {
                Arrays.stream(UnaryOperation.values())
                        .filter(each -> each.accepts(operand.type()))
                        .forEach(each -> addExpression(operand.apply(each)));
                Arrays.stream(BinaryOperation.values())
                        .filter(each -> each.accepts(operand.type()))
                        .forEach(each -> addExpression(operand.apply(each, operand)));
            }
        }
    }

    private void addExpression(Expression expression) {
        add("an expression of elements, with broadcasting", new Elementwise(OUT, SHAPE, expression));
    }

    private void addShapes() {
        for (List<Long> axes : List.of(List.of(2L), List.of(0L, 1L), List.of(1L))) {
            for (Reduction reduction : Reduction.values()) {
                add("the sum, mean or largest element of axes", new Reduce(OUT, IN, reduction, SHAPE, axes));
            }
        }
        add(
                "a transposed, sliced or broadcast value",
                StridedCopy.to(OUT, Strided.dense(IN, SHAPE).permuted(2, 0, 1)),
                StridedCopy.to(OUT, Strided.dense(IN, SHAPE).sliced(1, 31, -33, -1)));
        for (Pad.Mode mode : Pad.Mode.values()) {
            add("a number or other elements around a value", new Pad(OUT, IN, SHAPE, ONES, mode, 0));
        }
        List<List<Long>> parts = List.of(List.of(4L, 3L), List.of(4L, 64L), List.of(4L, 5L));
        add("values one behind the other along an axis", new Concat(OUT, List.of(IN, WEIGHT, MORE), parts, 1));
        add("elements of an axis by their numbers", new Gather(OUT, IN, MORE, SHAPE, 1, 7));
    }

    private void addRows() {
        add(
                "rows by their root mean square",
                new RmsNorm(OUT, IN, WEIGHT, 4, COLUMNS, EPSILON),
                new RmsNorm(OUT, OUT, WEIGHT, 4, COLUMNS, EPSILON));
        add(
                "rows with a mean of 0 and a variance of 1",
                new LayerNorm(OUT, IN, WEIGHT, MORE, 4, COLUMNS, EPSILON, null),
                new LayerNorm(OUT, OUT, WEIGHT, MORE, 4, COLUMNS, EPSILON, CURSOR),
                new LayerNorm(OUT, IN, null, null, 4, COLUMNS, EPSILON, null));
        add(
                "the elements of an axis as probabilities",
                new Softmax(OUT, IN, List.of(4L, (long) COLUMNS), 1, false),
                new Softmax(OUT, OUT, SHAPE, 1, true));
        add("rows rounded to 8 bits", new RoundRows(OUT, IN, 4, COLUMNS));
        add("the token of the largest logit", new ArgMax(IN, 50_000, SUM, CURSOR));
        add("a token by chance", new TopKTopP(IN, 50_000, new TopKTopP.Draw(1, 40, 0.9f, 1), SUM, CURSOR));
    }

    private void addAttention() {
        for (int dim : List.of(64, 72, 128, 256)) {
            AttentionShape shape = new AttentionShape(8, 2, dim, 4096, 0, 0.1f);
            for (boolean neighbours : List.of(false, true)) {
                addHeads(shape, new Rope(10_000, dim, neighbours), null);
                addHeads(shape, new Rope(10_000, dim, neighbours), new HeadNorms(WEIGHT, MORE, EPSILON));
            }
            add("attention of many rows with caches", new PrefillAttention(OUT, IN, HEADS, 64, shape));
            FullAttention.Shape full = new FullAttention.Shape(64, 8, dim, 0.1f);
            add(
                    "attention of whole sequences",
                    new FullAttention(OUT, IN, WEIGHT, MORE, new FullAttention.Sequences(SUM, CURSOR), full),
                    new FullAttention(OUT, IN, WEIGHT, MORE, new FullAttention.Sequences(SUM, null), full));
        }
    }

    private void addHeads(AttentionShape shape, Rope rope, @Nullable HeadNorms norms) {
        add("attention of one row with caches", new DecodeAttention(OUT, HEADS, shape, rope, norms, 16));
        add(
                "heads rotated and stored in caches",
                new RopeAndCache(OUT, HEADS, 64, shape, rope, norms),
                new RopeAndCache(HEADS.queries(), HEADS, 64, shape, rope, norms));
    }

    private void addProducts(TensorType format, Matrix matrix) {
        add(
                "rows of a table",
                format,
                new Embedding(OUT, matrix, null, CURSOR, 1, 1),
                new Embedding(OUT, matrix, MORE, CURSOR, 64, 2));
        add(
                "the splits of an attention times a matrix",
                format,
                new AttentionProduct(OUT, IN, matrix, COLUMNS / 64, 64, 1),
                new AttentionProduct(OUT, IN, matrix, COLUMNS / 64, 64, 8));
        for (int n : ROWS) {
            Product product = new Product(OUT, IN, matrix, n, null);
            add("rows times a matrix", format, product, new Product(OUT, IN, matrix, n, CURSOR));
            if (Product.multipliesRounded(format)) {
                add("rows of 8 bits times a matrix", format, product.rounded());
            }
            add(
                    "the first half of a gated layer",
                    format,
                    new GatedProduct(OUT, IN, matrix, matrix, Activation.SILU, n));
            NormedRows rows = NormedRows.of(IN, MORE, EPSILON, COLUMNS, n);
            addNormed(format, matrix, rows);
            addNormed(format, matrix, rows.adding(UPDATE, null, SUM));
            addNormed(format, matrix, rows.adding(UPDATE, MORE, SUM));
            addNormed(format, matrix, rows.adding(UPDATE, MORE, SUM).lastOf(CURSOR));
            if (format == TensorType.F32 || format == TensorType.F16) {
                List<LinearPart> parts = List.of(
                        LinearPart.of(OUT, matrix, WEIGHT).activated(Activation.GELU_ERF),
                        LinearPart.of(OTHER_OUT, matrix, WEIGHT).adding(SUM));
                add(
                        "linear layers with bias, activation and sum",
                        format,
                        new Linear(IN, parts, n, CURSOR),
                        new Linear(IN, parts, n, null));
            }
        }
    }

    private void addNormed(TensorType format, Matrix matrix, NormedRows rows) {
        List<ProductPart> parts =
                List.of(ProductPart.whole(matrix, OUT).withBias(WEIGHT), ProductPart.whole(matrix, OTHER_OUT));
        add("normed rows times up to three matrices", format, new NormedProduct(rows, parts));
        add(
                "normed rows through a gated layer",
                format,
                new NormedGatedProduct(OUT, rows, matrix, matrix, Activation.GELU_TANH));
    }

    /** Kernels of one element and of several, in groups, depthwise, over whole images, and with all functions. */
    private void addConvolutions() {
        SlidingWindow one = SlidingWindow.of(1, 1);
        SlidingWindow three = SlidingWindow.of(3, 3).strides(2, 2).pads(1, 1, 1, 1);
        List<Long> large = List.of(1L, 16L, 256L, 256L);
        ConvolutionShape halved = new ConvolutionShape(IMAGES, List.of(2L, 32L, 16L, 16L), 1, three);
        addConvolution(halved);
        addConvolution(new ConvolutionShape(large, List.of(1L, 8L, 256L, 256L), 1, one));
        addConvolution(new ConvolutionShape(large, List.of(1L, 128L, 256L, 256L), 2, one));
        addConvolution(new ConvolutionShape(IMAGES, List.of(2L, 16L, 16L, 16L), 16, three));
        addConvolution(new ConvolutionShape(IMAGES, List.of(2L, 64L, 1L, 1L), 1, SlidingWindow.of(32, 32)));
        addConvolution(halved, biased(32).apply(UnaryOperation.SIGMOID).times(biased(32)));
        addConvolution(halved, biased(32).gelu());
        SlidingWindow two = SlidingWindow.of(2, 2).strides(2, 2);
        ConvolutionShape doubled = new ConvolutionShape(IMAGES, LARGE_IMAGES, 1, two);
        add(
                "images times kernels, added up in windows",
                new TransposedConvolution(OUT, IN, WEIGHT, doubled, biased(16).clipped(0, 6)));
        for (Pool.Kind kind : Pool.Kind.values()) {
            add(
                    "the largest element or the mean of windows",
                    new Pool(OUT, IN, IMAGES, IMAGES, SlidingWindow.of(3, 3).pads(1, 1, 1, 1), kind));
        }
        Interpolation linear = new Interpolation(
                Interpolation.Mode.LINEAR, Interpolation.Coordinates.HALF_PIXEL, Interpolation.Rounding.FLOOR);
        add("images of another size", Resize.of(OUT, IN, IMAGES, LARGE_IMAGES, linear));
        for (int n : List.of(1, 4, 70, 1024)) {
            List<ProductShape.Axis> pairs = List.of(new ProductShape.Axis(2, 1, 0));
            Expression end = Expression.sum()
                    .plus(Expression.floats(MORE, List.of(333L)))
                    .plus(Expression.floats(OUT, List.of(2L, (long) n, 333L)));
            ProductShape shape = new ProductShape(n, 333, 257, n == 70, n > 4, pairs);
            add("products of matrices of any size", new MatrixProduct(OUT, IN, WEIGHT, true, shape, end));
        }
    }

    private void addConvolution(ConvolutionShape shape) {
        addConvolution(shape, biased(shape.output().get(1)).plus(Expression.floats(SUM, shape.output())));
    }

    private void addConvolution(ConvolutionShape shape, Expression end) {
        add("windows of images times kernels", new Convolution(OUT, IN, WEIGHT, shape, end));
    }

    private static Expression biased(long channels) {
        return Expression.sum().plus(Expression.floats(MORE, List.of(channels, 1L, 1L)));
    }
}
