package com.example.onnx;

import io.devicearena.DType;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.kernels.KernelStep;
import io.devicearena.kernels.convolution.Convolution;
import io.devicearena.kernels.convolution.ConvolutionShape;
import io.devicearena.kernels.convolution.ImageShape;
import io.devicearena.kernels.convolution.Interpolation;
import io.devicearena.kernels.convolution.Pool;
import io.devicearena.kernels.convolution.Resize;
import io.devicearena.kernels.convolution.SlidingWindow;
import io.devicearena.kernels.convolution.TransposedConvolution;
import io.devicearena.kernels.convolution.TransposedShape;
import io.devicearena.kernels.elementwise.Elementwise;
import io.devicearena.kernels.elementwise.Epilogue;
import io.devicearena.kernels.elementwise.Expression;
import io.devicearena.kernels.norm.LayerNorm;
import io.devicearena.kernels.norm.Softmax;
import io.devicearena.kernels.product.MatrixProduct;
import io.devicearena.kernels.product.ProductShape;
import io.devicearena.kernels.reduction.Reduce;
import io.devicearena.kernels.reduction.Reduction;
import io.devicearena.kernels.shape.Concat;
import io.devicearena.kernels.shape.Gather;
import io.devicearena.kernels.shape.Pad;
import io.devicearena.kernels.shape.Strided;
import io.devicearena.kernels.shape.StridedCopy;
import io.devicearena.onnx.graph.OnnxAttributes;
import io.devicearena.onnx.graph.OnnxConstant;
import io.devicearena.onnx.graph.OnnxGraph;
import io.devicearena.onnx.graph.OnnxOperator;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** Makes the steps of {@code arena-kernels} that compute operators. */
final class Operators {
    /** The operators that move words of 4 bytes, whatever they are; the others compute floats. */
    private static final Set<String> OF_WORDS =
            Set.of("Concat", "Elementwise", "Expand", "Gather", "Slice", "Split", "Tile", "Transpose");

    private static final Map<String, Reduction> REDUCTIONS = Map.of(
            "ArgMax", Reduction.ARG_MAX, "ReduceL2", Reduction.L2, "ReduceMax", Reduction.MAXIMUM,
            "ReduceMean", Reduction.MEAN, "ReduceMin", Reduction.MINIMUM, "ReduceProd", Reduction.PRODUCT,
            "ReduceSum", Reduction.SUM, "ReduceSumSquare", Reduction.SUM_OF_SQUARES);

    private final Fusion.Fused fused;
    private final OnnxGraph graph;
    private final OnnxOperator operator;
    private final OnnxAttributes attributes;
    private final NodeId out;
    private final List<Long> outShape;

    private Operators(Fusion.Fused fused, OnnxOperator operator) {
        this.fused = fused;
        this.graph = fused.graph();
        this.operator = operator;
        this.attributes = operator.attributes();
        this.out = operator.made().getFirst();
        this.outShape = graph.node(out).shape();
    }

    /**
     * Makes the steps of a graph.
     *
     * @param fused the graph
     * @param plan gives the order
     * @return the steps in the order of the plan
     * @throws IllegalArgumentException if operators have no step here: it names all of them
     */
    static List<KernelStep> steps(Fusion.Fused fused, MemoryPlan plan) {
        List<KernelStep> steps = new ArrayList<>();
        TreeSet<String> missing = new TreeSet<>();
        for (OnnxOperator operator : fused.graph().steps(plan)) {
            List<KernelStep> made = new Operators(fused, operator).steps();
            if (made.isEmpty()) {
                missing.add(operator.fullType() + operator.operand(0)
                        .map(id -> " of " + fused.graph().node(id).dtype()).orElse(""));
            }
            steps.addAll(made);
        }
        if (!missing.isEmpty()) {
            throw new IllegalArgumentException("model: expected operators that this example computes, got "
                    + String.join(", ", missing) + " too; add their steps to Operators");
        }
        return steps;
    }

