package io.devicearena.onnx.internal.graph;

import io.devicearena.onnx.graph.OnnxAttributes;
import io.devicearena.onnx.graph.OnnxConstant;
import io.devicearena.onnx.graph.OnnxOperator;
import io.devicearena.onnx.graph.OnnxOperators;
import io.devicearena.onnx.internal.tensors.ElementTypes;
import io.devicearena.weights.tensor.TensorType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntToLongFunction;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * The types and shapes that an operator's values have, as far as its inputs say: a file may declare others, which were
 * right for other sizes. A rule that asks for what the inputs do not say ends there, and so is not known.
 *
 * <p>Source: the operators of ONNX (ai.onnx, opset 1 to 23).
 */
final class OperatorShapes {
    /** A dimension that the inputs do not say. */
    static final long UNKNOWN = -1;

    private static final Set<String> OF_FIRST_INPUT = names("""
            BatchNormalization Bernoulli Cast CastLike Clip CumSum DequantizeLinear Dropout EyeLike
            GroupNormalization Hardmax InstanceNormalization LRN LayerNormalization LogSoftmax
            LpNormalization MeanVarianceNormalization PRelu QuantizeLinear RMSNormalization
            RandomNormalLike RandomUniformLike ReverseSequence RotaryEmbedding Scatter ScatterElements
            ScatterND Softmax Trilu""");
    private static final Set<String> TRUTH_VALUES = Set.of(
            "And", "Equal", "Greater", "GreaterOrEqual", "IsInf", "IsNaN", "Less", "LessOrEqual", "Not", "Or", "Xor");
    /** Operators whose type follows from more than their first operand. */
    private static final Set<String> OTHER_TYPES =
            Set.of("MelWeightMatrix", "Multinomial", "StringNormalizer", "TfIdfVectorizer");

    private static final Set<String> RECURRENT = Set.of("GRU", "LSTM", "RNN");
    /** The types of outputs after the first. */
    private static final Map<String, TensorType> FURTHER_TYPES = Map.of(
            "DynamicQuantizeLinear", TensorType.F32,
            "LayerNormalization", TensorType.F32,
            "MaxPool", TensorType.I64,
            "TopK", TensorType.I64);
    /** The first version of the operators whose inputs broadcast as those of NumPy. */
    private static final long FIRST_BROADCASTING = 7;

    /** A type and a shape, each as far as it is known; a dimension may be {@link #UNKNOWN}. */
    record Known(Optional<TensorType> type, Optional<List<Long>> shape) {
        static final Known NOTHING = new Known(Optional.empty(), Optional.empty());

        /** What is known here, and what is known there of the rest. */
        Known or(Known other) {
            Optional<List<Long>> merged = shape.or(other::shape);
            if (shape.isPresent()
                    && other.shape.filter(it -> it.size() == shape.get().size()).isPresent()) {
                List<Long> sizes = new ArrayList<>(shape.get());
                for (int axis = 0; axis < sizes.size(); axis++) {
                    if (sizes.get(axis) == UNKNOWN) {
                        sizes.set(axis, other.shape.get().get(axis));
                    }
                }
                merged = Optional.of(sizes);
            }
            return new Known(type.or(other::type), merged);
        }

        /** The type and the shape, if all of it is known. */
        Optional<ValueType> complete() {
            return shape.filter(sizes -> !sizes.contains(UNKNOWN))
                    .flatMap(sizes -> type.map(known -> new ValueType(known, sizes)));
        }
    }

    private static Set<String> names(String text) {
        return Set.of(text.strip().split("\\s+", -1));
    }

    private final Operands operands;
    private final OnnxOperator operator;
    private final OnnxAttributes attributes;
    private final long opset;

    /** Makes the shapes of an operator. */
    OperatorShapes(Operands operands) {
        this.operands = operands;
        this.operator = operands.operator();
        this.attributes = operands.attributes();
        this.opset = operator.domain().isEmpty() ? operator.version() : FIRST_BROADCASTING;
    }

