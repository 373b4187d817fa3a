package io.devicearena.kernels.catalog;

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
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** An example of each step, with all forms of its kernels; the first form is the one that is printed. */
final class StepExamples {
    private static final NodeId OUT = NodeId.of(0);
    private static final NodeId IN = NodeId.of(1);
    private static final NodeId WEIGHT = NodeId.of(2);
    private static final NodeId MORE = NodeId.of(3);
    private static final NodeId CURSOR = NodeId.of(4);
    private static final NodeId SUM = NodeId.of(5);
    private static final AttentionInputs HEADS =
            new AttentionInputs(CURSOR, NodeId.of(10), NodeId.of(11), NodeId.of(12), NodeId.of(13), NodeId.of(14));
    private static final float EPSILON = 1e-6f;
    private static final int COLUMNS = 1024;

    /** Rows for workgroups that multiply single rows, and for tiles of 32, 64 and 128. */
    private static final int[] ROWS = {1, 3, 70, 1024, 4096};

    private static final List<Long> IMAGES = List.of(2L, 16L, 32L, 32L);
    private static final List<Long> SHAPE = List.of(4L, 32L, 64L);
    private static final List<Long> ONES = List.of(1L, 1L, 1L, 1L, 1L, 1L);

    static final Map<String, Example> ALL = all();

    private StepExamples() {}

    /**
     * A step.
     *
     * @param formats the types of weights, or none
     * @param make makes its forms for a type of weights, or for null if it has none
     */
    record Example(String about, List<TensorType> formats, Function<@Nullable TensorType, List<KernelStep>> make) {
        List<KernelStep> forms(@Nullable TensorType format) {
            return make.apply(format);
        }
    }

    static Example of(String step) {
        Example example = ALL.get(step);
        if (example == null) {
            throw new IllegalArgumentException("step: expected one of " + ALL.keySet() + ", got '" + step + "'");
        }
        return example;
    }