    private List<KernelStep> steps() {
        boolean isOther = !operator.domain().isEmpty() && !operator.domain().equals(Fusion.DOMAIN);
        DType first = operator.operand(0).map(id -> graph.node(id).dtype()).orElse(DType.F64);
        boolean isInts = first == DType.I32 || first == DType.U32;
        if (isOther || first != DType.F32 && !(isInts && OF_WORDS.contains(operator.type()))) {
            return List.of();
        }
        if (REDUCTIONS.containsKey(operator.type())) {
            return reduce(REDUCTIONS.get(operator.type()));
        }
        return switch (operator.type()) {
            case "AveragePool" -> pool(
                    attributes.integer("count_include_pad", 0) == 1 ? Pool.Kind.MEAN_WITH_PADDING : Pool.Kind.MEAN);
            case "Concat" -> concat();
            case "Conv" -> ofSums(end -> new Convolution(out, id(0), id(1), convolution(), end));
            case "ConvTranspose" -> ofSums(end -> new TransposedConvolution(out, id(0), id(1), transposed(), end));
            case "Elementwise" -> List.of(fused.elements().get(out).step(out, outShape));
            case "Expand" -> List.of(StridedCopy.to(out, Strided.broadcast(id(0), shape(0), outShape), outShape));
            case "Gather" -> gather();
            case "Gemm" -> ofSums(end -> new MatrixProduct(out, id(0), id(1), isConstant(1), gemm(), end));
            case "GlobalAveragePool" -> List.of(Pool.global(out, id(0), image(0), Pool.Kind.MEAN));
            case "GlobalMaxPool" -> List.of(Pool.global(out, id(0), image(0), Pool.Kind.MAX));
            case "GroupNormalization" -> groupNorm(attributes.integer("num_groups", 1));
            case "InstanceNormalization" -> groupNorm(shape(0).get(1));
            case "LayerNormalization" -> layerNorm();
            case "LogSoftmax" -> softmax(true);
            case "MatMul" -> ofSums(end -> new MatrixProduct(out, id(0), id(1), isConstant(1), matMul(), end));
            case "MaxPool" -> operator.made().size() > 1 ? List.of() : pool(Pool.Kind.MAX);
            case "Pad" -> pad();
            case "Resize" -> resize();
            case "Slice" -> slice();
            case "Softmax" -> softmax(false);
            case "Split" -> split();
            case "Tile" -> tile();
            case "Transpose" -> transpose();
            default -> List.of();
        };
    }

    private NodeId id(int position) {
        return operator.operand(position).orElseThrow();
    }

    private List<Long> shape(int position) {
        return graph.node(id(position)).shape();
    }

    private Optional<long[]> numbers(int position) {
        return operator.operand(position).flatMap(graph::constant).map(OnnxConstant::longs);
    }

    private static int product(List<Long> extents) {
        return Math.toIntExact(extents.stream().reduce(1L, Math::multiplyExact));
    }

    private static int axis(long axis, List<Long> shape) {
        return (int) (axis < 0 ? axis + shape.size() : axis);
    }

    /** A signal is an image of height 1. */
    private ImageShape image(int position) {
        List<Long> s = shape(position);
        int last = s.getLast().intValue();
        int height = s.size() > 3 ? s.get(2).intValue() : 1;
        return new ImageShape(s.get(0).intValue(), s.get(1).intValue(), height, last);
    }

    /** A convolution or a product, if it can do with its sums what is merged into it. */
    private List<KernelStep> ofSums(Function<Epilogue, KernelStep> step) {
        return Stream.ofNullable(fused.elements().get(out))
                .map(own -> step.apply(own.epilogue(outShape)))
                .toList();
    }

    /** A number of an attribute for an axis of windows. */
    private int at(String name, int axis, int otherwise) {
        return attributes.has(name) ? (int) attributes.integers(name)[axis] : otherwise;
    }

    /** A window of the last sizes; that of a signal has height 1. */
    private SlidingWindow window(List<Long> sizes) {
        int axes = outShape.size() - 2;
        int height = sizes.size() - 2;
        SlidingWindow.Axis none = new SlidingWindow.Axis(1, 1, 0, 0, 1);
        return new SlidingWindow(
                axes < 2 ? none : window(0, sizes.get(height)), window(axes - 1, sizes.getLast()));
    }

