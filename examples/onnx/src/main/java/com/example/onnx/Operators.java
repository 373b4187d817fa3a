package com.example.onnx;

import io.devicearena.DType;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.kernels.KernelStep;
import io.devicearena.kernels.convolution.Convolution;
import io.devicearena.kernels.convolution.ConvolutionShape;
import io.devicearena.kernels.convolution.Interpolation;
import io.devicearena.kernels.convolution.Pool;
import io.devicearena.kernels.convolution.Resize;
import io.devicearena.kernels.convolution.SlidingWindow;
import io.devicearena.kernels.convolution.TransposedConvolution;
import io.devicearena.kernels.elementwise.Elementwise;
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
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.LongStream;

/** Makes the steps of {@code arena-kernels} that compute operators. */
final class Operators {
    /** The operators that move words of 4 bytes, whatever they are; the others compute floats. */
    private static final Set<String> OF_WORDS =
            Set.of("Concat", "Elementwise", "Gather", "Slice", "Split", "Tile", "Transpose");

    private static final Map<String, Reduction> REDUCTIONS = Map.of(
            "ArgMax", Reduction.ARG_MAX, "GlobalAveragePool", Reduction.MEAN, "GlobalMaxPool", Reduction.MAXIMUM,
            "ReduceL2", Reduction.L2, "ReduceMax", Reduction.MAXIMUM, "ReduceMean", Reduction.MEAN,
            "ReduceMin", Reduction.MINIMUM, "ReduceProd", Reduction.PRODUCT, "ReduceSum", Reduction.SUM,
            "ReduceSumSquare", Reduction.SUM_OF_SQUARES);