    private static Map<String, Example> all() {
        Map<String, Example> all = new TreeMap<>();
        all.put("clip", plain("elements limited to a range", new Clip(OUT, IN, COLUMNS, 0, 6)));
        all.put(
                "rms-norm",
                plain(
                        "rows by their root mean square",
                        new RmsNorm(OUT, IN, WEIGHT, 4, COLUMNS, EPSILON),
                        new RmsNorm(OUT, OUT, WEIGHT, 4, COLUMNS, EPSILON)));
        all.put(
                "layer-norm",
                plain(
                        "rows with a mean of 0 and a variance of 1",
                        new LayerNorm(OUT, IN, WEIGHT, MORE, 4, COLUMNS, EPSILON, null),
                        new LayerNorm(OUT, OUT, WEIGHT, MORE, 4, COLUMNS, EPSILON, CURSOR),
                        new LayerNorm(OUT, IN, null, null, 4, COLUMNS, EPSILON, null)));
        all.put(
                "softmax",
                plain(
                        "the elements of an axis as probabilities",
                        new Softmax(OUT, IN, List.of(4L, (long) COLUMNS), 1, false),
                        new Softmax(OUT, OUT, SHAPE, 1, true)));
        all.put("elementwise", plain("an expression of elements, with broadcasting", expressions()));
        all.put(
                "reduce",
                plain(
                        "the sum, mean or largest element of axes",
                        Arrays.stream(Reduction.values())
                                .flatMap(each -> Stream.of(List.of(2L), List.of(0L, 1L), List.of(1L))
                                        .map(axes -> new Reduce(OUT, IN, each, SHAPE, axes)))));
        all.put(
                "strided-copy",
                plain(
                        "a transposed, sliced or broadcast value",
                        StridedCopy.to(OUT, Strided.dense(IN, SHAPE).permuted(2, 0, 1)),
                        StridedCopy.to(OUT, Strided.dense(IN, SHAPE).sliced(1, 31, -33, -1))));
        all.put(
                "pad",
                plain(
                        "a number or other elements around a value",
                        Arrays.stream(Pad.Mode.values()).map(mode -> new Pad(OUT, IN, SHAPE, ONES, mode, 0))));
        all.put(
                "concat",
                plain(
                        "values one behind the other along an axis",
                        new Concat(
                                OUT,
                                List.of(IN, WEIGHT, MORE),
                                List.of(List.of(4L, 3L), List.of(4L, 64L), List.of(4L, 5L)),
                                1)));
        all.put("gather", plain("elements of an axis by their numbers", new Gather(OUT, IN, MORE, SHAPE, 1, 7)));
        all.put("arg-max", plain("the token of the largest logit", new ArgMax(IN, 50_000, SUM, CURSOR)));
        all.put(
                "top-k-top-p",
                plain("a token by chance", new TopKTopP(IN, 50_000, new TopKTopP.Draw(1, 40, 0.9f, 1), SUM, CURSOR)));
        all.put("round-rows", plain("rows rounded to 8 bits", new RoundRows(OUT, IN, 4, COLUMNS)));
        all.put(
                "decode-attention",
                plain(
                        "attention of one row with caches",
                        shapes().flatMap(shape -> ropes(shape)
                                .flatMap(rope -> norms().map(
                                                norms -> new DecodeAttention(OUT, HEADS, shape, rope, norms, 16))))));
        all.put(
                "rope-and-cache",
                plain(
                        "heads rotated and stored in caches",
                        shapes().flatMap(shape -> ropes(shape)
                                .flatMap(rope -> norms().flatMap(norms -> Stream.of(OUT, HEADS.queries())
                                        .map(out -> new RopeAndCache(out, HEADS, 64, shape, rope, norms)))))));
        all.put(
                "prefill-attention",
                plain(
                        "attention of many rows with caches",
                        shapes().map(shape -> new PrefillAttention(OUT, IN, HEADS, 64, shape))));
        all.put(
                "full-attention",
                plain(
                        "attention of whole sequences",
                        shapes().flatMap(shape -> Stream.of(CURSOR, null)
                                .map(cursor -> new FullAttention(
                                        OUT,
                                        IN,
                                        WEIGHT,
                                        MORE,
                                        new FullAttention.Sequences(SUM, cursor),
                                        new FullAttention.Shape(64, shape.heads(), shape.headDim(), 0.1f))))));
        all.put(
                "embedding",
                packed(
                        "rows of a table",
                        Matrix.TYPES,
                        table -> Stream.of(
                                new Embedding(OUT, table, null, CURSOR, 1, 1),
                                new Embedding(OUT, table, MORE, CURSOR, 64, 2))));
        all.put(
                "product",
                packed(
                        "rows times a matrix",
                        Matrix.TYPES,
                        matrix -> rows(n -> Stream.of(
                                new Product(OUT, IN, matrix, n, null), new Product(OUT, IN, matrix, n, CURSOR)))));
        all.put(
                "rounded-product",
                packed(
                        "rows of 8 bits times a matrix",
                        Matrix.TYPES.stream().filter(Product::multipliesRounded).toList(),
                        matrix -> rows(n -> Stream.of(new Product(OUT, IN, matrix, n, null).rounded()))));
        all.put(
                "gated-product",
                packed(
                        "the first half of a gated layer",
                        Matrix.TYPES,
                        matrix -> rows(n -> Stream.of(new GatedProduct(OUT, IN, matrix, matrix, Activation.SILU, n)))));
        all.put(
                "normed-product",
                packed(
                        "normed rows times up to three matrices",
                        Matrix.TYPES,
                        matrix -> rows(n -> normed(n)
                                .map(rows -> new NormedProduct(
                                        rows,
                                        List.of(
                                                ProductPart.whole(matrix, OUT).withBias(WEIGHT),
                                                ProductPart.whole(matrix, NodeId.of(8))))))));
        all.put(
                "normed-gated-product",
                packed(
                        "normed rows through a gated layer",
                        Matrix.TYPES,
                        matrix -> rows(n -> normed(n)
                                .map(rows ->
                                        new NormedGatedProduct(OUT, rows, matrix, matrix, Activation.GELU_TANH)))));
        all.put(
                "attention-product",
                packed(
                        "the splits of an attention times a matrix",
                        Matrix.TYPES,
                        matrix -> IntStream.of(1, 8)
                                .mapToObj(n -> new AttentionProduct(OUT, IN, matrix, COLUMNS / 64, 64, n))));
        all.put("convolution", plain("windows of images times kernels", convolutions()));
        all.put(
                "transposed-convolution",
                plain(
                        "images times kernels, added up in windows",
                        new TransposedConvolution(
                                OUT,
                                IN,
                                WEIGHT,
                                new ConvolutionShape(
                                        IMAGES,
                                        List.of(2L, 16L, 64L, 64L),
                                        1,
                                        SlidingWindow.of(2, 2).strides(2, 2)),
                                biased(16).clipped(0, 6))));
        all.put(
                "pool",
                plain(
                        "the largest element or the mean of windows",
                        Arrays.stream(Pool.Kind.values())
                                .map(kind -> new Pool(
                                        OUT,
                                        IN,
                                        IMAGES,
                                        IMAGES,
                                        SlidingWindow.of(3, 3).pads(1, 1, 1, 1),
                                        kind))));
        all.put(
                "resize",
                plain(
                        "images of another size",
                        Resize.of(
                                OUT,
                                IN,
                                IMAGES,
                                List.of(2L, 16L, 64L, 64L),
                                new Interpolation(
                                        Interpolation.Mode.LINEAR,
                                        Interpolation.Coordinates.HALF_PIXEL,
                                        Interpolation.Rounding.FLOOR))));
        all.put(
                "matrix-product",
                plain(
                        "products of matrices of any size",
                        IntStream.of(1, 4, 70, 1024)
                                .mapToObj(n -> new MatrixProduct(
                                        OUT,
                                        IN,
                                        WEIGHT,
                                        true,
                                        new ProductShape(
                                                n, 333, 257, n == 70, n > 4, List.of(new ProductShape.Axis(2, 1, 0))),
                                        Expression.sum()
                                                .plus(Expression.floats(MORE, List.of(333L)))
                                                .plus(Expression.floats(OUT, List.of(2L, (long) n, 333L)))))));
        all.put(
                "linear",
                packed(
                        "linear layers with bias, activation and sum",
                        List.of(TensorType.F32, TensorType.F16),
                        matrix -> rows(n -> Stream.of(CURSOR, null)
                                .map(cursor -> new Linear(
                                        IN,
                                        List.of(
                                                LinearPart.of(OUT, matrix, WEIGHT)
                                                        .activated(Activation.GELU_ERF),
                                                LinearPart.of(NodeId.of(8), matrix, WEIGHT)
                                                        .adding(SUM)),
                                        n,
                                        cursor)))));
        return all;
    }

