package io.devicearena.onnx.internal.graph;

import io.devicearena.onnx.graph.OnnxAttributes;
import io.devicearena.onnx.graph.OnnxOperator;
import io.devicearena.weights.tensor.TensorType;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.function.DoubleBinaryOperator;
import java.util.function.DoubleUnaryOperator;
import java.util.function.IntToDoubleFunction;
import java.util.function.ToIntFunction;
import java.util.stream.LongStream;

/**
 * Computes values of operators whose operands are known: the arithmetic on shapes that exporters write.
 *
 * <p>Source: the operators of ONNX (ai.onnx, opset 7 to 23).
 */
final class ConstantFolding {
    private static final Map<String, DoubleBinaryOperator> BINARY = Map.ofEntries(
            Map.entry("Add", (a, b) -> a + b),
            Map.entry("Sub", (a, b) -> a - b),
            Map.entry("Mul", (a, b) -> a * b),
            Map.entry("Div", (a, b) -> a / b),
            Map.entry("Max", Math::max),
            Map.entry("Min", Math::min),
            Map.entry("Pow", Math::pow),
            Map.entry("Equal", (a, b) -> truth(a == b)),
            Map.entry("Greater", (a, b) -> truth(a > b)),
            Map.entry("GreaterOrEqual", (a, b) -> truth(a >= b)),
            Map.entry("Less", (a, b) -> truth(a < b)),
            Map.entry("LessOrEqual", (a, b) -> truth(a <= b)),
            Map.entry("And", (a, b) -> a * b),
            Map.entry("Or", Math::max),
            Map.entry("Xor", (a, b) -> truth(a != b)));
    private static final Map<String, DoubleUnaryOperator> UNARY = Map.of(
            "Abs", Math::abs,
            "Neg", a -> -a,
            "Not", a -> 1 - a,
            "Sign", Math::signum,
            "Floor", Math::floor,
            "Ceil", Math::ceil,
            "Sqrt", Math::sqrt,
            "Reciprocal", a -> 1 / a);
    private static final Map<String, DoubleBinaryOperator> REDUCTIONS = Map.of(
            "ReduceSum",
            (a, b) -> a + b,
            "ReduceProd",
            (a, b) -> a * b,
            "ReduceMax",
            Math::max,
            "ReduceMin",
            Math::min);

    private final OnnxOperator operator;
    private final OnnxAttributes attributes;
    private final List<Optional<ValueType>> types;
    private final List<Optional<Numbers>> operands;

    /**
     * Makes the computation of an operator of ONNX.
     *
     * @param types the types of its operands, as far as they are known
     * @param operands their elements, where they are known and few
     */
    ConstantFolding(OnnxOperator operator, List<Optional<ValueType>> types, List<Optional<Numbers>> operands) {
        this.operator = operator;
        this.attributes = operator.attributes();
        this.types = types;
        this.operands = operands;
    }

    private static double truth(boolean value) {
        return value ? 1 : 0;
    }

    /**
     * Returns the elements of the first output, or empty if they are not known.
     *
     * @param type its type and shape
     */
    Optional<Numbers> output(ValueType type) {
        long elements = elements(type.shape());
        if (!operator.domain().isEmpty() || !Numbers.isOfType(type.type()) || elements > Numbers.MOST_ELEMENTS) {
            return Optional.empty();
        }
        try {
            return values(type.shape())
                    .filter(values -> values.length == elements)
                    .map(values -> rounded(type.type(), values))
                    .map(values -> new Numbers(type.type(), type.shape(), values))
                    .filter(made -> made.isExact()
                            || operands.stream().flatMap(Optional::stream).anyMatch(it -> !it.isExact()));
        } catch (IndexOutOfBoundsException | NoSuchElementException e) { // operands that the operator cannot have
            return Optional.empty();
        }
    }

    private static long elements(List<Long> shape) {
        long elements = 1;
        for (long size : shape) {
            elements = Math.min(elements * Math.min(size, Integer.MAX_VALUE), Integer.MAX_VALUE);
        }
        return elements;
    }

    private static double[] rounded(TensorType type, double[] values) {
        double[] rounded = new double[values.length];
        for (int i = 0; i < values.length; i++) {
            rounded[i] = switch (type) {
                case F32 -> (float) values[i];
                case F64 -> values[i];
                case BOOL -> truth(values[i] != 0);
                default -> values[i] < 0 ? Math.ceil(values[i]) : Math.floor(values[i]); // towards zero, as C does
            };
        }
        return rounded;
    }