    private static final Map<String, Pad.Mode> PADS =
            Map.of("constant", Pad.Mode.CONSTANT, "edge", Pad.Mode.EDGE, "reflect", Pad.Mode.REFLECT);

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
            if (!steps.addAll(new Operators(fused, operator).steps())) {
                Optional<DType> type = operator.operand(0).map(id -> fused.graph().node(id).dtype());
                missing.add(operator.fullType() + type.map(it -> " of " + it).orElse(""));
            }
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
            case "AveragePool" -> pool(isSet("count_include_pad") ? Pool.Kind.MEAN_WITH_PADDING : Pool.Kind.MEAN);
            case "Concat" -> concat();
            case "Conv" -> ofSums(end -> new Convolution(out, id(0), id(1), convolution(), end));
            case "ConvTranspose" -> ofSums(end -> new TransposedConvolution(out, id(0), id(1), convolution(), end));
            case "Elementwise" -> List.of(new Elementwise(out, outShape, fused.elements().get(out)));
            case "Gather" -> List.of(new Gather(out, id(0), id(1), shape(0), axis(0), elements(shape(1))));
            case "Gemm" -> product(ProductShape.of(shape(0), isSet("transA"), shape(1), isSet("transB")));
            case "GroupNormalization" -> groupNorm(attributes.integer("num_groups", 1));
            case "InstanceNormalization" -> groupNorm(shape(0).get(1));
            case "LayerNormalization" -> layerNorm();
            case "LogSoftmax" -> softmax(true);
            case "MatMul" -> product(ProductShape.of(shape(0), shape(1)));
            case "MaxPool" -> operator.made().size() > 1 ? List.of() : pool(Pool.Kind.MAX);
            case "Pad" -> pad();
            case "Resize" -> resize();
            case "Slice" -> slice();
            case "Softmax" -> softmax(false);
            case "Split" -> split();
            case "Tile" -> List.of(StridedCopy.to(out, value().tiled(outShape)));
            case "Transpose" -> List.of(StridedCopy.to(out, value().permuted(attributes.integers("perm"))));
            default -> List.of();
        };
    }

    private NodeId id(int position) {
        return operator.operand(position).orElseThrow();
    }

    private List<Long> shape(int position) {
        return graph.node(id(position)).shape();
    }

    /** The first operand. */
    private Strided value() {
        return Strided.dense(id(0), shape(0));
    }

    private Optional<OnnxConstant> constant(int position) {
        return operator.operand(position).flatMap(graph::constant);
    }

    /** Integers that are an operand, or an attribute in older models. */
    private long[] integers(int position, String attribute, long... otherwise) {
        return constant(position).map(OnnxConstant::longs).orElse(attributes.integers(attribute, otherwise));
    }

    private boolean isSet(String attribute) {
        return attributes.integer(attribute, 0) == 1;
    }

    private static long elements(List<Long> shape) {
        return shape.stream().reduce(1L, Math::multiplyExact);
    }

    /** The elements of the dimensions before one. */
    private long before(int axis) {
        return elements(outShape.subList(0, axis));
    }

    /** The dimension that an attribute names, which may count from the end. */
    private int axis(long otherwise) {
        int axis = (int) attributes.integer("axis", otherwise);
        return axis < 0 ? axis + shape(0).size() : axis;
    }

    /** A convolution or a product, if it can do with its sums what is merged into it. */
    private List<KernelStep> ofSums(Function<Expression, KernelStep> step) {
        return Optional.ofNullable(fused.elements().get(out)).map(step).stream().toList();
    }

    private List<KernelStep> product(ProductShape shape) {
        boolean isConstant = graph.node(Fusion.root(graph, id(1))).role().isPersistent();
        return ofSums(end -> new MatrixProduct(out, id(0), id(1), isConstant, shape, end));
    }

    private ConvolutionShape convolution() {
        long[] size = shape(1).stream().skip(2).mapToLong(Long::longValue).toArray();
        return new ConvolutionShape(shape(0), outShape, (int) attributes.integer("group", 1), window(size));
    }

    private SlidingWindow window(long... size) {
        SlidingWindow window = SlidingWindow.of(size)
                .strides(attributes.integers("strides"))
                .dilations(attributes.integers("dilations"))
                .pads(attributes.integers("pads"));
        boolean isTransposed = operator.type().equals("ConvTranspose");
        List<Long> image = isTransposed ? outShape : shape(0);
        List<Long> places = isTransposed ? shape(0) : outShape;
        return window.autoPad(attributes.text("auto_pad", "NOTSET"), image, places);
    }

    private List<KernelStep> pool(Pool.Kind kind) {
        return List.of(new Pool(out, id(0), shape(0), outShape, window(attributes.integers("kernel_shape")), kind));
    }

    private List<KernelStep> resize() {
        boolean isOfImages = shape(0).size() == 4 && shape(0).subList(0, 2).equals(outShape.subList(0, 2));
        Optional<Interpolation> how = Interpolation.of(
                attributes.text("mode", "nearest"),
                attributes.text("coordinate_transformation_mode", "half_pixel"),
                attributes.text("nearest_mode", "round_prefer_floor"));
        if (how.isEmpty() || !isOfImages || attributes.has("axes")) {
            return List.of();
        }
        float[] scales = constant(2).map(OnnxConstant::floats).orElse(new float[0]);
        return List.of(Resize.of(out, id(0), shape(0), outShape, how.get(), scales));
    }

    private List<KernelStep> concat() {
        List<NodeId> parts = operator.operands().stream().map(Optional::orElseThrow).toList();
        List<List<Long>> shapes = parts.stream().map(id -> graph.node(id).shape()).toList();
        return List.of(new Concat(out, parts, shapes, axis(0)));
    }

    private List<KernelStep> layerNorm() {
        return operator.operand(2).isEmpty() || operator.made().size() > 1
                ? List.of()
                : List.of(layerNorm(id(1), id(2), before(axis(-1))));
    }

    private LayerNorm layerNorm(NodeId weight, NodeId bias, long rows) {
        int columns = Math.toIntExact(elements(outShape) / rows);
        float epsilon = attributes.number("epsilon", 1e-5f);
        return new LayerNorm(out, id(0), weight, bias, Math.toIntExact(rows), columns, epsilon, null);
    }

    /** Norms the groups of channels of each image, then multiplies and adds: a number for each channel or group. */
    private List<KernelStep> groupNorm(long groups) {
        List<Long> factors = List.of(elements(shape(1)), 1L);
        List<Long> shape = List.of(before(1), factors.getFirst(), elements(outShape) / before(1) / factors.getFirst());
        Expression scaled = Expression.floats(out, shape).times(Expression.floats(id(1), factors));
        return List.of(
                layerNorm(null, null, before(1) * groups),
                new Elementwise(out, shape, scaled.plus(Expression.floats(id(2), factors))));
    }

    /** In older models all dimensions from the axis on are one. */
    private List<KernelStep> softmax(boolean isLogarithm) {
        boolean isOld = operator.version() < 13;
        int axis = axis(isOld ? 1 : -1);
        List<Long> shape = isOld ? List.of(before(axis), elements(outShape) / before(axis)) : outShape;
        return List.of(new Softmax(out, id(0), shape, isOld ? 1 : axis, isLogarithm));
    }

    private List<KernelStep> reduce(Reduction reduction) {
        long[] axes = switch (operator.type()) {
            case "ArgMax" -> new long[] {axis(0)};
            case "GlobalAveragePool", "GlobalMaxPool" -> LongStream.range(2, outShape.size()).toArray();
            default -> integers(1, "axes");
        };
        if (axes.length == 0 && isSet("noop_with_empty_axes")) {
            return List.of(StridedCopy.to(out, value()));
        }
        return List.of(new Reduce(out, id(0), reduction, shape(0), LongStream.of(axes).boxed().toList()));
    }

    private List<KernelStep> slice() {
        long[] begins = integers(1, "starts");
        long[] ends = integers(2, "ends");
        long[] axes = integers(3, "axes", LongStream.range(0, begins.length).toArray());
        long[] steps = constant(4).map(OnnxConstant::longs).orElse(new long[0]);
        Strided from = value();
        for (int i = 0; i < begins.length; i++) {
            from = from.sliced(axes[i], begins[i], ends[i], steps.length > 0 ? steps[i] : 1);
        }
        return List.of(StridedCopy.to(out, from));
    }

    private List<KernelStep> split() {
        List<KernelStep> copies = new ArrayList<>();
        long begin = 0;
        for (NodeId part : operator.made()) {
            long end = begin + graph.node(part).shape().get(axis(0));
            copies.add(StridedCopy.to(part, value().sliced(axis(0), begin, end, 1)));
            begin = end;
        }
        return operator.outputs().size() > copies.size() ? List.of() : copies;
    }

    private List<KernelStep> pad() {
        Pad.Mode mode = PADS.get(attributes.text("mode", "constant"));
        List<Long> pads = LongStream.of(integers(1, "pads")).boxed().toList();
        if (mode == null || pads.size() != 2 * outShape.size() || Collections.min(pads) < 0) {
            return List.of();
        }
        float fill = constant(2).map(it -> it.floats()[0]).orElse(attributes.number("value", 0));
        return List.of(new Pad(out, id(0), shape(0), pads, mode, Float.floatToRawIntBits(fill)));
    }
}