    /**
     * Returns what is known of the output at an index.
     *
     * @throws IllegalArgumentException if the operator cannot have such inputs
     * @throws ArithmeticException if there are more elements than a long counts
     */
    Known output(int index) {
        if (!operator.domain().isEmpty() && !OnnxOperators.isElementWise(operator)) {
            return Known.NOTHING;
        }
        Optional<List<Long>> shape = said(() -> shape(index));
        if (shape.filter(sizes -> sizes.stream().anyMatch(size -> size < UNKNOWN))
                .isPresent()) {
            throw new IllegalArgumentException("expected dimensions of 0 or more, got the shape " + shape.get());
        }
        return new Known(said(() -> type(index)), shape);
    }

    /** What a rule finds, or empty where it asks for what the inputs do not say. */
    private static <T> Optional<T> said(Supplier<T> rule) {
        try {
            return Optional.of(rule.get());
        } catch (IndexOutOfBoundsException | NoSuchElementException e) { // also fewer inputs than it must have
            return Optional.empty();
        }
    }

    private TensorType type(int index) {
        String op = operator.type();
        if (TRUTH_VALUES.contains(op) || (op.equals("Dropout") && index == 1)) {
            return TensorType.BOOL;
        }
        if (OTHER_TYPES.contains(op) || (index > 0 && !op.equals("Split") && !RECURRENT.contains(op))) {
            return Optional.ofNullable(FURTHER_TYPES.get(op)).orElseThrow();
        }
        return switch (op) {
            case "Cast" -> ElementTypes.of((int) integer("to", 0)).orElseThrow();
            case "ArgMax", "ArgMin", "NonMaxSuppression", "NonZero", "Shape", "Size" -> TensorType.I64;
            case "ConvInteger", "MatMulInteger" -> TensorType.I32;
            case "DynamicQuantizeLinear" -> TensorType.U8;
            case "CastLike", "DequantizeLinear", "Where" -> typeOf(1);
            case "OneHot" -> typeOf(2);
            case "QLinearConv", "QLinearMatMul" -> typeOf(7);
            case "QuantizeLinear" -> operands.has(2) ? typeOf(2) : ofAttribute("output_dtype", TensorType.U8);
            case "ConstantOfShape" ->
                attributes.tensor("value").map(OnnxConstant::type).orElse(TensorType.F32);
            case "RandomNormal", "RandomUniform" -> ofAttribute("dtype", TensorType.F32);
            case "Bernoulli", "EyeLike", "RandomNormalLike", "RandomUniformLike" ->
                attributes.has("dtype") ? ofAttribute("dtype", TensorType.F32) : typeOf(0);
            default -> typeOf(0);
        };
    }

    private TensorType typeOf(int input) {
        return operands.types().get(input).orElseThrow().type();
    }

    private TensorType ofAttribute(String name, TensorType otherwise) {
        return attributes.has(name) ? ElementTypes.of((int) integer(name, 0)).orElseThrow() : otherwise;
    }

    private List<Long> shape(int index) {
        String op = operator.type();
        if (OF_FIRST_INPUT.contains(op)) {
            if (index > 0 && !op.equals("Dropout")) {
                throw new NoSuchElementException(op);
            }
            return shapeOf(0);
        }
        if (OnnxOperators.isElementWise(op)) {
            return opset < FIRST_BROADCASTING ? shapeOf(0) : broadcastInputs();
        }
        if (op.startsWith("Reduce")) {
            boolean isUnknown = !operands.isKnown(1) && integer("keepdims", 1) != 0;
            return isUnknown ? unknown() : reduced(operands.longs(1, "axes").orElse(new long[0]));
        }
        return switch (op) {
            case "ArgMax", "ArgMin" -> reduced(integer("axis", 0));
            case "MatMul", "MatMulInteger" -> product(shapeOf(0), shapeOf(1));
            case "QLinearMatMul" -> product(shapeOf(0), shapeOf(3));
            case "Gemm" -> gemm();
            case "Concat" -> concatenated();
            case "Transpose" -> transposed();
            case "Flatten" -> flattened();
            case "Reshape" -> reshaped();
            case "Squeeze" -> squeezed();
            case "Unsqueeze" -> unsqueezed();
            case "Expand" -> broadcast(shapeOf(0), list(operands.longs(1)));
            case "Shape" -> List.of((long) operands.dimensions().size());
            case "Size" -> List.of();
            case "NonZero" -> List.of((long) rank(), UNKNOWN);
            case "NonMaxSuppression" -> List.of(UNKNOWN, 3L);
            case "Compress" -> List.of(UNKNOWN);
            case "ConstantOfShape" -> list(operands.longs(0));
            case "RandomNormal", "RandomUniform" ->
                list(operands.longs(0, "shape").orElseThrow());
            case "Range" -> List.of(ranged());
            case "OneHot" -> oneHot();
            case "Gather" -> gathered();
            case "GatherElements" -> shapeOf(1);
            case "Conv", "ConvInteger" -> windows(shapeOf(1).getFirst(), shapeOf(1));
            case "QLinearConv" -> windows(shapeOf(3).getFirst(), shapeOf(3));
            case "ConvTranspose" -> spread();
            case "MaxPool", "AveragePool", "LpPool" -> windows(shapeOf(0).get(1), kernel());
            case "GlobalAveragePool", "GlobalMaxPool", "GlobalLpPool" ->
                spatial(shapeOf(0).get(1), 1);
            case "DepthToSpace" -> blocks(true);
            case "SpaceToDepth" -> blocks(false);
            case "Split" -> with(shapeOf(0), axis(0), part(index));
            case "Slice" -> sliced();
            case "Pad" -> padded();
            case "Tile" -> tiled(operands.longs(1));
            case "Resize", "Upsample" -> resized();
            case "TopK" -> topped();
            case "DynamicQuantizeLinear" -> index == 0 ? shapeOf(0) : List.of();
            case "LSTM", "GRU", "RNN" -> recurrent(index);
            default -> throw new NoSuchElementException(op);
        };
    }