    private Optional<double[]> values(List<Long> shape) {
        String type = operator.type();
        if (type.equals("Shape")) {
            return types.getFirst().map(input -> shape(input.shape()));
        }
        if (type.equals("Size")) {
            return types.getFirst().map(input -> new double[] {elements(input.shape())});
        }
        for (int i = 0; i < operator.operands().size(); i++) {
            if (operator.operand(i).isPresent() && operands.get(i).isEmpty()) {
                return Optional.empty();
            }
        }
        if (UNARY.containsKey(type)) {
            return Optional.of(mapped(shape, place -> UNARY.get(type).applyAsDouble(input(0).values()[place])));
        }
        if (BINARY.containsKey(type)) {
            return binary(shape, BINARY.get(type));
        }
        if (REDUCTIONS.containsKey(type)) {
            return reduced(REDUCTIONS.get(type));
        }
        return switch (type) {
            case "Cast", "Identity", "Reshape", "Squeeze", "Unsqueeze", "Flatten" -> Optional.of(input(0).values());
            case "Mod" ->
                attributes.integer("fmod", 0) == 0
                        ? binary(shape, (a, b) -> a - b * Math.floor(a / b))
                        : Optional.empty();
            case "Concat" -> Optional.of(concatenated(shape));
            case "Slice" -> Optional.of(sliced(shape));
            case "Gather" -> Optional.of(gathered(shape));
            case "Expand" -> Optional.of(picked(shape, 0, coordinates -> broadcast(0, coordinates)));
            case "Transpose" -> Optional.of(transposed(shape));
            case "ConstantOfShape" -> filled(shape);
            case "Range" -> Optional.of(range(shape));
            case "Where" -> Optional.of(chosen(shape));
            default -> Optional.empty();
        };
    }

    private Numbers input(int position) {
        return operands.get(position).orElseThrow(IndexOutOfBoundsException::new);
    }

    private boolean has(int position) {
        return operator.operand(position).isPresent();
    }

    private double[] shape(List<Long> shape) {
        int rank = shape.size();
        long start = attributes.integer("start", 0);
        long end = attributes.integer("end", rank);
        long first = Math.clamp(start < 0 ? start + rank : start, 0, rank);
        long last = Math.clamp(end < 0 ? end + rank : end, first, rank);
        return shape.subList((int) first, (int) last).stream()
                .mapToDouble(Long::doubleValue)
                .toArray();
    }

    private static double[] mapped(List<Long> shape, IntToDoubleFunction element) {
        double[] values = new double[(int) elements(shape)];
        for (int i = 0; i < values.length; i++) {
            values[i] = element.applyAsDouble(i);
        }
        return values;
    }

    /** The elements of an operand at the places that coordinates of the output have in it. */
    private double[] picked(List<Long> shape, int position, ToIntFunction<long[]> place) {
        double[] values = input(position).values();
        return mapped(shape, i -> values[place.applyAsInt(coordinates(i, shape))]);
    }

    private static long[] coordinates(long place, List<Long> shape) {
        long[] coordinates = new long[shape.size()];
        long rest = place;
        for (int axis = coordinates.length - 1; axis >= 0; axis--) {
            coordinates[axis] = rest % shape.get(axis);
            rest /= shape.get(axis);
        }
        return coordinates;
    }

    private static int place(long[] coordinates, List<Long> shape) {
        long place = 0;
        for (int axis = 0; axis < coordinates.length; axis++) {
            place = place * shape.get(axis) + coordinates[axis];
        }
        return (int) place;
    }

    private int broadcast(int position, long[] coordinates) {
        List<Long> shape = input(position).shape();
        long[] own = new long[shape.size()];
        for (int axis = 0; axis < own.length; axis++) {
            own[axis] = shape.get(axis) == 1 ? 0 : coordinates[coordinates.length - own.length + axis];
        }
        return place(own, shape);
    }

    private Optional<double[]> binary(List<Long> shape, DoubleBinaryOperator function) {
        boolean divides = operator.type().equals("Div") || operator.type().equals("Mod");
        boolean isInteger = input(0).isInteger();
        if (operands.size() != 2 // Max and Min of others, which no arithmetic on shapes has
                || (divides && isInteger && Arrays.stream(input(1).values()).anyMatch(value -> value == 0))) {
            return Optional.empty();
        }
        double[] left = picked(shape, 0, coordinates -> broadcast(0, coordinates));
        double[] right = picked(shape, 1, coordinates -> broadcast(1, coordinates));
        return Optional.of(mapped(shape, i -> function.applyAsDouble(left[i], right[i])));
    }

