package io.devicearena.onnx.internal.graph;

import io.devicearena.onnx.graph.OnnxAttributes;
import io.devicearena.onnx.graph.OnnxConstant;
import io.devicearena.onnx.graph.OnnxOperator;
import io.devicearena.onnx.graph.OnnxOperators;
import io.devicearena.onnx.internal.tensors.ElementTypes;
import io.devicearena.weights.tensor.TensorType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.LongStream;

/**
 * The types and shapes that an operator's values have, as far as its inputs say: a file may declare others, which were
 * right for other sizes.
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

    private final OnnxOperator operator;
    private final OnnxAttributes attributes;
    private final List<Optional<ValueType>> inputs;
    private final IntFunction<Optional<double[]>> numbers;
    private final long opset;

    /**
     * Makes the shapes of an operator.
     *
     * @param inputs the types of its operands; empty for those that it leaves out
     * @param numbers the elements of an operand, where they are known and few
     */
    OperatorShapes(OnnxOperator operator, List<Optional<ValueType>> inputs, IntFunction<Optional<double[]>> numbers) {
        this.operator = operator;
        this.attributes = operator.attributes();
        this.inputs = inputs;
        this.numbers = numbers;
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
        try {
            return new Known(type(index), shape(index));
        } catch (IndexOutOfBoundsException | NoSuchElementException e) { // fewer inputs or dimensions than it must have
            return Known.NOTHING;
        }
    }

    private Optional<TensorType> type(int index) {
        String op = operator.type();
        if (TRUTH_VALUES.contains(op) || (op.equals("Dropout") && index == 1)) {
            return Optional.of(TensorType.BOOL);
        }
        if (index > 0 && !op.equals("Split") && !RECURRENT.contains(op)) {
            return Optional.ofNullable(FURTHER_TYPES.get(op));
        }
        return switch (op) {
            case "Cast" -> ElementTypes.of((int) integer("to", 0));
            case "ArgMax", "ArgMin", "NonMaxSuppression", "NonZero", "Shape", "Size" -> Optional.of(TensorType.I64);
            case "ConvInteger", "MatMulInteger" -> Optional.of(TensorType.I32);
            case "DynamicQuantizeLinear" -> Optional.of(TensorType.U8);
            case "CastLike", "DequantizeLinear", "Where" -> typeOf(1);
            case "OneHot" -> typeOf(2);
            case "QLinearConv", "QLinearMatMul" -> typeOf(7);
            case "QuantizeLinear" -> has(2) ? typeOf(2) : ofAttribute("output_dtype", TensorType.U8);
            case "ConstantOfShape" ->
                Optional.of(attributes.tensor("value").map(OnnxConstant::type).orElse(TensorType.F32));
            case "RandomNormal", "RandomUniform" -> ofAttribute("dtype", TensorType.F32);
            case "Bernoulli", "EyeLike", "RandomNormalLike", "RandomUniformLike" ->
                attributes.has("dtype") ? ofAttribute("dtype", TensorType.F32) : typeOf(0);
            default -> OTHER_TYPES.contains(op) ? Optional.empty() : typeOf(0);
        };
    }

    private Optional<TensorType> typeOf(int input) {
        return inputs.get(input).map(ValueType::type);
    }

    private Optional<TensorType> ofAttribute(String name, TensorType otherwise) {
        return attributes.has(name) ? ElementTypes.of((int) integer(name, 0)) : Optional.of(otherwise);
    }

    private Optional<List<Long>> shape(int index) {
        String op = operator.type();
        if (OF_FIRST_INPUT.contains(op)) {
            return index == 0 || op.equals("Dropout") ? Optional.of(shapeOf(0)) : Optional.empty();
        }
        if (OnnxOperators.isElementWise(op)) {
            return Optional.of(opset < FIRST_BROADCASTING ? shapeOf(0) : broadcastInputs());
        }
        if (op.startsWith("Reduce")) {
            return reduced(axes(1));
        }
        return switch (op) {
            case "Identity" -> Optional.of(shapeOf(0));
            case "ArgMax", "ArgMin" -> reduced(Optional.of(new long[] {integer("axis", 0)}));
            case "MatMul", "MatMulInteger" -> Optional.of(product(shapeOf(0), shapeOf(1)));
            case "QLinearMatMul" -> Optional.of(product(shapeOf(0), shapeOf(3)));
            case "Gemm" -> gemm();
            case "Concat" -> Optional.of(concatenated());
            case "Transpose" -> Optional.of(transposed());
            case "Flatten" -> Optional.of(flattened());
            case "Reshape" -> reshaped();
            case "Squeeze" -> squeezed();
            case "Unsqueeze" -> unsqueezed();
            case "Expand" -> longs(1).map(shape -> broadcast(shapeOf(0), list(shape)));
            case "Shape" -> Optional.of(List.of(dimensionsOfShape()));
            case "Size" -> Optional.of(List.of());
            case "NonZero" -> Optional.of(List.of((long) shapeOf(0).size(), UNKNOWN));
            case "NonMaxSuppression" -> Optional.of(List.of(UNKNOWN, 3L));
            case "Compress" -> Optional.of(List.of(UNKNOWN));
            case "ConstantOfShape" -> longs(0).map(OperatorShapes::list);
            case "RandomNormal", "RandomUniform" -> integers("shape").map(OperatorShapes::list);
            case "Range" -> ranged();
            case "OneHot" -> oneHot();
            case "Gather" -> Optional.of(gathered());
            case "GatherElements" -> Optional.of(shapeOf(1));
            case "Conv", "ConvInteger" -> Optional.of(windows(shapeOf(1).getFirst(), shapeOf(1)));
            case "QLinearConv" -> Optional.of(windows(shapeOf(3).getFirst(), shapeOf(3)));
            case "ConvTranspose" -> Optional.of(spread());
            case "MaxPool", "AveragePool", "LpPool" ->
                Optional.of(windows(shapeOf(0).get(1), kernel()));
            case "GlobalAveragePool", "GlobalMaxPool", "GlobalLpPool" -> Optional.of(onePerChannel());
            case "DepthToSpace" -> Optional.of(blocks(true));
            case "SpaceToDepth" -> Optional.of(blocks(false));
            case "Split" -> Optional.of(split(index));
            case "Slice" -> Optional.of(sliced());
            case "Pad" -> padded();
            case "Tile" -> longs(1).map(this::tiled);
            case "Resize", "Upsample" -> resized();
            case "TopK" -> Optional.of(topped());
            case "DynamicQuantizeLinear" -> Optional.of(index == 0 ? shapeOf(0) : List.of());
            case "LSTM", "GRU", "RNN" -> Optional.of(recurrent(index));
            default -> Optional.empty();
        };
    }

    private List<Long> shapeOf(int input) {
        return inputs.get(input).orElseThrow(IndexOutOfBoundsException::new).shape();
    }

    private int rank() {
        return shapeOf(0).size();
    }

    private long integer(String name, long otherwise) {
        return attributes.integer(name, otherwise);
    }

    private Optional<long[]> integers(String name) {
        return attributes.has(name) ? Optional.of(attributes.integers(name)) : Optional.empty();
    }

    private boolean has(int input) {
        return input < inputs.size() && inputs.get(input).isPresent();
    }

    /** The numbers of an input that is a weight; those too large for a long are the largest. */
    private Optional<long[]> longs(int input) {
        return has(input)
                ? numbers.apply(input).map(values -> {
                    long[] longs = new long[values.length];
                    for (int i = 0; i < values.length; i++) {
                        longs[i] = (long) values[i];
                    }
                    return longs;
                })
                : Optional.empty();
    }

    /** The axes of an attribute, or those of an input as newer versions have them; none given are no axes. */
    private Optional<long[]> axes(int input) {
        return has(input) ? longs(input) : Optional.of(integers("axes").orElse(new long[0]));
    }

    private static List<Long> list(long[] numbers) {
        List<Long> list = new ArrayList<>();
        for (long number : numbers) {
            list.add(number);
        }
        return list;
    }

    private static int axis(long axis, int rank) {
        if (axis < -rank || axis >= rank) {
            throw new IllegalArgumentException("expected an axis of an input of " + rank + " dimensions, got " + axis);
        }
        return (int) (axis < 0 ? axis + rank : axis);
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
        List<Long> shape = List.of();
        for (int i = 0; i < inputs.size(); i++) {
            shape = broadcast(shape, shapeOf(i));
        }
        return shape;
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

    private Optional<List<Long>> gemm() {
        if (rank() != 2 || shapeOf(1).size() != 2) { // old versions flatten
            return Optional.empty();
        }
        List<Long> a = integer("transA", 0) == 0 ? shapeOf(0) : shapeOf(0).reversed();
        List<Long> b = integer("transB", 0) == 0 ? shapeOf(1) : shapeOf(1).reversed();
        return Optional.of(product(a, b));
    }

    private List<Long> concatenated() {
        int axis = axis(integer("axis", 1), rank());
        long sum = 0;
        for (int i = 0; i < inputs.size(); i++) {
            if (shapeOf(i).size() != rank() || !with(shapeOf(i), axis, 0).equals(with(shapeOf(0), axis, 0))) {
                throw new IllegalArgumentException("expected inputs that differ along axis " + axis + " only, got "
                        + shapeOf(0) + " and " + shapeOf(i));
            }
            sum = Math.addExact(sum, shapeOf(i).get(axis));
        }
        return with(shapeOf(0), axis, sum);
    }

    private List<Long> transposed() {
        Optional<long[]> order = integers("perm");
        if (order.isEmpty()) {
            return shapeOf(0).reversed();
        }
        List<Long> shape = new ArrayList<>();
        for (long axis : order.get()) {
            shape.add(shapeOf(0).get(axis(axis, rank())));
        }
        return shape;
    }

    private List<Long> flattened() {
        long axis = integer("axis", 1);
        int outer = axis == rank() ? rank() : axis(axis, Math.max(1, rank()));
        outer = Math.min(outer, rank());
        return List.of(
                elements(shapeOf(0).subList(0, outer)), elements(shapeOf(0).subList(outer, rank())));
    }

    private Optional<List<Long>> reshaped() {
        Optional<long[]> wanted = has(1) ? longs(1) : integers("shape");
        return wanted.map(sizes -> {
            List<Long> shape = list(sizes);
            long known = 1;
            for (int i = 0; i < sizes.length; i++) {
                if (sizes[i] == 0 && integer("allowzero", 0) == 0) {
                    shape.set(i, shapeOf(0).get(i));
                }
                known = shape.get(i) == -1 ? known : Math.multiplyExact(known, shape.get(i));
            }
            int open = shape.indexOf(-1L);
            return open < 0 || known == 0 ? shape : with(shape, open, elements(shapeOf(0)) / known);
        });
    }

    private Optional<List<Long>> squeezed() {
        return axes(1).map(axes -> {
            Set<Integer> gone = new HashSet<>();
            for (long axis : axes) {
                gone.add(axis(axis, rank()));
            }
            List<Long> shape = new ArrayList<>();
            for (int i = 0; i < rank(); i++) {
                boolean isGone = axes.length == 0 || gone.contains(i);
                if (!isGone || shapeOf(0).get(i) != 1) {
                    shape.add(shapeOf(0).get(i));
                }
            }
            return shape;
        });
    }

    private Optional<List<Long>> unsqueezed() {
        return axes(1).map(axes -> {
            int rank = rank() + axes.length;
            List<Long> shape = new ArrayList<>(Collections.nCopies(rank, UNKNOWN));
            for (long axis : axes) {
                shape.set(axis(axis, rank), 1L);
            }
            int next = 0;
            for (int i = 0; i < rank; i++) {
                if (shape.get(i) == UNKNOWN) {
                    shape.set(i, shapeOf(0).get(next++));
                }
            }
            return shape;
        });
    }

    private long dimensionsOfShape() {
        long start = integer("start", 0);
        long end = integer("end", rank());
        long first = Math.clamp(start < 0 ? start + rank() : start, 0, rank());
        long last = Math.clamp(end < 0 ? end + rank() : end, 0, rank());
        return Math.max(0, last - first);
    }

    private List<Long> gathered() {
        int axis = axis(integer("axis", 0), rank());
        List<Long> shape = new ArrayList<>(shapeOf(0).subList(0, axis));
        shape.addAll(shapeOf(1));
        shape.addAll(shapeOf(0).subList(axis + 1, rank()));
        return shape;
    }

    private Optional<List<Long>> ranged() {
        Optional<double[]> start = numbers.apply(0);
        Optional<double[]> limit = numbers.apply(1);
        Optional<double[]> step = numbers.apply(2);
        if (start.isEmpty() || limit.isEmpty() || step.isEmpty()) {
            return Optional.of(List.of(UNKNOWN));
        }
        return Optional.of(List.of((long) Math.max(0, Math.ceil((limit.get()[0] - start.get()[0]) / step.get()[0]))));
    }

    private Optional<List<Long>> oneHot() {
        List<Long> shape = new ArrayList<>(shapeOf(0));
        long depth = longs(1).map(it -> it[0]).orElse(UNKNOWN);
        shape.add(axis(integer("axis", -1), rank() + 1), depth);
        return Optional.of(shape);
    }

    private List<Long> topped() {
        Optional<Long> most = has(1) ? longs(1).map(it -> it[0]) : Optional.of(integer("k", UNKNOWN));
        return with(shapeOf(0), axis(integer("axis", -1), rank()), most.orElse(UNKNOWN));
    }

    private Optional<List<Long>> reduced(Optional<long[]> given) {
        boolean keeps = integer("keepdims", 1) != 0;
        if (given.isEmpty()) {
            return keeps ? Optional.of(Collections.nCopies(rank(), UNKNOWN)) : Optional.empty();
        }
        boolean isAll = given.get().length == 0;
        if (isAll && integer("noop_with_empty_axes", 0) != 0) {
            return Optional.of(shapeOf(0));
        }
        List<Long> shape = new ArrayList<>(isAll ? Collections.nCopies(rank(), 1L) : shapeOf(0));
        Set<Integer> gone = new HashSet<>();
        for (long axis : given.get()) {
            gone.add(axis(axis, rank()));
            shape.set(axis(axis, rank()), 1L);
        }
        if (keeps) {
            return Optional.of(shape);
        }
        List<Long> kept = new ArrayList<>();
        for (int i = 0; i < rank(); i++) {
            if (!isAll && !gone.contains(i)) {
                kept.add(shape.get(i));
            }
        }
        return Optional.of(kept);
    }

    /** The batch of the first input, channels, and dimensions that are not worked out. */
    private List<Long> batchAnd(long channels) {
        List<Long> shape = new ArrayList<>(Collections.nCopies(rank(), UNKNOWN));
        shape.set(0, shapeOf(0).getFirst());
        shape.set(1, channels);
        return shape;
    }

    private List<Long> onePerChannel() {
        List<Long> shape = new ArrayList<>(Collections.nCopies(rank(), 1L));
        shape.set(0, shapeOf(0).getFirst());
        shape.set(1, shapeOf(0).get(1));
        return shape;
    }

    private void requireRank(List<Long> kernel) {
        if (kernel.size() != rank()) {
            throw new IllegalArgumentException("expected a kernel of " + (rank() - 2) + " dimensions for an input of "
                    + rank() + ", got one of " + (kernel.size() - 2));
        }
    }

    /** The kernel of a pool, after two dimensions that it has not. */
    private List<Long> kernel() {
        List<Long> kernel = new ArrayList<>(List.of(1L, 1L));
        kernel.addAll(list(integers("kernel_shape").orElse(new long[0])));
        return kernel;
    }

    /** The shape after a kernel moved over the input; {@code kernel} begins with two dimensions that do not count. */
    private List<Long> windows(long channels, List<Long> kernel) {
        requireRank(kernel);
        List<Long> shape = batchAnd(channels);
        String padding = attributes.text("auto_pad", "NOTSET");
        int axes = rank() - 2;
        for (int i = 0; i < axes; i++) {
            long size = shapeOf(0).get(i + 2);
            long stride = at("strides", i, 1);
            if (stride < 1) {
                continue;
            }
            if (padding.startsWith("SAME")) {
                shape.set(i + 2, Math.ceilDiv(size, stride));
                continue;
            }
            long pads = padding.equals("VALID") ? 0 : at("pads", i, 0) + at("pads", i + axes, 0);
            long reach = Math.multiplyExact(kernel.get(i + 2) - 1, at("dilations", i, 1)) + 1;
            long moves = Math.addExact(size, pads) - reach;
            if (moves < 0 && size > 0) {
                throw new IllegalArgumentException("expected windows of at most " + Math.addExact(size, pads)
                        + " elements, the input with its padding, got " + reach + " in axis " + (i + 2));
            }
            long last = Math.floorDiv(moves, stride);
            if (integer("ceil_mode", 0) != 0 && last * stride != moves) {
                boolean isInside = (last + 1) * stride < size + at("pads", i, 0);
                last = isInside ? last + 1 : UNKNOWN - 1; // versions differ on a window that begins in the padding
            }
            shape.set(i + 2, last + 1);
        }
        return shape;
    }

    /** The shape that a transposed convolution makes. */
    private List<Long> spread() {
        List<Long> kernel = shapeOf(1);
        requireRank(kernel);
        List<Long> shape = batchAnd(Math.multiplyExact(kernel.get(1), integer("group", 1)));
        String padding = attributes.text("auto_pad", "NOTSET");
        int axes = rank() - 2;
        for (int i = 0; i < axes; i++) {
            long stride = at("strides", i, 1);
            long size = shapeOf(0).get(i + 2);
            long reach = Math.multiplyExact(kernel.get(i + 2) - 1, at("dilations", i, 1)) + 1;
            long pads = padding.equals("VALID") ? 0 : at("pads", i, 0) + at("pads", i + axes, 0);
            long whole = Math.multiplyExact(stride, size - 1) + at("output_padding", i, 0) + reach - pads;
            shape.set(i + 2, at("output_shape", i, padding.startsWith("SAME") ? stride * size : whole));
        }
        return shape;
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

    private long at(String name, int index, long otherwise) {
        return integers(name).map(numbers -> numbers[index]).orElse(otherwise);
    }

    private List<Long> split(int index) {
        int axis = axis(integer("axis", 0), rank());
        Optional<long[]> sizes = has(1) ? longs(1) : integers("split");
        if (has(1) || sizes.isPresent()) {
            return with(shapeOf(0), axis, sizes.map(each -> each[index]).orElse(UNKNOWN));
        }
        if (operator.outputs().contains(Optional.empty())) { // not all that the input has
            return with(shapeOf(0), axis, UNKNOWN);
        }
        long size = shapeOf(0).get(axis);
        long each = Math.ceilDiv(size, operator.outputs().size());
        return with(shapeOf(0), axis, Math.max(0, Math.min(each, size - each * index)));
    }

    private List<Long> sliced() {
        Optional<long[]> starts = has(1) ? longs(1) : integers("starts");
        Optional<long[]> ends = has(2) ? longs(2) : integers("ends");
        Optional<long[]> axes = has(3) ? longs(3) : integers("axes");
        Optional<long[]> steps = has(4) ? longs(4) : Optional.of(new long[0]);
        if (has(3) && axes.isEmpty()) {
            return Collections.nCopies(rank(), UNKNOWN);
        }
        long[] cut = axes.orElseGet(
                () -> LongStream.range(0, starts.map(all -> all.length).orElse(rank()))
                        .toArray());
        List<Long> shape = shapeOf(0);
        for (int i = 0; i < cut.length; i++) {
            int axis = axis(cut[i], rank());
            boolean isKnown = starts.isPresent() && ends.isPresent() && steps.isPresent();
            long step = isKnown && steps.get().length > 0 ? steps.get()[i] : 1;
            shape = with(
                    shape,
                    axis,
                    isKnown ? sliced(shapeOf(0).get(axis), starts.get()[i], ends.get()[i], step) : UNKNOWN);
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

    private Optional<List<Long>> padded() {
        Optional<long[]> pads = has(1) ? longs(1) : integers("pads");
        if (pads.isEmpty() || (has(3) && longs(3).isEmpty())) {
            return Optional.of(Collections.nCopies(rank(), UNKNOWN));
        }
        long[] axes = longs(3).orElseGet(() -> LongStream.range(0, rank()).toArray());
        List<Long> shape = shapeOf(0);
        for (int i = 0; i < axes.length; i++) {
            int axis = axis(axes[i], rank());
            long both = Math.addExact(pads.get()[i], pads.get()[i + axes.length]);
            shape = with(shape, axis, Math.addExact(shape.get(axis), both));
        }
        return Optional.of(shape);
    }

    private List<Long> tiled(long[] repeats) {
        List<Long> shape = new ArrayList<>();
        for (int i = 0; i < rank(); i++) {
            shape.add(Math.multiplyExact(shapeOf(0).get(i), repeats[i]));
        }
        return shape;
    }

    private Optional<List<Long>> resized() {
        int scales = operator.type().equals("Upsample") || opset < 11 ? 1 : 2;
        long[] axes =
                integers("axes").orElseGet(() -> LongStream.range(0, rank()).toArray());
        List<Long> shape = new ArrayList<>(shapeOf(0));
        Optional<double[]> sizes = has(3) ? numbers.apply(3) : Optional.empty();
        Optional<double[]> factors = has(scales) ? numbers.apply(scales) : scales();
        boolean isKnown = attributes.text("keep_aspect_ratio_policy", "stretch").equals("stretch");
        for (int i = 0; i < axes.length; i++) {
            int axis = axis(axes[i], rank());
            if (isKnown && sizes.isPresent()) {
                shape.set(axis, (long) sizes.get()[i]);
            } else if (isKnown && !has(3) && factors.isPresent()) {
                shape.set(axis, (long) ((float) factors.get()[i] * shape.get(axis)));
            } else {
                shape.set(axis, UNKNOWN);
            }
        }
        return Optional.of(shape);
    }

    /** The factors of an attribute, as the first version of Upsample has them. */
    private Optional<double[]> scales() {
        return attributes.has("scales")
                ? Optional.of(attributes.numbers("scales", List.of()).stream()
                        .mapToDouble(Float::doubleValue)
                        .toArray())
                : Optional.empty();
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