    private SlidingWindow.Axis window(int axis, long size) {
        int axes = outShape.size() - 2;
        int stride = at("strides", axis, 1);
        int dilation = at("dilations", axis, 1);
        int before = at("pads", axis, 0);
        int after = at("pads", axis + axes, 0);
        String auto = attributes.text("auto_pad", "NOTSET");
        if (auto.startsWith("SAME")) {
            boolean isTransposed = operator.type().equals("ConvTranspose");
            long places = (isTransposed ? shape(0) : outShape).get(axis + 2);
            long length = (isTransposed ? outShape : shape(0)).get(axis + 2);
            int both = (int) Math.max((places - 1) * stride + (size - 1) * dilation + 1 - length, 0);
            before = auto.equals("SAME_UPPER") ? both / 2 : both - both / 2;
            after = both - before;
        }
        return new SlidingWindow.Axis((int) size, stride, before, after, dilation);
    }

    private int groups() {
        return (int) attributes.integer("group", 1);
    }

    private ConvolutionShape convolution() {
        return new ConvolutionShape(image(0), shape(1).getFirst().intValue(), groups(), window(shape(1)));
    }

    private TransposedShape transposed() {
        int axes = outShape.size() - 2;
        return new TransposedShape(
                image(0),
                shape(1).get(1).intValue() * groups(),
                groups(),
                window(shape(1)),
                axes < 2 ? 0 : at("output_padding", 0, 0),
                at("output_padding", axes - 1, 0));
    }

    private List<KernelStep> pool(Pool.Kind kind) {
        List<Long> size = LongStream.of(attributes.integers("kernel_shape")).boxed().toList();
        boolean isRoundedUp = attributes.integer("ceil_mode", 0) == 1;
        return List.of(new Pool(out, id(0), image(0), window(size), kind, isRoundedUp));
    }

    private List<KernelStep> resize() {
        List<Long> in = shape(0);
        if (in.size() != 4 || !in.subList(0, 2).equals(outShape.subList(0, 2))) {
            return List.of();
        }
        String mode = attributes.text("mode", "nearest");
        if (mode.equals("cubic") || attributes.has("axes")) {
            return List.of();
        }
        Interpolation how = new Interpolation(
                Interpolation.Mode.valueOf(mode.toUpperCase(Locale.ROOT)),
                Interpolation.Coordinates.valueOf(attributes
                        .text("coordinate_transformation_mode", "half_pixel")
                        .toUpperCase(Locale.ROOT)),
                switch (attributes.text("nearest_mode", "round_prefer_floor")) {
                    case "floor" -> Interpolation.Rounding.FLOOR;
                    case "ceil" -> Interpolation.Rounding.CEIL;
                    case "round_prefer_ceil" -> Interpolation.Rounding.HALF_UP;
                    default -> Interpolation.Rounding.HALF_DOWN;
                });
        float[] scales = operator.operand(2)
                .flatMap(graph::constant)
                .map(OnnxConstant::floats)
                .orElse(new float[0]);
        Resize.Axis[] axes = new Resize.Axis[2];
        for (int i = 0; i < 2; i++) {
            double extent = outShape.get(i + 2);
            double scale = scales.length > 0 ? scales[i + 2] : extent / in.get(i + 2);
            axes[i] = new Resize.Axis((int) extent, scale);
        }
        return List.of(new Resize(out, id(0), image(0), axes[0], axes[1], how));
    }

    private boolean isConstant(int position) {
        return graph.node(Fusion.root(graph, id(position))).role().isPersistent();
    }

    private ProductShape matMul() {
        List<Long> left = new ArrayList<>(shape(0));
        List<Long> right = new ArrayList<>(shape(1));
        if (left.size() == 1) {
            left.addFirst(1L);
        }
        if (right.size() == 1) {
            right.addLast(1L);
        }
        int depth = left.getLast().intValue();
        int columns = right.getLast().intValue();
        int rows = left.get(left.size() - 2).intValue();
        List<Long> leftBatch = left.subList(0, left.size() - 2);
        List<Long> rightBatch = right.subList(0, right.size() - 2);
        return product(rightBatch) == 1
                ? ProductShape.of(rows * product(leftBatch), depth, columns)
                : ProductShape.of(rows, depth, columns).batched(batch(leftBatch, rightBatch));
    }