    private List<Long> shapeOf(int input) {
        return operands.shape(input);
    }

    private int rank() {
        return shapeOf(0).size();
    }

    private long integer(String name, long otherwise) {
        return attributes.integer(name, otherwise);
    }

    private int axis(long otherwise) {
        return Operands.axis(integer("axis", otherwise), rank());
    }

    private static List<Long> list(long[] numbers) {
        return LongStream.of(numbers).boxed().toList();
    }

    private static long[] range(int count) {
        return LongStream.range(0, count).toArray();
    }

    /** As many dimensions as the first input has, all unknown. */
    private List<Long> unknown() {
        return new ArrayList<>(Collections.nCopies(rank(), UNKNOWN));
    }

    private static List<Long> with(List<Long> shape, int axis, long size) {
        List<Long> changed = new ArrayList<>(shape);
        changed.set(axis, size);
        return changed;
    }

    private static long elements(List<Long> shape) {
        return shape.contains(0L) ? 0 : shape.stream().reduce(1L, Math::multiplyExact);
    }

    private List<Long> broadcastInputs() {
        return IntStream.range(0, operands.types().size())
                .mapToObj(this::shapeOf)
                .reduce(List.of(), OperatorShapes::broadcast);
    }

    private static List<Long> broadcast(List<Long> a, List<Long> b) {
        List<Long> shape = new ArrayList<>();
        int rank = Math.max(a.size(), b.size());
        for (int i = 0; i < rank; i++) {
            long left = i < rank - a.size() ? 1 : a.get(i - rank + a.size());
            long right = i < rank - b.size() ? 1 : b.get(i - rank + b.size());
            if (left != right && left != 1 && right != 1) {
                throw new IllegalArgumentException("expected inputs whose shapes broadcast, got " + a + " and " + b);
            }
            shape.add(left == 1 ? right : left);
        }
        return shape;
    }

    private static List<Long> product(List<Long> a, List<Long> b) {
        long inner = a.getLast();
        if (inner != b.get(Math.max(0, b.size() - 2))) {
            throw new IllegalArgumentException("expected matrices that can be multiplied, got " + a + " and " + b);
        }
        List<Long> shape = new ArrayList<>(broadcast(
                a.subList(0, Math.max(0, a.size() - 2)), b.subList(0, Math.max(0, b.size() - 2))));
        if (a.size() > 1) {
            shape.add(a.get(a.size() - 2));
        }
        if (b.size() > 1) {
            shape.add(b.getLast());
        }
        return shape;
    }

    private List<Long> gemm() {
        if (rank() != 2 || shapeOf(1).size() != 2) { // old versions flatten
            throw new NoSuchElementException("matrices");
        }
        return product(
                integer("transA", 0) == 0 ? shapeOf(0) : shapeOf(0).reversed(),
                integer("transB", 0) == 0 ? shapeOf(1) : shapeOf(1).reversed());
    }