    private double[] chosen(List<Long> shape) {
        double[] condition = picked(shape, 0, coordinates -> broadcast(0, coordinates));
        double[] yes = picked(shape, 1, coordinates -> broadcast(1, coordinates));
        double[] no = picked(shape, 2, coordinates -> broadcast(2, coordinates));
        return mapped(shape, i -> condition[i] != 0 ? yes[i] : no[i]);
    }

    /** Of all elements; others are rare where shapes are computed. */
    private Optional<double[]> reduced(DoubleBinaryOperator function) {
        double[] values = input(0).values();
        if (input(0).shape().size() > 1 || values.length == 0) {
            return Optional.empty();
        }
        double result = values[0];
        for (int i = 1; i < values.length; i++) {
            result = function.applyAsDouble(result, values[i]);
        }
        return Optional.of(new double[] {result});
    }

    private static int axis(long axis, int rank) {
        return (int) (axis < 0 ? axis + rank : axis);
    }

    private double[] concatenated(List<Long> shape) {
        int axis = axis(attributes.integer("axis", 1), shape.size());
        return mapped(shape, i -> {
            long[] coordinates = coordinates(i, shape);
            int part = 0;
            while (coordinates[axis] >= input(part).shape().get(axis)) {
                coordinates[axis] -= input(part++).shape().get(axis);
            }
            return input(part).values()[place(coordinates, input(part).shape())];
        });
    }

    private long[] longs(int position, String attribute) {
        if (!has(position)) {
            return attributes.integers(attribute);
        }
        double[] values = input(position).values();
        long[] longs = new long[values.length];
        for (int i = 0; i < longs.length; i++) {
            longs[i] = (long) values[i];
        }
        return longs;
    }

    private double[] sliced(List<Long> shape) {
        List<Long> source = input(0).shape();
        long[] starts = longs(1, "starts");
        long[] axes = longs(3, "axes");
        long[] steps = longs(4, "steps");
        return picked(shape, 0, coordinates -> {
            for (int i = 0; i < starts.length; i++) {
                int axis = axis(axes.length == 0 ? i : axes[i], source.size());
                long size = source.get(axis);
                long step = steps.length == 0 ? 1 : steps[i];
                long first = starts[i] < 0 ? starts[i] + size : starts[i];
                coordinates[axis] = Math.clamp(first, 0, step > 0 ? size : size - 1) + coordinates[axis] * step;
            }
            return place(coordinates, source);
        });
    }

    private double[] transposed(List<Long> shape) {
        long[] order = attributes.integers(
                "perm",
                LongStream.range(0, shape.size()).map(i -> shape.size() - 1 - i).toArray());
        return picked(shape, 0, coordinates -> {
            long[] own = new long[coordinates.length];
            for (int i = 0; i < own.length; i++) {
                own[axis(order[i], own.length)] = coordinates[i];
            }
            return place(own, input(0).shape());
        });
    }

    private double[] gathered(List<Long> shape) {
        List<Long> source = input(0).shape();
        List<Long> indices = input(1).shape();
        int axis = axis(attributes.integer("axis", 0), source.size());
        return picked(shape, 0, coordinates -> {
            long[] index = new long[indices.size()];
            System.arraycopy(coordinates, axis, index, 0, index.length);
            long[] own = new long[source.size()];
            System.arraycopy(coordinates, 0, own, 0, axis);
            System.arraycopy(coordinates, axis + index.length, own, axis + 1, own.length - axis - 1);
            long at = (long) input(1).values()[place(index, indices)];
            own[axis] = at < 0 ? at + source.get(axis) : at;
            if (own[axis] < 0 || own[axis] >= source.get(axis)) {
                throw new IndexOutOfBoundsException("index " + at);
            }
            return place(own, source);
        });
    }

    private Optional<double[]> filled(List<Long> shape) {
        double[] value =
                attributes.tensor("value").map(tensor -> tensor.doubles()).orElse(new double[1]);
        return Optional.of(mapped(shape, i -> value[0]));
    }

    private double[] range(List<Long> shape) {
        double start = input(0).values()[0];
        double step = input(2).values()[0];
        return mapped(shape, i -> start + i * step);
    }
}