    private static List<ProductShape.Axis> batch(List<Long> left, List<Long> right) {
        int rank = Math.max(left.size(), right.size());
        List<ProductShape.Axis> axes = new ArrayList<>();
        int leftStep = 1;
        int rightStep = 1;
        for (int i = 1; i <= rank; i++) {
            int leftSize = i <= left.size() ? left.get(left.size() - i).intValue() : 1;
            int rightSize = i <= right.size() ? right.get(right.size() - i).intValue() : 1;
            axes.addFirst(new ProductShape.Axis(
                    Math.max(leftSize, rightSize), leftSize == 1 ? 0 : leftStep, rightSize == 1 ? 0 : rightStep));
            leftStep *= leftSize;
            rightStep *= rightSize;
        }
        return axes;
    }

    private ProductShape gemm() {
        boolean isLeftTransposed = attributes.integer("transA", 0) == 1;
        boolean isRightTransposed = attributes.integer("transB", 0) == 1;
        int depth = shape(0).get(isLeftTransposed ? 0 : 1).intValue();
        return ProductShape.of(outShape.get(0).intValue(), depth, outShape.get(1).intValue())
                .transposed(isLeftTransposed, isRightTransposed);
    }

    private List<KernelStep> concat() {
        int axis = axis(attributes.integer("axis", 0), outShape);
        List<NodeId> parts = operator.operands().stream().map(Optional::orElseThrow).toList();
        List<Long> widths = IntStream.range(0, parts.size())
                .mapToObj(i -> (long) product(shape(i).subList(axis, outShape.size())))
                .toList();
        return List.of(new Concat(out, parts, widths, product(outShape.subList(0, axis))));
    }

    private List<KernelStep> gather() {
        int axis = axis(attributes.integer("axis", 0), shape(0));
        return List.of(new Gather(out, id(0), id(1), shape(0), axis, product(shape(1))));
    }

    private List<KernelStep> layerNorm() {
        int axis = axis(attributes.integer("axis", -1), shape(0));
        if (operator.operand(2).isEmpty() || operator.made().size() > 1) {
            return List.of();
        }
        int rows = product(shape(0).subList(0, axis));
        return List.of(new LayerNorm(out, id(0), id(1), id(2), rows, product(outShape) / rows, epsilon(), null));
    }

    private float epsilon() {
        return attributes.number("epsilon", 1e-5f);
    }

    /** Norms the groups of channels of each image, then multiplies and adds: a number for each channel or group. */
    private List<KernelStep> groupNorm(long groups) {
        int rows = Math.toIntExact(outShape.getFirst() * groups);
        int elements = product(outShape);
        long factors = product(shape(1));
        List<Long> shape = List.of(outShape.getFirst(), factors, elements / outShape.getFirst() / factors);
        List<Long> ofFactor = List.of(0L, 1L, 0L);
        return List.of(
                new LayerNorm(out, id(0), null, null, rows, elements / rows, epsilon(), null),
                new Elementwise(
                        out,
                        shape,
                        Expression.floats(0).times(Expression.floats(1)).plus(Expression.floats(2)),
                        List.of(
                                Strided.dense(out, shape),
                                new Strided(id(1), 0, ofFactor),
                                new Strided(id(2), 0, ofFactor))));
    }

    private List<KernelStep> softmax(boolean isLogarithm) {
        boolean isOld = operator.version() < 13; // all dimensions from the axis on
        int axis = axis(attributes.integer("axis", isOld ? 1 : -1), outShape);
        int end = isOld ? outShape.size() : axis + 1;
        return List.of(new Softmax(
                out,
                id(0),
                product(outShape.subList(0, axis)),
                product(outShape.subList(axis, end)),
                product(outShape.subList(end, outShape.size())),
                isLogarithm));
    }