    private List<Long> concatenated() {
        int axis = axis(1);
        long sum = 0;
        for (int i = 0; i < operands.types().size(); i++) {
            if (shapeOf(i).size() != rank() || !with(shapeOf(i), axis, 0).equals(with(shapeOf(0), axis, 0))) {
                throw new IllegalArgumentException("expected inputs that differ along axis " + axis + " only, got "
                        + shapeOf(0) + " and " + shapeOf(i));
            }
            sum = Math.addExact(sum, shapeOf(i).get(axis));
        }
        return with(shapeOf(0), axis, sum);
    }

    private List<Long> transposed() {
        return attributes.has("perm")
                ? LongStream.of(attributes.integers("perm"))
                        .mapToObj(axis -> shapeOf(0).get(Operands.axis(axis, rank())))
                        .toList()
                : shapeOf(0).reversed();
    }

    private List<Long> flattened() {
        int outer = integer("axis", 1) == rank()
                ? rank()
                : Math.min(rank(), Operands.axis(integer("axis", 1), Math.max(1, rank())));
        return List.of(
                elements(shapeOf(0).subList(0, outer)), elements(shapeOf(0).subList(outer, rank())));
    }

    private List<Long> reshaped() {
        List<Long> shape = new ArrayList<>(list(operands.longs(1, "shape").orElseThrow()));
        long known = 1;
        for (int i = 0; i < shape.size(); i++) {
            if (shape.get(i) == 0 && integer("allowzero", 0) == 0) {
                shape.set(i, shapeOf(0).get(i));
            }
            known = shape.get(i) == -1 ? known : Math.multiplyExact(known, shape.get(i));
        }
        int open = shape.indexOf(-1L);
        return open < 0 || known == 0 ? shape : with(shape, open, elements(shapeOf(0)) / known);
    }

    private List<Long> squeezed() {
        Set<Integer> axes =
                axes(operands.longs(1, "axes").filter(some -> some.length > 0).orElse(range(rank())));
        return IntStream.range(0, rank())
                .filter(i -> !axes.contains(i) || shapeOf(0).get(i) != 1)
                .mapToObj(shapeOf(0)::get)
                .toList();
    }

    private Set<Integer> axes(long... axes) {
        return LongStream.of(axes).mapToObj(axis -> Operands.axis(axis, rank())).collect(Collectors.toSet());
    }

    private List<Long> unsqueezed() {
        long[] axes = operands.longs(1, "axes").orElseThrow();
        List<Long> shape = new ArrayList<>(shapeOf(0));
        LongStream.of(axes)
                .map(axis -> Operands.axis(axis, rank() + axes.length))
                .sorted()
                .forEach(axis -> shape.add((int) axis, 1L));
        return shape;
    }

    private List<Long> reduced(long... given) {
        if (given.length == 0 && integer("noop_with_empty_axes", 0) != 0) {
            return shapeOf(0);
        }
        Set<Integer> axes = axes(given.length == 0 ? range(rank()) : given);
        boolean keeps = integer("keepdims", 1) != 0;
        return IntStream.range(0, rank())
                .filter(i -> keeps || !axes.contains(i))
                .mapToObj(i -> axes.contains(i) ? 1L : shapeOf(0).get(i))
                .toList();
    }

    private List<Long> gathered() {
        int axis = axis(0);
        List<Long> shape = new ArrayList<>(shapeOf(0).subList(0, axis));
        shape.addAll(shapeOf(1));
        shape.addAll(shapeOf(0).subList(axis + 1, rank()));
        return shape;
    }

    private long ranged() {
        if (!operands.isKnown(0) || !operands.isKnown(1) || !operands.isKnown(2)) {
            return UNKNOWN;
        }
        double start = number(0);
        return (long) Math.max(0, Math.ceil((number(1) - start) / number(2)));
    }

    private double number(int input) {
        return operands.elements(input).values()[0];
    }

    private List<Long> oneHot() {
        List<Long> shape = new ArrayList<>(shapeOf(0));
        shape.add(Operands.axis(integer("axis", -1), rank() + 1), count(1));
        return shape;
    }

    private List<Long> topped() {
        return with(shapeOf(0), axis(-1), operands.has(1) ? count(1) : integer("k", UNKNOWN));
    }