    /** Kernels of one element and of several, in groups, depthwise, over whole images, and with all functions. */
    private static Stream<KernelStep> convolutions() {
        SlidingWindow three = SlidingWindow.of(3, 3).strides(2, 2).pads(1, 1, 1, 1);
        List<Long> large = List.of(1L, 16L, 256L, 256L);
        ConvolutionShape halved = new ConvolutionShape(IMAGES, List.of(2L, 32L, 16L, 16L), 1, three);
        return Stream.concat(
                Stream.of(
                                halved,
                                new ConvolutionShape(large, List.of(1L, 8L, 256L, 256L), 1, SlidingWindow.of(1, 1)),
                                new ConvolutionShape(large, List.of(1L, 128L, 256L, 256L), 2, SlidingWindow.of(1, 1)),
                                new ConvolutionShape(IMAGES, List.of(2L, 16L, 16L, 16L), 16, three),
                                new ConvolutionShape(IMAGES, List.of(2L, 64L, 1L, 1L), 1, SlidingWindow.of(32, 32)))
                        .map(shape -> new Convolution(
                                OUT,
                                IN,
                                WEIGHT,
                                shape,
                                biased(shape.output().get(1)).plus(Expression.floats(SUM, shape.output())))),
                Stream.of(
                                biased(32).apply(UnaryOperation.SIGMOID).times(biased(32)),
                                biased(32).gelu())
                        .map(end -> new Convolution(OUT, IN, WEIGHT, halved, end)));
    }

    private static Expression biased(long channels) {
        return Expression.sum().plus(Expression.floats(MORE, List.of(channels, 1L, 1L)));
    }

    /** One of several inputs, and one for each operation. */
    private static Stream<KernelStep> expressions() {
        Expression scale = Expression.floats(WEIGHT, List.of(32L, 1L));
        Expression x = Expression.floats(IN, SHAPE);
        Expression fused = x.times(scale)
                .plus(Expression.ints(MORE, List.of()).select(Expression.of(1f), x.gelu()))
                .clipped(0, 6);
        return Stream.concat(
                Stream.of(new Elementwise(OUT, SHAPE, fused)),
                Stream.of(IN, OUT)
                        .flatMap(in -> Stream.of(Expression.floats(in, SHAPE), Expression.ints(in, SHAPE)))
                        .flatMap(operand -> Stream.concat(
                                Arrays.stream(UnaryOperation.values())
                                        .filter(each -> each.accepts(operand.type()))
                                        .map(operand::apply),
                                Arrays.stream(BinaryOperation.values())
                                        .filter(each -> each.accepts(operand.type()))
                                        .map(each -> operand.apply(each, operand))))
                        .map(each -> new Elementwise(OUT, SHAPE, each)));
    }

    private static Example plain(String about, KernelStep... forms) {
        return plain(about, Stream.of(forms));
    }

    private static Example plain(String about, Stream<? extends KernelStep> forms) {
        List<KernelStep> all = List.copyOf(forms.toList());
        return new Example(about, List.of(), format -> all);
    }

    private static Example packed(
            String about, List<TensorType> formats, Function<Matrix, Stream<? extends KernelStep>> forms) {
        return new Example(about, formats, format -> {
            Matrix matrix = new Matrix(NodeId.of(6), format == null ? formats.getFirst() : format, 4096, COLUMNS);
            return List.copyOf(forms.apply(matrix).toList());
        });
    }

    private static Stream<KernelStep> rows(IntFunction<Stream<? extends KernelStep>> forms) {
        return IntStream.of(ROWS).boxed().flatMap(forms::apply);
    }

    private static Stream<NormedRows> normed(int n) {
        NormedRows rows = NormedRows.of(IN, MORE, EPSILON, COLUMNS, n);
        return Stream.of(
                rows,
                rows.adding(NodeId.of(7), null, SUM),
                rows.adding(NodeId.of(7), MORE, SUM),
                rows.adding(NodeId.of(7), MORE, SUM).lastOf(CURSOR));
    }

    private static Stream<AttentionShape> shapes() {
        return IntStream.of(64, 72, 128, 256).mapToObj(dim -> new AttentionShape(8, 2, dim, 4096, 0, 0.1f));
    }

    private static Stream<Rope> ropes(AttentionShape shape) {
        return Stream.of(false, true).map(neighbours -> new Rope(10_000, shape.headDim(), neighbours));
    }

    private static Stream<@Nullable HeadNorms> norms() {
        return Stream.of(null, new HeadNorms(WEIGHT, MORE, EPSILON));
    }
}