    private List<KernelStep> reduce(Reduction reduction) {
        List<Long> in = shape(0);
        long[] named = reduction == Reduction.ARG_MAX
                ? new long[] {attributes.integer("axis", 0)}
                : numbers(1).orElse(attributes.integers("axes"));
        if (named.length == 0 && attributes.integer("noop_with_empty_axes", 0) == 1) {
            return List.of(StridedCopy.to(out, Strided.dense(id(0), in), in));
        }
        List<Integer> axes = named.length == 0
                ? IntStream.range(0, in.size()).boxed().toList()
                : LongStream.of(named).mapToObj(each -> axis(each, in)).toList();
        return List.of(new Reduce(out, id(0), reduction, in, axes));
    }

    private List<KernelStep> slice() {
        List<Long> in = shape(0);
        long[] starts = numbers(1).orElse(attributes.integers("starts"));
        long[] axes = numbers(3).orElse(
                attributes.integers("axes", LongStream.range(0, starts.length).toArray()));
        Optional<long[]> steps = numbers(4);
        Strided from = Strided.dense(id(0), in);
        for (int i = 0; i < starts.length; i++) {
            int axis = axis(axes[i], in);
            long extent = in.get(axis);
            long step = steps.isPresent() ? steps.get()[i] : 1;
            long start = starts[i] < 0 ? starts[i] + extent : starts[i];
            from = from.sliced(axis, Math.clamp(start, 0, step < 0 ? extent - 1 : extent), step);
        }
        return List.of(StridedCopy.to(out, from, outShape));
    }

    private List<KernelStep> split() {
        List<Long> in = shape(0);
        int axis = axis(attributes.integer("axis", 0), in);
        List<KernelStep> copies = new ArrayList<>();
        long begin = 0;
        for (NodeId part : operator.made()) {
            List<Long> shape = graph.node(part).shape();
            copies.add(StridedCopy.to(part, Strided.dense(id(0), in).sliced(axis, begin, 1), shape));
            begin += shape.get(axis);
        }
        return operator.outputs().size() > copies.size() ? List.of() : copies;
    }

    private List<KernelStep> tile() {
        List<Long> extents = new ArrayList<>();
        List<Long> strides = new ArrayList<>();
        List<Long> dense = Strided.dense(id(0), shape(0)).strides();
        for (int i = 0; i < outShape.size(); i++) {
            long extent = shape(0).get(i);
            Collections.addAll(extents, outShape.get(i) / extent, extent);
            Collections.addAll(strides, 0L, dense.get(i));
        }
        return extents.size() > 8 ? List.of() : List.of(StridedCopy.to(out, new Strided(id(0), 0, strides), extents));
    }

    private List<KernelStep> transpose() {
        List<Long> in = shape(0);
        long[] backwards = LongStream.range(0, in.size()).map(i -> in.size() - 1 - i).toArray();
        int[] order = LongStream.of(attributes.integers("perm", backwards))
                .mapToInt(Math::toIntExact)
                .toArray();
        return List.of(StridedCopy.to(out, Strided.dense(id(0), in).permuted(order), outShape));
    }

    private List<KernelStep> pad() {
        Map<String, Pad.Mode> modes =
                Map.of("constant", Pad.Mode.NUMBER, "edge", Pad.Mode.EDGE, "reflect", Pad.Mode.REFLECTION);
        Pad.Mode mode = modes.get(attributes.text("mode", "constant"));
        long[] pads = numbers(1).orElse(attributes.integers("pads"));
        int rank = outShape.size();
        if (mode == null || pads.length != 2 * rank || LongStream.of(pads).anyMatch(each -> each < 0)) {
            return List.of();
        }
        float fill = operator.operand(2)
                .flatMap(graph::constant)
                .map(it -> it.floats()[0])
                .orElse(attributes.number("value", 0));
        List<Long> all = LongStream.of(pads).boxed().toList();
        List<Long> after = all.subList(rank, 2 * rank);
        return List.of(
                new Pad(out, id(0), shape(0), all.subList(0, rank), after, mode, Float.floatToRawIntBits(fill)));
    }
}