    private long count(int input) {
        return operands.isKnown(input) ? operands.longs(input)[0] : UNKNOWN;
    }

    /** The batch of the first input, channels, and a size for all other dimensions. */
    private List<Long> spatial(long channels, long size) {
        List<Long> shape = new ArrayList<>(Collections.nCopies(rank(), size));
        shape.set(0, shapeOf(0).getFirst());
        shape.set(1, channels);
        return shape;
    }

    /** The kernel of a pool, after two dimensions that it has not. */
    private List<Long> kernel() {
        return LongStream.concat(LongStream.of(1, 1), LongStream.of(attributes.integers("kernel_shape")))
                .boxed()
                .toList();
    }

    /** The shape that a kernel makes, which begins with two dimensions that do not count. */
    private List<Long> alongAxes(List<Long> kernel, LongSupplier channels, IntToLongFunction size) {
        if (kernel.size() != rank()) {
            throw new IllegalArgumentException("expected a kernel of " + (rank() - 2) + " dimensions for an input of "
                    + rank() + ", got one of " + (kernel.size() - 2));
        }
        List<Long> shape = spatial(channels.getAsLong(), UNKNOWN);
        for (int i = 0; i < rank() - 2; i++) {
            shape.set(i + 2, size.applyAsLong(i));
        }
        return shape;
    }

    /** The shape after a kernel moved over the input. */
    private List<Long> windows(long channels, List<Long> kernel) {
        return alongAxes(kernel, () -> channels, i -> {
            long size = shapeOf(0).get(i + 2);
            long stride = at("strides", i, 1);
            if (stride < 1) {
                return UNKNOWN;
            }
            if (attributes.text("auto_pad", "NOTSET").startsWith("SAME")) {
                return Math.ceilDiv(size, stride);
            }
            long reach = reach(kernel, i);
            long moves = Math.addExact(size, pads(i)) - reach;
            if (moves < 0 && size > 0) {
                throw new IllegalArgumentException("expected windows of at most " + Math.addExact(size, pads(i))
                        + " elements, the input with its padding, got " + reach + " in axis " + (i + 2));
            }
            long last = Math.floorDiv(moves, stride);
            if (integer("ceil_mode", 0) == 0 || last * stride == moves) {
                return last + 1;
            }
            boolean isInside = (last + 1) * stride < size + at("pads", i, 0);
            return isInside ? last + 2 : UNKNOWN; // versions differ on a window that begins in the padding
        });
    }

    /** How far a kernel reaches along an axis. */
    private long reach(List<Long> kernel, int i) {
        return Math.multiplyExact(kernel.get(i + 2) - 1, at("dilations", i, 1)) + 1;
    }

    private long pads(int i) {
        boolean isPadded = !attributes.text("auto_pad", "NOTSET").equals("VALID");
        return isPadded ? at("pads", i, 0) + at("pads", i + rank() - 2, 0) : 0;
    }

    private long at(String name, int index, long otherwise) {
        return attributes.has(name) ? attributes.integers(name)[index] : otherwise;
    }

    /** The shape that a transposed convolution makes. */
    private List<Long> spread() {
        List<Long> kernel = shapeOf(1);
        return alongAxes(kernel, () -> Math.multiplyExact(kernel.get(1), integer("group", 1)), i -> {
            long stride = at("strides", i, 1);
            long size = shapeOf(0).get(i + 2);
            long whole = Math.multiplyExact(stride, size - 1) + at("output_padding", i, 0) + reach(kernel, i) - pads(i);
            boolean isSame = attributes.text("auto_pad", "NOTSET").startsWith("SAME");
            return at("output_shape", i, isSame ? stride * size : whole);
        });
    }

    /** Moves blocks of rows and columns to channels, or back. */
    private List<Long> blocks(boolean toSpace) {
        long block = integer("blocksize", 1);
        long squared = Math.multiplyExact(block, block);
        if (block < 1) {
            throw new IllegalArgumentException("expected blocks of 1 or more, got " + block);
        }
        List<Long> shape = shapeOf(0);
        return toSpace
                ? List.of(shape.get(0), shape.get(1) / squared, shape.get(2) * block, shape.get(3) * block)
                : List.of(shape.get(0), shape.get(1) * squared, shape.get(2) / block, shape.get(3) / block);
    }

    private long part(int index) {
        if (operands.has(1) || attributes.has("split")) {
            return operands.isKnown(1) ? operands.longs(1, "split").orElseThrow()[index] : UNKNOWN;
        }
        if (operator.outputs().contains(Optional.empty())) { // not all that the input has
            return UNKNOWN;
        }
        long size = shapeOf(0).get(axis(0));
        long each = Math.ceilDiv(size, operator.outputs().size());
        return Math.max(0, Math.min(each, size - each * index));
    }

    private List<Long> sliced() {
        if (!operands.isKnown(3)) {
            return unknown();
        }
        boolean isKnown = operands.isKnown(1) && operands.isKnown(2) && operands.isKnown(4);
        long[] starts = isKnown ? operands.longs(1, "starts").orElseThrow() : range(rank());
        long[] axes = operands.longs(3, "axes").orElse(range(starts.length));
        List<Long> shape = shapeOf(0);
        for (int i = 0; i < axes.length; i++) {
            int axis = Operands.axis(axes[i], rank());
            long size = UNKNOWN;
            if (isKnown) {
                long end = operands.longs(2, "ends").orElseThrow()[i];
                long step = operands.has(4) ? operands.longs(4)[i] : 1;
                size = sliced(shapeOf(0).get(axis), starts[i], end, step);
            }
            shape = with(shape, axis, size);
        }
        return shape;
    }

    private static long sliced(long size, long start, long end, long step) {
        if (step == 0) {
            throw new IllegalArgumentException("expected steps other than 0, got 0");
        }
        long first = start < 0 ? start + size : start;
        long last = end < 0 ? end + size : end;
        return step > 0
                ? Math.max(0, Math.ceilDiv(Math.clamp(last, 0, size) - Math.clamp(first, 0, size), step))
                : Math.max(0, Math.ceilDiv(Math.clamp(last, -1, size - 1) - Math.clamp(first, -1, size - 1), step));
    }

    private List<Long> padded() {
        if (!operands.isKnown(1) || !operands.isKnown(3)) {
            return unknown();
        }
        long[] pads = operands.longs(1, "pads").orElseThrow();
        long[] axes = operands.has(3) ? operands.longs(3) : range(rank());
        List<Long> shape = shapeOf(0);
        for (int i = 0; i < axes.length; i++) {
            int axis = Operands.axis(axes[i], rank());
            long both = Math.addExact(pads[i], pads[i + axes.length]);
            shape = with(shape, axis, Math.addExact(shape.get(axis), both));
        }
        return shape;
    }

    private List<Long> tiled(long[] repeats) {
        return IntStream.range(0, rank())
                .mapToObj(i -> Math.multiplyExact(shapeOf(0).get(i), repeats[i]))
                .toList();
    }

    private List<Long> resized() {
        int scales = operator.type().equals("Upsample") || opset < 11 ? 1 : 2;
        long[] axes = attributes.integers("axes", range(rank()));
        boolean isKnown = attributes.text("keep_aspect_ratio_policy", "stretch").equals("stretch")
                && operands.isKnown(operands.has(3) ? 3 : scales);
        List<Long> shape = new ArrayList<>(shapeOf(0));
        for (int i = 0; i < axes.length; i++) {
            int axis = Operands.axis(axes[i], rank());
            shape.set(axis, isKnown ? resized(scales, i, shape.get(axis)) : UNKNOWN);
        }
        return shape;
    }

    private long resized(int scales, int i, long size) {
        if (operands.has(3)) {
            return operands.longs(3)[i];
        }
        double factor = operands.has(scales)
                ? operands.elements(scales).values()[i]
                : attributes.numbers("scales", List.of()).get(i); // as the first version of Upsample has them
        return (long) ((float) factor * size);
    }

    private List<Long> recurrent(int index) {
        boolean isBatchFirst = integer("layout", 0) != 0;
        long steps = shapeOf(0).get(isBatchFirst ? 1 : 0);
        long batch = shapeOf(0).get(isBatchFirst ? 0 : 1);
        long directions = shapeOf(1).getFirst();
        long hidden = shapeOf(2).get(2);
        if (index > 0) {
            return isBatchFirst ? List.of(batch, directions, hidden) : List.of(directions, batch, hidden);
        }
        return isBatchFirst ? List.of(batch, steps, directions, hidden) : List.of(steps, directions, batch, hidden);
    }
}
